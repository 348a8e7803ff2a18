// Answers an offer: each press is sent once, its result is shown, and a won lead is opened.
import { useMutation } from '@tanstack/react-query'
import { answerOffer, type OfferAnswer, type Intent } from './data.ts'
import { newOperationId } from '#data/operation.ts'
import { toast } from '#ui/feedback/toast.ts'

const FAILED = {
  accept: 'Erro ao aceitar o lead',
  pass: 'Erro ao passar o lead',
  claim: 'Erro ao pegar o lead',
}
const failed = (intent: keyof typeof FAILED, message: string) => `${FAILED[intent]}: ${message}`

const DONE: Record<Intent, string> = {
  accept: 'Lead aceito',
  pass: 'Você passou a vez neste lead',
  claim: 'O lead é seu',
}

export type Answering = {
  answer: (id: number, intent: Intent) => void
  /** The answer that is being sent; null if none is. */
  busy: OfferAnswer | null
}

export function useAnswer(onOpen: (contactId: number) => void): Answering {
  const { mutate, isPending, variables } = useMutation({
    ...answerOffer(),
    // The hook's callbacks run even after the card has vanished; callbacks of the `mutate` call would not.
    onSuccess: (contactId: number | null, { intent }: OfferAnswer) => {
      toast(DONE[intent], intent === 'pass' ? 'info' : 'success')
      if (contactId !== null) onOpen(contactId)
    },
    onError: (error: Error, { intent }: OfferAnswer) => toast(failed(intent, error.message), 'error'),
  })
  return {
    answer: (id, intent) => {
      if (!isPending) mutate({ id, intent, operationId: newOperationId() })
    },
    busy: isPending ? variables : null,
  }
}
