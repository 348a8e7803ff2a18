// All media stores behave alike: stored bytes are returned, once, whole or in part.
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createMediaRemoval } from '#server/privacy/media-removal.ts'
import { createMediaSweep } from '#server/privacy/media-sweep.ts'
import { createDatabaseStore } from '#server/storage/database.ts'
import { openFolderStore } from '#server/storage/folder.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import { databaseClock } from '#tests/support/clock.ts'
import { openBase } from '#tests/support/database.ts'
import { silentLog } from '#tests/support/gateway.ts'
import { openBucketStore, openLayeredStore } from '#tests/support/media.ts'
import { openScriptedBucket } from '#tests/support/scripted-bucket.ts'
import { makeBroker, makeCampaign, makeContact, makeMessage } from '#tests/support/make.ts'

const stores: Record<string, MediaStore> = {}
/** How far the folder's clock is ahead; the database has its own, so there the rows are made older. */
const ahead = { ms: 0 }
async function rest() {
  ahead.ms += 120_000
  for (const bucket of buckets) bucket.age(120_000)
  await test.db.query(`update portal.media_puts set put_at = put_at - interval '2 minutes'`)
  await test.db.query(`update portal.media set put_at = put_at - interval '2 minutes'`)
}
const test = await openBase()
const folder = await mkdtemp(path.join(tmpdir(), 'portal-media-'))
stores['folder'] = await openFolderStore(path.join(folder, 'media'), () => Date.now() + ahead.ms)
stores['database'] = createDatabaseStore(test.db)
const buckets = [await openScriptedBucket(), await openScriptedBucket()]
const [alone, front] = buckets.map((bucket) => openBucketStore(test.db, bucket, () => Date.now() + ahead.ms))
if (!alone || !front) throw new Error('two buckets')
stores['bucket'] = alone
stores['bucket before the database'] = openLayeredStore(test.db, front)
afterAll(async () => {
  for (const bucket of buckets) await bucket.close()
  await rm(folder, { recursive: true, force: true })
})

const MORE_THAN_A_DAY_MS = 25 * 3_600_000
/** Makes it older, in either store. */
async function age(id: string) {
  const thenMs = Date.now() - MORE_THAN_A_DAY_MS
  await test.db.query('update portal.media set put_at = to_timestamp($2::numeric / 1000) where id = $1', [
    id,
    thenMs,
  ])
  for (const { objects } of buckets) {
    const kept = objects.get(id)
    if (kept) kept.modifiedMs = thenMs
  }
  const place = path.join(folder, 'media', id.slice(0, 2), id)
  await utimes(place, thenMs / 1000, thenMs / 1000).catch(() => undefined)
}

/** Longer than two chunks of the database's store, without repetition. */
const BYTES = Uint8Array.from({ length: 600_001 }, (_, index) => (index * 31 + (index >> 8)) % 251)

