// How many tests passed and failed, and the one line that closes a run.

/**
 * @typedef {{ passed: number, failed: number, skipped: number, failures?: string[] }} Counts `failures`: a line for each
 *   failed test: its file, its title, the first line of what failed
 */

/** @type {Required<Counts>} */
export const NONE = { passed: 0, failed: 0, skipped: 0, failures: [] }

/**
 * A runner that crashed, or found no test, counts as one failure.
 * @param {Counts} counts
 * @param {{ code: number, mayBeEmpty: boolean }} outcome of the runner, with its exit code
 */
export const judge = (counts, { code, mayBeEmpty }) =>
  counts.failed > 0 || (code === 0 && (counts.passed > 0 || mayBeEmpty)) ? counts : { ...counts, failed: 1 }

/** The sum; a run without any test has failed. @param {readonly Counts[]} all */
export function sum(all) {
  const of = (/** @type {'passed' | 'failed' | 'skipped'} */ name) =>
    all.reduce((total, counts) => total + counts[name], 0)
  const [passed, failed, skipped] = [of('passed'), of('failed'), of('skipped')]
  const failures = all.flatMap((counts) => counts.failures ?? [])
  return { passed, failed: passed + failed === 0 ? 1 : failed, skipped, failures }
}

/** @param {Counts} counts */
export const closingLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
