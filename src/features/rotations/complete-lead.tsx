// The number of a lead that left only an e-mail, once an administrator found it out.
import { useMutation } from '@tanstack/react-query'
import { Mail, Phone } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { newOperationId } from '#data/operation.ts'
import { TextField } from '#ui/forms/field.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { completeLead } from './inbox-data.ts'
import {
  COMPLETE,
  COMPLETED,
  COMPLETED_KNOWN,
  COMPLETE_HINT,
  COMPLETING,
  NUMBER,
  NUMBER_MISSING,
} from './open-texts.ts'

type CompleteLeadProps = { contactId: number; email: string; onDone: () => void }

export function CompleteLead({ contactId, email, onDone }: CompleteLeadProps) {
  const isOnline = useIsOnline()
  const [operationId, setOperationId] = useState(newOperationId)
  const [number, setNumber] = useState('')
  const [isTried, setTried] = useState(false)
  const { mutate, reset, isPending, error } = useMutation({
    ...completeLead(contactId),
    onSuccess: ({ isKnown }) => {
      toast(isKnown ? COMPLETED_KNOWN : COMPLETED, 'success')
      onDone()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (number.trim() !== '' && isOnline && !isPending) mutate({ operationId, number })
  }
  const fault = isTried && number.trim() === '' ? NUMBER_MISSING : error?.message
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-3 rounded-md bg-surface-2 p-4">
      <p className="flex items-center gap-2 text-14 wrap-anywhere">
        <Icon of={Mail} size={18} className="text-text-3" />
        <a href={`mailto:${encodeURIComponent(email)}`} className="text-on-primary-soft underline">
          {email}
        </a>
      </p>
      <p className="text-13 leading-body text-text-2">{COMPLETE_HINT}</p>
      <TextField
        label={NUMBER}
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
        <Button type="submit" disabled={!isOnline} busy={isPending && COMPLETING}>
          {COMPLETE}
        </Button>
      </span>
    </form>
  )
}
