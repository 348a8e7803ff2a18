// Sets up an authenticator app: its QR code or key, then a first code to confirm it.
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { newAppQuery } from './data.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { SECOND_STEP, TURN_ON } from './texts.ts'

/** The app being set up, and a first code from it. */
type Proof = {
  give: (proof: { id: string; code: string }) => void
  isPending: boolean
  error: Error | null
  reset: () => void
}
type TurnOnProps = { isOpen: boolean; onClose: () => void; proof: Proof }

export function TurnOnDialog({ isOpen, onClose, proof }: TurnOnProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={SECOND_STEP}>
      {isOpen && <SetUp onClose={onClose} proof={proof} />}
    </Dialog>
  )
}

function SetUp({ onClose, proof }: Omit<TurnOnProps, 'isOpen'>) {
  const read = useQuery(newAppQuery())
  const { data: app } = read
  if (read.error && !read.isFetching) return <FailedRead of={read} />
  return (
    <div className="flex flex-col gap-4 px-3 pt-1">
      <p className="leading-body text-text-2">
        Escaneie este código com um aplicativo autenticador, como Google Authenticator, Microsoft
        Authenticator ou 1Password.
      </p>
      {app ? (
        <>
          {/* Scanners need dark on light, so the picture looks the same in both themes. */}
          <img
            src={app.qrCode}
            alt="Código QR para o aplicativo autenticador"
            className="mx-auto size-50 rounded-lg bg-brand-light p-2 shadow-card"
          />
          <p className="text-13 text-text-2">
            Não consegue ler? Digite esta chave no aplicativo:
            <code className="mt-1.5 block rounded-md bg-surface-2 px-3 py-2 text-14 tracking-wide text-text wrap-anywhere select-all">
              {app.secret.replace(/(.{4})(?=.)/g, '$1 ')}
            </code>
          </p>
          <CodeForm appId={app.id} onClose={onClose} proof={proof} />
        </>
      ) : (
        <Skeleton className="mx-auto size-50 rounded-lg!" />
      )}
    </div>
  )
}

type CodeFormProps = { appId: string; onClose: () => void; proof: Proof }

function CodeForm({ appId, onClose, proof: { give, isPending, error, reset } }: CodeFormProps) {
  const [code, setCode] = useState('')
  const [isMissing, setMissing] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending) return
    setMissing(code.trim() === '')
    if (code.trim() !== '') give({ id: appId, code: code.replaceAll(' ', '') })
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        label="Código de 6 dígitos"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        value={code}
        readOnly={isPending}
        onChange={({ target }) => {
          reset()
          setMissing(false)
          setCode(target.value)
        }}
        error={isMissing ? 'Digite o código que o aplicativo mostra.' : error?.message}
      />
      <FormActions onCancel={onClose}>
        <Button type="submit" busy={isPending && 'Ativando...'}>
          {TURN_ON}
        </Button>
      </FormActions>
    </form>
  )
}
