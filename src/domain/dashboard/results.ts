// Results of a period: how figures read, how they compare with the days before, and their order. Pure.
import { countOf, formatNumber } from '../count.ts'
import { displayName } from '../broker.ts'
import type { Cell } from '../csv.ts'
import { formatTotal } from '../lead/fields.ts'
import { spanWords } from '../lead/path.ts'
import type { DaySpan } from './period.ts'

/** Percents of 0 to 100; spans in seconds. */
export type Figures = {
  received: number
  answered: number
  answeredRate: number | null
  /** Null: half were not answered yet. */
  median: number | null
  p90: number | null
  within: number | null
  inTime: number
  /** Leads of which it is known whether they were answered in time. */
  decided: number
  withinRange: Range
  booked: number
  held: number
  missed: number
  untold: number
  heldRate: number | null
  heldRange: Range
  won: number
  cents: number
  cohort: number
  converted: number
  conversion: number | null
  conversionRange: Range
  /** With the same mix of sources as everybody. */
  sameMix: number | null
  /** For the order of conversions; null: too few leads. */
  rank: number | null
  lost: number
  waiting: number
  longest: number | null
  losses: readonly { reason: string; leads: number; percent: number | null }[]
}
type Range = readonly [low: number, high: number] | null

export const NOTHING: Figures = {
  received: 0, answered: 0, answeredRate: null, median: null, p90: null, within: null, inTime: 0, decided: 0,
  withinRange: null, booked: 0, held: 0, missed: 0, untold: 0, heldRate: null, heldRange: null, won: 0, cents: 0,
  cohort: 0, converted: 0, conversion: null, conversionRange: null, sameMix: null, rank: null, lost: 0, waiting: 0,
  longest: null, losses: [],
} // prettier-ignore

export type Line = {
  /** Instance name; null: a team or everybody. */
  broker: string | null
  /** The broker's team, or the team whose row it is; null: none. */
  team: { id: string; name: string } | null
  now: Figures
  before: Figures | null
}
/** A period and the one beside it, in days. */
export type Lengths = { days: number; daysBefore: number }
export type Compared = { text: string; tone: 'better' | 'worse' | 'even' }

/** Fewer leads show their counts instead of a percent. */
export const FEW = 5
/** From so many on both sides a difference counts as better or worse. */
const ENOUGH = 20
/** From so many on a share is shown without its interval. */
const SURE = 30

export const FEW_LEADS = 'Poucos leads para comparar'

export const percentText = (percent: number, digits = 0) =>
  `${percent.toLocaleString('pt-BR', { minimumFractionDigits: digits, maximumFractionDigits: digits })}%`

export type Share = { hits: number; of: number; percent: number | null; range: Range }

export const inTimeShare = ({ inTime, decided, within, withinRange }: Figures): Share => ({
  hits: inTime,
  of: decided,
  percent: within,
  range: withinRange,
})
export const heldShare = ({ held, missed, heldRate, heldRange }: Figures): Share => ({
  hits: held,
  of: held + missed,
  percent: heldRate,
  range: heldRange,
})
export const answeredShare = ({ answered, received, answeredRate }: Figures): Share => ({
  hits: answered,
  of: received,
  percent: answeredRate,
  range: null,
})
export const convertedShare = ({ converted, cohort, conversion, conversionRange }: Figures): Share => ({
  hits: converted,
  of: cohort,
  percent: conversion,
  range: conversionRange,
})

/** '1 de 2', or the percent from five on. */
export function shareText({ hits, of, percent }: Share, digits = 0): string {
  if (of === 0) return '–'
  return of < FEW || percent === null ? `${hits} de ${of}` : percentText(percent, digits)
}

/** The hint beside a share: its counts, and for a total under thirty its interval. */
export function shareTitle({ hits, of, range }: Share, what: string): string {
  const counts = `${hits} de ${countOf(of, what, `${what}s`)}`
  if (of > 0 && of < FEW) return `${counts}. ${FEW_LEADS}`
  return range && of < SURE ? `${counts}: entre ${range[0]}% e ${range[1]}%` : counts
}

