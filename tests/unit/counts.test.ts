// The closing line of a test run never claims more than was tested.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { closingLine, judge, NONE, sum } from '#tests/support/runner/counts.mjs'
import Report from '#tests/support/runner/report.ts'

const PASSED = { ...NONE, passed: 5, skipped: 2 }
const FAILED = { ...PASSED, failed: 1, failures: ['a.test.ts › is kept: why'] }

test.each([
  ['all passed', PASSED, 0, '5 passed, 0 failed, 2 skipped'],
  ['one failed', FAILED, 1, '5 passed, 1 failed, 2 skipped'],
  ['a runner that fails without a failed test', PASSED, 1, '5 passed, 1 failed, 2 skipped'],
  ['no test found', NONE, 0, '0 passed, 1 failed'],
  ['killed without a report', NONE, 137, '0 passed, 1 failed'],
])('%s', (_, counts, code, expected) => {
  expect(closingLine(judge(counts, { code, mayBeEmpty: false }))).toBe(expected)
})

test('a filter may leave a runner without tests, but not the whole run', () => {
  const none = judge(NONE, { code: 0, mayBeEmpty: true })
  expect(closingLine(none)).toBe('0 passed, 0 failed')
  expect(closingLine(judge(NONE, { code: 1, mayBeEmpty: true }))).toBe('0 passed, 1 failed')
  expect(closingLine(sum([none, none]))).toBe('0 passed, 1 failed')
  expect(sum([none, FAILED, FAILED])).toEqual({
    passed: 10,
    failed: 2,
    skipped: 4,
    failures: [...FAILED.failures, ...FAILED.failures],
  })
})

describe('a report', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portal-report-'))
  const file = path.join(folder, 'counts.json')
  afterAll(() => rmSync(folder, { recursive: true }))

  /** What is written while the runner calls the reporter. */
  const written = (call: (report: Report) => void): unknown => {
    vi.stubEnv('TEST_REPORT', file)
    call(new Report())
    vi.unstubAllEnvs()
    return JSON.parse(readFileSync(file, 'utf8'))
  }
  const error = { message: '\u001B[31mexpected 1 to be 2\u001B[39m\nmore' }

  test('of vitest counts tests, files that do not load and hooks that fail', () => {
    const module = (errors: unknown[]) => ({
      relativeModuleId: 'tests/unit/a.test.ts',
      errors: () => errors,
      children: { allSuites: () => [{ fullName: 'group', errors: () => errors }] },
    })
    const tested = (state: string) => ({
      module: module([]),
      fullName: 'is kept',
      result: () => ({ state, errors: [error] }),
    })
    const counts = written((report) => {
      for (const state of ['passed', 'passed', 'skipped', 'failed'])
        report.onTestCaseResult(tested(state) as unknown as Parameters<Report['onTestCaseResult']>[0])
      report.onTestRunEnd([module([]), module([error])] as unknown as Parameters<Report['onTestRunEnd']>[0])
    })
    expect(counts).toEqual({
      passed: 2,
      failed: 3,
      skipped: 1,
      failures: ['is kept', '', 'group'].map(
        (title) => `tests/unit/a.test.ts › ${title}: expected 1 to be 2`,
      ),
    })
  })

  test('of Playwright counts stories by their outcome', () => {
    const counts = written((report) => {
      for (const outcome of ['expected', 'skipped', 'unexpected'])
        report.onTestEnd({
          titlePath: () => ['', '', 'main/board.phone.e2e.ts', 'um lead move'],
          outcome: () => outcome,
          results: [{ error }],
        } as unknown as Parameters<Report['onTestEnd']>[0])
      report.onEnd()
    })
    expect(counts).toEqual({
      passed: 1,
      failed: 1,
      skipped: 1,
      failures: ['main/board.phone.e2e.ts › um lead move: expected 1 to be 2'],
    })
  })
})
