// Answering an offer: what was pressed is sent once, what came of it is said, and a lead that is theirs now is opened.
import { useMutation } from '@tanstack/react-query'
import { answerOffer, type OfferAnswer, type Wish } from './data.ts'
import { newOperationId } from '#data/operation.ts'
import { toast } from '#ui/feedback/toast.ts'
import { ACCEPTED, CLAIMED, failed, PASSED } from './texts.ts'

const DONE: Record<Wish, string> = { accept: ACCEPTED, pass: PASSED, claim: CLAIMED }

export type Answering = {
  answer: (id: number, wish: Wish) => void
  /** What is on its way. */
  busy: OfferAnswer | null
}

export function useAnswer(onOpen: (contactId: number) => void): Answering {
  const { mutate, isPending, variables } = useMutation({
    ...answerOffer(),
    // Heard of even when the card is gone by then.
    onSuccess: (contactId: number | null, { wish }: OfferAnswer) => {
      toast(DONE[wish], wish === 'pass' ? 'info' : 'success')
      if (contactId !== null) onOpen(contactId)
    },
    onError: (error: Error, { wish }: OfferAnswer) => toast(failed(wish, error.message), 'error'),
  })
  return {
    answer: (id, wish) => {
      if (!isPending) mutate({ id, wish, operationId: newOperationId() })
    },
    busy: isPending ? variables : null,
  }
}
