// Makes a broker's number a central number, or the broker's own again. The administrator confirms it, because it
// changes who gets new leads.
import { useMutation } from '@tanstack/react-query'
import { switchCentral } from '#data/brokers.ts'
import type { Broker } from '#domain/broker.ts'
import { ask } from '#ui/feedback/ask.ts'
import { toast } from '#ui/feedback/toast.ts'
import { cardName, GIVE_BACK, MAKE_CENTRAL } from './texts.ts'

export function useCentral(broker: Broker): () => void {
  const { instanceName, isCentral } = broker
  const name = cardName(broker)
  const { mutate } = useMutation({
    ...switchCentral(),
    onSuccess: (_, wanted) =>
      toast(
        wanted.isCentral ? `O número de ${name} agora é central` : `O número voltou a ser de ${name}`,
        'success',
      ),
    onError: (error) => toast(`Erro ao mudar o número central: ${error.message}`, 'error'),
  })
  return () =>
    ask({
      question: isCentral ? `Devolver o número a ${name}?` : `Usar o número de ${name} como central?`,
      consequence: isCentral
        ? 'Quem escrever a este número pela primeira vez passa a ser lead deste corretor, sem roleta.'
        : 'Quem escrever a este número pela primeira vez vira um lead da roleta, e não deste corretor. Os leads que já são dele ficam.',
      action: {
        label: isCentral ? GIVE_BACK : MAKE_CENTRAL,
        run: () => mutate({ instanceName, isCentral: !isCentral }),
        tone: 'primary',
      },
    })
}
