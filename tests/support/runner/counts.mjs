// What vitest and Playwright counted and which tests failed, read from their JUnit reports, and the one line that
// closes a run.
import { stripVTControlCharacters } from 'node:util'

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {{ code: number, xml: string | null, mayBeEmpty: boolean }} Outcome a runner's exit code; null = it wrote no report
 */

/**
 * A runner that crashed, or found no test, counts as one failure.
 * @param {Outcome} outcome
 * @returns {Counts}
 */
export function toCounts({ code, xml, mayBeEmpty }) {
  const suites = [...(xml ?? '').matchAll(/<testsuite [^>]*>/g)].map(([tag]) => tag)
  const count = (/** @type {string} */ name) =>
    suites.reduce((total, tag) => total + Number(new RegExp(` ${name}="(\\d+)"`).exec(tag)?.[1] ?? 0), 0)
  const [failed, skipped] = [count('failures') + count('errors'), count('skipped')]
  const passed = count('tests') - failed - skipped
  const isSound = code === 0 && (passed > 0 || mayBeEmpty)
  return { passed, failed: failed > 0 || isSound ? failed : 1, skipped }
}

/**
 * The sum; a run without any test has failed.
 * @param {readonly Counts[]} counts
 * @returns {Counts}
 */
export function sum(counts) {
  const of = (/** @type {keyof Counts} */ name) => counts.reduce((total, each) => total + each[name], 0)
  const [passed, failed, skipped] = [of('passed'), of('failed'), of('skipped')]
  return { passed, failed: passed + failed === 0 ? 1 : failed, skipped }
}

/** @param {Counts} counts */
export const closingLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`

/**
 * One line per failed test: its file, its title, the first line of what failed.
 * @param {string} xml
 * @returns {string[]}
 */
export const failuresOf = (xml) =>
  xml.split('<testcase ').flatMap((test) => {
    const why = /<(?:failure|error) message="([^"]*)"/.exec(test)?.[1]
    if (why === undefined) return []
    const of = (/** @type {string} */ name) => new RegExp(`\\b${name}="([^"]*)"`).exec(test)?.[1] ?? ''
    const line = `${of('classname')} › ${of('name')}: ${why}`.replaceAll(
      ENTITY,
      (_, name) => ENTITIES[name] ?? '',
    )
    return stripVTControlCharacters(line).split('\n').slice(0, 1)
  })

const ENTITY = /&(lt|gt|quot|apos|amp|#10);/g
/** @type {Record<string, string>} */
const ENTITIES = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&', '#10': '\n' }
