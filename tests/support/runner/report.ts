// Counts the tests of a run, as a reporter of vitest and of Playwright, and writes the counts to TEST_REPORT.
import { writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import type { TestCase as Story } from '@playwright/test/reporter'
import type { TestCase, TestModule } from 'vitest/node'
import type { Counts } from './counts.mjs'

export default class Report {
  readonly #counts: Required<Counts> = { passed: 0, failed: 0, skipped: 0, failures: [] }

  onTestCaseResult(test: Pick<TestCase, 'module' | 'fullName' | 'result'>) {
    const { state, errors } = test.result()
    if (state === 'failed') this.#fail(test.module.relativeModuleId, test.fullName, errors[0])
    else this.#counts[state === 'passed' ? 'passed' : 'skipped']++
  }

  /** A file that cannot be loaded, or a hook that fails, is no test. */
  onTestRunEnd(modules: readonly TestModule[]) {
    for (const module of modules)
      for (const part of [module, ...module.children.allSuites()])
        for (const error of part.errors())
          this.#fail(module.relativeModuleId, 'fullName' in part ? part.fullName : '', error)
    this.onEnd()
  }

  onTestEnd(test: Pick<Story, 'titlePath' | 'outcome' | 'results'>) {
    const outcome = test.outcome()
    const [, , file = '', ...titles] = test.titlePath()
    if (outcome === 'unexpected') this.#fail(file, titles.join(' › '), test.results.at(-1)?.error)
    else this.#counts[outcome === 'skipped' ? 'skipped' : 'passed']++
  }

  onEnd() {
    writeFileSync(process.env['TEST_REPORT'] ?? '', JSON.stringify(this.#counts))
  }

  #fail(file: string, title: string, error: { message?: string } | undefined) {
    this.#counts.failed++
    const line = stripVTControlCharacters(`${file} › ${title}: ${error?.message ?? ''}`).split('\n')[0]
    this.#counts.failures.push(line ?? '')
  }
}
