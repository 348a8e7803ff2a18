// Sends the test lead of the first hour: the administrator's own number appears on the board of the broker who shall
// answer.
import { useMutation, useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { brokersQuery } from '#data/brokers.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { newOperationId } from '#data/operation.ts'
import { displayName } from '#domain/broker.ts'
import { ask } from '#ui/feedback/ask.ts'
import { toast } from '#ui/feedback/toast.ts'
import { TextField } from '#ui/forms/field.tsx'
import { SelectField } from '#ui/forms/select-field.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { removeTestLead, sendTestLead } from './data.ts'

/** `first` is the instance name of the broker whom the form proposes. */
export function TestLeadForm({ first }: { first: string }) {
  const isOnline = useIsOnline()
  const { data: brokers = [] } = useQuery(brokersQuery())
  const [to, setTo] = useState(first)
  const [number, setNumber] = useState('')
  // The form keeps one operation id, so that a retry after a lost response does not add a second lead.
  const [operationId, setOperationId] = useState(newOperationId)
  const { mutate, reset, isPending, error } = useMutation({
    ...sendTestLead(),
    onSuccess: () => toast(`O lead de teste está com ${displayName(to)}.`, 'success'),
  })
  const change = () => {
    reset()
    setOperationId(newOperationId())
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isOnline && !isPending && number.trim() !== '') mutate({ number: number.trim(), to, operationId })
  }
  // The list of brokers loads later than the form, so until then the proposed broker is the only choice.
  const names = brokers.length > 0 ? brokers.map(({ instanceName }) => instanceName) : [first]
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-3">
      <div className="grid grid-cols-1 gap-3 md:grid-cols-2">
        <SelectField
          label="Corretor que recebe"
          value={to}
          onChange={({ target }) => {
            change()
            setTo(target.value)
          }}
        >
          {names.map((name) => (
            <option key={name} value={name}>
              {displayName(name)}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Seu WhatsApp, onde a resposta chega"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          maxLength={30}
          placeholder="(11) 95550-0187"
          value={number}
          error={error?.message}
          onChange={({ target }) => {
            change()
            setNumber(target.value)
          }}
        />
      </div>
      <span>
        <Button
          type="submit"
          disabled={!isOnline || number.trim() === ''}
          title={isOnline ? undefined : ONLINE_ONLY}
          busy={isPending && 'Enviando...'}
        >
          Enviar um lead de teste
        </Button>
      </span>
    </form>
  )
}

export function RemoveTestLead() {
  const isOnline = useIsOnline()
  const { mutate, isPending } = useMutation({
    ...removeTestLead(),
    onSuccess: () => toast('Lead de teste removido', 'success'),
    onError: () => toast('Não foi possível remover o lead de teste.', 'error'),
  })
  return (
    <Button
      variant="line"
      icon={Trash2}
      disabled={!isOnline}
      title={isOnline ? undefined : ONLINE_ONLY}
      busy={isPending && 'Removendo...'}
      onClick={() =>
        ask({
          question: 'Remover o lead de teste?',
          consequence: 'Ele sai do quadro do corretor, com a conversa.',
          action: { label: 'Remover', run: () => mutate() },
        })
      }
    >
      Remover o lead de teste
    </Button>
  )
}
