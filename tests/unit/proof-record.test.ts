// What long proofs have shown is kept with the repository, and counts for the same sources alone; what breaks the product on
// purpose still finds its place.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MUTATIONS } from '#tests/support/runner/mutation-list.mjs'
import { QUICK_PHASES } from '#tests/support/runner/phases.mjs'
import { openRecord } from '#tests/support/runner/proof-record.mjs'

const RESULT = { counts: { passed: 12, failed: 0, skipped: 0 }, seconds: 7 }

describe('a proof that was cut off', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'portal-proof-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('goes on in another checkout of the same sources', async () => {
    const record = await openRecord('deep', { folder, sources: 'a' })
    expect(record.results).toEqual({})
    await record.add('unit', RESULT)
    await record.add('stories', RESULT)
    const elsewhere = await openRecord('deep', { folder, sources: 'a' })
    expect(elsewhere.results).toEqual({ unit: RESULT, stories: RESULT })
  })

  test('begins anew over other sources, and as another proof', async () => {
    expect((await openRecord('deep', { folder, sources: 'b' })).results).toEqual({})
    expect((await openRecord('again', { folder, sources: 'a' })).results).toEqual({})
  })
})

describe('the twenty mutations', () => {
  test('are twenty, each expected in a phase of the quick tier', () => {
    expect(MUTATIONS).toHaveLength(20)
    for (const { expected } of MUTATIONS) expect(Object.keys(QUICK_PHASES)).toContain(expected)
  })

  test.each(MUTATIONS)('$what: its place is there, once', async ({ file, from, to }) => {
    expect(to).not.toBe(from)
    expect((await readFile(file, 'utf8')).split(from)).toHaveLength(2)
  })
})
