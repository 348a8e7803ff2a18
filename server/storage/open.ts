// The media store that the settings name: a folder, the database, or a bucket in front of them.
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import type { Log } from '#server/log.ts'
import { createBucketStore, type BucketStore } from './bucket/bucket.ts'
import { isRefusal, wordsOf } from './bucket/faults.ts'
import { createBucketRequests } from './bucket/requests.ts'
import type { BucketSettings } from './bucket/sending.ts'
import { createDatabaseStore } from './database.ts'
import { openFolderStore } from './folder.ts'
import { createLayeredStore } from './layered.ts'
import type { MediaStore } from './media-store.ts'
import { createMemoryNotes, createSharedNotes } from './put-notes.ts'
import { createWaiting } from './waiting.ts'

type Parts = { db: Database; clock: Clock; log: Log; bucket: BucketSettings | undefined; folder: string }

export type Media = {
  storage: MediaStore
  /**
   * To call once the database has its schema. Raises `storage.unusable`, `storage.not-moved` or
   * `storage.bucket-missing`, each with what to do.
   */
  settle: () => Promise<void>
  /** Starts background work; returns the function that stops it. */
  start: () => () => Promise<void>
}

export async function openMedia(parts: Parts): Promise<Media> {
  const { db, bucket: settings } = parts
  const home = await openHome(parts)
  if (!settings)
    return { storage: home, settle: () => requireNoBucket(db), start: () => () => Promise.resolve() }
  const bucket = openBucket({ ...parts, bucket: settings })
  const rows = createDatabaseStore(db)
  const others = db.engine === 'postgres' ? [rows] : [rows, home]
  const waiting = createDatabaseStore(db, { isWaiting: true })
  return {
    storage: createLayeredStore({ bucket, waiting, others }),
    settle: async () => {
      await requireUsable(bucket, parts, placeOf(settings))
      if (db.engine === 'pglite' && !bucket.isAway()) await requireMoved(home, bucket)
      await recordPlace(db, placeOf(settings))
    },
    start: createWaiting({ ...parts, bucket, rows }).start,
  }
}

/** The store without a bucket. */
export const openHome = async ({ db, folder }: Pick<Parts, 'db' | 'folder'>): Promise<MediaStore> =>
  db.engine === 'postgres' ? createDatabaseStore(db) : openFolderStore(folder)

type BucketParts = {
  /** Null: the database is embedded, and another process uses it. */
  db: Pick<Database, 'engine' | 'query' | 'transaction'> | null
  clock: Clock
  log: Log
  bucket: BucketSettings
}

export function openBucket({ db, clock, log, bucket }: BucketParts): BucketStore {
  const notes = db?.engine === 'postgres' ? createSharedNotes(db, placeOf(bucket)) : createMemoryNotes(clock)
  return createBucketStore(createBucketRequests(bucket, clock), { notes, clock, log })
}

/** Identifies a bucket, without its keys. */
export const placeOf = ({ endpoint, bucket }: BucketSettings): string =>
  `${endpoint.replace(/\/+$/, '')}/${bucket}`

/**
 * The bucket into which the portals over this database put media; null if there is none, or all media were moved back.
 */
export async function readPlace(db: Pick<Database, 'query'>): Promise<string | null> {
  const { rows } = await db.query<{ place: string }>(
    `select value #>> '{}' as place from portal.settings where key = 'media_bucket'`,
  )
  return rows[0]?.place ?? null
}

export const recordPlace = async (db: Pick<Database, 'query'>, place: string): Promise<void> =>
  void (await db.query(
    `insert into portal.settings (key, value) values ('media_bucket', to_jsonb($1::text))
    on conflict (key) do update set value = excluded.value`,
    [place],
  ))

export const forgetPlace = async (db: Pick<Database, 'query'>): Promise<void> =>
  void (await db.query(`delete from portal.settings where key = 'media_bucket'`))

async function requireNoBucket(db: Database) {
  const place = await readPlace(db)
  if (place !== null)
    throw new PortalError(
      'storage.bucket-missing',
      `As mídias deste portal estão em ${place}. Defina S3_ENDPOINT e as outras variáveis S3_*, ou traga as mídias de volta com npm run move-media -- --back.`,
    )
}

/** The portal also starts while a bucket that was used before is unreachable: texts still work. */
async function requireUsable(bucket: BucketStore, { db, log }: Parts, place: string) {
  const fault = await bucket.prove()
  if (!fault) return
  if (isRefusal(fault) || (await readPlace(db)) !== place) throw unusable(wordsOf(fault), fault)
  log.warn('media.store-away', { status: fault.status, s3Code: fault.code })
}

export const unusable = (words: string, cause: unknown) =>
  new PortalError('storage.unusable', `O depósito de mídias não pode ser usado: ${words}.`, { cause })

/** Backups of an embedded database contain the media folder, but not the bucket. */
async function requireMoved(home: MediaStore, bucket: BucketStore) {
  const left = new Set<string>()
  for await (const ids of home.list()) for (const id of ids) left.add(id)
  if (left.size === 0) return
  for await (const ids of bucket.list()) for (const id of ids) left.delete(id)
  if (left.size > 0)
    throw new PortalError(
      'storage.not-moved',
      `A pasta de mídias tem ${left.size} que não estão no depósito. Com o portal parado, rode npm run move-media com as mesmas variáveis S3_*, e inicie de novo.`,
    )
}
