// Performs the actions on a next step for every screen: stores them on the device at once, and shows a toast that can
// undo them.
import type { TakeBack, WantedAction } from '#data/deeds.ts'
import { finishAction, needsNoAnswer, saveAction, snoozeAction } from './data.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { NextAction } from '#domain/next-action/next-action.ts'
import { momentWords } from '#domain/next-action/words.ts'
import { toast } from '#ui/feedback/toast.ts'
import { now } from '#ui/now.ts'
import { SAVE_FAILED, spokenStep, stepWords, UNDO } from './texts.ts'

const putOffTo = (when: string) => `Adiado para ${when}`

export function save(lead: Lead, wanted: WantedAction, before: NextAction | null = null) {
  const words = stepWords(wanted.kind, momentWords(wanted.dueAtMs, now()))
  withToast(saveAction(lead, wanted, before), words, spokenStep(words.toLowerCase()))
}

export function finish(lead: Lead, action: NextAction) {
  withToast(finishAction(lead, action, 'done'), 'Concluído')
}

export function remove(lead: Lead, action: NextAction) {
  withToast(finishAction(lead, action, 'removed'), 'Próximo passo excluído')
}

export function putOff(lead: Lead, action: NextAction, dueAtMs: number) {
  withToast(snoozeAction(lead, action, dueAtMs), putOffTo(momentWords(dueAtMs, now())))
}

export function quiet(lead: Lead) {
  needsNoAnswer(lead).then(() => toast('Não espera mais resposta', 'success'), failed)
}

const failed = () => toast(SAVE_FAILED, 'error')

function withToast(doing: Promise<TakeBack>, words: string, spoken = words) {
  doing.then(
    (takeBack) =>
      toast(words, 'success', { spoken, action: { label: UNDO, run: () => void takeBack().catch(failed) } }),
    failed,
  )
}
