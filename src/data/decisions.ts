// A person's decisions on changes that wait on this device.
import type { Entry } from '#domain/outbox/command.ts'
import { discardEntry, retryEntry } from '#domain/outbox/decide.ts'
import { record } from './operation.ts'

/** Deletes an entry unsent; the other device's version stays. */
export async function discard({ seq }: Entry): Promise<void> {
  await record((entries) => discardEntry(entries, seq))
}

/** Queues an entry again, over the server's current value; `text` replaces its text. */
export async function retry({ seq }: Entry, text?: string): Promise<void> {
  await record((entries, stamp) => retryEntry(entries, seq, { stamp, ...(text !== undefined && { text }) }))
}
