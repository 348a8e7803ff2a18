// Pauses and resumes a campaign from every screen, and shows errors.
import { useMutation } from '@tanstack/react-query'
import { steerCampaign, type Intent } from './steering-data.ts'
import { newOperationId } from '#data/operation.ts'
import { formatNumber } from '#domain/count.ts'
import type { Campaign } from '#domain/campaign.ts'
import { PortalError } from '#domain/errors.ts'
import { ask } from '#ui/feedback/ask.ts'
import { toast } from '#ui/feedback/toast.ts'

const notReached = (count: number) =>
  count === 1 ? '1 contato não vai receber.' : `${formatNumber(count)} contatos não vão receber.`

type Done = Partial<Record<Intent, string>>

/** `done` are the toasts to show after success, even if the user is on another screen by then. */
export function useSteering(campaign: Pick<Campaign, 'id' | 'instanceName'>, done: Done = {}) {
  const { mutate, isPending, variables } = useMutation({
    ...steerCampaign(campaign),
    onSuccess: (_answer, { intent }) => {
      const words = done[intent]
      if (words !== undefined) toast(words, intent === 'stop' || intent === 'pause' ? 'info' : 'success')
    },
    onError: toastFault,
  })
  const steer = (intent: Intent, onDone?: () => void) =>
    mutate({ intent, operationId: newOperationId() }, onDone && { onSuccess: onDone })
  /** Asks for a confirmation, which tells that `waiting` recipients would get nothing. */
  const stop = (waiting: number, onDone?: () => void) =>
    ask({
      question: 'Parar a campanha?',
      consequence: notReached(waiting),
      action: { label: 'Parar', run: () => steer('stop', onDone) },
      cancelLabel: 'Continuar enviando',
    })
  return { steer, stop, isBusy: (intent: Intent) => isPending && variables.intent === intent }
}

/** If the campaign has ended meanwhile, that is told without alarm: the screen shows its end. */
export function toastFault(error: Error) {
  if (error instanceof PortalError && error.code === 'campaign.ended') toast(error.message, 'info')
  else
    toast(
      error.message ? `Erro: ${error.message}` : 'Erro: não foi possível falar com o portal. Tente de novo.',
      'error',
    )
}
