// The bytes of a message's media: from storage, or fetched from the gateway at the first request.
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import { asUser, type Claims } from '#server/db/as-user.ts'
import type { Database, Query } from '#server/db/database.ts'
import { createLanes } from '#server/lanes.ts'
import type { Log } from '#server/log.ts'
import { GatewayError, type Gateway } from '#server/gateway.ts'
import { keepMedia, type MediaStore } from '#server/storage/media-store.ts'

const Content = v.looseObject({
  mediaId: v.nullable(v.string()),
  mimeType: v.string(),
  fileName: v.nullable(v.string()),
  sizeBytes: v.nullable(v.number()),
})

export type FoundMedia = { mediaId: string; mimeType: string; fileName: string; sizeBytes: number | null }

type MediaParts = { db: Database; log: Log; storage: MediaStore; gateway: Gateway | null }

/** A fetched file is held in memory as a whole. */
const FETCHES_AT_ONCE = 2

/**
 * The media of a message that this person (null: the portal itself) may read. Raises `media.unknown` and
 * `media.unavailable`, both 404, and `media.store-away`.
 */
export function createFindMedia(parts: MediaParts) {
  const fetchOnce = createFetchOnce((row: MissingMedia) => fetchIntoStore(parts, row))

  return async (claims: Claims | null, messageId: number): Promise<FoundMedia> => {
    const ask = (query: Query) =>
      query<MissingMedia & { content: unknown }>(
        `select id, content, message_id, "instanceName" from public.whatsapp_messages where id = $1`,
        [messageId],
      )
    const { rows } = await (claims === null ? ask(parts.db.query) : asUser(parts.db, claims, ask))
    const [row] = rows
    const content = v.safeParse(Content, row?.content)
    if (!row || !content.success) throw unknown()
    const { mimeType, fileName, sizeBytes } = content.output
    const known = { mimeType, fileName: fileName ?? 'arquivo', sizeBytes }
    const { mediaId } = content.output
    if (mediaId !== null) {
      // Refuses now, instead of answering an address that would not open. Some files are in another store than the
      // one that is away.
      if (parts.storage.isAway?.()) await parts.storage.find(mediaId)
      return { ...known, mediaId }
    }
    return { ...known, ...(await fetchOnce(row)) }
  }
}

type Kept = { mediaId: string; sizeBytes: number }
type MissingMedia = { id: number; message_id: string | null; instanceName: string | null }

/** Concurrent requests for one message share a fetch, and few fetches run at a time. */
function createFetchOnce(load: (row: MissingMedia) => Promise<Kept>) {
  const running = new Map<number, Promise<Kept>>()
  const inTurn = createLanes(FETCHES_AT_ONCE)
  return (row: MissingMedia): Promise<Kept> => {
    const known = running.get(row.id)
    if (known) return known
    const fetching = inTurn(() => load(row))
    running.set(row.id, fetching)
    const end = () => running.delete(row.id)
    fetching.then(end, end)
    return fetching
  }
}

async function fetchIntoStore(parts: MediaParts, row: MissingMedia): Promise<Kept> {
  const bytes = await fetchBytes(parts, row)
  const mediaId = await keepMedia(parts.storage, bytes)
  const { rowCount } = await parts.db.query(
    `update public.whatsapp_messages
     set content = content || jsonb_build_object('mediaId', $2::text, 'sizeBytes', $3::bigint)
     where id = $1 and content is not null`,
    [row.id, mediaId, bytes.byteLength],
  )
  if (rowCount === 0) {
    // The file was erased meanwhile, together with its person or alone.
    await parts.db.query('select portal.note_orphaned_media(array[$1::text])', [mediaId])
    throw unknown()
  }
  return { mediaId, sizeBytes: bytes.byteLength }
}

async function fetchBytes(
  { gateway, log }: MediaParts,
  { message_id: messageId, instanceName }: MissingMedia,
): Promise<Uint8Array> {
  if (!gateway || messageId === null || instanceName === null) throw unavailable()
  try {
    return await gateway.fetchMedia(instanceName, messageId)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    log.warn('media.fetch-failed', { fault: error.fault, status: error.status })
    throw unavailable(error)
  }
}

const unknown = () => new PortalError('media.unknown', 'Mídia não encontrada.', { status: 404 })
const unavailable = (cause?: unknown) =>
  new PortalError('media.unavailable', 'Mídia indisponível no momento.', { status: 404, cause })
