// Dropping what was not sent, asked about first: it is gone then.
import { discard } from '#data/pending.ts'
import type { Entry } from '#domain/outbox/command.ts'
import { ask } from '#ui/feedback/ask.ts'
import { toast } from '#ui/feedback/toast.ts'
import {
  COPIED,
  COPY_FAILED,
  DISCARD,
  DISCARD_CONSEQUENCE,
  DISCARD_FAILED,
  DISCARD_QUESTION,
  KEEP,
} from './texts.ts'

export function askToDiscard(entry: Entry) {
  ask({
    question: DISCARD_QUESTION,
    consequence: DISCARD_CONSEQUENCE,
    action: { label: DISCARD, run: () => run(discard(entry)) },
    cancelLabel: KEEP,
  })
}

/** Nothing of it may fail unseen. */
export function run(work: Promise<void>) {
  work.catch(() => toast(DISCARD_FAILED, 'error'))
}

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast(COPIED, 'success')
  } catch {
    // Missing in a page over plain http, refused without a touch.
    toast(COPY_FAILED, 'error')
  }
}
