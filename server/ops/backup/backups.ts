// Backups of a running portal with an embedded database: one a day, and one on command.
import { hasPassed, type Clock } from '#server/clock.ts'
import type { BackupState } from '#server/http/health.ts'
import { errorFields, type Log } from '#server/log.ts'
import { faultOf, WORDS, type Fault } from '#server/ops/health/faults.ts'
import { createWorker } from '#server/worker.ts'
import { makeBackup, type Source } from './archive.ts'
import { backupFolder, listBackups, type BackupFile } from './files.ts'
import { takeRequests } from './requests.ts'

const POLL_EVERY_MS = 2_000
const DAILY_POLL_EVERY_MS = 10 * 60_000
const DAY_MS = 24 * 3_600_000

export type Backups = ReturnType<typeof createBackups>

export function createBackups(
  source: Source,
  options: { clock: Clock; log: Log; keep: number; isDaily: boolean },
) {
  const { clock, log, keep, isDaily } = options
  const folder = backupFolder(source.dataDir)
  let isFailing = false
  let findFaults: () => Promise<readonly Fault[]> = () => Promise.resolve([])

  async function make(): Promise<BackupFile> {
    const startMs = clock.now()
    try {
      const made = await makeBackup(source, startMs, keep)
      isFailing = false
      log.info('backup.made', { bytes: made.sizeBytes, ms: clock.now() - startMs })
      return made
    } catch (error) {
      isFailing = true
      log.error('backup.failed', errorFields(error))
      throw error
    }
  }

  async function answerRequests() {
    for (const answer of await takeRequests(folder))
      await make().then(
        async ({ file }) => answer({ file, warnings: warningsOf(await findFaults()) }),
        (error: unknown) => answer({ fault: `O portal não conseguiu fazer o backup: ${reasonOf(error)}.` }),
      )
  }

  async function makeWhenDue() {
    const [newest] = await listBackups(folder)
    // A backup is made early rather than late, because the oldest one must be deleted within the configured number of
    // days.
    const isDue = newest === undefined || hasPassed(clock, newest.madeAtMs, DAY_MS - DAILY_POLL_EVERY_MS + 1)
    if (isDue) await make()
  }

  let lookedAtMs = clock.now()
  const worker = createWorker({
    name: 'backups',
    clock,
    everyMs: POLL_EVERY_MS,
    poll: async () => {
      await answerRequests()
      if (!isDaily || !hasPassed(clock, lookedAtMs, DAILY_POLL_EVERY_MS)) return false
      lookedAtMs = clock.now()
      await makeWhenDue()
      return false
    },
    onFailed: (error) => log.debug('backup.put-off', errorFields(error)),
  })

  return {
    state: async (): Promise<BackupState> => {
      const stored = await listBackups(folder)
      return {
        lastAtMs: stored[0]?.madeAtMs ?? null,
        sizeBytes: stored[0]?.sizeBytes ?? null,
        count: stored.length,
        isFailing,
      }
    },
    settled: worker.settled,
    /**
     * Starts the daily backups. `faults`: what is wrong with the portal; a command that asks for a backup prints it,
     * too.
     */
    start: (faults = findFaults) => {
      findFaults = faults
      return worker.start()
    },
  }
}

/** Sentences for the person who asked for a backup. */
export const warningsOf = (faults: readonly Fault[]): string[] =>
  faults.map((fault) => `Atenção: ${WORDS[fault]}.`)

export function reasonOf(error: unknown): string {
  const fault = faultOf(error)
  return fault === null ? 'veja o motivo no log dele' : WORDS[fault]
}
