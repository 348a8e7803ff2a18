// Reads months from exported files as 'YYYY-MM': from a day, a period or a month's name.

const MONTHS = ['jan', 'fev', 'mar', 'abr', 'mai', 'jun', 'jul', 'ago', 'set', 'out', 'nov', 'dez'] as const
const IN_ENGLISH: Readonly<Record<string, string>> = {
  feb: 'fev',
  apr: 'abr',
  may: 'mai',
  aug: 'ago',
  sep: 'set',
  oct: 'out',
  dec: 'dez',
}

/** Returned in place of a month if a period spans several. */
export const LONG = 'long'

function monthOf(year: string, month: number, day = 1): string | null {
  const isReal =
    month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(Number(year), month, 0)).getUTCDate()
  return isReal && /^20\d\d$/.test(year) ? `${year}-${String(month).padStart(2, '0')}` : null
}

function numberOf(name: string): number {
  const short = name.toLowerCase().replace('ç', 'c').slice(0, 3)
  return MONTHS.findIndex((known) => known === (IN_ENGLISH[short] ?? short)) + 1
}

/** Returns the month of a written day; null for anything else. With slashes, the day comes first. */
export function readDay(text: string): string | null {
  const day = text.trim()
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:.*)?$/.exec(day)
  if (iso) return monthOf(iso[1]!, Number(iso[2]), Number(iso[3]))
  const slashed = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/.exec(day)
  if (slashed) return monthOf(slashed[3]!, Number(slashed[2]), Number(slashed[1]))
  const portuguese = /^(\d{1,2})º? (?:de )?(\p{L}{3,})\.?,? (?:de )?(\d{4})$/u.exec(day)
  if (portuguese) return monthOf(portuguese[3]!, numberOf(portuguese[2]!), Number(portuguese[1]))
  const english = /^(\p{L}{3,})\.? (\d{1,2}),? (\d{4})$/u.exec(day)
  return english && monthOf(english[3]!, numberOf(english[1]!), Number(english[2]))
}

/** '2026-10', '10/2026', 'out/2026', 'outubro de 2026'; null for anything else. */
export function readMonth(text: string): string | null {
  const month = text.trim()
  const iso = /^(\d{4})-(\d{1,2})$/.exec(month)
  if (iso) return monthOf(iso[1]!, Number(iso[2]))
  const slashed = /^(\d{1,2})[/.-](\d{4})$/.exec(month)
  if (slashed) return monthOf(slashed[2]!, Number(slashed[1]))
  const named = /^(\p{L}{3,})\.?(?:[/ -]| de )(\d{4})$/u.exec(month)
  return named ? monthOf(named[2]!, numberOf(named[1]!)) : readDay(month)
}

/**
 * Returns the month of '1 de outubro de 2026 - 31 de outubro de 2026'; LONG if it spans several; null if it is no
 * period.
 */
export function readPeriod(text: string): string | null {
  const single = readDay(text)
  if (single !== null) return single
  const [from, to, ...more] = text.split(/ [-–—] | a | até | to /)
  if (from === undefined || to === undefined || more.length > 0) return null
  return sameMonth(readDay(from), readDay(to))
}

/** Returns the month in which both days lie. */
export function sameMonth(from: string | null, to: string | null): string | null {
  if (from === null || to === null) return null
  return from === to ? from : LONG
}
