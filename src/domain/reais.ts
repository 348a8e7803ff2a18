// Amounts in millionths of a real, as models are priced: adds, formats and reads them.

const MICROS = 1_000_000
const CENTS = { style: 'currency', currency: 'BRL' } as const
const FINE = { ...CENTS, minimumFractionDigits: 2, maximumFractionDigits: 6 } as const

/** For example 'R$ 84,20'. Fractions of a cent are shown in full. */
export function formatMicros(micros: number): string {
  const shown = (micros / MICROS).toLocaleString('pt-BR', micros % 10_000 === 0 ? CENTS : FINE)
  return shown.replaceAll('\u00a0', ' ')
}

/** Tells what a model cost. `isUnpriced`: part of its use had no price. */
export function formatCost(micros: number, isUnpriced: boolean): string {
  if (!isUnpriced) return formatMicros(micros)
  return micros === 0 ? 'sem preço' : `${formatMicros(micros)} e uma parte sem preço`
}

/** Reads '200', '1.250,50' or '0,15'; null for anything else and for too large amounts. */
export function readMicros(text: string): number | null {
  const trimmed = text.trim().replace(/^R\$\s*/, '')
  if (!/^(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d{1,6})?$/.test(trimmed)) return null
  const micros = Math.round(Number(trimmed.replaceAll('.', '').replace(',', '.')) * MICROS)
  return micros <= MICROS * MICROS ? micros : null
}
