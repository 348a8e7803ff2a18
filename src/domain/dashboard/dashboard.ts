// The dashboard's figures, their formats and comparisons.

import type { DaySpan } from './period.ts'

export type Kpi = {
  leadCount: number
  /** Mean over the answered leads; null without any. */
  responseHours: number | null
  leadsPerDay: number
  /** In percent. */
  conversion: number
  answeredCount: number
  unansweredCount: number
}

export type Count = { value: string; count: number }
export type DayCount = Count & { dayNumber: number }

export type Dashboard = {
  kpi: Kpi
  /** The figure of the period before, as long as this one; null for an open period. */
  previous: Kpi | null
  /** Null for an open period. */
  span: DaySpan | null
  dayCount: number
  statuses: readonly Count[]
  sources: readonly Count[]
  days: readonly DayCount[]
  campaigns: readonly Count[]
}

/** A development with its number of leads. */
export type Development = { name: string; leadCount: number }

/** A lead that a rotation gave to a broker. */
export type DistributedLead = {
  id: number
  name: string | null
  number: string | null
  createdAtMs: number
  development: string
  instanceName: string
}

/** Response times of one kind of leads. */
export type ResponseLine = {
  answeredCount: number
  unansweredCount: number
  medianHours: number | null
  p90Hours: number | null
  withinFiveMinutesCount: number
  /** In percent of all of them; null without any. */
  withinFiveMinutes: number | null
}

export type ResponseTimes = {
  /** Leads that wrote: the time counts from their first message on. */
  wrote: ResponseLine
  /**
   * Leads who came in by a form, a portal or Meta and did not write before a person wrote to them: from the
   * arrival on.
   */
  leftContact: ResponseLine
}

/** Figures that open a list of leads. */
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
  /** `value` is the part of a chart, for the slow answers seconds as text, for `days` the first and last day. */
  | { kind: PartFigure; value: string }
  /** Null: the total of its parts. */
  | { kind: 'open-value' | 'lost'; value: string | null }

type PartFigure =
  | 'status'
  | 'source'
  | 'campaign'
  | 'weekday'
  | 'answered-after'
  | 'contacted-after'
  /** '2026-11-02/2026-11-08' */
  | 'days'

export type Worth = { leads: number; cents: number }
/** Value of leads: open by stage (of any time), won and lost in the period. */
export type ValueAndLosses = {
  open: readonly (Worth & { stage: string })[]
  won: Worth
  /** 'none': without a reason. */
  lost: readonly (Worth & { reason: string })[]
}

/** A lead in such a list. */
export type LeadRow = {
  id: number
  name: string | null
  number: string | null
  createdAtMs: number
  statusSlug: string
  development: string | null
  /** Null: the administrator. */
  instanceName: string | null
  /** Time to the first answer; null without one. */
  responseHours: number | null
  /** Since when the lead waits for an answer; null: it does not wait. */
  waitingSinceMs: number | null
}

/** The value of the figure of slow answers. Its precision gives whole seconds back from rounded hours. */
export const toSeconds = (hours: number): string => String(Math.round(hours * 360_000) / 100)

/** '45s', '12min', '1h 12min'; a dash without any answered lead. */
export function formatResponseTime(hours: number | null): string {
  if (hours === null) return '–'
  const seconds = Math.round(hours * 3600)
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes}min` : `${Math.floor(minutes / 60)}h ${minutes % 60}min`
}

/** '42,8' */
export function formatOneDecimal(value: number): string {
  return value.toLocaleString('pt-BR', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
}

/** A percentage: '7,4%'. */
export function formatPercent(percent: number): string {
  return `${formatOneDecimal(percent)}%`
}

export function wonCount({ conversion, leadCount }: Kpi): number {
  return Math.round((conversion * leadCount) / 100)
}

/** Comparison of a figure with the previous period. */
export type Change = {
  /** Direction of the number, whether that is good or bad. */
  direction: 'up' | 'down' | 'same'
  /** '12,4%', '1,2 p.p.' */
  text: string
}

/** Relative change; null if there is nothing to compare with. */
export function relativeChange(now: number | null, before: number | null): Change | null {
  if (now === null || before === null || before === 0) return null
  return toChange(((now - before) / before) * 100, '%')
}

/** Change between two percentages, in percentage points. */
export function pointChange(now: number, before: number): Change {
  return toChange(now - before, ' p.p.')
}

/** A change that rounds to zero counts as none. */
function toChange(difference: number, unit: string): Change {
  const text = formatOneDecimal(Math.abs(difference)) + unit
  if (Math.abs(difference) < 0.05) return { direction: 'same', text }
  return { direction: difference > 0 ? 'up' : 'down', text }
}
