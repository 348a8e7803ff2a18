// Sets, postpones and finishes next actions, on the device first. Each can be undone.
import { act, removing, saving, type TakeBack, takeBack, type WantedAction } from '#data/deeds.ts'
import type { Lead } from '#domain/lead/lead.ts'
import {
  type ActionDeed,
  type NextAction,
  refOf,
  seenOf,
  UNKNOWN_ACTION,
} from '#domain/next-action/next-action.ts'

/** Sets an action instead of `before`, or a new one if `before` is null. Returns a function that undoes it. */
export async function saveAction(
  lead: Lead,
  wanted: WantedAction,
  before: NextAction | null = null,
): Promise<TakeBack> {
  const done = await act(lead, saving(lead, wanted, before ? refOf(before) : UNKNOWN_ACTION))
  return takeBack(lead, done, before ? saving(lead, before, refOf(before)) : removing(done))
}

/** Finishes an action. Returns a function that undoes it by setting the same action again. */
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

/** Stores that the lead's messages until now need no answer. */
export async function needsNoAnswer(lead: Lead): Promise<void> {
  const given = { ...UNKNOWN_ACTION, outcome: 'not_needed', seenAt: seenOf(lead) } as const
  await act(lead, { kind: 'action.finish', given })
}
