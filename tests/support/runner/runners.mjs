// Runs phases by vitest or Playwright, and reads the counts that report.ts writes.
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inRoot, run, say } from '#server/ops/cli/root.mjs'
import { judge, NONE } from './counts.mjs'

const VITEST = ['vitest/vitest.mjs', 'run', '--config=tests/vitest.config.ts']
const PLAYWRIGHT = ['@playwright/test/cli.js', 'test', '--config=tests/playwright.config.ts']

/** A phase may have several projects, as 'unit' and 'unit-alone'. @param {string} phase */
const projectsOf = (phase) => `--project=${phase}${phase.startsWith('postgres') ? '' : '*'}`

/** @typedef {{ env?: Record<string, string>, filters?: string[], isChangedOnly?: boolean, isFiltered?: boolean }} Plan */

/** Runs phases of the same program together. @param {string[]} phases @param {Plan} [plan] */
export async function runPhases(phases, { env = {}, filters = [], isChangedOnly, isFiltered = false } = {}) {
  const isStories = phases[0] === 'stories'
  const [program = '', ...words] = isStories
    ? [...PLAYWRIGHT, '--pass-with-no-tests']
    : [...VITEST, ...phases.map(projectsOf)]
  const changed = isChangedOnly ? [isStories ? '--only-changed' : '--changed'] : []
  const report = path.join(tmpdir(), `portal-counts-${process.pid}.json`)
  const args = [inRoot('node_modules', program), ...words, ...changed, ...filters]
  const code = await run(process.execPath, args, { env: { ...process.env, ...env, TEST_REPORT: report } })
  /** @type {import('./counts.mjs').Counts | null} */
  const counts = await readFile(report, 'utf8').then(JSON.parse, () => null)
  await rm(report, { force: true })
  if (counts === null && code !== 0) say(`Falha: ${phases.join(', ')} sem chegar ao fim (código ${code}).`)
  return judge(counts ?? NONE, { code, mayBeEmpty: isFiltered })
}
