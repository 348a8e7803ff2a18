// In the row of a rotation that could take leads of the administrator: how many, and sending them through it.
import { useMutation } from '@tanstack/react-query'
import { Shuffle } from 'lucide-react'
import { useState } from 'react'
import { newOperationId } from '#data/operation.ts'
import { sendRotationInbox } from './inbox-data.ts'
import type { Rotation } from '#domain/rotation/editing.ts'
import { ask } from '#ui/feedback/ask.ts'
import { Button } from '#ui/primitives/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import {
  distribute,
  DISTRIBUTE,
  DISTRIBUTE_CONSEQUENCE,
  DISTRIBUTE_FAILED,
  distributed,
  distributeQuestion,
  DISTRIBUTING,
} from './texts.ts'

type InboxOfferProps = { roleta: Rotation; leads: number; isOnline: boolean }

export function InboxOffer({ roleta: { id, name }, leads, isOnline }: InboxOfferProps) {
  // The same until it is known to have come to something.
  const [operationId, setOperationId] = useState(newOperationId)
  const { mutate, isPending } = useMutation({
    ...sendRotationInbox(id),
    onSuccess: (sent) => {
      setOperationId(newOperationId())
      toast(distributed(sent), 'success')
    },
    onError: () => toast(DISTRIBUTE_FAILED, 'error'),
  })
  const send = () =>
    ask({
      question: distributeQuestion(leads, name),
      consequence: DISTRIBUTE_CONSEQUENCE,
      action: { label: DISTRIBUTE, run: () => mutate(operationId), tone: 'primary' },
    })
  return (
    <span className="relative z-1 mt-2 flex">
      <Button
        variant="soft"
        size="small"
        icon={Shuffle}
        disabled={!isOnline}
        busy={isPending && DISTRIBUTING}
        onClick={send}
      >
        {distribute(leads)}
      </Button>
    </span>
  )
}
