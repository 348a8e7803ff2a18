// Reads numbers from text on the screen. A missing number fails the test, because comparing NaN with NaN would pass.

/** The pattern's first group, in Brazilian notation: '1.234' → 1234. */
export function numberIn(words: string | null, pattern: RegExp): number {
  const digits = pattern.exec(words ?? '')?.[1]
  if (digits === undefined) throw new Error(`no number in ${JSON.stringify(words)}`)
  return Number(digits.replaceAll('.', ''))
}
