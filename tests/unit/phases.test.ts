// The test phases for the words of the command line, on a complete machine and others.
import { describe, expect, test } from 'vitest'
import { parseWords, phasesOf, runsOf } from '#tests/support/runner/phases.mjs'

const EVERYTHING = { hasPostgres: true, hasWebKit: true, hasFirefox: true }
const names = (args: string[], machine = EVERYTHING) =>
  phasesOf(parseWords(args), machine).map(({ name }) => name)

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
    const machine = { ...EVERYTHING, hasPostgres: false, hasWebKit: false, hasFirefox: false }
    expect(names(['--deep'], machine)).toEqual(['unit', 'components', 'embedded', 'processes', 'stories'])
    const [embedded] = phasesOf(parseWords(['embedded']), machine)
    expect(embedded?.env).toMatchObject({ EMBEDDED_FILES: 'all' })
    const [beside] = phasesOf(parseWords(['embedded']), EVERYTHING)
    expect(beside?.env).toEqual({})
  })
})

test('the quick tier is two runs, and the deep tier one for each phase', () => {
  const runs = (args: string[]) => {
    const words = parseWords(args)
    return runsOf(phasesOf(words, EVERYTHING), words.isDeep).map((run) =>
      run.map(({ name }) => name).join(' '),
    )
  }
  expect(runs([])).toEqual(['unit components postgres embedded processes', 'stories'])
  expect(runs(['e2e'])).toEqual(['stories'])
  expect(runs(['--deep', 'unit', 'stories'])).toEqual(['unit', 'stories'])
})

test('a file is found by its name, also in folders of the deep tier', () => {
  const files = (args: string[]) =>
    phasesOf(parseWords(args), EVERYTHING).map(({ env }) => env['TEST_FILES'] ?? 'main')
  expect(files(['components', 'stories'])).toEqual(['main', 'main'])
  expect(files(['components', 'stories', 'visits'])).toEqual(['all', 'all'])
  expect(files(['components', 'changed'])).toEqual(['all'])
  expect(files(['--deep', 'components', 'stories'])).toEqual(['all', 'all'])
})

test('a word that names no phase is a filter', () => {
  expect(parseWords(['unit', '--', 'domain/lead'])).toEqual({
    isDeep: false,
    isChangedOnly: false,
    phases: ['unit'],
    filters: ['domain/lead'],
  })
  expect(parseWords(['changed', 'unit'])).toMatchObject({
    isChangedOnly: true,
    phases: ['unit'],
    filters: [],
  })
})

test('an unknown option is answered with the usage', () => {
  expect(() => parseWords(['unit', '-t', 'um nome'])).toThrow(/^Uso: npm test .* unit, components/)
})