describe.each(['folder', 'database', 'bucket', 'bucket before the database'])('the %s', (name) => {
  const store = (): MediaStore => {
    const found = stores[name]
    if (!found) throw new Error(`no store ${name}`)
    return found
  }
  const read = async (id: string, range?: { start: number; end: number }) => {
    const stored = await store().find(id)
    return stored && new Uint8Array(await new Response(stored.read(range)).arrayBuffer())
  }

  it.each([0, 1, 262_144, 600_001])('returns %i bytes', async (length) => {
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
  ])('returns bytes %i to %i', async (start, end) => {
    const id = await store().put(BYTES)
    expect(
      Buffer.compare((await read(id, { start, end })) ?? Buffer.alloc(0), BYTES.subarray(start, end + 1)),
    ).toBe(0)
  })

  it('deletes bytes after a rest; put again, also just before, they stay', async () => {
    const bytes = BYTES.subarray(3, 300_000)
    const id = await store().put(bytes)
    expect([await store().remove(id), (await store().find(id))?.sizeBytes]).toEqual([false, bytes.length])
    await rest()
    await store().put(bytes)
    expect([await store().remove(id), (await store().find(id))?.sizeBytes]).toEqual([false, bytes.length])
    await rest()
    // Storing and deleting at once: in either order the stored bytes are there.
    const [, isGone] = await Promise.all([store().put(bytes), store().remove(id)])
    expect([isGone, (await store().find(id))?.sizeBytes]).toEqual([expect.any(Boolean), bytes.length])
    await rest()
    expect([await store().remove(id), await store().find(id)]).toEqual([true, null])
    expect([await store().remove(id), await store().remove('../../etc/passwd')]).toEqual([true, true])
    await store().put(bytes)
    expect(Buffer.compare((await read(id)) ?? Buffer.alloc(0), bytes)).toBe(0)
  })

  it('stores equal bytes once, also when they come at once', async () => {
    const bytes = BYTES.subarray(7, 70_000)
    const ids = await Promise.all([store().put(bytes), store().put(bytes), store().put(bytes)])
    expect(new Set(ids).size).toBe(1)
    expect(Buffer.compare((await read(ids[0] ?? '')) ?? Buffer.alloc(0), bytes)).toBe(0)
  })

  it('deletes unreferenced files once a day, unless they are younger than a day', async () => {
    const put = async (word: string) => store().put(Buffer.from(`${name} ${word}`))
    const [orphan, message, campaign, inbox, aside, young, again] = await Promise.all(
      ['orphan', 'message', 'campaign', 'inbox', 'aside', 'young', 'again'].map(put),
    )
    const { instanceName, id: broker } = await makeBroker(test.db)
    const lead = await makeContact(test.db, instanceName)
    await makeMessage(test.db, lead.id, { content: JSON.stringify({ mediaId: message }) })
    await makeCampaign(test.db, broker, {
      media: JSON.stringify({ kind: 'image', content: { mediaId: campaign } }),
    })
    const refers = (id: string | undefined) => [instanceName, `{"base64":"stored:${id}"}`]
    await test.db.query(
      `insert into portal.webhook_inbox ("instanceName", body, received_at) values ($1, $2, now())`,
      refers(inbox),
    )
    await test.db.query(
      `insert into portal.webhook_aside ("instanceName", body, reason) values ($1, $2, 'x')`,
      refers(aside),
    )
    await rest()
    for (const id of [orphan, message, campaign, inbox, aside, again]) await age(id ?? '')
    // About to be referenced: the same bytes, of a message being stored.
    await put('again')

    const clock = databaseClock()
    const parts = { db: test.db, clock, log: silentLog, storage: store() }
    const removal = createMediaRemoval(parts)
    const sweep = createMediaSweep({ ...parts, onNoted: removal.wake })
    const stops = [removal.start(), sweep.start()]
    const isThere = async (id: string | undefined) => (await store().find(id ?? '')) !== null
    const all = { orphan, message, campaign, inbox, aside, young, again }
    const there = async () => {
      const found = await Promise.all(Object.values(all).map(isThere))
      return Object.keys(all).filter((_, index) => found[index])
    }
    const pass = async (ms: number) => {
      clock.advance(ms)
      await sweep.settled()
      await removal.settled()
    }
    await pass(50 * 60_000)
    expect(await there()).toEqual(Object.keys(all))
    await pass(10 * 60_000)
    expect(await there()).toEqual(['message', 'campaign', 'inbox', 'aside', 'young', 'again'])

    // The file is deleted on the next day, not before.
    await test.db.query('delete from public.whatsapp_contacts where id = $1', [lead.id])
    await pass(23 * 3_600_000)
    expect(await isThere(message)).toBe(true)
    await test.db.exec('delete from portal.webhook_aside')
    await pass(3_600_000)
    expect([await isThere(message), await isThere(aside), await isThere(inbox)]).toEqual([false, false, true])
    for (const stop of stops) await stop()
    await test.db.exec('delete from portal.webhook_inbox; delete from public.brokers')
  })

  it('names all that it holds', async () => {
    const put = await store().put(Buffer.from(`${name} all`))
    const all: string[] = []
    for await (const ids of store().list()) all.push(...ids)
    expect([all.includes(put), all.filter((id) => !/^[0-9a-f]{64}$/.test(id))]).toEqual([true, []])
  })

  it.each(['a'.repeat(64), '', '../../etc/passwd', 'A'.repeat(64), `${'a'.repeat(64)}/x`])(
    'has nothing under %j',
    async (id) => {
      expect(await store().find(id)).toBeNull()
    },
  )
})

it('leftovers of an interrupted write are deleted from the folder a day later', async () => {
  const id = (await stores['folder']?.put(BYTES)) ?? ''
  const place = path.join(folder, 'media', id.slice(0, 2))
  const [old, fresh] = [path.join(place, `${id}.old`), path.join(place, `${id}.fresh`)]
  await writeFile(old, 'half')
  await writeFile(fresh, 'half')
  const thenSeconds = (Date.now() - MORE_THAN_A_DAY_MS) / 1000
  await utimes(old, thenSeconds, thenSeconds)
  const listed: string[] = []
  for await (const ids of stores['folder']?.listOld(Date.now() - 24 * 3_600_000) ?? []) listed.push(...ids)
  expect(listed).not.toContain(id)
  const its = (await readdir(place)).filter((file) => file.startsWith(id))
  expect(its.toSorted()).toEqual([id, `${id}.fresh`])
  await rm(fresh)
})

it('the folder contains no incomplete file', async () => {
  await stores['folder']?.put(BYTES)
  const names = await readdir(path.join(folder, 'media'), { recursive: true })
  expect(names.filter((file) => !/^[0-9a-f]{2}(\/[0-9a-f]{64})?$/.test(file))).toEqual([])
})
