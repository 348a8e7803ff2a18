// Visits: booked, moved and answered for on the device first; the broker's week and calendar address.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import type { Board } from './board/rows.ts'
import type { Lead } from '#domain/lead/lead.ts'
import {
  type ActionDeed,
  type NextAction,
  refOf,
  seenOf,
  UNKNOWN_ACTION,
} from '#domain/next-action/next-action.ts'
import { added, without } from '#domain/outbox/queue.ts'
import type { Feeling, VisitDay } from '#domain/next-action/visit.ts'
import { cachedOffline } from './cached-offline.ts'
import { laterKeys } from './later-keys.ts'
import { leadRef, perform, record } from './operation.ts'

export type WantedVisit = {
  startsAtMs: number
  place: string
  /** What the lead is told now; null: nothing. */
  confirmText: string | null
  reminder: { text: string; atMs: number } | null
}

/** In the place of `before`, or as a new one. Answers what takes it back, with what was to be said of it. */
export async function bookVisit(
  lead: Lead,
  { startsAtMs, place, confirmText, reminder }: WantedVisit,
  before: NextAction | null = null,
): Promise<() => Promise<void>> {
  const saving = (given: Pick<WantedVisit, 'startsAtMs' | 'place'>, texts: object): ActionDeed => ({
    kind: 'visit.save',
    given: {
      ...(before ? refOf(before) : UNKNOWN_ACTION),
      startsAt: new Date(given.startsAtMs).toISOString(),
      place: given.place,
      seenAt: seenOf(lead),
      confirmText: null,
      remindText: null,
      remindAt: null,
      ...texts,
    },
  })
  const wanted = saving(
    { startsAtMs, place },
    {
      confirmText,
      remindText: reminder?.text ?? null,
      remindAt: reminder && new Date(reminder.atMs).toISOString(),
    },
  )
  const done = await perform({ ...wanted, lead: leadRef(lead) })
  const made = { actionId: null, actionOperation: done?.id ?? null }
  const inverse: ActionDeed = before
    ? saving({ startsAtMs: before.dueAtMs, place: before.note }, {})
    : { kind: 'action.finish', given: { ...made, outcome: 'removed', seenAt: null } }
  return async () => {
    await record((entries, stamp) => {
      const unsent = entries.find(({ id, attempts }) => id === done?.id && attempts === 0)
      return unsent
        ? without(entries, unsent.seq)
        : added(entries, { ...inverse, lead: leadRef(lead) }, stamp)
    })
  }
}

/** The first answer counts, whichever device gave it; how the lead liked it may come later. */
export async function answerVisit(
  lead: Lead,
  visit: NextAction,
  answer: { outcome: 'held' | 'missed'; feeling?: Feeling },
): Promise<void> {
  const given = { ...refOf(visit), feeling: null, ...answer }
  await perform({ kind: 'visit.outcome', given, lead: leadRef(lead) })
}

/** When the visits of a board begin, one aside. */
export function takenHours(board: Board | undefined, but: NextAction | null): number[] {
  const hours: number[] = []
  for (const { next } of board?.leads.values() ?? [])
    for (const action of next)
      if (
        action.kind === 'visit' &&
        (but === null || action.id !== but.id || action.operationId !== but.operationId)
      )
        hours.push(action.dueAtMs)
  return hours
}

const Setup = v.pipe(
  v.object({
    hours: v.array(v.object({ weekday: v.number(), from: v.number(), until: v.number() })),
    feed_made_at: v.nullable(v.string()),
  }),
  v.transform(({ hours, feed_made_at: madeAt }) => ({
    week: hours,
    feedMadeAtMs: madeAt === null ? null : Date.parse(madeAt),
  })),
)

/** The broker's week, and since when there is a calendar address; null: there is none. */
export function visitSetupQuery(instanceName: string) {
  return queryOptions({
    queryKey: laterKeys.visitSetup(instanceName),
    queryFn: cachedOffline({ kind: 'visit-setup', most: 3, version: 1 }, async ({ signal }) =>
      v.parse(Setup, await rpc('get_visit_setup', { p_broker_name: instanceName }, signal)),
    ),
  })
}

export function saveWeek(instanceName: string) {
  return mutationOptions({
    mutationFn: async (week: readonly VisitDay[], { client }) => {
      await rpc('visit_hours_save', { p_broker_name: instanceName, p_hours: week })
      await client.invalidateQueries({ queryKey: laterKeys.visitSetup(instanceName) })
    },
  })
}

/** Answers the new address, the only time that it is told; with false there is none any more. */
export function renewCalendar(instanceName: string) {
  return mutationOptions({
    mutationFn: async (isOn: boolean, { client }): Promise<string | null> => {
      const answer = await rpc('calendar_renew', { p_broker_name: instanceName, p_is_on: isOn })
      await client.invalidateQueries({ queryKey: laterKeys.visitSetup(instanceName) })
      const secret = v.parse(v.nullable(v.string()), answer)
      return secret === null ? null : `${location.origin}/api/calendar/${secret}.ics`
    },
  })
}
