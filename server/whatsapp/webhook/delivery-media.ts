// Takes media bytes out of a delivery before it is stored: the store keeps them once, the body a reference.
import { storedReference, type DeliveredFile } from '#server/delivery.ts'
import { keepMedia, type MediaStore } from '#server/storage/media-store.ts'

/** 'held:0' refers to the first file that was decoded while the delivery was received. */
const HELD = /^held:(\d+)$/

export type MediaSource = {
  held: readonly (Uint8Array | null)[]
  store: MediaStore
  /** A file at an address of the gateway; null if it cannot be had now. A person who opens it asks again. */
  fetchFile: (address: string) => Promise<Uint8Array | null>
}

/** Stores the bytes of every file durably and replaces them by a reference. */
export async function detachMedia(files: readonly DeliveredFile[], source: MediaSource): Promise<void> {
  for (const file of files) {
    const bytes = await bytesOf(file, source)
    file.replace(bytes && bytes.length > 0 ? storedReference(await keepMedia(source.store, bytes)) : null)
  }
}

async function bytesOf(file: DeliveredFile, { held, fetchFile }: MediaSource): Promise<Uint8Array | null> {
  if ('address' in file) return fetchFile(file.address)
  const found = HELD.exec(file.base64)
  return found ? (held[Number(found[1])] ?? null) : Buffer.from(file.base64, 'base64')
}
