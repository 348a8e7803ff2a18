// Changes a lead's actions, on the device first, and undoes the changes.
import type { Lead } from '#domain/lead/lead.ts'
import { type ActionDeed, type ActionRef, type NextAction, seenOf } from '#domain/next-action/next-action.ts'
import type { Entry } from '#domain/outbox/command.ts'
import { addEntry, removeEntry } from '#domain/outbox/queue.ts'
import { leadRef, perform, record } from './operation.ts'

export type WantedAction = Pick<NextAction, 'kind' | 'dueAtMs' | 'note'>

/** The entry of a change that was sent, and that of its inverse. */
export type Undone = { done: Entry; inverse: Entry }

/** Undoes a change. Resolves with null if the change was never sent, so that only the device had it. */
export type TakeBack = () => Promise<Undone | null>

export const act = (lead: Lead, deed: ActionDeed) => perform({ ...deed, lead: leadRef(lead) })

export function saving(lead: Lead, { kind, dueAtMs, note }: WantedAction, ref: ActionRef): ActionDeed {
  const dueAt = new Date(dueAtMs).toISOString()
  return { kind: 'action.save', given: { ...ref, kind, dueAt, note, seenAt: seenOf(lead) } }
}

/** Returns the command that removes a new action, which undoes its creation. */
export const removing = (done: Entry | null): ActionDeed => ({
  kind: 'action.finish',
  given: { actionId: null, actionOperation: done?.id ?? null, outcome: 'removed', seenAt: null },
})

/** Makes the undo of a change: it removes an unsent entry, otherwise queues the inverse. */
export function takeBack(lead: Lead, done: Entry | null, inverse: ActionDeed): TakeBack {
  return async () => {
    const added = await record((entries, stamp) => {
      const unsent = entries.find(({ id, attempts }) => id === done?.id && attempts === 0)
      return unsent
        ? removeEntry(entries, unsent.seq)
        : addEntry(entries, { ...inverse, lead: leadRef(lead) }, stamp)
    })
    return done && added && { done, inverse: added }
  }
}
