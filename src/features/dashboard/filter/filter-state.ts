// Reads and writes the dashboard's address: its section, filter and open figure. Pure.
import type { Figure } from '#domain/dashboard/dashboard.ts'
import {
  type DaySpan,
  PERIOD_NAMES,
  readSpan,
  type Period,
  type PeriodName,
  spanFault,
  type SpanFault,
} from '#domain/dashboard/period.ts'

export type Filter = {
  period: Period
  /** Names of developments. An empty list means all of them. */
  developments: readonly string[]
  /** Instance names of brokers. An empty list means all of them. */
  brokers: readonly string[]
}

export type DashboardState = {
  /** Null if the address names a section that does not exist. */
  section: 'overview' | 'filter' | 'now' | 'roleta' | null
  /** Set in the sections 'filter' and 'roleta', otherwise null. */
  filter: Filter | null
  figure: Figure | null
}

export const DEFAULT_FILTER: Filter = { period: { name: 'ultimo-mes' }, developments: [], brokers: [] }

const PLAIN_FIGURES = [
  'total',
  'answered',
  'unanswered',
  'won',
  'within-five-minutes',
  'contacted',
  'contacted-within-five-minutes',
  'won-value',
] as const
const PART_FIGURES = ['status', 'source', 'campaign', 'weekday'] as const
const SLOW_FIGURES = ['answered-after', 'contacted-after'] as const
/** Figures that may have no part in the address; then their list has the leads of all parts. */
const SUM_FIGURES = ['open-value', 'lost'] as const

/** Reads the page's state from the address, and ignores parameters that are not valid. */
export function readState(search: Record<string, unknown>): DashboardState {
  const section = search['secao']
  const filter = readFilter(search)
  const figure = readFigure(search)
  if (section === 'roleta') return { section: 'roleta', filter: filter ?? DEFAULT_FILTER, figure: null }
  if (section === 'agora') return { section: 'now', filter: null, figure: null }
  if (section !== undefined) return { section: null, filter: null, figure: null }
  return filter ? { section: 'filter', filter, figure } : { section: 'overview', filter: null, figure }
}

/** Writes the state as search parameters, from which `readState` gets the same state again. */
export function writeState({ section, filter, figure }: DashboardState): Record<string, unknown> {
  return {
    ...(section === 'roleta' && { secao: 'roleta' }),
    ...(section === 'now' && { secao: 'agora' }),
    ...(filter && section !== 'overview' && writeFilter(filter)),
    ...(figure && {
      figura: figure.kind,
      ...('value' in figure && figure.value !== null && { valor: figure.value }),
    }),
  }
}

/**
 * If all options are chosen, returns an empty list (no restriction), so that an option added later is included as well.
 */
export function withoutAll(chosen: readonly string[], all: readonly string[]): readonly string[] {
  return all.length > 0 && all.every((value) => chosen.includes(value)) ? [] : chosen
}

/** What the filter form contains. Typed days are kept while another period is selected. */
export type Draft = {
  name: PeriodName
  span: DaySpan
  developments: readonly string[]
  brokers: readonly string[]
}

export function toDraft({ period, developments, brokers }: Filter, span: DaySpan): Draft {
  const days = period.name === 'personalizado' ? { from: period.from, to: period.to } : span
  return { name: period.name, span: days, developments, brokers }
}

/** Tells what is wrong with the typed days of a custom period. */
export function draftFault({ name, span }: Draft): SpanFault | null {
  return name === 'personalizado' ? spanFault(span) : null
}

export function fromDraft({ name, span, developments, brokers }: Draft): Filter {
  const { from, to } = span
  return { period: name === 'personalizado' ? { name, from, to } : { name }, developments, brokers }
}

function writeFilter({ period, developments, brokers }: Filter): Record<string, unknown> {
  return {
    periodo: period.name,
    ...(period.name === 'personalizado' && { inicio: period.from, fim: period.to }),
    ...(developments.length > 0 && { empreendimentos: developments }),
    ...(brokers.length > 0 && { corretores: brokers }),
  }
}

function readFilter(search: Record<string, unknown>): Filter | null {
  const period = readPeriod(search)
  return (
    period && {
      period,
      developments: toTexts(search['empreendimentos']),
      brokers: toTexts(search['corretores']),
    }
  )
}

function readPeriod({ periodo, inicio, fim }: Record<string, unknown>): Period | null {
  const name = PERIOD_NAMES.find((known) => known === periodo)
  if (name === undefined) return null
  if (name !== 'personalizado') return { name }
  if (typeof inicio !== 'string' || typeof fim !== 'string') return null
  return spanFault({ from: inicio, to: fim }) === null ? { name, from: inicio, to: fim } : null
}

function readFigure({ figura, valor }: Record<string, unknown>): Figure | null {
  const plain = PLAIN_FIGURES.find((known) => known === figura)
  if (plain) return { kind: plain }
  const sum = SUM_FIGURES.find((known) => known === figura)
  // The router turns a parameter that looks like a number into a number.
  const value = typeof valor === 'number' ? String(valor) : valor
  if (typeof value !== 'string') return sum && valor === undefined ? { kind: sum, value: null } : null
  const part = sum ?? PART_FIGURES.find((known) => known === figura)
  if (part) return { kind: part, value }
  const slow = SLOW_FIGURES.find((known) => known === figura)
  if (slow && /^\d{1,10}(\.\d{1,2})?$/.test(value)) return { kind: slow, value }
  return figura === 'days' && readSpan(value) ? { kind: 'days', value } : null
}

function toTexts(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  return [...new Set(value.filter((entry) => typeof entry === 'string' && entry !== ''))]
}
