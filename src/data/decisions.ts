// What a person decides about pending changes: discard them or send them again.
import type { Entry } from '#domain/outbox/command.ts'
import { discardEntry, retryEntry } from '#domain/outbox/decide.ts'
import { record } from './operation.ts'

/** Deletes an unsent entry, so that the server's value stays. */
export async function discard({ seq }: Entry): Promise<void> {
  await record((entries) => discardEntry(entries, seq))
}

/** Sends an entry again, over the server's present value. `text` replaces its text. */
export async function retry({ seq }: Entry, text?: string): Promise<void> {
  await record((entries, stamp) => retryEntry(entries, seq, { stamp, ...(text !== undefined && { text }) }))
}
