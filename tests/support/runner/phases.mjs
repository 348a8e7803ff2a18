// The words of `npm test` and `npm run test:deep`, and the phases that they name. A phase is a project of
// vitest.config.ts, or Playwright's stories.
import { parseArgs } from 'node:util'
import { Stop } from '#server/ops/cli/root.mjs'
import { MAJORS } from './npm-postgres.mjs'

/**
 * @typedef {{ isDeep: boolean, isChangedOnly: boolean, phases: string[], filters: string[] }} Words
 * @typedef {{ name: string, env: Record<string, string>, seconds: number }} Phase `seconds`: about how long on two idle cores
 */

/** @type {Record<string, number>} the phases of `npm test` in their order, with their seconds */
export const QUICK_PHASES = {
  unit: 40,
  components: 45,
  postgres: 130,
  embedded: 20,
  processes: 30,
  stories: 140,
}
const POSTGRES_SECONDS = 420
/** @type {Record<string, number>} outside the deep tier's time: run by name only */
const NAMED_ONLY = {
  load: 1800,
  ...Object.fromEntries(Object.keys(MAJORS).map((major) => [`postgres-${major}`, POSTGRES_SECONDS])),
}
/** @type {Record<string, number>} */
export const DEEP_PARTS = {
  unit: 25,
  components: 140,
  postgres: POSTGRES_SECONDS,
  embedded: 600,
  processes: 450,
  stories: 570,
  webkit: 60,
  firefox: 90,
  ...NAMED_ONLY,
}
/**
 * Words of package.json's scripts that mean several phases, or one by another name.
 * @type {Record<string, string[]>}
 */
export const PHASES_OF_WORD = { integration: ['postgres', 'embedded', 'processes'], e2e: ['stories'] }

/**
 * A word that names no phase filters file names. Throws Stop for an unknown option.
 * @param {string[]} args
 * @returns {Words}
 */
export function parseWords(args) {
  const isDeep = args.includes('--deep')
  const known = { ...(isDeep ? DEEP_PARTS : QUICK_PHASES), ...PHASES_OF_WORD }
  try {
    const { positionals } = parseArgs({
      args,
      options: { deep: { type: 'boolean' } },
      allowPositionals: true,
    })
    const words = positionals.filter((word) => word !== '--' && word !== 'changed')
    return {
      isDeep,
      isChangedOnly: positionals.includes('changed'),
      phases: words.filter((word) => word in known),
      filters: words.filter((word) => !(word in known)),
    }
  } catch {
    throw new Stop(
      `Uso: npm test [-- changed | fase … | arquivo …]; as fases são ${Object.keys(QUICK_PHASES).join(', ')}.`,
    )
  }
}

/**
 * The phases for the given words, in order, as far as this machine can run them. Words that name files, or
 * `changed`, also cover the folders named deep.
 * @param {Words} words
 * @param {{ hasPostgres: boolean, hasWebKit: boolean, hasFirefox: boolean }} machine
 * @returns {Phase[]}
 */
export function phasesOf({ isDeep, isChangedOnly, phases, filters }, machine) {
  const { hasPostgres, hasWebKit, hasFirefox } = machine
  const wanted = phases.flatMap((word) => PHASES_OF_WORD[word] ?? [word])
  const impossible = [
    ...(hasPostgres ? [] : ['postgres', 'load']),
    ...(hasWebKit ? [] : ['webkit']),
    ...(hasFirefox ? [] : ['firefox']),
  ]
  const env = {
    ...(isDeep && { TEST_TIER: 'deep' }),
    ...((isDeep || isChangedOnly || filters.length > 0) && { TEST_FILES: 'all' }),
    // Without a native Postgres, everything runs on the embedded engine.
    ...((isDeep || !hasPostgres) && { EMBEDDED_FILES: 'all' }),
  }
  return Object.entries(isDeep ? DEEP_PARTS : QUICK_PHASES)
    .filter(([name]) => (wanted.length > 0 ? wanted.includes(name) : !(name in NAMED_ONLY)))
    .filter(([name]) => !impossible.includes(name))
    .map(([name, seconds]) => ({ name, env, seconds }))
}

/**
 * What runs together. In the quick tier vitest runs all of its phases at once, so that no processor waits for the end of
 * one; in the deep tier each runs alone, because its result is kept.
 * @param {Phase[]} phases
 * @param {boolean} isDeep
 */
export function runsOf(phases, isDeep) {
  if (isDeep) return phases.map((phase) => [phase])
  const isStories = (/** @type {Phase} */ { name }) => name === 'stories'
  return [phases.filter((phase) => !isStories(phase)), phases.filter(isStories)].filter(
    (run) => run.length > 0,
  )
}
