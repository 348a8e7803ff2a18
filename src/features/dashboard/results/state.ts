// Reads and writes the address of the results: period, filters, comparison, order and the open list. Pure.
import { dayAt, type DaySpan, isDay, spanFault } from '#domain/dashboard/period.ts'
import { ORDERS, type Order } from '#domain/dashboard/results/lines.ts'
import { type Question, RESULT_FIGURES, type ResultFigure } from './data.ts'

export type ResultsState = {
  question: Question
  isCompared: boolean
  order: Order
  figure: ResultFigure | null
}

export const AGES = [7, 14, 30, 60, 90] as const
const DEFAULT_AGE = 30

/** Returns the days from the first of the month until `today`. */
export const thisMonth = (today: string): DaySpan => ({ from: `${today.slice(0, 8)}01`, to: today })

export function monthBefore(today: string): DaySpan {
  const last = dayBefore(thisMonth(today).from)
  return { from: thisMonth(last).from, to: last }
}

export const lastDays = (today: string, days: number): DaySpan => ({
  from: dayAt(Date.parse(`${today}T12:00:00Z`) - (days - 1) * 86_400_000),
  to: today,
})

const dayBefore = (day: string) => lastDays(day, 2).from

const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? [...new Set(value.filter((entry) => typeof entry === 'string'))] : []

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const uuidOf = (value: unknown) => (typeof value === 'string' && UUID.test(value) ? value : null)

/** Reads the page's state from the address, and ignores parameters that are not valid. */
export function readResults(search: Record<string, unknown>, today: string): ResultsState {
  const { de, ate, dias, relogio, comparar, ordem, figura, equipe, corretor, da, motivo } = search
  const isSpan =
    typeof de === 'string' &&
    typeof ate === 'string' &&
    isDay(de) &&
    spanFault({ from: de, to: ate }) === null
  const name = RESULT_FIGURES.find((known) => known === figura)
  return {
    question: {
      span: isSpan ? { from: de, to: ate } : thisMonth(today),
      team: uuidOf(equipe),
      developments: listOf(search['empreendimentos']),
      sources: listOf(search['origens']),
      days: AGES.find((age) => age === dias) ?? DEFAULT_AGE,
      clock: relogio === 'aberto' ? 'open' : 'all',
    },
    isCompared: comparar !== 'nao',
    order: ORDERS.find((known) => known === ordem) ?? 'received',
    figure: name
      ? {
          name,
          broker: typeof corretor === 'string' ? corretor : null,
          team: uuidOf(da),
          part: typeof motivo === 'string' ? motivo : null,
        }
      : null,
  }
}

/** Writes the state as search parameters. On the same day `readResults` gets the same state from them. */
export function writeResults({ question, isCompared, order, figure }: ResultsState, today: string) {
  const { span, team, developments, sources, days, clock } = question
  const usual = thisMonth(today)
  return {
    ...((span.from !== usual.from || span.to !== usual.to) && { de: span.from, ate: span.to }),
    ...(team !== null && { equipe: team }),
    ...(developments.length > 0 && { empreendimentos: developments }),
    ...(sources.length > 0 && { origens: sources }),
    ...(days !== DEFAULT_AGE && { dias: days }),
    ...(clock === 'open' && { relogio: 'aberto' }),
    ...(!isCompared && { comparar: 'nao' }),
    ...(order !== 'received' && { ordem: order }),
    ...(figure && {
      figura: figure.name,
      ...(figure.broker !== null && { corretor: figure.broker }),
      ...(figure.team !== null && { da: figure.team }),
      ...(figure.part !== null && { motivo: figure.part }),
    }),
  }
}
