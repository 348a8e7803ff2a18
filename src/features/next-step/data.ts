// Next actions: set, put off and finished, each on the device first; and taken back where it was by mistake.
import type { Entry } from '#domain/outbox/command.ts'
import type { Lead } from '#domain/lead/lead.ts'
import {
  type ActionDeed,
  type ActionRef,
  type NextAction,
  refOf,
  seenOf,
  UNKNOWN_ACTION,
} from '#domain/next-action/next-action.ts'
import { added, without } from '#domain/outbox/queue.ts'
import { leadRef, perform, record } from '#data/operation.ts'

export type WantedAction = Pick<NextAction, 'kind' | 'dueAtMs' | 'note'>

export type TakeBack = () => Promise<void>

/** In the place of `before`, or as a new one. Answers what takes it back. */
export async function saveAction(
  lead: Lead,
  wanted: WantedAction,
  before: NextAction | null = null,
): Promise<TakeBack> {
  const done = await act(lead, saving(lead, wanted, before ? refOf(before) : UNKNOWN_ACTION))
  const made = { actionId: null, actionOperation: done?.id ?? null }
  return takeBack(
    lead,
    done,
    before
      ? saving(lead, before, refOf(before))
      : { kind: 'action.finish', given: { ...made, outcome: 'removed', seenAt: null } },
  )
}

/** Answers what takes it back: the same, set once more. */
export async function finishAction(
  lead: Lead,
  action: NextAction,
  outcome: 'done' | 'removed',
): Promise<TakeBack> {
  const given = { ...refOf(action), outcome, seenAt: null }
  const done = await act(lead, { kind: 'action.finish', given })
  return takeBack(lead, done, saving(lead, action, UNKNOWN_ACTION))
}

export async function snoozeAction(lead: Lead, action: NextAction, dueAtMs: number): Promise<TakeBack> {
  const to = (ms: number): ActionDeed => ({
    kind: 'action.snooze',
    given: { ...refOf(action), dueAt: new Date(ms).toISOString() },
  })
  return takeBack(lead, await act(lead, to(dueAtMs)), to(action.dueAtMs))
}

/** What the lead wrote so far needs no answer. */
export async function needsNoAnswer(lead: Lead): Promise<void> {
  const given = { ...UNKNOWN_ACTION, outcome: 'not_needed', seenAt: seenOf(lead) } as const
  await act(lead, { kind: 'action.finish', given })
}

function saving(lead: Lead, { kind, dueAtMs, note }: WantedAction, ref: ActionRef): ActionDeed {
  const dueAt = new Date(dueAtMs).toISOString()
  return { kind: 'action.save', given: { ...ref, kind, dueAt, note, seenAt: seenOf(lead) } }
}

const act = (lead: Lead, deed: ActionDeed) => perform({ ...deed, lead: leadRef(lead) })

/** Drops what was not sent yet, else queues what undoes it. */
function takeBack(lead: Lead, done: Entry | null, inverse: ActionDeed): TakeBack {
  return async () => {
    await record((entries, stamp) => {
      const unsent = entries.find(({ id, attempts }) => id === done?.id && attempts === 0)
      return unsent
        ? without(entries, unsent.seq)
        : added(entries, { ...inverse, lead: leadRef(lead) }, stamp)
    })
  }
}
