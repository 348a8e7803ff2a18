// Media in a bucket: scripted S3 servers that fail or answer oddly, which the portal's store must survive.
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Clock } from '#server/clock.ts'
import { createBucketStore, type BucketStore } from '#server/storage/bucket/bucket.ts'
import { wordsOf } from '#server/storage/bucket/faults.ts'
import { createBucketRequests } from '#server/storage/bucket/requests.ts'
import { mediaId, readPrints } from '#server/storage/media-store.ts'
import { createMemoryNotes } from '#server/storage/put-notes.ts'
import { manualClock } from '#tests/support/clock.ts'
import { eventually } from '#tests/support/eventually.ts'
import { silentLog } from '#tests/support/gateway.ts'
import { isDeepRun } from '#tests/support/runner/tier.ts'
import { openScriptedBucket, type Fault, type ScriptedBucket } from '#tests/support/scripted-bucket.ts'

/** Long, because a busy machine is no silent store. */
const LIMITS = { silenceMs: 20_000, deadlineMs: 60_000, awayMs: 5_000 }
/** For the tests in which the store falls silent, also by a connection that is cut within a body. */
const IMPATIENT = { ...LIMITS, silenceMs: 600 }
const BYTES = Buffer.from(Uint8Array.from({ length: 300_001 }, (_, at) => (at * 31 + (at >> 8)) % 251))
const ID = mediaId(BYTES)

let bucket: ScriptedBucket
/** The portal's clock; the store has its own. Waiting takes no time. */
let clock: Clock & { advance: (byMs: number) => void }
let store: BucketStore
const open = (changes: Partial<ScriptedBucket['settings']> = {}, limits = LIMITS) => {
  const requests = createBucketRequests({ ...bucket.settings, ...changes }, clock, limits)
  return createBucketStore(requests, { notes: createMemoryNotes(clock), clock, log: silentLog })
}
beforeEach(async () => {
  bucket = await openScriptedBucket()
  const manual = manualClock()
  clock = { ...manual, sleep: () => Promise.resolve() }
  bucket.state.now = clock.now
  store = open()
})
afterEach(() => bucket.close())

async function read(id = ID, range?: { start: number; end: number }): Promise<Buffer | null> {
  const found = await store.find(id)
  return found && Buffer.from(await new Response(found.read(range)).arrayBuffer())
}
const AWAY = { code: 'media.store-away', status: 503 }
const old = () => {
  clock.advance(70_000)
  bucket.age(70_000)
}

describe('a put arrives once the store holds it whole', () => {
  test.each<[string, Fault[]]>([
    ['503 twice', [{ status: 503 }, { status: 503 }]],
    ['an error in HTML', [{ status: 502, body: '<html><h1>Bad Gateway</h1></html>' }]],
    ['an error in JSON', [{ status: 500, body: '{"code":"InternalError"}' }]],
    ['a connection that is cut before the body', ['cut-before']],
    ['a connection that is cut within the body', ['cut-within', 'cut-within']],
    ['a connection that is cut after the body', ['cut-after']],
    ['no answer', ['silence']],
    ['too many requests', [{ status: 429 }]],
  ])('after %s', async (_, faults) => {
    if (faults.includes('silence') || faults.includes('cut-within')) store = open({}, IMPATIENT)
    bucket.fail('PUT', ...faults)
    expect(await store.put(BYTES)).toBe(ID)
    expect(bucket.objects.get(ID)?.bytes.equals(BYTES)).toBe(true)
    expect([bucket.left(), store.isAway()]).toEqual([0, false])
  })

  test('three failures are told, and nothing is kept', async () => {
    store = open({}, IMPATIENT)
    bucket.fail('PUT', 'cut-within', 'cut-within', 'cut-within')
    await expect(store.put(BYTES)).rejects.toMatchObject(AWAY)
    expect([bucket.objects.size, bucket.asked.length, store.isAway()]).toEqual([0, 3, true])
  })

  test('a put for which another place stands ready is tried once', async () => {
    store = open({}, IMPATIENT)
    bucket.fail('PUT', 'silence')
    await expect(store.putOnce(BYTES)).rejects.toMatchObject(AWAY)
    expect(bucket.asked).toHaveLength(1)
  })

  test('nobody waits twice: a store that was away a moment ago is not asked', async () => {
    bucket.state.isDown = true
    await expect(store.put(BYTES)).rejects.toMatchObject(AWAY)
    const asked = bucket.asked.length
    await expect(store.find(ID)).rejects.toMatchObject(AWAY)
    expect(bucket.asked).toHaveLength(asked)
    bucket.state.isDown = false
    clock.advance(LIMITS.awayMs)
    expect([await store.find(ID), store.isAway()]).toEqual([null, false])
  })

  test('500 for one object keeps nobody from the others', async () => {
    bucket.fail('PUT', { status: 500 }, { status: 500 }, { status: 500 })
    await expect(store.put(BYTES)).rejects.toMatchObject(AWAY)
    expect([await store.put(Buffer.from('b')), store.isAway()]).toEqual([mediaId(Buffer.from('b')), false])
  })

  test('it is repeated where the object is there, because that renews its time', async () => {
    await store.put(BYTES)
    bucket.age(1_000_000)
    await store.put(BYTES)
    expect(bucket.asked).toEqual([`PUT ${ID}`, `PUT ${ID}`])
    expect(clock.now() - (bucket.objects.get(ID)?.modifiedMs ?? 0)).toBeLessThan(100_000)
  })

  test('bytes that are not what the hash says are refused by the store', async () => {
    const content = { sizeBytes: 3, open: () => Buffer.from('abc') }
    await expect(store.putKnown(ID, content)).rejects.toMatchObject(AWAY)
    expect(bucket.objects.size).toBe(0)
  })
})

