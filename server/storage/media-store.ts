// Where media bytes live, behind one port: a folder, or the database. Bytes are named by their SHA-256.
import { createHash } from 'node:crypto'

export type StoredMedia = {
  sizeBytes: number
  /** The bytes from `start` to `end`, both included, in pieces. */
  read(range?: { start: number; end: number }): ReadableStream<Uint8Array>
}

export type MediaStore = {
  /** Keeps the bytes, durably once it resolves, and answers their id; the same bytes have the same id. */
  put(bytes: Uint8Array): Promise<string>
  find(id: string): Promise<StoredMedia | null>
  /**
   * Lets bytes go for good; a repeat changes nothing. False where they were put a moment ago: whoever did so is about to
   * refer to them.
   */
  remove(id: string): Promise<boolean>
  /** The ids of bytes that were put before then, in groups; what a writing left that was cut off before then goes. */
  listOld(beforeMs: number): AsyncIterable<string[]>
}

/** From putting bytes to referring to them it is a write or two; a busy database may let them wait. */
export const RESTING_MS = 60_000

export function mediaId(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** An id is part of a path, so nothing else passes for one. */
export function isMediaId(id: string): boolean {
  return /^[0-9a-f]{64}$/.test(id)
}
