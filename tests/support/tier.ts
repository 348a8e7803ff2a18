// How much of a thing a test does: enough to find a fault soon (`npm test`), or as much as the deep tier promises.
const isDeep = process.env['TEST_TIER'] === 'deep'

/** The first in `npm test`, the second in `npm run test:deep`. */
export const byTier = <T>(quick: T, deep: T): T => (isDeep ? deep : quick)
