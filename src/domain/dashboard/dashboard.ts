// The dashboard's figures, how they are written and compared.

import type { DaySpan } from './period.ts'

export type Kpi = {
  leadCount: number
  /** Mean over the answered; null: nobody was. */
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
  /** As many days before; null where the period is open. */
  previous: Kpi | null
  /** Null: open at one end. */
  span: DaySpan | null
  dayCount: number
  statuses: readonly Count[]
  sources: readonly Count[]
  days: readonly DayCount[]
  campaigns: readonly Count[]
}

/** A development that leads asked for. */
export type Development = { name: string; leadCount: number }

/** A lead that a rotation handed to a broker. */
export type DistributedLead = {
  id: number
  name: string | null
  number: string | null
  createdAtMs: number
  development: string
  instanceName: string
}

/** How fast the leads of one kind were answered. */
export type ResponseLine = {
  answeredCount: number
  unansweredCount: number
  medianHours: number | null
  p90Hours: number | null
  withinFiveMinutesCount: number
  /** In percent of all of them; null: there is none. */
  withinFiveMinutes: number | null
}

export type ResponseTimes = {
  /** From the first message on. */
  wrote: ResponseLine
  /** Who arrived by a form, a portal or Meta and did not write before a person wrote to them: from the arrival on. */
  leftContact: ResponseLine
}

/** What can be opened as a list of leads. */
export type Figure =
  | {
      kind:
        | 'total'
        | 'answered'
        | 'unanswered'
        | 'won'
        | 'within-five-minutes'
        | 'contacted-within-five-minutes'
        | 'won-value'
    }
  | { kind: 'status' | 'source' | 'campaign' | 'weekday' | 'open-value' | 'lost'; value: string }

export type Worth = { leads: number; cents: number }
/** What leads are worth: open by stage whenever they came, won and lost in the period. */
export type ValueAndLosses = {
  open: readonly (Worth & { stage: string })[]
  won: Worth
  /** 'none': nobody said why. */
  lost: readonly (Worth & { reason: string })[]
}

/** A lead in a list of them. */
export type LeadRow = {
  id: number
  name: string | null
  number: string | null
  createdAtMs: number
  statusSlug: string
  development: string | null
  /** Null: the administrator's own. */
  instanceName: string | null
  /** How long the first answer took; null: there was none to give, or none yet. */
  responseHours: number | null
  /** Since when the lead waits for an answer; null: it does not. */
  waitingSinceMs: number | null
}

/** '45s', '12min', '1h 12min'; a dash while nobody was answered. */
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

/** Of percent: '7,4%' */
export function formatPercent(percent: number): string {
  return `${formatOneDecimal(percent)}%`
}

export function wonCount({ conversion, leadCount }: Kpi): number {
  return Math.round((conversion * leadCount) / 100)
}

/** A figure beside the one of the period before. */
export type Change = {
  /** Of the figure, not of its worth. */
  direction: 'up' | 'down' | 'same'
  /** '12,4%', '1,2 p.p.' */
  text: string
}

/** By how much of what it was; null where there is nothing to compare with. */
export function relativeChange(now: number | null, before: number | null): Change | null {
  if (now === null || before === null || before === 0) return null
  return toChange(((now - before) / before) * 100, '%')
}

/** Between two percentages: in points. */
export function pointChange(now: number, before: number): Change {
  return toChange(now - before, ' p.p.')
}

/** What rounds to nothing is nothing. */
function toChange(difference: number, unit: string): Change {
  const text = formatOneDecimal(Math.abs(difference)) + unit
  if (Math.abs(difference) < 0.05) return { direction: 'same', text }
  return { direction: difference > 0 ? 'up' : 'down', text }
}
