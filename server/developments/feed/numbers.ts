// Numbers of feeds: programs write 850000.00, 1.250.000,00 and R$ 730.000 alike.

const SIGN = /[.,]/
const PLAIN = /^\d+$/
const GROUPED = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*$/
const MAX = 1_000_000_000

/**
 * Parses a number with Brazilian or English separators. One or two digits after the last one are decimals, three
 * are thousands. Null for anything else.
 */
export function amountOf(text: string): number | null {
  const given = text.replaceAll(/[\s\u00a0]/g, '')
  if (given === '') return null
  const at = Math.max(given.lastIndexOf('.'), given.lastIndexOf(','))
  const behind = at === -1 ? 0 : given.length - at - 1
  const isDecimal = at !== -1 && behind !== 3
  const whole = isDecimal ? given.slice(0, at) : given
  const decimals = isDecimal ? given.slice(at + 1) : ''
  if (isDecimal && (behind === 0 || !PLAIN.test(decimals) || whole.endsWith(given[at] ?? ''))) return null
  // 1.250,00 has two different separators.
  if (isDecimal && SIGN.test(whole) && whole.includes(given[at] ?? '')) return null
  if (!PLAIN.test(whole) && !GROUPED.test(whole)) return null
  const amount = Number(`${whole.replaceAll(/[.,]/g, '')}.${decimals || '0'}`)
  return amount <= MAX ? amount : null
}

/** A price in cents; null for anything that is no number of reais. */
export function centsOf(text: string): number | null {
  const amount = amountOf(text.replace(/^\s*(?:R\$|BRL)/i, ''))
  return amount === null ? null : Math.round(amount * 100)
}
