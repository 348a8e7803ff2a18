// Sizes of repeated tests: small for `npm test`, large for the deep tier.
const isDeep = process.env['TEST_TIER'] === 'deep'

/** The first in `npm test`, the second in `npm run test:deep`. */
export const byTier = <T>(quick: T, deep: T): T => (isDeep ? deep : quick)

/** The first on Postgres, the second on the embedded engine, which is four times slower. */
export const onBest = <T>(postgres: T, embedded: T): T =>
  process.env['TEST_ENGINE'] === 'postgres' ? postgres : embedded
