// The phases of the two test tiers: `npm test`, for every change, and `npm run test:deep`, which runs everything.
import { filesUnder } from '#server/ops/build/freshness.mjs'
import { inRoot } from '#server/ops/cli/root.mjs'
import { findPostgres } from './native-postgres.mjs'
import { MAJORS } from './npm-postgres.mjs'
import { findWebKit } from '../webkit/webkit.mjs'

/**
 * @typedef {{
 *   name: string, runner: 'vitest' | 'playwright', projects?: string[], env?: Record<string, string>,
 *   needsBuild?: boolean, needsPostgres?: boolean, needsChromium?: boolean, needsWebKit?: boolean, major?: string, seconds: number,
 * }} Phase `major`: of Postgres, if it is not the machine's own; `seconds`: about how long on two idle cores
 * @typedef {import('./words.mjs').Words} Words
 */

const CORE = ['unit', 'unit-alone']

/** @type {Record<string, Omit<Phase, 'name'>>} */
export const QUICK_PHASES = {
  unit: { runner: 'vitest', projects: CORE, seconds: 40 },
  components: { runner: 'vitest', projects: ['components'], needsChromium: true, seconds: 45 },
  postgres: { runner: 'vitest', projects: ['integration-postgres'], needsPostgres: true, seconds: 130 },
  // Behaviour of this engine only.
  embedded: {
    runner: 'vitest',
    projects: ['integration-pglite'],
    env: { TEST_SCOPE: 'engine' },
    seconds: 20,
  },
  // The built portal as a whole process.
  processes: {
    runner: 'vitest',
    projects: ['integration-pglite'],
    env: { TEST_SCOPE: 'processes' },
    needsBuild: true,
    seconds: 30,
  },
  stories: {
    runner: 'playwright',
    needsBuild: true,
    needsChromium: true,
    seconds: 140,
  },
}

/** Includes folders named deep. */
const ALL_FILES = { TEST_FILES: 'all' }

/** The sizes of tier.ts for the deep tier. */
const DEEP = { TEST_TIER: 'deep', ...ALL_FILES }

/** @type {Omit<Phase, 'name'>} */
const DEEP_POSTGRES = { ...QUICK_PHASES['postgres'], runner: 'vitest', env: DEEP, seconds: 420 }

/** @type {Record<string, Omit<Phase, 'name'>>} */
export const DEEP_PARTS = {
  unit: { ...QUICK_PHASES['unit'], runner: 'vitest', env: DEEP, seconds: 25 },
  components: { ...QUICK_PHASES['components'], runner: 'vitest', env: DEEP, seconds: 140 },
  postgres: DEEP_POSTGRES,
  ...Object.fromEntries(
    Object.keys(MAJORS).map((major) => [`postgres-${major}`, { ...DEEP_POSTGRES, major }]),
  ),
  embedded: {
    runner: 'vitest',
    projects: ['integration-pglite'],
    env: { ...DEEP, TEST_SCOPE: 'files' },
    seconds: 600,
  },
  processes: {
    ...QUICK_PHASES['processes'],
    runner: 'vitest',
    env: { ...DEEP, TEST_SCOPE: 'processes' },
    seconds: 450,
  },
  stories: { runner: 'playwright', env: DEEP, needsBuild: true, needsChromium: true, seconds: 570 },
  webkit: {
    runner: 'vitest',
    projects: ['webkit'],
    env: DEEP,
    needsBuild: true,
    needsWebKit: true,
    seconds: 60,
  },
  load: {
    runner: 'vitest',
    projects: ['load'],
    env: { ...DEEP, FUZZ_RUNS: '5000', PROPERTY_RUNS: '5000' },
    needsPostgres: true,
    seconds: 1800,
  },
}

/** Outside the deep tier's time: run by name only. */
const ASKED_FOR_ONLY = new Set(['load', ...Object.keys(MAJORS).map((major) => `postgres-${major}`)])
/**
 * Words of package.json's scripts that mean several phases, or one by another name.
 * @type {Record<string, string[]>}
 */
export const PHASES_OF_WORD = { integration: ['postgres', 'embedded', 'processes'], e2e: ['stories'] }

/**
 * The phases for the given words, in order, as far as this machine can run them. Words that name files, or
 * `changed`, also cover the folders named deep.
 * @param {Words} words
 * @param {{ hasPostgres: boolean, hasWebKit: boolean, processTests: readonly string[] }} machine `processTests`: test
 * files that need the built portal
 * @returns {Phase[]}
 */
export function phasesOf(
  { isDeep, isChangedOnly, phases, filters },
  { hasPostgres, hasWebKit, processTests },
) {
  const wanted = phases.flatMap((word) => PHASES_OF_WORD[word] ?? [word])
  return Object.entries(isDeep ? DEEP_PARTS : QUICK_PHASES).flatMap(([name, phase]) => {
    const isWanted = wanted.length > 0 ? wanted.includes(name) : !ASKED_FOR_ONLY.has(name)
    const isPossible = (!phase.needsPostgres || hasPostgres) && (!phase.needsWebKit || hasWebKit)
    // A filter without such a file must not wait for a build.
    const isEmpty =
      name === 'processes' &&
      filters.length > 0 &&
      !processTests.some((file) => filters.some((filter) => file.includes(filter)))
    if (!isWanted || !isPossible || isEmpty) return []
    // Without a native Postgres, everything runs on the embedded engine.
    const scope = name === 'embedded' && !hasPostgres ? { TEST_SCOPE: 'files' } : {}
    const files = filters.length > 0 || isChangedOnly ? ALL_FILES : {}
    return [{ ...phase, name, env: { ...phase.env, ...scope, ...files } }]
  })
}

/** The phases on this machine. @param {Words} words */
export async function planOf(words) {
  const [postgres, webKit, processTests] = await Promise.all([
    findPostgres(),
    findWebKit(),
    filesUnder(inRoot('tests/integration/processes')),
  ])
  return phasesOf(words, { hasPostgres: postgres !== null, hasWebKit: webKit !== null, processTests })
}
