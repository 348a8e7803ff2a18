// Numbers out of words on the screen. Without one there is nothing to compare: NaN would be equal to NaN.

/** What the pattern's first group finds, written as in Brazil: '1.234' → 1234. */
export function numberIn(words: string | null, pattern: RegExp): number {
  const digits = pattern.exec(words ?? '')?.[1]
  if (digits === undefined) throw new Error(`no number in ${JSON.stringify(words)}`)
  return Number(digits.replaceAll('.', ''))
}
