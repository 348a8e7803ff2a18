// After a booking was undone, asks whether to write to the lead, who may have got the confirmation already.
import { sendText } from '#data/messages/sending.ts'
import type { WantedVisit } from '#data/visits.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { NextAction } from '#domain/next-action/next-action.ts'
import { confirmText, visitWords } from '#domain/next-action/visit.ts'
import { ask } from '#ui/feedback/ask.ts'
import { toast } from '#ui/feedback/toast.ts'
import { firstNameOf } from './texts.ts'

type Undone = { wanted: WantedVisit; before: NextAction | null }

export function askToTell(lead: Lead, { wanted, before }: Undone) {
  const text = undoneText(firstNameOf(lead), { wanted, before })
  ask({
    question: before?.kind === 'visit' ? 'Avisar que o horário não mudou?' : 'Avisar que não vai acontecer?',
    consequence: `A confirmação já pode ter saído. Vai esta mensagem: “${text}”`,
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
  const hello = firstName ? `${firstName}, a` : 'A'
  return `${hello} visita de ${visitWords(wanted.startsAtMs)} não vai acontecer. Me avisa por aqui outro dia que seja bom para você.`
}
