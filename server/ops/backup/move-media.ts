// Moves media from the embedded database's folder into the tables of a database server (storage port).
import { readFile } from 'node:fs/promises'
import { PortalError } from '#domain/errors.ts'
import type { Query } from '#server/db/database.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import { mediaIn, mediaFile } from './media.ts'

export type CopiedMedia = { count: number; bytes: number }

const TOTAL = `select (select count(*) from portal.media) as count,
  (select coalesce(sum(length(bytes)), 0)::bigint from portal.media_chunks) as bytes`

/** Raises `move.media-differ`: a file does not match its checksum, or the target does not hold what was copied. */
export async function copyMedia(folder: string, store: MediaStore, target: Query): Promise<CopiedMedia> {
  // Rows that waited in the source for a bucket have come with the tables.
  const { rows: before } = await target<CopiedMedia>(TOTAL)
  const { rows: known } = await target<{ id: string }>('select id from portal.media')
  const there = new Set(known.map(({ id }) => id))
  const brought = before[0] ?? { count: 0, bytes: 0 }
  for (const id of await mediaIn(folder)) {
    if (there.has(id)) continue
    const bytes = await readFile(mediaFile(folder, id))
    // The id is the checksum of the bytes.
    if ((await store.put(bytes)) !== id) throw differ(id)
    brought.count += 1
    brought.bytes += bytes.length
  }
  const { rows } = await target<CopiedMedia>(TOTAL)
  if (rows[0]?.count !== brought.count || rows[0].bytes !== brought.bytes) throw differ('no total')
  return brought
}

const differ = (what: string) =>
  new PortalError(
    'move.media-differ',
    `Uma mídia (${what}) não chegou ao destino como saiu. Nada foi gravado lá, e nada mudou aqui.`,
  )