describe('what is read is what was put', () => {
  beforeEach(async () => void (await store.put(BYTES)))

  test.each<[string, Fault[]]>([
    ['everything instead of a part', ['whole']],
    ['an answer that is cut', ['cut-answer', 'cut-answer', 'cut-answer', 'cut-answer']],
    ['503 before', [{ status: 503 }, { status: 503 }]],
    ['silence before', ['silence']],
  ])('after %s', async (_, faults) => {
    if (faults.includes('silence')) store = open({}, IMPATIENT)
    bucket.fail('GET', ...faults)
    expect((await read(ID, { start: 10, end: 299_990 }))?.equals(BYTES.subarray(10, 299_991))).toBe(true)
    expect(bucket.left()).toBe(0)
  })

  test.each([
    [0, 0],
    [0, 300_000],
    [299_999, 300_000],
  ])('bytes %i to %i', async (start, end) => {
    expect((await read(ID, { start, end }))?.equals(BYTES.subarray(start, end + 1))).toBe(true)
  })

  test('other bytes than asked for are an error, and no bytes', async () => {
    bucket.fail('GET', 'other-range')
    await expect(read(ID, { start: 5, end: 9 })).rejects.toMatchObject(AWAY)
  })

  test('an object of no bytes is read without asking', async () => {
    const id = await store.put(new Uint8Array())
    bucket.asked.length = 0
    expect((await read(id))?.length).toBe(0)
    expect(bucket.asked).toEqual([`HEAD ${id}`])
  })

  test.runIf(isDeepRun)(
    'a reader who pauses for longer than the store waits goes on where it was',
    async () => {
      store = open({}, IMPATIENT)
      const big = Buffer.alloc(8_000_000, BYTES)
      const id = await store.put(big)
      const found = await store.find(id)
      const reader = found?.read().getReader()
      const pieces: Uint8Array[] = []
      for (let pauses = 0; ; pauses++) {
        const { value } = (await reader?.read()) ?? {}
        if (!value) break
        pieces.push(value)
        const closed = bucket.closed()
        if (pauses < 5) await eventually(() => expect(bucket.closed()).toBeGreaterThan(closed))
      }
      expect(Buffer.concat(pieces).equals(big)).toBe(true)
    },
  )

  test('a reader who leaves gives the connection back', async () => {
    const found = await store.find(ID)
    for (let turn = 0; turn < 80; turn++) {
      const reader = found?.read().getReader()
      await reader?.read()
      await reader?.cancel()
    }
    expect((await read())?.equals(BYTES)).toBe(true)
  })
})

