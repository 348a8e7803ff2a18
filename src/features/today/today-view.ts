// A broker's day, made from the board: who waits, what is late, what is due today, and who has nothing to be done.
import type { Board } from '#data/board/rows.ts'
import { calendarDay } from '#domain/format.ts'
import type { Later } from '#domain/next-action/later.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { NextAction } from '#domain/next-action/next-action.ts'
import { isLate } from '#domain/next-action/words.ts'
import { zonedMs } from '#domain/zone.ts'
import { type Finished, placeOf } from './finished.ts'

export type Task = { lead: Lead; action: NextAction }
/** A text that is to go by itself. */
export type Scheduled = { lead: Lead; text: Later }

export type Today = {
  /** The newest in front: that lead can still be won. */
  waiting: readonly Lead[]
  /** What is late, and texts that were due on an earlier day, the oldest in front. */
  late: readonly (Task | Scheduled)[]
  /** What is due today and not late, and texts of today that go or stand still, in their order. */
  due: readonly (Task | Scheduled)[]
  /** In an open stage, waiting for nobody and with nothing to be done. */
  idle: readonly Lead[]
}

export function todayOf({ leads, stages }: Pick<Board, 'leads' | 'stages'>, nowMs: number): Today {
  const open = new Set(stages.filter(({ kind }) => kind === 'open').map(({ slug }) => slug))
  // Once for all: a calendar asked for each of thousands would cost a frame.
  const beginMs = zonedMs(calendarDay(nowMs), 0)
  const endMs = zonedMs(calendarDay(nowMs) + 1, 0)
  const waiting: Lead[] = []
  const late: (Task | Scheduled)[] = []
  const due: (Task | Scheduled)[] = []
  const idle: Lead[] = []
  for (const lead of leads.values()) {
    // Who asked for silence is answered from the board.
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
 * The leads that are shown of those that wait, newest first: at most four who are not `isOld`, or of the old ones where all are
 * old. `others` counts those that are folded; `areOld` says whether all of these are old.
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

/** The line of the day, in the order of its hours: what its now stands behind, and what is still to come. */
export function dayLine(
  due: Today['due'],
  finished: readonly Finished[],
  nowMs: number,
): { before: readonly OfDay[]; after: readonly OfDay[] } {
  const atOf = (one: OfDay) => ('done' in one ? placeOf(one.done) : dueMsOf(one, nowMs))
  const line = [...finished, ...due].toSorted((one, other) => atOf(one) - atOf(other))
  // What is done or goes on stands on its side; what else is open is still to come, and be it in this minute.
  const hasBegun = (one: OfDay) => 'done' in one || ('action' in one && one.action.kind === 'visit')
  const isBefore = (one: OfDay) => hasBegun(one) && atOf(one) <= nowMs
  return { before: line.filter(isBefore), after: line.filter((one) => !isBefore(one)) }
}

const sinceOf = ({ waitingSinceMs }: Lead) => waitingSinceMs ?? 0

/** The number beside the tab: who waits and what is late. */
export function pressingCount(today: Today): number {
  return today.waiting.length + today.late.length
}
