// `npm run move-media` with the embedded database: from its folder into a bucket and back, cut off and resumed.
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { lockDirectory } from '#server/db/pglite/directory-lock.ts'
import { openPglite } from '#server/db/pglite/pglite.ts'
import { createDatabaseStore } from '#server/storage/database.ts'
import { openFolderStore } from '#server/storage/folder.ts'
import { mediaId } from '#server/storage/media-store.ts'
import { ALL, COUNT, fill, idsOf, openRemoval, type Removal } from '#tests/support/move-media.ts'
import { copyMigrated } from '#tests/support/runner/global-setup.ts'

let removal: Removal
beforeEach(async () => void (removal = await openRemoval()))
afterEach(() => removal.close())

const folder = () => openFolderStore(path.join(removal.dataDir, 'media'))
const withDatabase = async <T>(run: (db: Database) => Promise<T>): Promise<T> => {
  const db = await openPglite({ dataDir: path.join(removal.dataDir, 'database') })
  try {
    return await run(db)
  } finally {
    await db.close()
  }
}
beforeEach(async () => {
  await copyMigrated(path.join(removal.dataDir, 'database'))
  await fill(await folder())
})

test('a copy while the portal runs, the rest once it stands still; then it starts with the bucket alone', async () => {
  await expect(withDatabase((db) => removal.settle(db, true))).rejects.toMatchObject({
    code: 'storage.not-moved',
    message: `A pasta de mídias tem ${COUNT} que não estão no depósito. Com o portal parado, rode npm run move-media com as mesmas variáveis S3_*, e inicie de novo.`,
  })
  const release = lockDirectory(path.join(removal.dataDir, 'database'))
  expect(await removal.move()).toContain(
    `levadas a ${removal.bucket.settings.endpoint}/media: ${COUNT}; já ali: 0`,
  )
  release()
  expect([
    removal.inBucket(),
    [...removal.bucket.objects].every(([id, { bytes }]) => mediaId(bytes) === id),
    await idsOf(await folder()),
  ]).toEqual([ALL, true, ALL])

  await (await folder()).put(Buffer.from('veio depois'))
  const late = mediaId(Buffer.from('veio depois'))
  expect(await removal.move()).toContain(`: 1; já ali: ${COUNT}`)
  expect([removal.inBucket(), await idsOf(await folder())]).toEqual([[...ALL, late].toSorted(), []])
  await withDatabase(async (db) => {
    await removal.settle(db, true)
    await expect(removal.settle(db, false)).rejects.toMatchObject({ code: 'storage.bucket-missing' })
  })

  removal.bucket.age(120_000)
  expect(await removal.move(['--back'])).toContain(`: ${COUNT + 1}; já aqui: 0`)
  expect([removal.inBucket(), await idsOf(await folder())]).toEqual([[], [...ALL, late].toSorted()])
  await withDatabase((db) => removal.settle(db, false))
})

test('cut off it goes on; a store that is away for a moment is waited for', async () => {
  removal.bucket.fail('PUT', ...Array.from({ length: 3 }, () => ({ status: 403 })))
  const waits: number[] = []
  expect(await removal.move([], (ms) => void waits.push(ms))).toContain(`: ${COUNT}; já ali: 0`)
  expect(waits).toContain(5_000)

  removal.bucket.age(120_000)
  removal.bucket.state.isDown = true
  await expect(removal.move(['--back'])).rejects.toMatchObject({ code: 'storage.unusable' })
  expect(removal.bucket.objects.size).toBe(COUNT)
})

test('bytes that are not what their name says stay where they are, and are named', async () => {
  const [damaged = ''] = ALL
  const file = path.join(removal.dataDir, 'media', damaged.slice(0, 2), damaged)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, 'outra coisa')
  const said = await removal.move()
  expect(said).toContain(`Não são o que o nome diz e ficaram onde estavam: ${damaged}.`)
  expect([removal.inBucket(), await idsOf(await folder())]).toEqual([ALL.slice(1), [damaged]])
})

test('what waits in the database for the bucket goes along, both ways', async () => {
  const waiting = Buffer.from('veio enquanto não respondia')
  const put = (db: Database) => createDatabaseStore(db, { isWaiting: true }).put(waiting)
  const age = (db: Database) => db.exec(`update portal.media set put_at = put_at - interval '2 minutes'`)
  await withDatabase(async (db) => [await put(db), await age(db)])
  await removal.move()
  expect(removal.inBucket()).toContain(mediaId(waiting))
  removal.bucket.age(120_000)
  await withDatabase(async (db) => [await put(db), await age(db)])
  await removal.move(['--back'])
  expect(await idsOf(await folder())).toEqual([...ALL, mediaId(waiting)].toSorted())
  expect(await withDatabase(async (db) => idsOf(createDatabaseStore(db)))).toEqual([])
})

test('without a bucket, without a database, with another word: refused', async () => {
  await expect(removal.move(['--to', 'x'])).rejects.toMatchObject({ code: 'move.usage' })
  vi.stubEnv('S3_BUCKET', 'outro')
  await expect(removal.move()).rejects.toMatchObject({
    code: 'storage.unusable',
    message: 'O depósito de mídias não pode ser usado: o bucket de S3_BUCKET não existe ali.',
  })
  for (const name of Object.keys(removal.bucket.env)) vi.stubEnv(name, '')
  await expect(removal.move()).rejects.toMatchObject({ code: 'move.no-bucket' })
  for (const [name, value] of Object.entries(removal.bucket.env)) vi.stubEnv(name, value)
  vi.stubEnv('DATA_DIR', path.join(removal.dataDir, 'nada'))
  await expect(removal.move()).rejects.toMatchObject({ code: 'move.nothing' })
  expect((await readdir(path.join(removal.dataDir, 'media'))).length).toBeGreaterThan(0)
})
