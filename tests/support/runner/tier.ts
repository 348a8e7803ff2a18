// What only the deep tier runs, and sizes of repeated tests: small for `npm test`, large for the deep tier.
/** A browser has no `process`; there vitest passes on what components/project.ts names. */
const settings: Record<string, string | undefined> =
  typeof process === 'undefined' ? import.meta.env : process.env
const isDeep = settings['TEST_TIER'] === 'deep'

/** True in the deep tier, and where files are requested by name. `test.runIf(isDeepRun)` marks a slow test. */
export const isDeepRun = isDeep || settings['TEST_FILES'] === 'all'

/** The first in `npm test`, the second in `npm run test:deep`. */
export const byTier = <T>(quick: T, deep: T): T => (isDeep ? deep : quick)

/** The first on Postgres, the second on the embedded engine, which is four times slower. */
export const onBest = <T>(postgres: T, embedded: T): T =>
  settings['TEST_ENGINE'] === 'postgres' ? postgres : embedded
