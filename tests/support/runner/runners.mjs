// Runs phases by vitest or Playwright, and reads their report.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inRoot, run, say } from '#server/ops/cli/root.mjs'
import { failuresOf, toCounts } from './counts.mjs'
import { PROGRAMS } from './native-postgres.mjs'
import { installPostgres } from './npm-postgres.mjs'

/**
 * @typedef {import('./counts.mjs').Counts} Counts
 * @typedef {{ name: string, env?: Record<string, string> }} Ask
 * @typedef {{ filters: string[], isChangedOnly: boolean, isFirstFailureEnough?: boolean }} Errand
 */

/** @param {Errand} errand */
export async function openRunners({ filters, isChangedOnly, isFirstFailureEnough }) {
  const reports = await mkdtemp(path.join(tmpdir(), 'portal-reports-'))
  /** @type {string[]} one line for each failed test */
  const failures = []
  const mayBeEmpty = filters.length > 0 || isChangedOnly

  /** @param {string[]} names @param {string} report */
  const vitest = (names, report) => [
    inRoot('node_modules/vitest/vitest.mjs'),
    'run',
    `--config=${inRoot('tests/vitest.config.ts')}`,
    // A phase may have two projects, as 'unit' and 'unit-alone'.
    ...names.map((name) => `--project=${name.split('-')[0]}*`),
    '--reporter=default',
    '--reporter=junit',
    `--outputFile.junit=${report}`,
    ...(isFirstFailureEnough ? ['--bail=1'] : []),
    ...(isChangedOnly ? ['--changed'] : []),
    ...(mayBeEmpty ? ['--passWithNoTests'] : []),
  ]
  const playwright = () => [
    inRoot('node_modules/@playwright/test/cli.js'),
    'test',
    `--config=${inRoot('tests/playwright.config.ts')}`,
    '--reporter=list,junit',
    ...(isFirstFailureEnough ? ['-x'] : []),
    ...(isChangedOnly ? ['--only-changed'] : []),
    ...(mayBeEmpty ? ['--pass-with-no-tests'] : []),
  ]

  return {
    failures,
    /** All phases by the same program, with the same environment. @param {Ask[]} phases @returns {Promise<Counts>} */
    run: async (phases) => {
      const names = phases.map(({ name }) => name)
      const report = path.join(reports, `${names.join('-')}.xml`)
      const major = names[0]?.split('-')[1]
      const programs = major ? { [PROGRAMS]: await installPostgres(major) } : {}
      const args = names[0] === 'stories' ? playwright() : vitest(names, report)
      const code = await run(process.execPath, [...args, ...filters], {
        env: { ...process.env, ...phases[0]?.env, ...programs, PLAYWRIGHT_JUNIT_OUTPUT_FILE: report },
      })
      const xml = await readFile(report, 'utf8').catch(() => null)
      if (xml === null && code !== 0) say(`Falha: ${names.join(', ')} sem chegar ao fim (código ${code}).`)
      failures.push(...failuresOf(xml ?? ''))
      return toCounts({ code, xml, mayBeEmpty })
    },
    close: () => rm(reports, { recursive: true, force: true }),
  }
}
