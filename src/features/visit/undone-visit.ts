// After a visit was undone or removed, asks whether to write to the lead, who may count on it.
import { sendText } from '#data/messages/sending.ts'
import type { WantedVisit } from '#data/visits.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import type { NextAction } from '#domain/next-action/next-action.ts'
import { confirmText, visitWords } from '#domain/next-action/visit.ts'
import { ask } from '#ui/feedback/ask.ts'
import { toast } from '#ui/feedback/toast.ts'
import { firstNameOf } from './texts.ts'

type Undone = { wanted: WantedVisit; before: NextAction | null }

const NOT_TO_BE = 'Avisar que não vai acontecer?'

/** Asks after an undone booking. */
export function askToTell(lead: Lead, { wanted, before }: Undone) {
  const question = before?.kind === 'visit' ? 'Avisar que o horário não mudou?' : NOT_TO_BE
  const text = undoneText(firstNameOf(lead), { wanted, before })
  askToSend(lead, { question, why: 'A confirmação já pode ter saído.', text })
}

/** Asks after the removal of a visit that was still to come. */
export function askToTellRemoved(lead: Lead, { dueAtMs }: NextAction) {
  if (lead.isOptedOut) return
  const text = goneText(firstNameOf(lead), dueAtMs)
  askToSend(lead, { question: NOT_TO_BE, why: `${leadTitle(lead)} pode contar com ela.`, text })
}

function askToSend(lead: Lead, { question, why, text }: { question: string; why: string; text: string }) {
  ask({
    question,
    consequence: `${why} Vai esta mensagem: “${text}”`,
    action: {
      label: 'Avisar',
      tone: 'primary',
      run: () =>
        void sendText(lead, { text, quotedMessageId: null }).catch(() =>
          toast('Não foi possível avisar.', 'error'),
        ),
    },
    cancelLabel: 'Não avisar',
  })
}

export function undoneText(firstName: string, { wanted, before }: Undone): string {
  if (before?.kind === 'visit')
    return confirmText({ firstName, startsAtMs: before.dueAtMs, place: before.note })
  return goneText(firstName, wanted.startsAtMs)
}

function goneText(firstName: string, startsAtMs: number): string {
  const hello = firstName ? `${firstName}, a` : 'A'
  return `${hello} visita de ${visitWords(startsAtMs)} não vai acontecer. Me avisa por aqui outro dia que seja bom para você.`
}
