// Media of the backups: files never change, so all backups share them as hard links.
import { copyFile, link, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { isMediaId } from '#server/storage/media-store.ts'
import { makeFolder } from './files.ts'

/** The ids of the files in a media folder (server/storage/folder.ts). */
export async function mediaIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return entries.map((entry) => path.basename(entry)).filter(isMediaId)
}

export const mediaFile = (folder: string, id: string): string => path.join(folder, id.slice(0, 2), id)

/** Adds media that `to` lacks; returns those that `from` lacks, too. */
export async function bringMedia(ids: readonly string[], from: string, to: string): Promise<string[]> {
  const there = new Set(await mediaIn(to))
  const missing: string[] = []
  for (const id of ids) {
    if (there.has(id)) continue
    const file = mediaFile(to, id)
    await makeFolder(path.dirname(file))
    if (!(await bring(mediaFile(from, id), file))) missing.push(id)
  }
  return missing
}

export async function removeMedia(folder: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) await rm(mediaFile(folder, id), { force: true })
}

/** A hard link takes no space; on a disk without hard links, a copy is made under another name and renamed. */
async function bring(from: string, file: string): Promise<boolean> {
  try {
    await link(from, file)
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOENT') return false
    if (code === 'EEXIST') return true
  }
  await copyFile(from, `${file}.new`)
  await rename(`${file}.new`, file)
  return true
}
