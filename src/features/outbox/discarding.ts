// Dropping what was not sent, asked about first: it is gone then.
import { discard } from '#data/pending.ts'
import type { Entry } from '#domain/outbox/command.ts'
import { ask } from '#ui/feedback/ask.ts'
import { toast } from '#ui/feedback/toast.ts'
import { DISCARD } from './texts.ts'

export function askToDiscard(entry: Entry) {
  ask({
    question: 'Descartar esta alteração?',
    consequence: 'Ela não será enviada, e o que você fez será perdido.',
    action: { label: DISCARD, run: () => run(discard(entry)) },
    cancelLabel: 'Manter',
  })
}

/** Nothing of it may fail unseen. */
export function run(work: Promise<void>) {
  work.catch(() => toast('Erro ao descartar. Tente de novo.', 'error'))
}

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast('Texto copiado.', 'success')
  } catch {
    // Missing in a page over plain http, refused without a touch.
    toast('Erro ao copiar o texto.', 'error')
  }
}
