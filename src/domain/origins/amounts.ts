// Reads amounts of money from exported files: finds the decimal sign, adds exactly, and rounds to cents.

export type Decimal = ',' | '.'

const NUMBER = /^\d[\d.,]*$/
/** Amounts are added in millionths, and rounded to cents once. */
const SCALE = 6
const MILLIONTHS_PER_CENT = 10_000n
export const MAX_CENTS = 100_000_000_000

/** Digits and signs of an amount, without its currency. */
const bare = (cell: string): string =>
  cell.replace(/^(?:R\$|US\$|[$€£]|[A-Z]{3})?\s*/, '').replace(/\s*%$/, '')

/**
 * Returns a file's decimal sign: 'unclear' if numbers such as '1.234' can be read both ways, or if numbers contradict
 * each other. Returns null if no number has a sign.
 */
export function decimalOf(cells: Iterable<string>): Decimal | 'unclear' | null {
  let [comma, dot, isOpen] = [false, false, false]
  for (const cell of cells) {
    const sign = NUMBER.test(bare(cell)) ? signOf(bare(cell)) : null
    if (sign === ',') comma = true
    else if (sign === '.') dot = true
    else if (sign === 'unclear') isOpen = true
  }
  if (comma !== dot) return comma ? ',' : '.'
  return comma || isOpen ? 'unclear' : null
}

function signOf(number: string): Decimal | 'unclear' | null {
  const signs = number.replace(/\d/g, '')
  if (signs === '') return null
  const last: Decimal = signs.endsWith(',') ? ',' : '.'
  const other: Decimal = last === ',' ? '.' : ','
  // Both signs: the last one separates decimals. One sign several times: it separates thousands.
  if (signs.includes(other)) return last
  if (signs.length > 1) return other
  const [whole = '', rest = ''] = number.split(last)
  const mayBeThousands = rest.length === 3 && /^[1-9]\d{0,2}$/.test(whole)
  return mayBeThousands ? 'unclear' : last
}

/** Returns millionths. Null: the cell is empty, '--' or a dash. Undefined: it has no amount. */
export function readAmount(cell: string, decimal: Decimal): bigint | null | undefined {
  const number = bare(cell.trim())
  if (/^[-–—]*$/.test(number)) return null
  const thousands = decimal === ',' ? String.raw`\.` : ','
  const shape = new RegExp(`^(\\d{1,3}(?:${thousands}\\d{3})+|\\d+)(?:\\${decimal}(\\d{1,${SCALE}}))?$`)
  const [, whole, rest = ''] = shape.exec(number) ?? []
  return whole === undefined ? undefined : BigInt(whole.replace(/\D/g, '') + rest.padEnd(SCALE, '0'))
}

/** Half a cent is rounded up. */
export const toCents = (millionths: bigint): number =>
  Number((millionths + MILLIONTHS_PER_CENT / 2n) / MILLIONTHS_PER_CENT)
