// Small amounts of money: millionths of a real, as they are added up, as they are written and read.

const MICROS = 1_000_000
const CENTS = { style: 'currency', currency: 'BRL' } as const
const FINE = { ...CENTS, minimumFractionDigits: 2, maximumFractionDigits: 6 } as const

/** 'R$ 84,20'; what is no whole cent is shown to the last millionth. */
export function formatMicros(micros: number): string {
  const shown = (micros / MICROS).toLocaleString('pt-BR', micros % 10_000 === 0 ? CENTS : FINE)
  return shown.replaceAll('\u00a0', ' ')
}

/** The same of what a model cost; `isUnpriced`: some of it was used before anybody said what the model costs. */
export function formatCost(micros: number, isUnpriced: boolean): string {
  if (!isUnpriced) return formatMicros(micros)
  return micros === 0 ? 'sem preço' : `${formatMicros(micros)} e uma parte sem preço`
}

/** '200', '1.250,50', '0,15'; null for anything else, and for what no counter holds. */
export function readMicros(text: string): number | null {
  const trimmed = text.trim().replace(/^R\$\s*/, '')
  if (!/^(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d{1,6})?$/.test(trimmed)) return null
  const micros = Math.round(Number(trimmed.replaceAll('.', '').replace(',', '.')) * MICROS)
  return micros <= MICROS * MICROS ? micros : null
}
