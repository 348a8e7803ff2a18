// Finds what is due after today, for seven days at a time, and promises without a day.
import { calendarDay } from '#domain/format.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { promiseIn } from '#domain/next-action/promise.ts'
import { weekdayOf } from '#domain/next-action/words.ts'
import { dateParts, zonedMs } from '#domain/zone.ts'
import type { Board } from '#data/board/rows.ts'
import { dueMsOf, type Scheduled, type Task } from './today-view.ts'

const WEEK_DAYS = 7
const DAY_MS = 86_400_000

export type DayAhead = {
  /** For example 'ter 24'. */
  label: string
  /** The day's actions and scheduled messages, in the order of their hours. */
  marked: readonly (Task | Scheduled)[]
}

/** Returns seven days with their actions. With `weeks` 0 the first day is tomorrow, with 1 a week later, and so on. */
export function daysAhead(leads: Board['leads'], nowMs: number, weeks: number): readonly DayAhead[] {
  const first = calendarDay(nowMs) + 1 + weeks * WEEK_DAYS
  const starts = Array.from({ length: WEEK_DAYS + 1 }, (_, day) => zonedMs(first + day, 0))
  const [fromMs = 0] = starts
  const days = starts.slice(0, WEEK_DAYS).map((startMs) => ({
    label: `${weekdayOf(startMs)} ${Number(dateParts(startMs).day)}`,
    marked: [] as (Task | Scheduled)[],
  }))
  const mark = (one: Task | Scheduled) => {
    const atMs = dueMsOf(one, nowMs)
    if (atMs < fromMs) return
    // Puts it into the first day that ends after its time.
    days[starts.slice(1).findIndex((endMs) => atMs < endMs)]?.marked.push(one)
  }
  for (const lead of leads.values()) {
    for (const action of lead.next) mark({ lead, action })
    for (const text of lead.later ?? []) mark({ lead, text })
  }
  for (const { marked } of days) marked.sort((one, other) => dueMsOf(one, nowMs) - dueMsOf(other, nowMs))
  return days
}

export type Promised = { lead: Lead; sentence: string; saidAtMs: number; key: string }

const MAX_PROMISES = 5
const MAX_PROMISE_DAYS = 14
/** A message sent less than two minutes from a campaign's time counts as the campaign's, so it is no promise. */
const CAMPAIGN_MS = 120_000

/**
 * Returns the leads to whom our last message promised something and who have no next action, the newest message first.
 * Leads in a won or lost stage are left out, and so are messages whose keys are in `dropped`.
 */
export function promisesOf(
  { leads, stages }: Pick<Board, 'leads' | 'stages'>,
  nowMs: number,
  dropped: readonly string[],
): readonly Promised[] {
  const open = new Set(stages.filter(({ kind }) => kind === 'open').map(({ slug }) => slug))
  const sinceMs = nowMs - MAX_PROMISE_DAYS * DAY_MS
  const found: Promised[] = []
  for (const lead of leads.values()) {
    const { lastMessage: said, waitingSinceMs, remarketingSentAtMs } = lead
    if (said?.direction !== 'outgoing' || said.byAssistant || said.delivery === 'failed') continue
    if (waitingSinceMs !== null || lead.next.length > 0 || lead.later?.length || !open.has(lead.stageSlug))
      continue
    const saidAtMs = said.sentAtSeconds * 1000
    const isCampaign = remarketingSentAtMs !== null && Math.abs(remarketingSentAtMs - saidAtMs) < CAMPAIGN_MS
    const key = `${lead.id} ${said.sentAtSeconds}`
    if (saidAtMs < sinceMs || isCampaign || dropped.includes(key)) continue
    const sentence = promiseIn(said.body)
    if (sentence !== null) found.push({ lead, sentence, saidAtMs, key })
  }
  return found.toSorted((one, other) => other.saidAtMs - one.saidAtMs).slice(0, MAX_PROMISES)
}
