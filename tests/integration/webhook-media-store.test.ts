// Both media stores keep one promise: what went in comes out, once stored, whole or in part.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabaseStore } from '#server/storage/database.ts'
import { openFolderStore } from '#server/storage/folder.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let test: TestDatabase
let folder: string
const stores: Record<string, MediaStore> = {}
/** How far the folder's clock is turned on; the database has its own, so that there the bytes are made older. */
const ahead = { ms: 0 }
async function rest() {
  ahead.ms += 120_000
  await test.db.query(`update portal.media set put_at = put_at - interval '2 minutes'`)
}
beforeAll(async () => {
  test = await openTestDatabase('migrated')
  folder = await mkdtemp(path.join(tmpdir(), 'portal-media-'))
  stores['folder'] = await openFolderStore(path.join(folder, 'media'), () => Date.now() + ahead.ms)
  stores['database'] = createDatabaseStore(test.db)
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await test.close()
})

/** Longer than two pieces of the database's store, no two bytes alike for long. */
const BYTES = Uint8Array.from({ length: 600_001 }, (_, index) => (index * 31 + (index >> 8)) % 251)

describe.each(['folder', 'database'])('the %s', (name) => {
  const store = (): MediaStore => {
    const found = stores[name]
    if (!found) throw new Error(`no store ${name}`)
    return found
  }
  const read = async (id: string, range?: { start: number; end: number }) => {
    const stored = await store().find(id)
    return stored && new Uint8Array(await new Response(stored.read(range)).arrayBuffer())
  }

  it.each([0, 1, 262_144, 600_001])('gives %i bytes back', async (length) => {
    const id = await store().put(BYTES.subarray(0, length))
    expect((await store().find(id))?.sizeBytes).toBe(length)
    expect(Buffer.compare((await read(id)) ?? Buffer.of(1), BYTES.subarray(0, length))).toBe(0)
  })

  it.each([
    [0, 0],
    [10, 19],
    [262_140, 262_150],
    [262_144, 524_288],
    [600_000, 600_000],
  ])('gives bytes %i to %i', async (start, end) => {
    const id = await store().put(BYTES)
    expect(
      Buffer.compare((await read(id, { start, end })) ?? Buffer.alloc(0), BYTES.subarray(start, end + 1)),
    ).toBe(0)
  })

  it('lets bytes go for good once they have rested; put again, also just before, they stay', async () => {
    const bytes = BYTES.subarray(3, 300_000)
    const id = await store().put(bytes)
    expect([await store().remove(id), (await store().find(id))?.sizeBytes]).toEqual([false, bytes.length])
    await rest()
    await store().put(bytes)
    expect([await store().remove(id), (await store().find(id))?.sizeBytes]).toEqual([false, bytes.length])
    await rest()
    // Putting and removing at once: whichever is first, what was put is there.
    const [, isGone] = await Promise.all([store().put(bytes), store().remove(id)])
    expect([isGone, (await store().find(id))?.sizeBytes]).toEqual([expect.any(Boolean), bytes.length])
    await rest()
    expect([await store().remove(id), await store().find(id)]).toEqual([true, null])
    expect([await store().remove(id), await store().remove('../../etc/passwd')]).toEqual([true, true])
    await store().put(bytes)
    expect(Buffer.compare((await read(id)) ?? Buffer.alloc(0), bytes)).toBe(0)
  })

  it('keeps the same bytes once, also when they come at once', async () => {
    const bytes = BYTES.subarray(7, 70_000)
    const ids = await Promise.all([store().put(bytes), store().put(bytes), store().put(bytes)])
    expect(new Set(ids).size).toBe(1)
    expect(Buffer.compare((await read(ids[0] ?? '')) ?? Buffer.alloc(0), bytes)).toBe(0)
  })

  it.each(['a'.repeat(64), '', '../../etc/passwd', 'A'.repeat(64), `${'a'.repeat(64)}/x`])(
    'has nothing under %j',
    async (id) => {
      expect(await store().find(id)).toBeNull()
    },
  )
})

it('the folder holds nothing half written', async () => {
  await stores['folder']?.put(BYTES)
  const names = await readdir(path.join(folder, 'media'), { recursive: true })
  expect(names.filter((file) => !/^[0-9a-f]{2}(\/[0-9a-f]{64})?$/.test(file))).toEqual([])
})
