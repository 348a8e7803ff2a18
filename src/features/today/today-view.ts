// Computes a broker's day from the board: waiting leads, late actions, actions due today, and leads without one.
import type { Board } from '#data/board/rows.ts'
import { calendarDay } from '#domain/format.ts'
import type { Later } from '#domain/next-action/later.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { NextAction } from '#domain/next-action/next-action.ts'
import { isLate } from '#domain/next-action/words.ts'
import { zonedMs } from '#domain/zone.ts'
import { type Finished, placeOf } from './finished.ts'

export type Task = { lead: Lead; action: NextAction }
/** A message that the portal sends at its hour. */
export type Scheduled = { lead: Lead; text: Later }

export type Today = {
  /** The newest first, because those leads are the most likely to be won. */
  waiting: readonly Lead[]
  /** Late actions, and messages of earlier days that were not sent; the oldest first. */
  late: readonly (Task | Scheduled)[]
  /**
   * Actions that are due today and not late, and today's messages that will be sent or were stopped, in order of time.
   */
  due: readonly (Task | Scheduled)[]
  /** Leads in an open stage that do not wait for an answer and have no action. */
  idle: readonly Lead[]
}

export function todayOf({ leads, stages }: Pick<Board, 'leads' | 'stages'>, nowMs: number): Today {
  const open = new Set(stages.filter(({ kind }) => kind === 'open').map(({ slug }) => slug))
  // Today's start is computed once: asking the calendar again for each of thousands of leads would delay the screen.
  const beginMs = zonedMs(calendarDay(nowMs), 0)
  const endMs = zonedMs(calendarDay(nowMs) + 1, 0)
  const waiting: Lead[] = []
  const late: (Task | Scheduled)[] = []
  const due: (Task | Scheduled)[] = []
  const idle: Lead[] = []
  for (const lead of leads.values()) {
    // An opted-out lead is left out: the broker answers such a lead from the board.
    if (lead.waitingSinceMs !== null && !lead.isOptedOut) waiting.push(lead)
    else if (lead.waitingSinceMs === null && lead.next.length === 0 && open.has(lead.stageSlug))
      idle.push(lead)
    for (const action of lead.next) {
      if (isLate(action, nowMs)) late.push({ lead, action })
      else if (action.dueAtMs < endMs) due.push({ lead, action })
    }
    for (const text of lead.later ?? []) {
      const atMs = text.dueAtMs ?? nowMs
      if (atMs < beginMs) late.push({ lead, text })
      else if (atMs < endMs) due.push({ lead, text })
    }
  }
  const atOf = (one: Task | Scheduled) => dueMsOf(one, nowMs)
  const byDue = (one: Task | Scheduled, other: Task | Scheduled) => atOf(one) - atOf(other)
  return {
    waiting: waiting.toSorted((one, other) => sinceOf(other) - sinceOf(one)),
    late: late.toSorted(byDue),
    due: due.toSorted(byDue),
    idle,
  }
}

const MAX_SHOWN = 4

/**
 * Chooses which waiting leads are shown, the newest first: at most four that are not `isOld`, or old ones if all leads
 * are. `others` counts the folded leads; `areOld` is true if all of those are old.
 */
export function firstWaiting(
  waiting: readonly Lead[],
  isOld: (lead: Lead) => boolean,
): { shown: readonly Lead[]; others: number; areOld: boolean } {
  const recent = waiting.filter((lead) => !isOld(lead))
  const shown = (recent.length > 0 ? recent : waiting).slice(0, MAX_SHOWN)
  return { shown, others: waiting.length - shown.length, areOld: recent.length <= shown.length }
}

export const dueMsOf = (one: Task | Scheduled, nowMs: number) =>
  'action' in one ? one.action.dueAtMs : (one.text.dueAtMs ?? nowMs)

export type OfDay = Task | Scheduled | Finished

/** Sorts the day's entries by time, into those before the present time and those still to come. */
export function dayLine(
  due: Today['due'],
  finished: readonly Finished[],
  nowMs: number,
): { before: readonly OfDay[]; after: readonly OfDay[] } {
  const atOf = (one: OfDay) => ('done' in one ? placeOf(one.done) : dueMsOf(one, nowMs))
  const line = [...finished, ...due].toSorted((one, other) => atOf(one) - atOf(other))
  // An action or message of this very minute is still to come, unless it is finished or a visit that is taking place.
  const hasBegun = (one: OfDay) => 'done' in one || ('action' in one && one.action.kind === 'visit')
  const isBefore = (one: OfDay) => hasBegun(one) && atOf(one) <= nowMs
  return { before: line.filter(isBefore), after: line.filter((one) => !isBefore(one)) }
}

const sinceOf = ({ waitingSinceMs }: Lead) => waitingSinceMs ?? 0

/** The number beside the tab: how many leads wait and how many actions are late. */
export function pressingCount(today: Today): number {
  return today.waiting.length + today.late.length
}
