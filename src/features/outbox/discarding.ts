// Deletes an unsent entry, after a confirmation because it is lost then.
import { discard } from '#data/decisions.ts'
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

/** Shows a toast if the work fails. */
export function run(work: Promise<void>) {
  work.catch(() => toast('Erro ao descartar. Tente de novo.', 'error'))
}

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast('Texto copiado.', 'success')
  } catch {
    // Pages over plain http have no clipboard, and browsers may refuse it.
    toast('Erro ao copiar o texto.', 'error')
  }
}
