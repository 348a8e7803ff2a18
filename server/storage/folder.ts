// Media bytes as files in a folder of DATA_DIR, for the embedded database.
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { randomUUID } from 'node:crypto'
import { isMediaId, mediaId, type MediaStore } from './media-store.ts'

/** The store in `folder`, made when missing. */
export async function openFolderStore(folder: string): Promise<MediaStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const placeOf = (id: string) => path.join(folder, id.slice(0, 2), id)

  return {
    put: async (bytes) => {
      const id = mediaId(bytes)
      if ((await sizeOf(placeOf(id))) !== bytes.length) await writeWhole(placeOf(id), bytes)
      return id
    },
    find: async (id) => {
      const sizeBytes = isMediaId(id) ? await sizeOf(placeOf(id)) : null
      if (sizeBytes === null) return null
      return { sizeBytes, read: (range) => toWeb(createReadStream(placeOf(id), range)) }
    },
  }
}

/** Written aside, made durable, then put in its place, so that a file in place is whole. */
async function writeWhole(place: string, bytes: Uint8Array) {
  await mkdir(path.dirname(place), { recursive: true, mode: 0o700 })
  const aside = `${place}.${randomUUID()}`
  const file = await open(aside, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(aside, place)
  const folder = await open(path.dirname(place), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function sizeOf(place: string): Promise<number | null> {
  return stat(place).then(
    (file) => file.size,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    },
  )
}

/** Node's own conversion is typed for the DOM's stream, which is the same thing. */
function toWeb(stream: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(stream) as ReadableStream<Uint8Array>
}
