// A deterministic random generator (mulberry32): one seed gives one sequence, so that every demonstration is
// the same.

export type Random = {
  /** In [0, 1). */
  next(): number
  /** A whole number in [min, max]. */
  between(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** Picks a value by its weight. */
  weigh<T>(entries: readonly (readonly [T, number])[]): T
  shuffle<T>(list: readonly T[]): T[]
  /** A positive number around `median`, with the long tail of human delays (log-normal). */
  around(median: number, sigma: number): number
  uuid(): string
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0

  function next() {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))

  function pick<T>(list: readonly T[]): T {
    const [item] = list.slice(between(0, list.length - 1))
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }

  function weigh<T>(entries: readonly (readonly [T, number])[]): T {
    const total = entries.reduce((sum, [, weight]) => sum + weight, 0)
    let rest = next() * total
    for (const [value, weight] of entries) {
      rest -= weight
      if (rest < 0) return value
    }
    throw new Error('nothing to weigh')
  }

  function shuffle<T>(list: readonly T[]): T[] {
    return list
      .map((item) => ({ item, order: next() }))
      .toSorted((one, other) => one.order - other.order)
      .map(({ item }) => item)
  }

  /** The Box-Muller transform from two uniform numbers to a normal distribution. */
  function around(median: number, sigma: number) {
    const bell = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
    return median * Math.exp(sigma * bell)
  }

  const hex = (digits: number) =>
    Math.floor(next() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0')
  const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(6)}${hex(6)}`

  return { next, between, chance: (probability) => next() < probability, pick, weigh, shuffle, around, uuid }
}
