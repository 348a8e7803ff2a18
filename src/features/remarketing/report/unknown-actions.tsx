// Lets a person settle a message with an unknown result: send it again after a confirmation, or count it as sent. The
// app never decides that itself.
import { useMutation } from '@tanstack/react-query'
import type { Recipient } from './reports-data.ts'
import { settleRecipient, type Settlement } from '../progress/steering-data.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { newOperationId } from '#data/operation.ts'
import type { Campaign } from '#domain/campaign.ts'
import { AGAIN_QUESTION, MAY_ARRIVE_TWICE } from '#domain/message/outgoing.ts'
import { ask } from '#ui/feedback/ask.ts'
import { Button } from '#ui/primitives/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { RETRYING, UNNAMED } from '../texts.ts'
import { toastFault } from '../progress/use-steering.ts'

const MARK_SENT = 'Marcar como enviada'

const AGAIN = 'Enviar de novo'

const DONE = { again: RETRYING, sent: 'Marcada como enviada' }

type UnknownActionsProps = { campaign: Campaign; recipient: Recipient }

export function UnknownActions({ campaign, recipient: { id: recipientId, name } }: UnknownActionsProps) {
  const isOnline = useIsOnline()
  // The hook's callbacks run even if the list has removed this row; those of the `mutate` call would not.
  const { mutate, isPending, variables } = useMutation({
    ...settleRecipient(campaign),
    onSuccess: (_answer, { settlement }) => toast(DONE[settlement], 'success'),
    onError: toastFault,
  })
  const settle = (settlement: Settlement) =>
    mutate({ recipientId, settlement, operationId: newOperationId() })
  const sendAgain = () =>
    ask({
      question: AGAIN_QUESTION,
      consequence: MAY_ARRIVE_TWICE,
      action: { label: AGAIN, run: () => settle('again'), tone: 'primary' },
    })
  const isBusy = (settlement: Settlement) => isPending && variables.settlement === settlement
  const whom = name?.trim() || UNNAMED
  return (
    <span className="-ml-2.5 flex basis-full flex-wrap">
      <Button
        variant="ghost"
        size="small"
        disabled={!isOnline}
        busy={isBusy('sent') && MARK_SENT}
        aria-label={`${MARK_SENT}: ${whom}`}
        onClick={() => settle('sent')}
      >
        {MARK_SENT}
      </Button>
      <Button
        variant="ghost"
        size="small"
        disabled={!isOnline}
        busy={isBusy('again') && AGAIN}
        aria-label={`${AGAIN}: ${whom}`}
        onClick={sendAgain}
      >
        {AGAIN}
      </Button>
    </span>
  )
}
