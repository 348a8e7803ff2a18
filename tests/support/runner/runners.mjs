// Starts vitest and Playwright for the phases of a run, and collects their reports.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inRoot, run, say } from '#server/ops/cli/root.mjs'
import { ensureChromium } from './chromium.mjs'
import { failuresOf, toCounts } from './counts.mjs'
import { findPostgres, PROGRAMS, startPostgres } from './native-postgres.mjs'
import { installPostgres } from './npm-postgres.mjs'

/**
 * @typedef {import('./phases.mjs').Phase} Phase
 * @typedef {import('./counts.mjs').Counts} Counts
 * @typedef {{ filters: string[], isDeep: boolean, isChangedOnly: boolean, isFirstFailureEnough?: boolean }} Errand
 */

const VITEST = inRoot('node_modules/vitest/vitest.mjs')
const PLAYWRIGHT = inRoot('node_modules/@playwright/test/cli.js')

/** @param {Errand} errand */
export async function openRunners(errand) {
  const reports = await mkdtemp(path.join(tmpdir(), 'portal-reports-'))
  /** @type {string[]} one line for each failed test, the phase before it */
  const failures = []
  const mayBeEmpty = errand.filters.length > 0 || errand.isChangedOnly

  /**
   * @param {Phase} phase
   * @param {Record<string, string>} env
   * @returns {Promise<Counts>}
   */
  async function runWith(phase, env) {
    const file = path.join(reports, `${phase.name}.json`)
    const { program, args } = phase.runner === 'vitest' ? vitest(phase, errand, file) : playwright(errand)
    const report = { PLAYWRIGHT_JSON_OUTPUT_FILE: file }
    const code = await run(process.execPath, [program, ...args], {
      env: { ...process.env, ...phase.env, ...env, ...report },
    })
    const result = await readFile(file, 'utf8').then(JSON.parse, () => null)
    if (!result) say(`Falha: ${phase.name} não chegou ao fim (código ${code}).`)
    else failures.push(...failuresOf(result).map((line) => `${phase.name}: ${line}`))
    // Vitest without any changed file ends successfully, without a report.
    if (!result && code === 0 && mayBeEmpty) return { passed: 0, failed: 0, skipped: 0 }
    return toCounts({ code, report: result, mayBeEmpty })
  }

  return {
    failures,
    /** @param {Phase} phase */
    run: async (phase) => {
      const chromium = phase.needsChromium ? { CHROMIUM_PATH: await ensureChromium() } : {}
      const other = phase.major ? await installPostgres(phase.major) : null
      const folder = other ?? (phase.needsPostgres ? await findPostgres() : null)
      if (!folder) return runWith(phase, chromium)
      const postgres = await startPostgres(folder)
      try {
        return await runWith(phase, {
          ...chromium,
          ...(other && { [PROGRAMS]: other }),
          TEST_DATABASE_URL: postgres.url,
        })
      } finally {
        await postgres.stop()
      }
    },
    close: () => rm(reports, { recursive: true, force: true }),
  }
}

/**
 * @param {Phase} phase
 * @param {Errand} errand
 * @param {string} file where the report goes
 */
function vitest({ projects = [] }, { filters, isChangedOnly, isFirstFailureEnough }, file) {
  const args = [
    ...(isFirstFailureEnough ? ['--bail=1'] : []),
    ...(isChangedOnly ? ['--changed'] : []),
    ...(filters.length > 0 || isChangedOnly ? ['--passWithNoTests'] : []),
  ]
  return {
    program: VITEST,
    args: [
      'run',
      `--config=${inRoot('tests/vitest.config.ts')}`,
      ...projects.map((project) => `--project=${project}`),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      ...args,
      ...filters,
    ],
  }
}

/** @param {Errand} errand */
function playwright({ filters, isChangedOnly, isFirstFailureEnough }) {
  return {
    program: PLAYWRIGHT,
    args: [
      'test',
      `--config=${inRoot('tests/playwright.config.ts')}`,
      '--reporter=list,json',
      ...(isFirstFailureEnough ? ['-x'] : []),
      ...(isChangedOnly ? ['--only-changed'] : []),
      ...(filters.length > 0 || isChangedOnly ? ['--pass-with-no-tests'] : []),
      ...filters,
    ],
  }
}
