// Media bytes as rows, for a portal whose database is elsewhere and whose own disk may not last.
import type { Database } from '#server/db/database.ts'
import { isMediaId, mediaId, RESTING_MS, type MediaStore } from './media-store.ts'

const CHUNK_BYTES = 256 * 1024
const GROUP = 500
/** A time later than that of any row. */
const FOREVER_MS = 253_402_300_800_000

/** `isWaiting`: what is put here waits for the bucket (waiting.ts). */
export function createDatabaseStore(
  db: Pick<Database, 'query' | 'transaction'>,
  { isWaiting = false } = {},
): MediaStore {
  async function* list(beforeMs: number) {
    let last = ''
    for (;;) {
      const { rows } = await db.query<{ id: string }>(
        'select id from portal.media where id > $1 and put_at < to_timestamp($2::numeric / 1000) order by id limit $3',
        [last, beforeMs, GROUP],
      )
      const ids = rows.map(({ id }) => id)
      if (ids.length === 0) return
      yield ids
      last = ids.at(-1) ?? ''
    }
  }

  async function readChunk(id: string, index: number): Promise<Uint8Array | null> {
    const { rows } = await db.query<{ bytes: Uint8Array }>(
      'select bytes from portal.media_chunks where media_id = $1 and index = $2',
      [id, index],
    )
    return rows[0]?.bytes ?? null
  }

  return {
    put: async (bytes) => {
      const id = mediaId(bytes)
      await db.transaction(async (query) => {
        const { rows } = await query<{ is_new: boolean }>(
          `insert into portal.media as m (id, size_bytes, is_waiting) values ($1, $2, $3)
          on conflict (id) do update set put_at = now(), is_waiting = m.is_waiting or excluded.is_waiting
          returning xmax = 0 as is_new`,
          [id, bytes.length, isWaiting],
        )
        if (rows[0]?.is_new !== true) return
        for (let index = 0; index * CHUNK_BYTES < bytes.length; index++)
          await query('insert into portal.media_chunks (media_id, index, bytes) values ($1, $2, $3)', [
            id,
            index,
            Buffer.from(bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES)),
          ])
      })
      return id
    },
    remove: async (id) => {
      const { rows } = await db.query<{ is_kept: boolean }>(
        `with gone as (delete from portal.media where id = $1 and put_at <= now() - make_interval(secs => $2) returning 1)
        select not exists (select from gone) and exists (select from portal.media where id = $1) as is_kept`,
        [id, RESTING_MS / 1000],
      )
      return rows[0]?.is_kept !== true
    },
    list: () => list(FOREVER_MS),
    listOld: list,
    find: async (id) => {
      if (!isMediaId(id)) return null
      const { rows } = await db.query<{ size_bytes: number }>(
        'select size_bytes from portal.media where id = $1',
        [id],
      )
      const sizeBytes = rows[0]?.size_bytes
      if (sizeBytes === undefined) return null
      return {
        sizeBytes,
        read: ({ start, end } = { start: 0, end: sizeBytes - 1 }) => {
          let index = Math.floor(start / CHUNK_BYTES)
          return new ReadableStream({
            pull: async (controller) => {
              const from = index * CHUNK_BYTES
              const chunk = from > end ? null : await readChunk(id, index++)
              if (chunk === null) return controller.close()
              controller.enqueue(chunk.subarray(Math.max(0, start - from), end - from + 1))
            },
          })
        },
      }
    },
  }
}
