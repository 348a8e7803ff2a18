// The test phases for the words of the command line, on a complete machine and others.
import { describe, expect, test } from 'vitest'
import { planOf } from '#tests/support/runner/phases.mjs'

const names = (args: string[], missing: string[] = []) => planOf(args, missing).runs.flat()

describe('phases', () => {
  test.each([
    ['npm test', [], ['unit', 'components', 'postgres', 'embedded', 'processes', 'stories']],
    ['one phase', ['unit', 'domain/lead'], ['unit']],
    ['both engines', ['integration'], ['postgres', 'embedded', 'processes']],
    ['one file of each', ['integration', 'sync-board'], ['postgres', 'embedded', 'processes']],
    [
      'a filter alone is asked of every phase',
      ['watch'],
      ['unit', 'components', 'postgres', 'embedded', 'processes', 'stories'],
    ],
    ['what changed', ['changed'], ['unit', 'components', 'postgres', 'embedded', 'processes', 'stories']],
    [
      'the deep tier without the loads',
      ['--deep'],
      ['unit', 'components', 'postgres', 'embedded', 'processes', 'stories', 'webkit', 'firefox'],
    ],
    ['the loads by name', ['--deep', 'load'], ['load']],
    ['parts in their order', ['--deep', 'stories', 'processes'], ['processes', 'stories']],
  ])('%s', (_, args, expected) => {
    expect(names(args)).toEqual(expected)
  })

  test("phases that this machine cannot run are omitted, and the embedded engine runs all of Postgres' tests", () => {
    const missing = ['postgres', 'load', 'webkit', 'firefox']
    expect(names(['--deep'], missing)).toEqual(['unit', 'components', 'embedded', 'processes', 'stories'])
    expect(planOf(['embedded'], missing).env).toEqual({ EMBEDDED_FILES: 'all' })
    expect(planOf(['embedded'], []).env).toEqual({})
  })
})

test('the quick tier is two runs, and the deep tier one for each phase', () => {
  expect(planOf([], []).runs).toEqual([
    ['unit', 'components', 'postgres', 'embedded', 'processes'],
    ['stories'],
  ])
  expect(planOf(['e2e'], []).runs).toEqual([['stories']])
  expect(planOf(['--deep', 'unit', 'stories'], []).runs).toEqual([['unit'], ['stories']])
})

test('a file is found by its name, also in folders of the deep tier', () => {
  const files = (args: string[]) => planOf(args, []).env.TEST_FILES ?? 'main'
  expect(files(['components', 'stories'])).toBe('main')
  expect(files(['components', 'stories', 'visits'])).toBe('all')
  expect(files(['components', 'changed'])).toBe('all')
  expect(files(['--deep', 'components', 'stories'])).toBe('all')
})

test('a word that names no phase is a filter or an option', () => {
  expect(planOf(['unit', '--', 'domain/lead', '-t', 'um nome'], [])).toMatchObject({
    isDeep: false,
    isChangedOnly: false,
    isFiltered: true,
    runs: [['unit']],
    filters: ['domain/lead', '-t', 'um nome'],
  })
  expect(planOf(['changed', 'unit'], [])).toMatchObject({
    isChangedOnly: true,
    isFiltered: true,
    runs: [['unit']],
    filters: [],
  })
})
