// The bucket's store over a real object store, Debian's OpenStack Swift; skipped where its packages are not installed.
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { systemClock } from '#server/clock.ts'
import { createBucketStore } from '#server/storage/bucket/bucket.ts'
import { wordsOf } from '#server/storage/bucket/faults.ts'
import { createObjects } from '#server/storage/bucket/objects.ts'
import { createBucketRequests } from '#server/storage/bucket/requests.ts'
import type { BucketSettings } from '#server/storage/bucket/sending.ts'
import { mediaId, readPrints, type MediaStore } from '#server/storage/media-store.ts'
import { createMemoryNotes } from '#server/storage/put-notes.ts'
import { silentLog } from '#tests/support/gateway.ts'
import { startSwift } from '#tests/support/swift.ts'

const MB = 1024 * 1024
const MOST_MORE_MB = 32

const swift = await startSwift()
afterAll(() => swift?.close())

function open(changes: Partial<BucketSettings> = {}) {
  if (!swift) throw new Error('not installed')
  const limits = { silenceMs: 10_000, deadlineMs: 20_000, awayMs: 0 }
  const requests = createBucketRequests({ ...swift.settings, ...changes }, systemClock, limits)
  const parts = { notes: createMemoryNotes(systemClock), clock: systemClock, log: silentLog }
  return { objects: createObjects(requests), store: createBucketStore(requests, parts) }
}

async function read(store: MediaStore, id: string, range?: { start: number; end: number }) {
  const found = await store.find(id)
  return found && Buffer.from(await new Response(found.read(range)).arrayBuffer())
}

describe.skipIf(!swift)('over OpenStack Swift', () => {
  test.each([0, 1, 65_536, 300_001, 6 * MB])(
    '%i bytes are what they were for another portal, whole and in part',
    async (size) => {
      const bytes = randomBytes(size)
      const id = await open().store.put(bytes)
      const { store } = open()
      expect((await read(store, id))?.equals(bytes)).toBe(true)
      for (const [start, end] of [
        [0, 0],
        [size - 3, size - 1],
        [5, size - 2],
      ] as const)
        if (start >= 0 && end >= start && end < size)
          expect((await read(store, id, { start, end }))?.equals(bytes.subarray(start, end + 1))).toBe(true)
      expect(await store.holds(id, await readPrints(new Response(bytes).body!))).toBe(true)
    },
  )

  test('half an upload leaves nothing, and takes nothing from what was there', async () => {
    const { store, objects } = open()
    const bytes = randomBytes(4 * MB)
    const id = mediaId(bytes)
    const half = {
      sizeBytes: bytes.length,
      open: () =>
        Readable.from(
          (function* () {
            yield bytes.subarray(0, bytes.length / 2)
            throw new Error('the process ended')
          })(),
        ),
    }
    await expect(objects.put(id, half, { isTriedOnce: true })).rejects.toThrow('the process ended')
    expect(await store.find(id)).toBeNull()
    await store.put(bytes)
    await expect(objects.put(id, half, { isTriedOnce: true })).rejects.toThrow('the process ended')
    expect((await read(store, id))?.equals(bytes)).toBe(true)
  })

  test('bytes that are not what their name says are refused', async () => {
    const { store, objects } = open()
    const id = mediaId(randomBytes(10))
    await expect(objects.put(id, { sizeBytes: 3, open: () => Buffer.from('abc') })).rejects.toThrow(
      'answered 4',
    )
    expect(await store.find(id)).toBeNull()
  })

  test('a list of more than a page names each once; fresh ones are not old, and no removal takes them', async () => {
    const { store, objects } = open()
    const ids = Array.from({ length: 1_005 }, (_, n) => mediaId(Buffer.from(`list ${n}`)))
    const rest = ids.entries()
    const lane = async () => {
      for (const [n, id] of rest)
        await objects.put(id, {
          sizeBytes: Buffer.byteLength(`list ${n}`),
          open: () => Buffer.from(`list ${n}`),
        })
    }
    await Promise.all(Array.from({ length: 8 }, lane))
    const listed: string[] = []
    for await (const page of store.list()) listed.push(...page)
    expect(ids.filter((id) => !listed.includes(id))).toEqual([])
    expect(new Set(listed).size).toBe(listed.length)
    const old: string[] = []
    for await (const page of store.listOld(Date.now() - 3_600_000)) old.push(...page)
    const [first = ''] = ids
    expect([old, await open().store.remove(first), (await store.find(first))?.sizeBytes]).toEqual([
      [],
      false,
      6,
    ])
    await objects.remove(first)
    await objects.remove(first)
    expect(await store.find(first)).toBeNull()
  }, 120_000)

  test.each([
    [{ bucket: 'outro' }, 'o bucket de S3_BUCKET não existe ali'],
    [{ secretAccessKey: 'outro' }, 'S3_SECRET_ACCESS_KEY não é o segredo dessa chave'],
    [{ region: 'sa-east-1' }, 'S3_REGION não é a região desse bucket'],
  ])('wrong settings have their word: %o', async (changes, words) => {
    const fault = await open(changes).store.prove()
    expect(fault && wordsOf(fault)).toBe(words)
  })

  test('a killed store is away; back it holds all that was acknowledged', async () => {
    const { store } = open()
    const bytes = randomBytes(200_000)
    const id = await store.put(bytes)
    await swift?.kill()
    await expect(store.put(randomBytes(10))).rejects.toMatchObject({ code: 'media.store-away', status: 503 })
    await expect(store.find(id)).rejects.toMatchObject({ code: 'media.store-away' })
    expect(store.isAway()).toBe(true)
    await swift?.open()
    expect((await read(store, id))?.equals(bytes)).toBe(true)
    expect(store.isAway()).toBe(false)
  }, 90_000)

  test(`100 MB go in and come out with at most ${MOST_MORE_MB} MB more memory`, async () => {
    const { store } = open()
    const bytes = randomBytes(100 * MB)
    // Once, so that the process has what every stream takes.
    await read(store, await store.put(randomBytes(100 * MB)))
    const more: Record<string, number> = {}
    const measure = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const before = process.memoryUsage().rss
      let most = before
      const stop = systemClock.every(5, () => (most = Math.max(most, process.memoryUsage().rss)))
      const answer = await work().finally(stop)
      more[name] = Math.round((most - before) / MB)
      return answer
    }
    const id = await measure('put', () => store.put(bytes))
    const found = await store.find(id)
    const hash = await measure('get', async () => {
      const sum = createHash('sha256')
      for await (const piece of (found?.read() ?? []) as AsyncIterable<Uint8Array>) sum.update(piece)
      return sum.digest('hex')
    })
    process.stdout.write(`memory of 100 MB: put ${more['put']} MB, get ${more['get']} MB more\n`)
    expect(hash).toBe(id)
    expect(Math.max(...Object.values(more))).toBeLessThan(MOST_MORE_MB)
  }, 120_000)
})
