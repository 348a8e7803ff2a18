// Takes media bytes out of a delivery before it is read and stored: references stand in their place.
import { storedReference, type DeliveredFile } from '#server/delivery.ts'
import { mediaId } from '#server/storage/media-store.ts'

/** 'held:0' refers to the first file that was decoded while the delivery was received. */
const HELD = /^held:(\d+)$/

export type MediaSource = {
  held: readonly (Uint8Array | null)[]
  /** A file at an address of the gateway; null if it cannot be had now. A person who opens it asks again. */
  fetchFile: (address: string) => Promise<Uint8Array | null>
}

/** Replaces every file by its reference; returns the bytes, which the caller stores. */
export async function detachMedia(
  files: readonly DeliveredFile[],
  source: MediaSource,
): Promise<Uint8Array[]> {
  const detached: Uint8Array[] = []
  for (const file of files) {
    const bytes = await bytesOf(file, source)
    const isFile = bytes !== null && bytes.length > 0
    file.replace(isFile ? storedReference(mediaId(bytes)) : null)
    if (isFile) detached.push(bytes)
  }
  return detached
}

async function bytesOf(file: DeliveredFile, { held, fetchFile }: MediaSource): Promise<Uint8Array | null> {
  if ('address' in file) return fetchFile(file.address)
  const found = HELD.exec(file.base64)
  return found ? (held[Number(found[1])] ?? null) : Buffer.from(file.base64, 'base64')
}
