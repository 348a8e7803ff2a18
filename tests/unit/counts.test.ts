// The closing line of a test run never claims more than was tested.
import { expect, test } from 'vitest'
import { closingLine, failuresOf, sum, toCounts } from '#tests/support/runner/counts.mjs'

const vitest = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1 }
const playwright = { stats: { expected: 4, unexpected: 0, flaky: 0, skipped: 2 } }
const empty = { numPassedTests: 0, numFailedTests: 0 }

test.each([
  ['all passed', { code: 0, report: vitest }, '5 passed, 0 failed, 2 skipped'],
  ['all passed in the browser', { code: 0, report: playwright }, '4 passed, 0 failed, 2 skipped'],
  ['one failed', { code: 1, report: { ...vitest, numFailedTests: 1 } }, '5 passed, 1 failed, 2 skipped'],
  [
    'passed at the second try',
    { code: 0, report: { stats: { expected: 3, flaky: 1 } } },
    '3 passed, 1 failed',
  ],
  ['a file that did not load', { code: 1, report: vitest }, '5 passed, 1 failed, 2 skipped'],
  ['no test found', { code: 0, report: empty }, '0 passed, 1 failed'],
  ['ended without a report', { code: 0, report: null }, '0 passed, 1 failed'],
  ['killed without a report', { code: 137, report: null }, '0 passed, 1 failed'],
])('%s', (_, outcome, expected) => {
  expect(closingLine(toCounts({ ...outcome, mayBeEmpty: false }))).toBe(expected)
})

test('a filter may leave a runner without tests, but not the whole run', () => {
  const none = toCounts({ code: 0, report: empty, mayBeEmpty: true })
  expect(closingLine(none)).toBe('0 passed, 0 failed')
  expect(closingLine(sum([none, none]))).toBe('0 passed, 1 failed')
  expect(closingLine(sum([none, toCounts({ code: 0, report: playwright, mayBeEmpty: true })]))).toBe(
    '4 passed, 0 failed, 2 skipped',
  )
})

test('each failed test is one line: file, title, error', () => {
  const passed = { fullName: 'a b', status: 'passed' }
  const failed = {
    fullName: 'a c',
    status: 'failed',
    failureMessages: ['\u001B[31mexpected 1 to be 2\u001B[39m\n at x'],
  }
  expect(
    failuresOf({
      testResults: [
        { name: 'one.test.ts', status: 'failed', assertionResults: [passed, failed] },
        { name: 'two.test.ts', status: 'failed', message: 'no such module\n…', assertionResults: [] },
        { name: 'three.test.ts', status: 'passed', assertionResults: [passed] },
      ],
    }),
  ).toEqual(['one.test.ts › a c: expected 1 to be 2', 'two.test.ts › não chegou aos testes: no such module'])
  const spec = (title: string, status: string) => ({
    title,
    file: 'x.e2e.ts',
    tests: [{ status, results: [{ error: { message: `${title}\nmore` } }] }],
  })
  expect(
    failuresOf({
      suites: [
        {
          title: 'x',
          specs: [spec('um', 'unexpected'), spec('dois', 'expected')],
          suites: [{ title: 'y', specs: [spec('três', 'flaky')] }],
        },
      ],
    }),
  ).toEqual(['x.e2e.ts › um: um', 'x.e2e.ts › três: três'])
})
