// Finds the known name nearest to a misspelt one, for the hints of PostgREST's errors.

/** The nearest of `names` with a similarity of at least `least` (0..1), else null. */
export function nearestName(wanted: string, names: Iterable<string>, least = 0.6): string | null {
  let best: string | null = null
  let bestScore = least
  for (const name of names) {
    const score = similarity(wanted.toLowerCase(), name.toLowerCase())
    if (score >= bestScore && name !== wanted) [best, bestScore] = [name, score]
  }
  return best
}

/** Share of common letter pairs. */
function similarity(a: string, b: string): number {
  const [pairsOfA, pairsOfB] = [pairs(a), pairs(b)]
  const shared = pairsOfA.filter((pair) => {
    const at = pairsOfB.indexOf(pair)
    if (at >= 0) pairsOfB.splice(at, 1)
    return at >= 0
  }).length
  return (2 * shared) / (a.length + b.length + 2)
}

const pairs = (word: string) =>
  Array.from({ length: word.length + 1 }, (_, at) => ` ${word} `.slice(at, at + 2))
