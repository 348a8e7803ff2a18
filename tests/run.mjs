// `npm test [-- unit|integration|e2e|webkit] [filter …]`: sets up, runs every suite, closes with one line of counts.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { command, inHouse, run, say } from '#server/cli/house.mjs'
import { setUp } from '#server/cli/setup.mjs'
import { ensureChromium } from './support/chromium.mjs'
import { closingLine, failuresOf, sum, toCounts } from './support/counts.mjs'
import { findPostgres, startPostgres } from './support/native-postgres.mjs'
import { findWebKit } from './support/webkit.mjs'

/**
 * @typedef {import('./support/counts.mjs').Counts} Counts
 * @typedef {{ reports: string, filters: string[], failures: string[] }} Errand where the runners leave their reports; which tests are wanted; what failed so far
 * @typedef {{ name: string, program: string, args: string[], env: Record<string, string> }} Runner
 */

const SUITES = ['unit', 'integration', 'e2e', 'webkit']

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
    counts.push(...(await runOnNativePostgres(errand)))
  }
  if (chromium) counts.push(await runPlaywright(chromium, errand))
  if (suites.includes('webkit')) counts.push(...(await runOnWebKit(errand)))
  return counts
}

/** @param {Errand} errand */
async function runOnNativePostgres(errand) {
  const folder = await findPostgres()
  if (!folder) {
    say(
      '\nAviso: nenhum Postgres 15 ou mais novo nesta máquina; os testes de integração rodaram só no PGlite.',
    )
    return []
  }
  const postgres = await startPostgres(folder)
  try {
    return [await runVitest('integration-postgres', errand, { TEST_DATABASE_URL: postgres.url })]
  } finally {
    await postgres.stop()
  }
}

/** @param {Errand} errand */
async function runOnWebKit(errand) {
  if (await findWebKit()) return [await runVitest('webkit', errand)]
  say(
    '\nAviso: nenhum WebKitGTK com WebKitWebDriver e Xvfb nesta máquina; as histórias rodaram só no Chromium.',
  )
  return []
}

/**
 * @param {string} project
 * @param {Errand} errand
 * @param {Record<string, string>} [env]
 */
function runVitest(project, errand, env = {}) {
  const { file, filters } = reportOf(project, errand)
  return startRunner(errand, {
    name: project,
    program: inHouse('node_modules/vitest/vitest.mjs'),
    args: [
      'run',
      `--config=${inHouse('tests/vitest.config.ts')}`,
      `--project=${project}`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      ...(filters.length > 0 ? ['--passWithNoTests', ...filters] : []),
    ],
    env,
  })
}

/**
 * @param {string} chromium
 * @param {Errand} errand
 */
function runPlaywright(chromium, errand) {
  const { file, filters } = reportOf('e2e', errand)
  return startRunner(errand, {
    name: 'e2e',
    program: inHouse('node_modules/@playwright/test/cli.js'),
    args: [
      'test',
      `--config=${inHouse('tests/playwright.config.ts')}`,
      '--reporter=list,json',
      ...(filters.length > 0 ? ['--pass-with-no-tests', ...filters] : []),
    ],
    env: { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  })
}

/**
 * @param {string} name
 * @param {Errand} errand
 */
const reportOf = (name, { reports, filters }) => ({ file: path.join(reports, `${name}.json`), filters })

/**
 * @param {Errand} errand
 * @param {Runner} runner
 */
async function startRunner(errand, { name, program, args, env }) {
  say(`\n── ${name}`)
  const code = await run(process.execPath, [program, ...args], { env: { ...process.env, ...env } })
  const report = await readFile(reportOf(name, errand).file, 'utf8').then(JSON.parse, () => null)
  if (!report) say(`Falha: ${name} não chegou ao fim (código ${code}).`)
  else errand.failures.push(...failuresOf(report).map((line) => `${name}: ${line}`))
  return toCounts({ code, report, mayBeEmpty: errand.filters.length > 0 })
}

await command(import.meta.url, async () => {
  const { suites, filters } = parseArguments(process.argv.slice(2))
  await setUp({ isBuildWanted: true })
  const reports = await mkdtemp(path.join(tmpdir(), 'portal-reports-'))
  try {
    /** @type {string[]} */
    const failures = []
    const total = sum(await runSuites(suites, { reports, filters, failures }))
    // At the end, where it is read first.
    if (failures.length > 0) say(`\nFalharam:\n${failures.join('\n')}`)
    say(`\n${closingLine(total)}`)
    if (total.failed > 0) process.exitCode = 1
  } finally {
    await rm(reports, { recursive: true, force: true })
  }
})
