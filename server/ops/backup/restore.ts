// Restores a backup over an embedded database: checked in another folder first, the old database kept.
import { copyFile, mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { migrate } from '#server/db/migrate.ts'
import { databaseFolder, restoredFolder } from '#server/db/open.ts'
import { requireMajor } from '#server/db/pglite/damage.ts'
import { openPglite } from '#server/db/pglite/pglite.ts'
import { keyOf, mediaOf, openBackup } from './archive.ts'
import { stampOf } from './files.ts'
import { bringMedia } from './media.ts'
import { copyRequests, type LaterRequests } from './later-requests.ts'

export type Restored = {
  madeAtMs: number
  /** The folder that holds the replaced database now. */
  kept: string
  leads: number
  messages: number
  /** Stopped campaigns and messages: they may have been sent after the backup. */
  paused: { campaigns: number; lines: number }
  /** Opt-outs and erasures that came after the backup. Null: the replaced database did not open. */
  laterRequests: LaterRequests | null
  /** Media that neither the portal nor the backup has. */
  missingMedia: number
}

type Intent = { file: string; dataDir: string; schemaFolder: string; nowMs: number }

/**
 * The caller holds the lock of the data folder. Raises `backup.unreadable`, or `migrations.unknown` for a backup of a
 * newer
 * portal. After an error or an interruption, either the old or the restored database is in place, complete.
 */
export async function restoreBackup({ file, dataDir, schemaFolder, nowMs }: Intent): Promise<Restored> {
  const aside = path.join(dataDir, '.restoring')
  await rm(aside, { recursive: true, force: true })
  await mkdir(aside, { mode: 0o700 })
  try {
    const backup = await openBackup(file, aside)
    const found = await settle(backup.database, {
      schemaFolder,
      madeAtMs: backup.madeAtMs,
      replaced: databaseFolder(dataDir),
    })
    const missing = await bringMedia(backup.media, mediaOf(path.dirname(file)), mediaOf(dataDir))
    const keptAside = path.join(dataDir, `antes-da-restauracao-${stampOf(nowMs)}`)
    await swap({ aside, dataDir, kept: keptAside, hasKey: backup.hasKey })
    return { madeAtMs: backup.madeAtMs, kept: keptAside, missingMedia: missing.length, ...found }
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

/** Opens and prepares it in its temporary folder, so that a database that does not open never replaces the old one. */
async function settle(folder: string, options: { schemaFolder: string; madeAtMs: number; replaced: string }) {
  const { schemaFolder, madeAtMs, replaced } = options
  requireMajor(folder)
  const db = await openPglite({ dataDir: folder })
  try {
    await migrate(db, schemaFolder)
    const { rows } = await db.query<{ campaigns: number; lines: number }>(
      'select campaigns, lines from portal.settle_restored(to_timestamp($1::numeric / 1000))',
      [madeAtMs],
    )
    const laterRequests = await copyRequests(replaced, db, madeAtMs)
    const { rows: counts } = await db.query<{ leads: number; messages: number }>(
      `select (select count(*) from public.whatsapp_contacts) as leads,
        (select count(*) from public.whatsapp_messages) as messages`,
    )
    return {
      laterRequests,
      leads: counts[0]?.leads ?? 0,
      messages: counts[0]?.messages ?? 0,
      paused: { campaigns: rows[0]?.campaigns ?? 0, lines: rows[0]?.lines ?? 0 },
    }
  } finally {
    await db.close()
  }
}

/**
 * Between the last two steps no database is in place: the next start then finds the restored one waiting (db/open.ts).
 */
async function swap(places: { aside: string; dataDir: string; kept: string; hasKey: boolean }) {
  const { aside, dataDir, kept: keptAside } = places
  await rm(restoredFolder(dataDir), { recursive: true, force: true })
  await rename(path.join(aside, 'database'), restoredFolder(dataDir))
  await mkdir(keptAside, { mode: 0o700 })
  await unlessMissing(copyFile(keyOf(dataDir), keyOf(keptAside)))
  if (places.hasKey) await rename(keyOf(aside), keyOf(dataDir))
  await unlessMissing(rename(databaseFolder(dataDir), path.join(keptAside, 'database')))
  await rename(restoredFolder(dataDir), databaseFolder(dataDir))
}

/** A new machine has no database to replace. */
const unlessMissing = (work: Promise<void>): Promise<void> =>
  work.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
