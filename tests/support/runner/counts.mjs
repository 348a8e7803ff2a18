// What the test runners counted and which tests failed, read from their own JSON, and the one line that closes a run.
import { stripVTControlCharacters } from 'node:util'

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {{ code: number, report: Report | null, mayBeEmpty: boolean }} Outcome a runner's exit code; null = it wrote no report
 * @typedef {{
 *   numPassedTests?: number, numFailedTests?: number, numPendingTests?: number, numTodoTests?: number,
 *   testResults?: VitestFile[],
 *   stats?: { expected?: number, unexpected?: number, flaky?: number, skipped?: number },
 *   suites?: Suite[],
 * }} Report of vitest or, with `stats`, of Playwright
 * @typedef {{
 *   name: string, status?: string, message?: string,
 *   assertionResults?: { fullName: string, status: string, failureMessages?: string[] }[],
 * }} VitestFile
 * @typedef {{ title: string, specs?: Spec[], suites?: Suite[] }} Suite
 * @typedef {{ title: string, file: string, tests: { status: string, results: Result[] }[] }} Spec
 * @typedef {{ error?: { message?: string } }} Result
 */

/** @type {Counts} */
const NOTHING = { passed: 0, failed: 0, skipped: 0 }

/**
 * A runner that crashed, or found no test, counts as one failure.
 * @param {Outcome} outcome
 * @returns {Counts}
 */
export function toCounts({ code, report, mayBeEmpty }) {
  const counts = report ? countsOf(report) : NOTHING
  const isEmpty = counts.passed + counts.failed === 0
  const isSound = report !== null && code === 0 && (!isEmpty || mayBeEmpty)
  return counts.failed > 0 || isSound ? counts : { ...counts, failed: 1 }
}

/**
 * @param {Report} report
 * @returns {Counts}
 */
function countsOf({ stats, numPassedTests = 0, numFailedTests = 0, numPendingTests = 0, numTodoTests = 0 }) {
  if (!stats)
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests }
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = stats
  // A flaky test, which passed only on a retry, counts as failed.
  return { passed: expected, failed: unexpected + flaky, skipped }
}

/**
 * The sum; a run without any test has failed.
 * @param {readonly Counts[]} counts
 * @returns {Counts}
 */
export function sum(counts) {
  const total = counts.reduce(
    (sofar, each) => ({
      passed: sofar.passed + each.passed,
      failed: sofar.failed + each.failed,
      skipped: sofar.skipped + each.skipped,
    }),
    NOTHING,
  )
  return total.passed + total.failed === 0 ? { ...total, failed: 1 } : total
}

/** @param {Counts} counts */
export const closingLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`

/**
 * Parses a closing line; a run without one has failed.
 * @param {string} line
 * @returns {Counts}
 */
export function toCountsOfLine(line) {
  const [, passed, failed, skipped = '0'] =
    /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/.exec(line) ?? []
  if (passed === undefined) return { passed: 0, failed: 1, skipped: 0 }
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) }
}

/**
 * One line per failed test: its file, its title, the first line of its error.
 * @param {Report} report
 * @returns {string[]}
 */
export const failuresOf = ({ testResults = [], suites = [] }) => [
  ...testResults.flatMap(failuresOfFile),
  ...suites.flatMap(failuresOfSuite),
]

/**
 * @param {VitestFile} file
 * @returns {string[]}
 */
function failuresOfFile({ name, status, message, assertionResults = [] }) {
  const failed = assertionResults.filter((each) => each.status === 'failed')
  if (failed.length === 0) return status === 'failed' ? [lineOf(name, 'não chegou aos testes', message)] : []
  return failed.map(({ fullName, failureMessages }) => lineOf(name, fullName, failureMessages?.[0]))
}

/**
 * @param {Suite} suite
 * @returns {string[]}
 */
const failuresOfSuite = ({ specs = [], suites = [] }) => [
  ...specs.flatMap(({ title, file, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => lineOf(file, title, results.find(({ error }) => error)?.error?.message)),
  ),
  ...suites.flatMap(failuresOfSuite),
]

/**
 * @param {string} place
 * @param {string} title
 * @param {string} [why]
 */
const lineOf = (place, title, why = '') =>
  `${place} › ${title}: ${stripVTControlCharacters(why).split('\n')[0]}`
