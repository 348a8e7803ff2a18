// Visits: booked, moved and answered on the device first. Also the broker's weekly hours and calendar address.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import type { Board } from './board/rows.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { callName } from '#domain/message/call-name.ts'
import {
  type ActionDeed,
  type ActionRef,
  type NextAction,
  refOf,
  seenOf,
  UNKNOWN_ACTION,
} from '#domain/next-action/next-action.ts'
import {
  confirmText,
  type Feeling,
  reminderOf,
  reminderText,
  type VisitDay,
} from '#domain/next-action/visit.ts'
import type { Command, Entry } from '#domain/outbox/command.ts'
import { addEntry, removeEntry } from '#domain/outbox/queue.ts'
import { cachedOffline } from './cached-offline.ts'
import { isOnline } from '#offline/connectivity.ts'
import { listOutbox, watchOutbox } from '#offline/outbox.ts'
import { act, removing, saving, type TakeBack, takeBack, type Undone } from './deeds.ts'
import { keys } from './keys.ts'
import { record } from './operation.ts'

export type WantedVisit = {
  startsAtMs: number
  place: string
  /** The message that the lead gets now; null if there is none. */
  confirmText: string | null
  reminder: { text: string; atMs: number } | null
}

/**
 * Books a visit. It replaces the action `before`, or none if `before` is null. Returns the undo, which also cancels the
 * visit's messages.
 */
export async function bookVisit(
  lead: Lead,
  wanted: WantedVisit,
  before: NextAction | null = null,
): Promise<TakeBack> {
  const ref = before ? refOf(before) : UNKNOWN_ACTION
  const done = await act(lead, booking(lead, wanted, ref))
  if (!before) return takeBack(lead, done, removing(done))
  const { kind, dueAtMs: startsAtMs, note: place } = before
  const was = { startsAtMs, place, confirmText: null, reminder: null }
  return takeBack(lead, done, kind === 'visit' ? booking(lead, was, ref) : saving(lead, before, ref))
}

/** Shorter than the time during which the portal holds back the confirmation, because the request also takes time. */
const CONFIRMED_WITHIN_MS = 10_000

/**
 * True if the lead may get the confirmation of a booking that was undone, because the portal had the booking and did
 * not have the undo in time. Waits for the undo to be sent, unless there is no network.
 */
export async function mayBeConfirmed({ done, inverse }: Undone): Promise<boolean> {
  const leftMs = done.createdAtMs + CONFIRMED_WITHIN_MS - Date.now()
  if (leftMs <= 0) return true
  if (isOnline()) return !(await isSentWithin(inverse, leftMs))
  const entries = await listOutbox()
  return !isQueued(entries, done) && isQueued(entries, inverse)
}

const isQueued = (entries: readonly Entry[], { id }: Entry) =>
  entries.some((entry) => entry.id === id && entry.state === 'queued')

function isSentWithin(entry: Entry, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isSent: boolean) => {
      clearTimeout(timer)
      stop()
      resolve(isSent)
    }
    const timer = setTimeout(() => end(false), limitMs)
    const stop = watchOutbox(({ entries }) => {
      if (!isQueued(entries, entry)) end(true)
    })
  })
}

function booking(
  lead: Lead,
  { startsAtMs, place, confirmText, reminder }: WantedVisit,
  ref: ActionRef,
): ActionDeed {
  const remindAt = reminder && new Date(reminder.atMs).toISOString()
  const texts = { confirmText, remindText: reminder?.text ?? null, remindAt }
  const startsAt = new Date(startsAtMs).toISOString()
  return { kind: 'visit.save', given: { ...ref, startsAt, place, seenAt: seenOf(lead), ...texts } }
}

type Booking = Extract<Command, { kind: 'visit.save' }>

/**
 * Books another hour after a refusal. Standard messages name the new hour. Messages that the broker wrote would name
 * the old one, so they are not sent.
 */
export async function rebookVisit(
  entry: Entry,
  command: Booking,
  { startsAtMs, nowMs }: { startsAtMs: number; nowMs: number },
): Promise<void> {
  const { given, lead } = command
  const firstName = callName(lead.name) ?? ''
  const about = { firstName, startsAtMs: Date.parse(given.startsAt), place: given.place }
  const reminder = reminderOf(startsAtMs, nowMs)
  const isUsual = [true, false].some((isEve) => given.remindText === reminderText(about, isEve))
  const next = { ...about, startsAtMs }
  const texts = {
    confirmText: given.confirmText === confirmText(about) ? confirmText(next) : null,
    remindText: isUsual && reminder ? reminderText(next, reminder.isEve) : null,
    remindAt: isUsual && reminder ? new Date(reminder.atMs).toISOString() : null,
  }
  const booked = { ...given, startsAt: new Date(startsAtMs).toISOString(), ...texts }
  await record((entries, stamp) =>
    addEntry(removeEntry(entries, entry.seq), { ...command, given: booked }, stamp),
  )
}

/** Enters a visit's outcome. The first answer of any device counts; the lead's impression may follow later. */
export async function answerVisit(
  lead: Lead,
  visit: NextAction,
  answer: { outcome: 'held' | 'missed'; feeling?: Feeling },
): Promise<void> {
  const given = { ...refOf(visit), feeling: null, ...answer }
  await act(lead, { kind: 'visit.outcome', given })
}

/** Returns the times at which a board's visits begin, without the visit `but`. */
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

/** Reads the broker's weekly hours, and when the calendar address was made; null if there is no address. */
export function visitSetupQuery(instanceName: string) {
  return queryOptions({
    queryKey: keys.visitSetup(instanceName),
    queryFn: cachedOffline({ kind: 'visit-setup', most: 3, version: 1 }, async ({ signal }) =>
      v.parse(Setup, await rpc('get_visit_setup', { p_broker_name: instanceName }, signal)),
    ),
  })
}

export function saveWeek(instanceName: string) {
  return mutationOptions({
    mutationFn: async (week: readonly VisitDay[], { client }) => {
      await rpc('visit_hours_save', { p_broker_name: instanceName, p_hours: week })
      await client.invalidateQueries({ queryKey: keys.visitSetup(instanceName) })
    },
  })
}

/**
 * Makes a new calendar address, which is returned only once; `isOn` false removes the address and resolves with null.
 */
export function renewCalendar(instanceName: string) {
  return mutationOptions({
    mutationFn: async (isOn: boolean, { client }): Promise<string | null> => {
      const answer = await rpc('calendar_renew', { p_broker_name: instanceName, p_is_on: isOn })
      await client.invalidateQueries({ queryKey: keys.visitSetup(instanceName) })
      const secret = v.parse(v.nullable(v.string()), answer)
      return secret === null ? null : `${location.origin}/api/calendar/${secret}.ics`
    },
  })
}
