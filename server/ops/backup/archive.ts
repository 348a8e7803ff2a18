// One backup file: database, key and list of media, made while the portal runs, with hardly a pause. It includes the
// key, without which encrypted secrets in the database stay unreadable: a backup is as secret as DATA_DIR.
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { create, extract, list } from 'tar'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import {
  backupFolder,
  backupName,
  listBackups,
  makeFolder,
  putInPlace,
  removeOld,
  type BackupFile,
} from './files.ts'
import { bringMedia, mediaIn, removeMedia } from './media.ts'

const FORMAT = 1
const IN_PROGRESS = '.in-progress'
/** The parts are in this order in the file, so that a reader of the list need not read the rest. */
const PARTS = { manifest: 'manifest.json', media: 'media.txt', key: 'jwt-secret', database: 'database' }

const Manifest = v.object({ format: v.literal(FORMAT), madeAt: v.string(), version: v.string() })

export type Source = {
  dataDir: string
  version: string
  /** Copies the database's folder in a consistent state. */
  copyTo: (target: string) => Promise<void>
}

/**
 * Makes a backup and deletes the oldest ones beyond `keep`. The caller holds the data folder's database, so only one
 * runs at a time.
 * If interrupted, it leaves earlier backups unchanged.
 */
export async function makeBackup(
  { dataDir, version, copyTo }: Source,
  atMs: number,
  keep: number,
): Promise<BackupFile> {
  const folder = backupFolder(dataDir)
  const aside = path.join(folder, IN_PROGRESS)
  await makeFolder(folder)
  await rm(aside, { recursive: true, force: true })
  await makeFolder(aside)
  const target = path.join(folder, backupName(atMs))
  try {
    await copyTo(path.join(aside, PARTS.database))
    const hasKey = await copyIfThere(keyOf(dataDir), keyOf(aside))
    // The list is read after the database was copied, so every file that the database names exists by then.
    const media = await mediaIn(mediaOf(dataDir))
    await bringMedia(media, mediaOf(dataDir), mediaOf(folder))
    const manifest = { format: FORMAT, madeAt: new Date(atMs).toISOString(), version }
    await writeFile(path.join(aside, PARTS.manifest), JSON.stringify(manifest))
    await writeFile(path.join(aside, PARTS.media), media.join('\n'))
    const whole = path.join(aside, 'whole.tar.gz')
    const names = [PARTS.manifest, PARTS.media, ...(hasKey ? [PARTS.key] : []), PARTS.database]
    await create({ file: whole, cwd: aside, gzip: true, mode: 0o600, strict: true }, names)
    await putInPlace(whole, target)
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
  await removeOld(folder, keep)
  await forgetMedia(dataDir, folder)
  const made = (await listBackups(folder)).find(({ file }) => file === target)
  if (!made) throw new Error('the backup that was made is not there')
  return made
}

export type Opened = { madeAtMs: number; media: string[]; hasKey: boolean; database: string }

/** Unpacks a complete backup into an empty folder. Raises `backup.unreadable`. */
export async function openBackup(file: string, into: string): Promise<Opened> {
  try {
    // Reads the whole file first, so that a truncated one is found before anything is written.
    await list({ file, strict: true })
    await extract({
      file,
      cwd: into,
      strict: true,
      preserveOwner: false,
      filter: (_, entry) => 'type' in entry && (entry.type === 'File' || entry.type === 'Directory'),
    })
    const read = (name: string) => readFile(path.join(into, name), 'utf8')
    const { madeAt } = v.parse(Manifest, JSON.parse(await read(PARTS.manifest)))
    const media = linesOf(await read(PARTS.media))
    const hasKey = await read(PARTS.key).then(Boolean, () => false)
    await read(path.join(PARTS.database, 'PG_VERSION'))
    return { madeAtMs: Date.parse(madeAt), media, hasKey, database: path.join(into, PARTS.database) }
  } catch (cause) {
    throw new PortalError('backup.unreadable', `O arquivo ${file} não é um backup inteiro do portal.`, {
      cause,
    })
  }
}

/** Deletes media that neither the portal nor any remaining backup has. */
async function forgetMedia(dataDir: string, folder: string) {
  const present = new Set(await mediaIn(mediaOf(dataDir)))
  const gone = (await mediaIn(mediaOf(folder))).filter((id) => !present.has(id))
  if (gone.length === 0) return
  const named = new Set<string>()
  for (const { file } of await listBackups(folder)) for (const id of await mediaNamedIn(file)) named.add(id)
  await removeMedia(
    mediaOf(folder),
    gone.filter((id) => !named.has(id)),
  )
}

async function mediaNamedIn(file: string): Promise<string[]> {
  const pieces: Buffer[] = []
  await list({
    file,
    strict: true,
    onReadEntry: (entry) => {
      if (entry.path === PARTS.media) entry.on('data', (piece) => pieces.push(piece))
    },
  })
  return linesOf(Buffer.concat(pieces).toString())
}

const linesOf = (text: string): string[] => text.split('\n').filter(Boolean)

/** The media folder of a data folder, or of the backups' folder. */
export const mediaOf = (folder: string): string => path.join(folder, 'media')

export const keyOf = (folder: string): string => path.join(folder, PARTS.key)

async function copyIfThere(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}
