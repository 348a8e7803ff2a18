// The form for the WhatsApp gateway's address and key, which the portal tests before it stores them.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { keys } from '#data/keys.ts'
import { PasswordField, TextField } from '#ui/forms/field.tsx'
import { SelectField } from '#ui/forms/select-field.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { setGateway } from './data.ts'
import { GATEWAY_KINDS, kindOf } from './gateway-kinds.ts'

type GatewayFormProps = {
  /** Undefined: the form asks for it. */
  kind?: string
  url: string | null
  /** Called when the portal has stored the address and starts to connect. */
  onSaved?: () => void
}

export function GatewayForm({ kind: given, url: before, onSaved }: GatewayFormProps) {
  const client = useQueryClient()
  const isOnline = useIsOnline()
  const [chosen, setChosen] = useState('evolution')
  const { kind, placeholder, needs } = kindOf(given ?? chosen)
  const [url, setUrl] = useState(before ?? '')
  const [apiKey, setApiKey] = useState('')
  const [isExplained, setExplained] = useState(false)
  const { mutate, isPending, isSuccess, error, reset } = useMutation({
    ...setGateway(),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys.firstHour() })
      onSaved?.()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate({ kind, url: url.trim(), apiKey: apiKey.trim() })
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-3">
      {given === undefined && (
        <KindField
          kind={kind}
          onChange={(wanted) => {
            reset()
            setChosen(wanted)
          }}
        />
      )}
      <div className="grid grid-cols-1 gap-3 md:grid-cols-2">
        <TextField
          label="Endereço"
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder={placeholder}
          value={url}
          onChange={({ target }) => {
            reset()
            setUrl(target.value)
          }}
        />
        <PasswordField
          label="Chave"
          autoComplete="off"
          value={apiKey}
          onChange={({ target }) => {
            reset()
            setApiKey(target.value)
          }}
        />
      </div>
      {error && (
        <p role="alert" className="text-14 text-danger">
          {error.message}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          disabled={!isOnline || url.trim() === '' || apiKey.trim() === ''}
          title={isOnline ? undefined : ONLINE_ONLY}
          busy={(isPending && 'Conferindo...') || (isSuccess && 'Ligando...')}
        >
          Conferir e ligar
        </Button>
        <Button variant="ghost" aria-expanded={isExplained} onClick={() => setExplained(!isExplained)}>
          Onde encontro isso?
        </Button>
      </div>
      {isExplained && (
        <p className="text-14 wrap-anywhere text-text-2">
          {needs} O portal confere os dois antes de guardar; a chave fica cifrada e não é mostrada de novo.
        </p>
      )}
    </form>
  )
}

function KindField({ kind, onChange }: { kind: string; onChange: (kind: string) => void }) {
  return (
    <SelectField label="Serviço" value={kind} onChange={({ target }) => onChange(target.value)}>
      {GATEWAY_KINDS.map((one) => (
        <option key={one.kind} value={one.kind}>
          {one.title}
        </option>
      ))}
    </SelectField>
  )
}
