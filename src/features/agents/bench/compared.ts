// Compares each test conversation with the previous run: better, worse or unchanged.
import { BENCH_CASES } from '#domain/agent/bench-cases.ts'
import { type BenchCase, type MadeCase, toBenchCase } from '#domain/agent/bench.ts'
import type { Bench, BenchRun } from './data.ts'

export type Outcome = { fault: string | null; body: string | null } | undefined
export type Change = 'worse' | 'better' | 'failing' | 'passing'
/** `made` is the test as an administrator made it from a real conversation; null for a shipped test. */
export type Compared = {
  tried: BenchCase
  made: MadeCase | null
  now: Outcome
  earlier: Outcome
  change: Change
}
/** The list shows tests that need attention first. */
const ORDER: readonly Change[] = ['worse', 'better', 'failing', 'passing']

export function rowsOf(run: BenchRun, { before, own }: Bench): Compared[] {
  const outcomeIn = (of: BenchRun | null, id: string): Outcome =>
    of?.results.find((result) => result.id === id)
  const all = [
    ...BENCH_CASES.map((tried) => ({ tried, made: null })),
    ...own.map((made) => ({ tried: toBenchCase(made), made })),
  ]
  return all
    .flatMap(({ tried, made }): Compared[] => {
      const now = outcomeIn(run, tried.id)
      const earlier = outcomeIn(before, tried.id)
      return now ? [{ tried, made, now, earlier, change: changeOf(now, earlier) }] : []
    })
    .toSorted((one, other) => ORDER.indexOf(one.change) - ORDER.indexOf(other.change))
}

function changeOf(now: NonNullable<Outcome>, then: Outcome): Change {
  if (now.fault === null) return then && then.fault !== null ? 'better' : 'passing'
  return then?.fault === null ? 'worse' : 'failing'
}