export function medianText({ received, median }: Figures): string {
  if (received < FEW) return '–'
  return median === null ? 'metade espera' : spanWords(median)
}

export function medianTitle({ received, answered, median }: Figures): string {
  if (received < FEW) return FEW_LEADS
  return median === null
    ? `Mais da metade ainda espera: ${received - answered} de ${received} sem resposta`
    : `Metade teve resposta em até ${spanWords(median)}, com quem ainda espera`
}

const signed = (value: number, text: string) => (value > 0 ? `+ ${text}` : `− ${text}`)
const EVEN: Compared = { text: 'igual', tone: 'even' }

/** Volumes are neither good nor bad; unequal periods are compared by day. */
export function compareCounts(now: number, before: number, { days, daysBefore }: Lengths): Compared {
  if (days === daysBefore) {
    const more = now - before
    return more === 0 ? EVEN : { text: signed(more, formatNumber(Math.abs(more))), tone: 'even' }
  }
  const more = Math.round((now / days - before / daysBefore) * 10) / 10
  return more === 0 ? EVEN : { text: `${signed(more, formatNumber(Math.abs(more)))} por dia`, tone: 'even' }
}

function toneOf(more: number, isEnough: boolean): Compared['tone'] {
  if (!isEnough || more === 0) return 'even'
  return more > 0 ? 'better' : 'worse'
}

/** Percents by points: '+ 7 p.'. */
export function comparePercents(now: Share, before: Share, digits = 0): Compared | null {
  if (now.percent === null || before.percent === null || now.of < FEW || before.of < FEW) return null
  const scale = 10 ** digits
  const more = Math.round(now.percent * scale) / scale - Math.round(before.percent * scale) / scale
  const rounded = Math.round(more * scale) / scale
  if (rounded === 0) return EVEN
  const text = Math.abs(rounded).toLocaleString('pt-BR', { minimumFractionDigits: digits })
  return {
    text: `${signed(rounded, text)} p.`,
    tone: toneOf(rounded, now.of >= ENOUGH && before.of >= ENOUGH),
  }
}

/** A shorter wait is better; one that was not reached cannot be compared. */
export function compareMedians(now: Figures, before: Figures): Compared | null {
  if (now.median === null || before.median === null || now.received < FEW || before.received < FEW)
    return null
  const more = now.median - before.median
  // Differences that the shown words do not have.
  if (spanWords(now.median) === spanWords(before.median)) return EVEN
  return {
    text: signed(more, spanWords(Math.abs(more))),
    tone: toneOf(-more, now.received >= ENOUGH && before.received >= ENOUGH),
  }
}

/** The value of sales; a few sales say little about better or worse. */
export function compareCents(now: Figures, before: Figures, { days, daysBefore }: Lengths): Compared {
  const more = now.cents / days - before.cents / daysBefore
  return {
    text: `eram ${formatTotal(before.cents)}`,
    tone: toneOf(more, now.won >= ENOUGH && before.won >= ENOUGH),
  }
}

export const ORDERS = ['received', 'median', 'within', 'held', 'won', 'conversion', 'waiting'] as const
export type Order = (typeof ORDERS)[number]

/** Brokers with too few leads come last, by name. */
function sortBrokers(lines: readonly Line[], order: Order): Line[] {
  const scoreOf = ({ now }: Line): number | null => {
    switch (order) {
      case 'received':
        return now.received
      case 'won':
        return now.won
      case 'waiting':
        return now.waiting
      case 'median':
        return now.received < ENOUGH || now.median === null ? null : -now.median
      case 'within':
        return now.decided < ENOUGH ? null : now.within
      case 'held':
        return now.held + now.missed < ENOUGH ? null : now.heldRate
      case 'conversion':
        return now.rank
    }
  }
  return lines.toSorted((a, b) => {
    const [first, second] = [scoreOf(a), scoreOf(b)]
    if (first !== null && second !== null && first !== second) return second - first
    if ((first === null) !== (second === null)) return first === null ? 1 : -1
    return lineName(a).localeCompare(lineName(b), 'pt-BR')
  })
}

