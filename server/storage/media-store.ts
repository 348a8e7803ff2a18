// Where media bytes live, behind one port: a folder, the database, or a bucket. Bytes are named by their SHA-256.
import { createHash } from 'node:crypto'
import { PortalError } from '#domain/errors.ts'

export type StoredMedia = {
  sizeBytes: number
  /** The bytes from `start` to `end`, both included, in pieces. */
  read(range?: { start: number; end: number }): ReadableStream<Uint8Array>
}

export type MediaStore = {
  /** Stores the bytes, durably once it resolves, and answers their id. The same bytes have the same id. */
  put(bytes: Uint8Array): Promise<string>
  /**
   * Stores bytes that the gateway may not send again: they wait in the database while a bucket is away. Without it,
   * `put`.
   */
  keep?(bytes: Uint8Array): Promise<string>
  find(id: string): Promise<StoredMedia | null>
  /**
   * Deletes the bytes; a repeat changes nothing. False if they were put a moment ago, because a message is about to
   * refer to them.
   */
  remove(id: string): Promise<boolean>
  /** All ids, in groups. */
  list(): AsyncIterable<string[]>
  /**
   * The ids of bytes that were put before then, in groups. Remains of interrupted writes from before then are deleted.
   */
  listOld(beforeMs: number): AsyncIterable<string[]>
  /** True from a request without an answer until the next answered one. Local stores do not have it. */
  isAway?(): boolean
}

/** Stores bytes that may not come again. */
export const keepMedia = (store: MediaStore, bytes: Uint8Array): Promise<string> =>
  store.keep ? store.keep(bytes) : store.put(bytes)

const AWAY = 'media.store-away'

/** The error of a store that could not be reached. Nothing was stored, so the caller tries again. */
export const storeAway = (cause: unknown) =>
  new PortalError(AWAY, 'As mídias não respondem agora. Tente de novo em instantes.', { status: 503, cause })

export const isStoreAway = (error: unknown): boolean => error instanceof PortalError && error.code === AWAY

/** A message refers to its bytes one or two writes after the put; a busy database may delay these. */
export const RESTING_MS = 60_000

export function mediaId(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Checked strictly, because an id becomes part of a path. */
export function isMediaId(id: string): boolean {
  return /^[0-9a-f]{64}$/.test(id)
}

/** `md5`: many object stores report it as the entity tag. */
export type Prints = { sha256: string; md5: string; sizeBytes: number }

export async function readPrints(bytes: ReadableStream<Uint8Array>): Promise<Prints> {
  const [sha256, md5] = [createHash('sha256'), createHash('md5')]
  let sizeBytes = 0
  for await (const piece of bytes as unknown as AsyncIterable<Uint8Array>) {
    sha256.update(piece)
    md5.update(piece)
    sizeBytes += piece.length
  }
  return { sha256: sha256.digest('hex'), md5: md5.digest('hex'), sizeBytes }
}
