// One whose end nobody knows, settled by a person: sent again after a question, or taken as sent; never by itself. PRODUCT.md 4.4.
import { useMutation } from '@tanstack/react-query'
import { type Settling, settleRecipient } from '#data/campaigns.ts'
import type { Recipient } from '#data/campaign-reports.ts'
import { useIsOnline } from '#data/connectivity.ts'
import type { Campaign } from '#domain/campaign.ts'
import { ask } from '#ui/ask.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/toast.ts'
import { AGAIN, AGAIN_QUESTION, MARK_SENT, MARKED_SENT, MAY_GET_TWICE, RETRYING, UNNAMED } from './texts.ts'
import { faultOf } from './use-steering.ts'

type UnknownActionsProps = { campaign: Campaign; recipient: Recipient }

export function UnknownActions({ campaign, recipient: { id: recipientId, name } }: UnknownActionsProps) {
  const isOnline = useIsOnline()
  const { mutate, isPending, variables } = useMutation(settleRecipient(campaign))
  const settle = (settling: Settling, done: string) =>
    mutate(
      { recipientId, settling },
      { onSuccess: () => toast(done), onError: (error) => toast(faultOf(error)) },
    )
  const sendAgain = () =>
    ask({
      question: AGAIN_QUESTION,
      consequence: MAY_GET_TWICE,
      action: { label: AGAIN, run: () => settle('again', RETRYING), tone: 'primary' },
    })
  const isBusy = (settling: Settling) => isPending && variables.settling === settling
  const whom = name?.trim() || UNNAMED
  return (
    <span className="-ml-2.5 flex basis-full flex-wrap">
      <Button
        variant="ghost"
        size="small"
        disabled={!isOnline}
        busy={isBusy('sent') && MARK_SENT}
        aria-label={`${MARK_SENT}: ${whom}`}
        onClick={() => settle('sent', MARKED_SENT)}
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
