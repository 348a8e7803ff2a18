// Making a broker's number a central one, or the broker's own again; asked first, for it changes whose new leads are.
import { useMutation } from '@tanstack/react-query'
import { switchCentral } from '#data/brokers.ts'
import type { Broker } from '#domain/broker.ts'
import { ask } from '#ui/feedback/ask.ts'
import { toast } from '#ui/feedback/toast.ts'
import {
  cardName,
  CENTRAL_CONSEQUENCE,
  centralDone,
  centralFailed,
  centralQuestion,
  GIVE_BACK,
  GIVE_BACK_CONSEQUENCE,
  giveBackDone,
  giveBackQuestion,
  MAKE_CENTRAL,
} from './texts.ts'

export function useCentral(broker: Broker): () => void {
  const { instanceName, isCentral } = broker
  const name = cardName(broker)
  const { mutate } = useMutation({
    ...switchCentral(),
    onSuccess: (_, wanted) => toast(wanted.isCentral ? centralDone(name) : giveBackDone(name), 'success'),
    onError: (error) => toast(centralFailed(error.message), 'error'),
  })
  return () =>
    ask({
      question: isCentral ? giveBackQuestion(name) : centralQuestion(name),
      consequence: isCentral ? GIVE_BACK_CONSEQUENCE : CENTRAL_CONSEQUENCE,
      action: {
        label: isCentral ? GIVE_BACK : MAKE_CENTRAL,
        run: () => mutate({ instanceName, isCentral: !isCentral }),
        tone: 'primary',
      },
    })
}
