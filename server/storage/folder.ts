// Media bytes as files in a folder of DATA_DIR, for the embedded database.
import { createReadStream, unlinkSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { randomUUID } from 'node:crypto'
import { isMediaId, mediaId, RESTING_MS, type MediaStore } from './media-store.ts'

/** The store in `folder`, created if missing. Only one process uses it, so recent puts are remembered in memory. */
export async function openFolderStore(folder: string, now: () => number = Date.now): Promise<MediaStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const fileOf = (id: string) => path.join(folder, id.slice(0, 2), id)
  const putAtMs = new Map<string, number>()

  function note(id: string) {
    // In the order of putting: the first are the oldest.
    for (const [known, atMs] of putAtMs) {
      if (atMs > now() - RESTING_MS) break
      putAtMs.delete(known)
    }
    putAtMs.delete(id)
    putAtMs.set(id, now())
  }

  return {
    put: async (bytes) => {
      const id = mediaId(bytes)
      note(id)
      if ((await sizeOf(fileOf(id))) !== bytes.length) await writeWhole(fileOf(id), bytes)
      note(id)
      return id
    },
    remove: async (id) => {
      if (!isMediaId(id)) return true
      if ((putAtMs.get(id) ?? -Infinity) > now() - RESTING_MS) return false
      // This is synchronous with the check above, so that nobody can put the same bytes in between.
      unlinkIfThere(fileOf(id))
      return true
    },
    list: async function* () {
      for (const name of await readdir(folder)) {
        const ids = (await readdir(path.join(folder, name))).filter(isMediaId)
        if (ids.length > 0) yield ids
      }
    },
    listOld: async function* (beforeMs) {
      for (const name of await readdir(folder)) {
        const ids = await oldIn(path.join(folder, name), beforeMs)
        if (ids.length > 0) yield ids
      }
    },
    find: async (id) => {
      const sizeBytes = isMediaId(id) ? await sizeOf(fileOf(id)) : null
      if (sizeBytes === null) return null
      return { sizeBytes, read: (range) => toWeb(createReadStream(fileOf(id), range)) }
    },
  }
}

function unlinkIfThere(file: string) {
  try {
    unlinkSync(file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}

/** Writes a temporary file, syncs it and renames it, so that a file with its final name is complete. */
async function writeWhole(file: string, bytes: Uint8Array) {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const aside = `${file}.${randomUUID()}`
  const handle = await open(aside, 'wx', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(aside, file)
  const folder = await open(path.dirname(file), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Files with other names are temporary files of `writeWhole`. */
async function oldIn(folder: string, beforeMs: number): Promise<string[]> {
  const ids: string[] = []
  for (const entry of await readdir(folder)) {
    const file = path.join(folder, entry)
    // A file that was deleted meanwhile is skipped, as a young one is.
    const changedAtMs = await stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => Infinity,
    )
    if (changedAtMs >= beforeMs) continue
    if (isMediaId(entry)) ids.push(entry)
    else await rm(file, { force: true })
  }
  return ids
}

async function sizeOf(file: string): Promise<number | null> {
  return stat(file).then(
    (stats) => stats.size,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    },
  )
}

/** Node types its conversion for the DOM's stream, which has the same interface. */
function toWeb(stream: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(stream) as ReadableStream<Uint8Array>
}
