// The form that adds a phone number to a lead with only an e-mail address.
import { useMutation } from '@tanstack/react-query'
import { Mail, Phone } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { newOperationId } from '#data/operation.ts'
import { TextField } from '#ui/forms/field.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { completeLead } from './data.ts'

type CompleteLeadProps = { contactId: number; email: string; onDone: () => void }

export function CompleteLead({ contactId, email, onDone }: CompleteLeadProps) {
  const isOnline = useIsOnline()
  const [operationId, setOperationId] = useState(newOperationId)
  const [number, setNumber] = useState('')
  const [isTried, setTried] = useState(false)
  const { mutate, reset, isPending, error } = useMutation({
    ...completeLead(contactId),
    onSuccess: ({ isKnown }) => {
      toast(
        isKnown
          ? 'Este telefone já era de um lead: os dois agora são um.'
          : 'Telefone salvo. O lead segue para a roleta.',
        'success',
      )
      onDone()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (number.trim() !== '' && isOnline && !isPending) mutate({ operationId, number })
  }
  const fault =
    isTried && number.trim() === ''
      ? 'Informe o telefone com DDD, por exemplo (11) 95550-0142.'
      : error?.message
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-3 rounded-md bg-surface-2 p-4">
      <p className="flex items-center gap-2 text-14 wrap-anywhere">
        <Icon of={Mail} size={18} className="text-text-3" />
        <a href={`mailto:${encodeURIComponent(email)}`} className="text-on-primary-soft underline">
          {email}
        </a>
      </p>
      <p className="text-13 leading-body text-text-2">
        Este lead deixou só o e-mail. Com o telefone ele segue para a roleta.
      </p>
      <TextField
        label="WhatsApp"
        icon={Phone}
        type="tel"
        inputMode="tel"
        autoComplete="off"
        maxLength={60}
        value={number}
        error={fault}
        onChange={({ target }) => {
          reset()
          setOperationId(newOperationId())
          setNumber(target.value)
        }}
      />
      <span>
        <Button type="submit" disabled={!isOnline} busy={isPending && 'Salvando...'}>
          Salvar e distribuir
        </Button>
      </span>
    </form>
  )
}
