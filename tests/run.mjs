// `npm test [-- unit|integration|e2e] [filter …]`: sets up, runs every suite, closes with one line of counts.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { command, inHouse, run, say } from '#server/cli/house.mjs'
import { setUp } from '#server/cli/setup.mjs'
import { ensureChromium } from './support/chromium.mjs'
import { findPostgres, startPostgres } from './support/native-postgres.mjs'

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {{ reports: string, filters: string[] }} Errand where the runners leave their reports; which tests are wanted
 * @typedef {{ numPassedTests?: number, numFailedTests?: number, numPendingTests?: number, numTodoTests?: number }} VitestReport
 * @typedef {{ stats?: { expected?: number, unexpected?: number, flaky?: number, skipped?: number } }} PlaywrightReport
 */

const SUITES = ['unit', 'integration', 'e2e']
const NO_TESTS_RAN = 'nenhum teste foi executado'

/** @param {string[]} args */
function parseArguments(args) {
  const words = args.filter((word) => word !== '--')
  const suites = words.filter((word) => SUITES.includes(word))
  return {
    suites: suites.length > 0 ? suites : SUITES,
    filters: words.filter((word) => !SUITES.includes(word)),
  }
}

/**
 * @param {string[]} suites
 * @param {Errand} errand
 */
async function runSuites(suites, errand) {
  /** @type {Counts[]} */
  const counts = []
  const chromium = suites.includes('e2e') ? await ensureChromium() : null
  if (suites.includes('unit')) counts.push(await runVitest('unit', errand))
  if (suites.includes('integration')) {
    counts.push(await runVitest('integration-pglite', errand))
    counts.push(await runOnNativePostgres(errand))
  }
  if (chromium) counts.push(await runPlaywright(chromium, errand))
  return counts
}

/** @param {Errand} errand */
async function runOnNativePostgres(errand) {
  const folder = await findPostgres()
  if (!folder) {
    say(
      '\nAviso: nenhum Postgres 15 ou mais novo nesta máquina; os testes de integração rodaram só no PGlite.',
    )
    return { passed: 0, failed: 0, skipped: 0 }
  }
  const postgres = await startPostgres(folder)
  try {
    return await runVitest('integration-postgres', errand, { TEST_DATABASE_URL: postgres.url })
  } finally {
    await postgres.stop()
  }
}

/**
 * @param {string} project
 * @param {Errand} errand
 * @param {Record<string, string>} [env]
 */
async function runVitest(project, { reports, filters }, env = {}) {
  const report = path.join(reports, `${project}.json`)
  const code = await startRunner(project, {
    program: inHouse('node_modules/vitest/vitest.mjs'),
    args: [
      'run',
      `--config=${inHouse('tests/vitest.config.ts')}`,
      `--project=${project}`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...(filters.length > 0 ? ['--passWithNoTests', ...filters] : []),
    ],
    env,
  })
  const {
    numPassedTests = 0,
    numFailedTests = 0,
    numPendingTests = 0,
    numTodoTests = 0,
  } = await readReport(report)
  const counts = { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests }
  return withRunner(project, { code, counts, mayBeEmpty: filters.length > 0 })
}

/**
 * @param {string} chromium
 * @param {Errand} errand
 */
async function runPlaywright(chromium, { reports, filters }) {
  const report = path.join(reports, 'e2e.json')
  const code = await startRunner('e2e', {
    program: inHouse('node_modules/@playwright/test/cli.js'),
    args: [
      'test',
      `--config=${inHouse('tests/playwright.config.ts')}`,
      '--reporter=list,json',
      ...(filters.length > 0 ? ['--pass-with-no-tests', ...filters] : []),
    ],
    env: { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  })
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = (await readReport(report)).stats ?? {}
  // A test that passed only when tried again has a fault of its own.
  const counts = { passed: expected, failed: unexpected + flaky, skipped }
  return withRunner('e2e', { code, counts, mayBeEmpty: filters.length > 0 })
}

/**
 * @param {string} name
 * @param {{ program: string, args: string[], env: Record<string, string> }} runner
 */
function startRunner(name, { program, args, env }) {
  say(`\n── ${name}`)
  return run(process.execPath, [program, ...args], { env: { ...process.env, ...env } })
}

/**
 * A runner that broke, or found no test where it should, is a failure even when no test is.
 * @param {string} name
 * @param {{ code: number, counts: Counts, mayBeEmpty: boolean }} outcome
 * @returns {Counts}
 */
function withRunner(name, { code, counts, mayBeEmpty }) {
  const isEmpty = counts.passed + counts.failed === 0
  if (counts.failed > 0 || (code === 0 && (!isEmpty || mayBeEmpty))) return counts
  say(`Falha: ${name}: ${NO_TESTS_RAN}, ou o executor não chegou ao fim (código ${code}).`)
  return { ...counts, failed: 1 }
}

/**
 * @param {string} file
 * @returns {Promise<VitestReport & PlaywrightReport>} the runner's own JSON; empty when it ended before writing one
 */
const readReport = (file) => readFile(file, 'utf8').then(JSON.parse, () => ({}))

/** @param {Counts[]} counts */
const sum = (counts) =>
  counts.reduce(
    (total, each) => ({
      passed: total.passed + each.passed,
      failed: total.failed + each.failed,
      skipped: total.skipped + each.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  )

/** @param {Counts} counts */
const closingLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`

await command(import.meta.url, async () => {
  const { suites, filters } = parseArguments(process.argv.slice(2))
  await setUp({ isBuildWanted: true })
  const reports = await mkdtemp(path.join(tmpdir(), 'portal-reports-'))
  try {
    const counts = await runSuites(suites, { reports, filters })
    const total = sum(counts)
    if (total.passed + total.failed === 0) {
      total.failed = 1
      say(`Falha: ${NO_TESTS_RAN}.`)
    }
    say(closingLine(total))
    if (total.failed > 0) process.exitCode = 1
  } finally {
    await rm(reports, { recursive: true, force: true })
  }
})
