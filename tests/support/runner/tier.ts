// How much of a thing a test does: enough to find a fault soon (`npm test`), or as much as the deep tier promises.
const isDeep = process.env['TEST_TIER'] === 'deep'

/** The first in `npm test`, the second in `npm run test:deep`. */
export const byTier = <T>(quick: T, deep: T): T => (isDeep ? deep : quick)

/** The first on Postgres, the second on the embedded engine, which takes four times as long for the same proof. */
export const onBest = <T>(postgres: T, embedded: T): T =>
  process.env['TEST_ENGINE'] === 'postgres' ? postgres : embedded
