// The dashboard's figures, and functions that format and compare them.

import type { DaySpan } from './period.ts'

export type Kpi = {
  leadCount: number
  /** The mean over answered leads; null if none was answered. */
  responseHours: number | null
  leadsPerDay: number
  /** In percent, from 0 to 100. */
  conversion: number
  answeredCount: number
  unansweredCount: number
}

export type Count = { value: string; count: number }
export type DayCount = Count & { dayNumber: number }

export type Dashboard = {
  kpi: Kpi
  /** The same figures for the period before, which is as long as this one. Null for an open period. */
  previous: Kpi | null
  /** The days of the period; null for an open period. */
  span: DaySpan | null
  dayCount: number
  statuses: readonly Count[]
  sources: readonly Count[]
  days: readonly DayCount[]
  campaigns: readonly Count[]
}

/** A development with its number of leads. */
export type Development = { name: string; leadCount: number }

/** A lead that a rotation gave to the broker. */
export type DistributedLead = {
  id: number
  name: string | null
  number: string | null
  createdAtMs: number
  development: string
  instanceName: string
}

/** How fast leads of one kind were answered. */
export type ResponseLine = {
  answeredCount: number
  unansweredCount: number
  medianHours: number | null
  p90Hours: number | null
  withinFiveMinutesCount: number
  /** The share of all leads of this kind, in percent; null if there are none. */
  withinFiveMinutes: number | null
}

export type ResponseTimes = {
  /** Leads that wrote first; their wait begins with their first message. */
  wrote: ResponseLine
  /**
   * Leads who came by a form, a portal or Meta and wrote nothing before a person wrote to them. Their wait begins with
   * their arrival.
   */
  leftContact: ResponseLine
}

/** The figures that a press opens as a list of leads. */
export type Figure =
  | {
      kind:
        | 'total'
        | 'answered'
        | 'unanswered'
        | 'won'
        | 'within-five-minutes'
        | 'contacted'
        | 'contacted-within-five-minutes'
        | 'won-value'
    }
  /** `value` is the part of the chart; for slow answers the seconds as text; for `days` the first and last day. */
  | { kind: PartFigure; value: string }
  /** A `value` of null means the leads of all parts together. */
  | { kind: 'open-value' | 'lost'; value: string | null }

type PartFigure =
  | 'status'
  | 'source'
  | 'campaign'
  | 'weekday'
  | 'answered-after'
  | 'contacted-after'
  /** The value is written as '2026-11-02/2026-11-08'. */
  | 'days'

export type Worth = { leads: number; cents: number }
/**
 * The value of leads. Open leads are listed by stage, whatever their age; won and lost leads are those of the period.
 */
export type ValueAndLosses = {
  open: readonly (Worth & { stage: string })[]
  won: Worth
  /** The reason 'none' stands for losses without a reason. */
  lost: readonly (Worth & { reason: string })[]
}

/** A lead in the list that a figure opens. */
export type LeadRow = {
  id: number
  name: string | null
  number: string | null
  createdAtMs: number
  statusSlug: string
  development: string | null
  /** The broker's instance name; null if the lead has no broker. */
  instanceName: string | null
  /** The time until the first answer, in hours; null if there was none. */
  responseHours: number | null
  /** Since when the lead waits for an answer; null if it does not wait. */
  waitingSinceMs: number | null
}

/** Converts hours to the seconds of the slow-answers figure. Two decimals restore whole seconds from rounded hours. */
export const toSeconds = (hours: number): string => String(Math.round(hours * 360_000) / 100)

/** For example '45s', '12min' or '1h 12min'; a dash if no lead was answered. */
export function formatResponseTime(hours: number | null): string {
  if (hours === null) return '–'
  const seconds = Math.round(hours * 3600)
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes}min` : `${Math.floor(minutes / 60)}h ${minutes % 60}min`
}

/** For example '42,8'. */
export function formatOneDecimal(value: number): string {
  return value.toLocaleString('pt-BR', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
}

/** For example '7,4%'. */
export function formatPercent(percent: number): string {
  return `${formatOneDecimal(percent)}%`
}

export function wonCount({ conversion, leadCount }: Kpi): number {
  return Math.round((conversion * leadCount) / 100)
}

/** Comparison of a figure with the previous period. */
export type Change = {
  /** Whether the number rose or fell, regardless of whether that is good. */
  direction: 'up' | 'down' | 'same'
  /** For example '12,4%' or '1,2 p.p.'. */
  text: string
}

/** Returns the relative change in percent; null if there is nothing to compare with. */
export function relativeChange(now: number | null, before: number | null): Change | null {
  if (now === null || before === null || before === 0) return null
  return toChange(((now - before) / before) * 100, '%')
}

/** Change between two percentages, in percentage points. */
export function pointChange(now: number, before: number): Change {
  return toChange(now - before, ' p.p.')
}

/** Describes a change. One that rounds to zero counts as none. */
function toChange(difference: number, unit: string): Change {
  const text = formatOneDecimal(Math.abs(difference)) + unit
  if (Math.abs(difference) < 0.05) return { direction: 'same', text }
  return { direction: difference > 0 ? 'up' : 'down', text }
}
