// The words of `npm test` and `npm run test:deep`, and the phases that they name. A phase is a project of
// vitest.config.ts, or Playwright's stories.
import { MAJORS } from './npm-postgres.mjs'

/** The phases of `npm test` in their order. */
export const QUICK_PHASES = ['unit', 'components', 'postgres', 'embedded', 'processes', 'stories']
/** Phases that take half an hour or install a server, so they run only if they are named. */
const NAMED_ONLY = ['load', ...Object.keys(MAJORS).map((major) => `postgres-${major}`)]
export const DEEP_PHASES = [...QUICK_PHASES, 'webkit', 'firefox', ...NAMED_ONLY]
/** @type {Record<string, string[]>} words of package.json's scripts that stand for other phases */
export const PHASES_OF_WORD = { integration: ['postgres', 'embedded', 'processes'], e2e: ['stories'] }

/**
 * What to run, as far as this machine can. A word that names no phase filters file names or is an option; vitest and
 * Playwright get these as they are. In the quick tier vitest runs all of its phases at once, so that no processor waits
 * for the end of one; in the deep tier each runs alone, because its result is kept.
 * @param {string[]} args
 * @param {string[]} missing phases that this machine cannot run
 */
export function planOf(args, missing) {
  const isDeep = args.includes('--deep')
  const isChangedOnly = args.includes('changed')
  const known = isDeep ? DEEP_PHASES : QUICK_PHASES
  const words = args.filter((word) => !['--', '--deep', 'changed'].includes(word))
  const isPhase = (/** @type {string} */ word) => known.includes(word) || word in PHASES_OF_WORD
  const named = words.filter(isPhase).flatMap((word) => PHASES_OF_WORD[word] ?? word)
  const filters = words.filter((word) => !isPhase(word))
  const isFiltered = filters.length > 0 || isChangedOnly
  const phases = known
    .filter((name) => (named.length > 0 ? named.includes(name) : !NAMED_ONLY.includes(name)))
    .filter((name) => !missing.includes(name))
  const together = [phases.filter((name) => name !== 'stories'), phases.filter((name) => name === 'stories')]
  return {
    isDeep,
    isChangedOnly,
    isFiltered,
    filters,
    env: {
      ...(isDeep && { TEST_TIER: 'deep' }),
      // Words that name files, or `changed`, also cover the folders named deep.
      ...((isDeep || isFiltered) && { TEST_FILES: 'all' }),
      // Without a native Postgres, everything runs on the embedded engine.
      ...((isDeep || missing.includes('postgres')) && { EMBEDDED_FILES: 'all' }),
    },
    runs: isDeep ? phases.map((name) => [name]) : together.filter((run) => run.length > 0),
  }
}