describe('a removal', () => {
  test('spares what was put a moment ago, by its own note and by the time of the store', async () => {
    await store.put(BYTES)
    expect(await store.remove(ID)).toBe(false)
    clock.advance(70_000)
    // The store may round its time up.
    bucket.objects.get(ID)!.modifiedMs = clock.now() + 1_000
    expect([await store.remove(ID), bucket.objects.size]).toEqual([false, 1])
    bucket.age(70_000)
    expect([await store.remove(ID), bucket.objects.size, await store.remove(ID)]).toEqual([true, 0, true])
  })

  test('beside a put of the same bytes never takes them', async () => {
    for (let turn = 0; turn < 20; turn++) {
      await store.put(BYTES)
      old()
      await Promise.all([store.remove(ID), store.put(BYTES), store.put(BYTES)])
      expect(bucket.objects.has(ID)).toBe(true)
    }
  })

  test('whose answer is lost has removed', async () => {
    await store.put(BYTES)
    old()
    bucket.fail('DELETE', { status: 503 })
    expect([await store.remove(ID), bucket.objects.size]).toEqual([true, 0])
  })
})

describe('the list', () => {
  const ids = async (pages: AsyncIterable<string[]>) => {
    const all: string[] = []
    for await (const page of pages) all.push(...page)
    return all
  }

  test('comes in pages, skips what is no media, and by the clock of the store names what is old', async () => {
    bucket.state.pageSize = 3
    const put = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((word) => store.put(Buffer.from(word))),
    )
    bucket.objects.set('fotos/gato.jpg', { bytes: BYTES, modifiedMs: 0 })
    expect(await ids(store.list())).toEqual(put.toSorted())
    bucket.state.now = () => clock.now() + 3_600_000
    for (const id of put.slice(0, 2)) bucket.objects.get(id)!.modifiedMs -= 86_400_000
    expect(await ids(store.listOld(clock.now() - 7_200_000))).toEqual(put.slice(0, 2).toSorted())
  })

  test('names what is gone, and a removal finds that out', async () => {
    bucket.state.ghosts.add(ID)
    expect(await ids(store.listOld(clock.now()))).toEqual([ID])
    expect([await store.find(ID), await store.remove(ID)]).toEqual([null, true])
  })

  test.each(['<html>ok</html>', '{}', ''])(
    'that is none (%j) is an error, and no empty bucket',
    async (body) => {
      bucket.fail('GET', { status: 200, body })
      await expect(ids(store.list())).rejects.toMatchObject(AWAY)
    },
  )
})

describe('what an operator must mend is said at the start', () => {
  test.each([
    [{ bucket: 'outro' }, 'o bucket de S3_BUCKET não existe ali'],
    [{ accessKeyId: 'OUTRA' }, 'a chave de S3_ACCESS_KEY_ID não existe ali'],
    [{ secretAccessKey: 'outro' }, 'S3_SECRET_ACCESS_KEY não é o segredo dessa chave'],
    [{ region: 'sa-east-1' }, 'S3_REGION não é a região desse bucket'],
    [{ endpoint: 'http://127.0.0.1:1' }, 'o endereço de S3_ENDPOINT não respondeu (ECONNREFUSED)'],
  ])('%o', async (changes, words) => {
    const fault = await open(changes).prove()
    expect(fault && wordsOf(fault)).toBe(words)
  })

  test('a missing bucket is no missing object, also where the store was away at the start', async () => {
    await expect(open({ bucket: 'outro' }).find(ID)).rejects.toMatchObject(AWAY)
  })

  test.each(['GET', 'HEAD'])(
    'a clock that is wrong by an hour is corrected by the answer to %s',
    async (method) => {
      bucket.state.now = () => clock.now() + 3_600_000
      if (method === 'GET') expect(await store.prove()).toBeNull()
      expect(await store.find(ID)).toBeNull()
    },
  )
})

test.each([true, false])('bytes are compared by hash; the store tells MD5: %s', async (tellsMd5) => {
  bucket.state.tellsMd5 = tellsMd5
  const prints = await readPrints(new Response(BYTES).body!)
  expect(prints).toEqual({
    sha256: ID,
    md5: createHash('md5').update(BYTES).digest('hex'),
    sizeBytes: BYTES.length,
  })
  expect(await store.holds(ID, prints)).toBe(false)
  await store.put(BYTES)
  expect(await store.holds(ID, prints)).toBe(true)
  const damaged = Buffer.from(BYTES)
  damaged[7]! ^= 1
  bucket.objects.set(ID, { bytes: damaged, modifiedMs: 0 })
  expect(await store.holds(ID, prints)).toBe(false)
})
