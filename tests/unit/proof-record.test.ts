// A long run stores its results for the same sources only, and prints them. Each mutation finds its text
// exactly once.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { MUTATIONS } from '#tests/mutation-list.mjs'
import { QUICK_PHASES } from '#tests/support/runner/phases.mjs'
import { openRecord } from '#tests/support/runner/proof-record.mjs'

const RESULT = { counts: { passed: 12, failed: 0, skipped: 0 }, seconds: 7 }

describe('the record of a long run', () => {
  let folder = ''
  afterEach(() => vi.restoreAllMocks())
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'portal-proof-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('continues over the same sources', async () => {
    const record = await openRecord('deep', { folder, sources: 'a' })
    expect(record.results).toEqual({})
    await record.add('unit', RESULT)
    await record.add('stories', RESULT)
    const later = await openRecord('deep', { folder, sources: 'a' })
    expect(later.results).toEqual({ unit: RESULT, stories: RESULT })
  })

  test('prints its results', async () => {
    const terminal = vi.spyOn(console, 'log').mockReturnValue()
    const record = await openRecord('mutations', { folder, sources: 'a' })
    await record.add('unit', RESULT)
    await record.add('a number keeps its country code', { ...RESULT, words: 'red in unit' })
    record.print()
    const printed = terminal.mock.calls.flat()
    expect(printed).toEqual([
      '     7 s  unit: 12 passed, 0 failed',
      '     7 s  a number keeps its country code: red in unit',
      `Em ${path.join(folder, 'mutations.json')}`,
    ])
  })

  test('starts from zero over other sources, and for another kind of run', async () => {
    expect((await openRecord('deep', { folder, sources: 'b' })).results).toEqual({})
    expect((await openRecord('again', { folder, sources: 'a' })).results).toEqual({})
  })
})

describe('the twenty mutations', () => {
  test('are twenty, each expected in a phase of the quick tier', () => {
    expect(MUTATIONS).toHaveLength(20)
    for (const { expected } of MUTATIONS) expect(QUICK_PHASES).toContain(expected)
  })

  test.each(MUTATIONS)('$what: its text exists, once', async ({ file, from, to }) => {
    expect(to).not.toBe(from)
    expect((await readFile(file, 'utf8')).split(from)).toHaveLength(2)
  })
})
