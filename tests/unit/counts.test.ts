// The closing line of a test run never claims more than was tested.
import { expect, test } from 'vitest'
import { closingLine, failuresOf, sum, toCounts } from '#tests/support/runner/counts.mjs'

const report = (suites: string) =>
  `<?xml version="1.0" ?>\n<testsuites tests="9" failures="9">${suites}</testsuites>`
const vitest = report(`
  <testsuite name="a.test.ts" tests="4" failures="0" errors="0" skipped="2" time="1"></testsuite>
  <testsuite name="b.test.ts" tests="3" failures="0" errors="0" skipped="0" time="1"></testsuite>`)
const failed = vitest.replace('tests="3" failures="0"', 'tests="4" failures="1"')
const empty = report('')

test.each([
  ['all passed', { code: 0, xml: vitest }, '5 passed, 0 failed, 2 skipped'],
  ['one failed', { code: 1, xml: failed }, '5 passed, 1 failed, 2 skipped'],
  ['a runner that fails without a failed test', { code: 1, xml: vitest }, '5 passed, 1 failed, 2 skipped'],
  ['no test found', { code: 0, xml: empty }, '0 passed, 1 failed'],
  ['ended without a report', { code: 0, xml: null }, '0 passed, 1 failed'],
  ['killed without a report', { code: 137, xml: null }, '0 passed, 1 failed'],
])('%s', (_, outcome, expected) => {
  expect(closingLine(toCounts({ ...outcome, mayBeEmpty: false }))).toBe(expected)
})

test('a filter may leave a runner without tests, but not the whole run', () => {
  const none = toCounts({ code: 0, xml: null, mayBeEmpty: true })
  expect(closingLine(none)).toBe('0 passed, 0 failed')
  expect(closingLine(toCounts({ code: 1, xml: null, mayBeEmpty: true }))).toBe('0 passed, 1 failed')
  expect(closingLine(sum([none, none]))).toBe('0 passed, 1 failed')
  expect(closingLine(sum([none, toCounts({ code: 0, xml: vitest, mayBeEmpty: true })]))).toBe(
    '5 passed, 0 failed, 2 skipped',
  )
})

test('each failed test is one line: file, title, error', () => {
  const tests = `
    <testcase classname="a.test.ts" name="is kept" time="1"></testcase>
    <testcase classname="a.test.ts" name="um &gt; dois &quot;x&quot;" time="1">
      <system-out>said</system-out>
      <failure message="expected 1 to be 2&#10;more" type="AssertionError">at x</failure>
    </testcase>`
  expect(
    failuresOf(report(`<testsuite name="a.test.ts" tests="2" failures="1">${tests}</testsuite>`)),
  ).toEqual(['a.test.ts › um > dois "x": expected 1 to be 2'])
  expect(failuresOf(empty)).toEqual([])
})
