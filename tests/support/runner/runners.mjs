// Runs a phase by vitest or Playwright, and reads its report.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inRoot, run, say } from '#server/ops/cli/root.mjs'
import { failuresOf, toCounts } from './counts.mjs'
import { PROGRAMS } from './native-postgres.mjs'
import { installPostgres } from './npm-postgres.mjs'

/**
 * @typedef {import('./counts.mjs').Counts} Counts
 * @typedef {{ filters: string[], isChangedOnly: boolean, isFirstFailureEnough?: boolean }} Errand
 */

/** @param {Errand} errand */
export async function openRunners({ filters, isChangedOnly, isFirstFailureEnough }) {
  const reports = await mkdtemp(path.join(tmpdir(), 'portal-reports-'))
  /** @type {string[]} one line for each failed test, the phase before it */
  const failures = []
  const mayBeEmpty = filters.length > 0 || isChangedOnly

  /** @param {string} project @param {string} report */
  const vitest = (project, report) => [
    inRoot('node_modules/vitest/vitest.mjs'),
    'run',
    `--config=${inRoot('tests/vitest.config.ts')}`,
    // The unit phase has two projects, 'unit' and 'unit-alone'.
    `--project=${project}*`,
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
    /** @param {{ name: string, env?: Record<string, string> }} phase @returns {Promise<Counts>} */
    run: async ({ name, env }) => {
      const report = path.join(reports, `${name}.xml`)
      const [project = '', major] = name.split('-')
      const programs = major ? { [PROGRAMS]: await installPostgres(major) } : {}
      const args = name === 'stories' ? playwright() : vitest(project, report)
      const code = await run(process.execPath, [...args, ...filters], {
        env: { ...process.env, ...env, ...programs, PLAYWRIGHT_JUNIT_OUTPUT_FILE: report },
      })
      const xml = await readFile(report, 'utf8').catch(() => null)
      if (xml === null && code !== 0) say(`Falha: ${name} não chegou ao fim (código ${code}).`)
      failures.push(...failuresOf(xml ?? '').map((line) => `${name}: ${line}`))
      return toCounts({ code, xml, mayBeEmpty })
    },
    close: () => rm(reports, { recursive: true, force: true }),
  }
}