type AllLines = { total: Line; teams: readonly Line[]; brokers: readonly Line[] }

/** Everybody, then each team with its brokers, then brokers without a team. */
export function orderLines({ total, teams, brokers }: AllLines, order: Order): Line[] {
  const isShown = ({ team }: Line) => teams.some((line) => line.team?.id === team?.id)
  return [
    total,
    ...teams.flatMap((line) => [
      line,
      ...sortBrokers(
        brokers.filter(({ team }) => team?.id === line.team?.id),
        order,
      ),
    ]),
    ...sortBrokers(
      brokers.filter((line) => !isShown(line)),
      order,
    ),
  ]
}

/** A name that begins with the word is shown as it is. */
export const teamName = ({ name }: { name: string }) => (/^equipe\b/i.test(name) ? name : `Equipe ${name}`)

export function lineName({ broker, team }: Pick<Line, 'broker' | 'team'>): string {
  if (broker !== null) return displayName(broker)
  return team === null ? 'Total' : teamName(team)
}

const monthOf = (day: string) =>
  new Date(`${day}T12:00:00Z`).toLocaleDateString('pt-BR', { month: 'long', timeZone: 'UTC' })

/** '1 a 23 de novembro', '20 de outubro a 23 de novembro', with the year where it is another. */
export function spanTitle({ from, to }: DaySpan, today: string): string {
  const dayOf = (day: string) => String(Number(day.slice(8)))
  const yearOf = (day: string) => day.slice(0, 4)
  const year = yearOf(to) === yearOf(today) && yearOf(from) === yearOf(to) ? '' : ` de ${yearOf(to)}`
  if (from === to) return `${dayOf(to)} de ${monthOf(to)}${year}`
  if (from.slice(0, 7) === to.slice(0, 7)) return `${dayOf(from)} a ${dayOf(to)} de ${monthOf(to)}${year}`
  const yearBefore = yearOf(from) === yearOf(to) ? '' : ` de ${yearOf(from)}`
  return `${dayOf(from)} de ${monthOf(from)}${yearBefore} a ${dayOf(to)} de ${monthOf(to)}${year}`
}

export const inTimeTitle = (targetSeconds: number) => `Em até ${spanWords(targetSeconds)}`

/** The shown table as a file: each figure, and beside it the one of the days before. */
export function toTable(
  lines: readonly Line[],
  target: number,
  names: { now: string; before: string | null },
): { header: string[]; rows: Cell[][] } {
  const share = (of: number, percent: number | null) => (of < FEW ? null : percent)
  const columns: [string, (figures: Figures) => Cell][] = [
    ['Recebidos', ({ received }) => received],
    ['Respondidos', ({ answered }) => answered],
    ['Mediana até a resposta (min)', ({ received, median }) => received < FEW || median === null ? null : Math.round(median / 6) / 10],
    [`${inTimeTitle(target)} (%)`, ({ decided, within }) => share(decided, within)],
    ['Visitas marcadas', ({ booked }) => booked],
    ['Visitas feitas', ({ held }) => held],
    ['Visitas com falta', ({ missed }) => missed],
    ['Visitas sem resultado', ({ untold }) => untold],
    ['Fechados', ({ won }) => won],
    ['Valor (R$)', ({ cents }) => cents / 100],
    ['Conversão (%)', ({ cohort, conversion }) => share(cohort, conversion)],
    ['Leads da conversão', ({ cohort }) => cohort],
    ['Convertidos', ({ converted }) => converted],
    ['Perdidos', ({ lost }) => lost],
  ] // prettier-ignore
  const { before } = names
  return {
    header: [
      'Corretor',
      ...columns.flatMap(([title]) =>
        before === null ? [title] : [`${title} · ${names.now}`, `${title} · ${before}`],
      ),
      'Esperando agora',
    ],
    rows: lines.map(({ now, before: earlier, ...line }) => [
      lineName(line),
      ...columns.flatMap(([, read]) =>
        before === null ? [read(now)] : [read(now), read(earlier ?? NOTHING)],
      ),
      now.waiting,
    ]),
  }
}
