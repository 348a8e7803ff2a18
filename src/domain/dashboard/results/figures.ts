// The figures in the results of a period, and their texts. Pure.
import { countOf } from '#domain/count.ts'
import { formatTotal } from '#domain/lead/fields.ts'
import { spanWords } from '#domain/lead/path.ts'

/** Percents of 0 to 100; spans in seconds. */
export type Figures = {
  received: number
  answered: number
  answeredRate: number | null
  /** The median of the waits; null if half of the leads have no answer yet. */
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
  /** The conversion that the broker would have with the same mix of sources as everybody. */
  sameMix: number | null
  /** A value that orders brokers by conversion; null if the broker has too few leads. */
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

/** With fewer leads, screens show the counts instead of a percentage. */
export const FEW = 5
/** A difference counts as better or worse only if both periods have at least this many. */
export const ENOUGH = 20
/** A share of at least this many is shown without its confidence interval. */
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

/** The value of the won leads. If none of them has a value, it says so instead of 'R$ 0'. */
export const wonText = (figures: Figures) =>
  isWorthUntold(figures) ? 'sem valor' : formatTotal(figures.cents)

export const isWorthUntold = ({ won, cents }: Pick<Figures, 'won' | 'cents'>) => won > 0 && cents === 0

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
