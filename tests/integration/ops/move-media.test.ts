// `npm run move-media` beside portals over a Postgres: from the database into a bucket and back, while they work.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDatabaseStore } from '#server/storage/database.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import { onPostgres, openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { ALL, COUNT, fill, idsOf, openRemoval, type Removal } from '#tests/support/move-media.ts'
import { isDeepRun } from '#tests/support/runner/tier.ts'

let removal: Removal
beforeEach(async () => void (removal = await openRemoval()))
afterEach(() => removal.close())

onPostgres.describe('with a Postgres', () => {
  let target: TestDatabase
  let rows: MediaStore
  beforeEach(async () => {
    target = await openTestDatabase('migrated')
    vi.stubEnv('DATABASE_URL', target.url ?? '')
    rows = createDatabaseStore(target.db)
    await fill(rows)
    await rest()
  })
  afterEach(() => target.close())
  const rest = async () => {
    removal.bucket.age(120_000)
    await target.db.query(`update portal.media set put_at = put_at - interval '2 minutes'`)
    await target.db.query(`update portal.media_puts set put_at = put_at - interval '2 minutes'`)
  }

  test.runIf(isDeepRun)(
    'copied while portals read the database alone; carried once they read both; nobody misses a file meanwhile',
    async () => {
      expect(await removal.move()).toContain('As cópias no banco ficaram')
      expect([removal.inBucket(), await idsOf(rows)]).toEqual([ALL, ALL])

      const storage = await removal.settle(target.db, true)
      await rest()
      const moving = new AbortController()
      const missed: string[] = []
      const readers = ['a', 'b'].map(async () => {
        for (let n = 0; !moving.signal.aborted; n = (n + 1) % COUNT) {
          const found = await storage.find(ALL[n] ?? '')
          if (!found) missed.push(ALL[n] ?? '')
        }
      })
      const fresh = await storage.put(Buffer.from('enviada durante a mudança'))
      expect(await removal.move()).toContain(`: 0; já ali: ${COUNT}`)
      expect([removal.inBucket(), await idsOf(rows)]).toEqual([[...ALL, fresh].toSorted(), []])
      await rest()
      expect(await removal.move(['--back'])).toContain(`: ${COUNT + 1}; já aqui: 0`)
      moving.abort()
      await Promise.all(readers)
      expect([missed, removal.inBucket(), await idsOf(rows)]).toEqual([[], [], [...ALL, fresh].toSorted()])
      await removal.settle(target.db, false)

      // A portal that still uses the bucket says so by its next file.
      await storage.put(Buffer.from('de um portal que ainda usa o depósito'))
      await expect(removal.settle(target.db, false)).rejects.toMatchObject({
        code: 'storage.bucket-missing',
        message: `As mídias deste portal estão em ${removal.bucket.settings.endpoint}/media. Defina S3_ENDPOINT e as outras variáveis S3_*, ou traga as mídias de volta com npm run move-media -- --back.`,
      })
    },
  )

  test('a file that is erased on its way is noted for its removal', async () => {
    await removal.settle(target.db, true)
    removal.bucket.fail('PUT', { status: 503 })
    let gone = ''
    const onSleep = async () => {
      gone = removal.bucket.asked.findLast((line) => line.startsWith('PUT '))?.slice('PUT '.length) ?? ''
      await target.db.query('delete from portal.media where id = $1', [gone])
    }
    await removal.move([], onSleep)
    const { rows: noted } = await target.db.query('select media_id from portal.media_removals')
    expect([ALL.includes(gone), noted]).toEqual([true, [{ media_id: gone }]])
    expect(await idsOf(rows)).toEqual([])
  })

  test('a bucket that is not the portals’ is refused on the way back', async () => {
    await removal.settle(target.db, true)
    removal.bucket.state.bucket = 'outro'
    vi.stubEnv('S3_BUCKET', 'outro')
    await expect(removal.move(['--back'])).rejects.toMatchObject({ code: 'move.other-bucket' })
  })

  test('a portal starts while its bucket is away, unless it never was there', async () => {
    removal.bucket.state.isDown = true
    await expect(removal.settle(target.db, true)).rejects.toMatchObject({
      code: 'storage.unusable',
    })
    removal.bucket.state.isDown = false
    await removal.settle(target.db, true)
    removal.bucket.state.isDown = true
    await removal.settle(target.db, true)
    removal.bucket.state.isDown = false
    removal.bucket.state.bucket = 'outro'
    await expect(removal.settle(target.db, true)).rejects.toMatchObject({
      code: 'storage.unusable',
    })
  })
})

test('the settings of a bucket go together', async () => {
  vi.stubEnv('S3_REGION', '')
  await expect(removal.move()).rejects.toMatchObject({
    code: 'settings.invalid',
    message: 'S3_ENDPOINT e as outras vão juntas; falta S3_REGION',
  })
})
