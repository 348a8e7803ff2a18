// Compares the figures of a period with those of the days before. Pure.
import { formatNumber } from '#domain/count.ts'
import { formatTotal } from '#domain/lead/fields.ts'
import { spanWords } from '#domain/lead/path.ts'
import { ENOUGH, FEW, type Figures, isWorthUntold, type Share } from './figures.ts'

/** The lengths, in days, of a period and of the period with which it is compared. */
export type Lengths = { days: number; daysBefore: number }
export type Compared = { text: string; tone: 'better' | 'worse' | 'even' }

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
  // Differences too small for the shown texts count as none.
  if (spanWords(now.median) === spanWords(before.median)) return EVEN
  return {
    text: signed(more, spanWords(Math.abs(more))),
    tone: toneOf(-more, now.received >= ENOUGH && before.received >= ENOUGH),
  }
}

/**
 * Compares the values of sales; unequal periods are compared by day, and the text says so. Only if both have enough
 * sales, the difference counts as better or worse.
 */
export function compareCents(now: Figures, before: Figures, { days, daysBefore }: Lengths): Compared {
  const isEnough = now.won >= ENOUGH && before.won >= ENOUGH
  const isTold = !isWorthUntold(now) && !isWorthUntold(before)
  if (days === daysBefore || !isTold)
    return {
      text: isWorthUntold(before) ? 'antes sem valor' : `eram ${formatTotal(before.cents)}`,
      tone: toneOf(now.cents - before.cents, isEnough && isTold),
    }
  const [daily, dailyBefore] = [now.cents / days, before.cents / daysBefore]
  // A reader would see the same figure twice, so this is no difference. Medians follow the same rule.
  if (formatTotal(daily) === formatTotal(dailyBefore)) return { text: 'igual por dia', tone: 'even' }
  const more = daily - dailyBefore
  return { text: `${signed(more, formatTotal(Math.abs(more)))} por dia`, tone: toneOf(more, isEnough) }
}
