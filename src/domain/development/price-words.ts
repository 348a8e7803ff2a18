// Prices and days of developments in short words.

export const MONTHS = ['jan', 'fev', 'mar', 'abr', 'mai', 'jun', 'jul', 'ago', 'set', 'out', 'nov', 'dez']

/** '2028-03-01' becomes 'mar/2028'. */
export const monthText = (day: string) => `${MONTHS[Number(day.slice(5, 7)) - 1] ?? ''}/${day.slice(0, 4)}`

/** '2026-11-30' becomes '30/11/2026'. */
export const dayText = (day: string) => day.split('-').toReversed().join('/')

/** '2026-11-30' becomes '30/11'. */
export const shortDay = (day: string) => dayText(day).slice(0, 5)

/** For example 'R$ 412 mil' or 'R$ 1,18 mi'. Amounts below a thousand are written in full. */
export function shortReais(cents: number): string {
  const reais = cents / 100
  if (reais >= 1_000_000) return `R$ ${compact(reais / 1_000_000)} mi`
  if (reais >= 1_000) return `R$ ${compact(reais / 1_000)} mil`
  return `R$ ${compact(reais)}`
}

const compact = (amount: number) => amount.toLocaleString('pt-BR', { maximumFractionDigits: 2 })
