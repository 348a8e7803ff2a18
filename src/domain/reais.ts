// Small amounts of money: millionths of a real, as they are added up, as they are written and read.

const MICROS = 1_000_000
const CENTS = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
const FINE = new Intl.NumberFormat('pt-BR', {
  style: 'currency',
  currency: 'BRL',
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
})

/** 'R$ 84,20'; what is no whole cent is shown to the last millionth. */
export function formatMicros(micros: number): string {
  return (micros % 10_000 === 0 ? CENTS : FINE).format(micros / MICROS).replaceAll('\u00a0', ' ')
}

/** '200', '1.250,50', '0,15'; null for anything else, and for what no counter holds. */
export function readMicros(text: string): number | null {
  const trimmed = text.trim().replace(/^R\$\s*/, '')
  if (!/^(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d{1,6})?$/.test(trimmed)) return null
  const micros = Math.round(Number(trimmed.replaceAll('.', '').replace(',', '.')) * MICROS)
  return micros <= MICROS * MICROS ? micros : null
}
