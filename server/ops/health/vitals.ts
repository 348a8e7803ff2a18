// Tries what the portal needs: a write, the largest tables, room on the disk, recent backups, workers that work.
import { statfs } from 'node:fs/promises'
import { hasPassed, type Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import type { BackupState, Vitals, WorkerHealth } from '#server/http/health.ts'
import { errorFields, type Log } from '#server/log.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import { createWorker, workersOf } from '#server/worker.ts'
import { faultOf, type DatabaseFault, type Fault } from './faults.ts'
import { createTableReader } from './tables.ts'

/** A database that is only busy answers within this time. */
const ANSWER_WITHIN_MS = 10_000
/** The database is tried at most once in this time, however often health is asked. */
const TRY_EVERY_MS = 1_000
/** A stretch of one table: each of the eight largest once a minute. */
const READ_EVERY_MS = 7_500
/** The embedded engine cannot checkpoint with less. */
const ROOM_BYTES = 64 * 1024 * 1024
const BACKUP_LATE_MS = 48 * 3_600_000
const FAILING_AFTER_MS = 5 * 60_000
/** The longest steps, a backup and the sweep of media, take minutes. */
const STUCK_AFTER_MS = 3_600_000

type Options = {
  db: Database
  clock: Clock
  log: Log
  storage: Pick<MediaStore, 'isAway'>
  /** The folder of the embedded database; null with a database server. */
  folder: string | null
  /** Undefined: nobody makes daily backups. */
  backup: (() => Promise<BackupState>) | undefined
}

export type OwnVitals = Vitals & {
  /** Lists the faults, without what they mean for requests. `npm run backup` prints them. */
  listFaults: () => Promise<readonly Fault[]>
  start: () => () => Promise<void>
}

export function createVitals({ db, clock, log, storage, folder, backup }: Options): OwnVitals {
  const tables = createTableReader(db, (table, error) =>
    log.error('table.damaged', { table, ...errorFields(error) }),
  )
  let trying: Promise<DatabaseFault | null> | undefined
  let last: { atMs: number; fault: DatabaseFault | null } | undefined

  const write = () =>
    db
      .query(
        `insert into portal.heartbeat (id, beat_at) values (1, clock_timestamp())
        on conflict (id) do update set beat_at = excluded.beat_at`,
      )
      .then(
        () => null,
        (error: unknown) => {
          const fault = faultOf(error) ?? 'database-down'
          log.error('database.takes-no-writes', { fault, ...errorFields(error) })
          return fault === 'table-damaged' ? 'database-down' : fault
        },
      )

  async function answerIn(limitMs: number, asked: Promise<DatabaseFault | null>) {
    const isAnswered = new AbortController()
    const late = clock.sleep(limitMs, isAnswered.signal).then((): DatabaseFault => 'database-silent')
    return Promise.race([asked, late]).finally(() => isAnswered.abort())
  }

  async function tryNow(): Promise<DatabaseFault | null> {
    const fault = await answerIn(ANSWER_WITHIN_MS, write())
    last = { atMs: clock.now(), fault }
    trying = undefined
    return fault
  }

  async function databaseFault(): Promise<DatabaseFault | null> {
    if (last && !hasPassed(clock, last.atMs, TRY_EVERY_MS)) return last.fault
    return (trying ??= tryNow())
  }

  async function isDiskFull(): Promise<boolean> {
    if (folder === null) return false
    const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: Infinity, bsize: 1 }))
    return bavail * bsize < ROOM_BYTES
  }

  async function backupFault(): Promise<Fault | null> {
    const state = await backup?.()
    if (!state) return null
    if (state.isFailing) return 'backup-failing'
    return state.lastAtMs !== null && clock.now() - state.lastAtMs > BACKUP_LATE_MS ? 'backup-late' : null
  }

  const workers = (): WorkerHealth[] => workersOf(clock).map((state) => healthOf(state, clock.now()))

  /** Tries the database first. */
  async function listFaults(): Promise<readonly Fault[]> {
    const [database, isFull, backups] = await Promise.all([databaseFault(), isDiskFull(), backupFault()])
    const found = new Set<Fault | null>([database])
    if (isFull) found.add('disk-full')
    if (tables.damaged().length > 0) found.add('table-damaged')
    if (storage.isAway?.()) found.add('media-away')
    found.add(backups)
    if (workers().some(({ state }) => state !== 'ok')) found.add('worker-failing')
    return [...found].filter((fault) => fault !== null)
  }

  return {
    listFaults,
    faults: async () => {
      const [words, database] = await Promise.all([listFaults(), databaseFault()])
      const isDatabaseAway = database === 'database-down' || database === 'database-silent'
      return { words, isDatabaseAway, takesWrites: database === null }
    },
    workers,
    damagedTables: tables.damaged,
    start: () =>
      createWorker({
        name: 'tables',
        clock,
        everyMs: READ_EVERY_MS,
        poll: () => tables.readOn().then(() => false),
        onFailed: (error) => log.warn('tables.unread', errorFields(error)),
        startsIdle: true,
      }).start(),
  }
}

function healthOf(
  { name, runningSinceMs, failingSinceMs }: ReturnType<typeof workersOf>[number],
  nowMs: number,
) {
  const since = (atMs: number | null) => (atMs === null ? 0 : nowMs - atMs)
  const seconds = (ms: number) => Math.floor(ms / 1000)
  if (since(failingSinceMs) > FAILING_AFTER_MS)
    return { name, state: 'failing' as const, seconds: seconds(since(failingSinceMs)) }
  if (since(runningSinceMs) > STUCK_AFTER_MS)
    return { name, state: 'stuck' as const, seconds: seconds(since(runningSinceMs)) }
  return { name, state: 'ok' as const, seconds: null }
}
