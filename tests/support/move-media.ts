// The base of tests of `npm run move-media`: a data folder, a bucket on loopback, 25 files.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { vi } from 'vitest'
import { systemClock, type Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { runMoveMedia } from '#server/ops/cli/move-media.ts'
import { mediaId, type MediaStore } from '#server/storage/media-store.ts'
import { openMedia } from '#server/storage/open.ts'
import { silentLog } from './gateway.ts'
import { openScriptedBucket } from './scripted-bucket.ts'

export const COUNT = 25
const bytesOf = (n: number) => Buffer.from(`foto ${n} `.repeat(1_000 * (n + 1)))
/** The ids of the files, in order. */
export const ALL = Array.from({ length: COUNT }, (_, n) => mediaId(bytesOf(n))).toSorted()

export type Removal = Awaited<ReturnType<typeof openRemoval>>

/** The settings of commands and portals are those of the environment until `close`. */
export async function openRemoval() {
  const bucket = await openScriptedBucket()
  bucket.state.pageSize = 10
  const dataDir = await mkdtemp(path.join(tmpdir(), 'portal-media-'))
  vi.stubEnv('DATA_DIR', dataDir)
  vi.stubEnv('DEMO', '0')
  for (const [name, value] of Object.entries(bucket.env)) vi.stubEnv(name, value)
  const folder = path.join(dataDir, 'media')
  return {
    bucket,
    dataDir,
    /** The command, whose waits end as soon as `onSleep` has. */
    move: (args: string[] = [], onSleep?: (ms: number) => Promise<void> | void) =>
      runMoveMedia(args, {
        schemaFolder: path.resolve('supabase'),
        ...(onSleep && { clock: clockOf(onSleep) }),
      }),
    /** Does what a portal does at its start. */
    settle: async (db: Database, hasBucket: boolean): Promise<MediaStore> => {
      const parts = { db, clock: systemClock, log: silentLog, folder }
      const media = await openMedia({ ...parts, bucket: hasBucket ? bucket.settings : undefined })
      await media.settle()
      return media.storage
    },
    inBucket: () => [...bucket.objects.keys()].toSorted(),
    close: async () => {
      vi.unstubAllEnvs()
      await bucket.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function clockOf(onSleep: (ms: number) => Promise<void> | void): Clock {
  let aheadMs = 0
  const sleep = async (ms: number) => {
    aheadMs += ms
    await onSleep(ms)
  }
  return { ...systemClock, sleep, now: () => Date.now() + aheadMs }
}

export async function fill(store: MediaStore): Promise<void> {
  for (let n = 0; n < COUNT; n++) await store.put(bytesOf(n))
}

export async function idsOf(store: Pick<MediaStore, 'list'>): Promise<string[]> {
  const all: string[] = []
  for await (const ids of store.list()) all.push(...ids)
  return all.toSorted()
}
