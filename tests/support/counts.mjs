// What the test runners counted, read from their own JSON, and the one line that closes a run.

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {{ code: number, report: Report | null, mayBeEmpty: boolean }} Outcome a runner's exit code; null = it wrote no report
 * @typedef {{
 *   numPassedTests?: number, numFailedTests?: number, numPendingTests?: number, numTodoTests?: number,
 *   stats?: { expected?: number, unexpected?: number, flaky?: number, skipped?: number },
 * }} Report of vitest or, with `stats`, of Playwright
 */

/** @type {Counts} */
const NOTHING = { passed: 0, failed: 0, skipped: 0 }

/**
 * A runner that broke, or found no test where it should, is one failure even when no test is.
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
  // A test that passed only when tried again has a fault of its own.
  return { passed: expected, failed: unexpected + flaky, skipped }
}

/**
 * All together; a run in which no test ran at all has failed.
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
