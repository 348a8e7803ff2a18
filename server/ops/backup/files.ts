// Backup files in DATA_DIR/backups: names, list, and how many are kept.
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'

export type BackupFile = { file: string; madeAtMs: number; sizeBytes: number }

const NAME = /^portal-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar\.gz$/

export const backupFolder = (dataDir: string): string => path.join(dataDir, 'backups')

/** Makes a file name such as 'portal-20261121T031500Z.tar.gz'. */
export const backupName = (atMs: number): string => `portal-${stampOf(atMs)}.tar.gz`

export const stampOf = (atMs: number): string => new Date(atMs).toISOString().replace(/[-:]|\.\d+/g, '')

/** Lists complete backups, newest first. A file that is being written has another name. */
export async function listBackups(folder: string): Promise<BackupFile[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const found = await Promise.all(
    names.flatMap((name) => {
      const parts = NAME.exec(name)?.slice(1)
      if (!parts) return []
      const [year, month, day, hour, minute, second] = parts
      const madeAtMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
      const file = path.join(folder, name)
      return [stat(file).then(({ size }) => ({ file, madeAtMs, sizeBytes: size }))]
    }),
  )
  return found.toSorted((a, b) => b.madeAtMs - a.madeAtMs)
}

export async function removeOld(folder: string, keep: number): Promise<void> {
  for (const { file } of (await listBackups(folder)).slice(keep)) await rm(file, { force: true })
}

/** Renames a file after it is completely on disk, so that no truncated file has the final name. */
export async function putInPlace(aside: string, file: string): Promise<void> {
  await sync(aside)
  await rename(aside, file)
  await sync(path.dirname(file))
}

export const makeFolder = (folder: string) => mkdir(folder, { recursive: true, mode: 0o700 })

async function sync(fileOrFolder: string) {
  const handle = await open(fileOrFolder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
