// What only the deep tier runs, and sizes of repeated tests: small for `npm test`, large for the deep tier.
const isDeep = process.env['TEST_TIER'] === 'deep'

/** True in the deep tier, and where files are requested by name. `test.runIf(isDeepRun)` marks a slow test. */
export const isDeepRun = isDeep || process.env['TEST_FILES'] === 'all'

/** The first in `npm test`, the second in `npm run test:deep`. */
export const byTier = <T>(quick: T, deep: T): T => (isDeep ? deep : quick)

/** The first on Postgres, the second on the embedded engine, which is four times slower. */
export const onBest = <T>(postgres: T, embedded: T): T =>
  process.env['TEST_ENGINE'] === 'postgres' ? postgres : embedded
