// Runs imports in small batches, one a transaction, with pauses in between: other work waits for one batch at
// most. The state is in rows, so that any portal continues after a crash.
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { tryAgain } from '#server/db/try-again.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createWorker, type Worker } from '#server/worker.ts'

const POLL_EVERY_MS = 5_000
/** A batch grows while it is faster than this, and shrinks while it is slower than twice that. */
const BATCH_MS = 40
const MIN_BATCH = 10
const MAX_BATCH = 400
const MAX_STEP_MS = 30_000
/**
 * Pause after a batch, as a share of the batch's time. The embedded engine has one connection, so others get every
 * second turn.
 */
const REST = { pglite: 1, postgres: 0.25 }

type Step = { id: string; state: string; added: number; known: number; refused: number; undone: number }

export function createImportWorker({ db, clock, log }: { db: Database; clock: Clock; log: Log }): Worker {
  let batch = 50

  async function step(stopping: AbortSignal): Promise<boolean> {
    let tookMs = 0
    const done = await tryAgain(() =>
      db.transaction(
        async (query) => {
          // Starts the clock after waiting for the connection, so that the wait does not count for the batch
          // size.
          const beganMs = clock.now()
          const { rows } = await query<{ step: Step | null }>('select portal.import_step($1) as step', [
            batch,
          ])
          tookMs = clock.now() - beganMs
          return rows[0]?.step
        },
        // Runs under the resource account 'imports', which limits its share of the database.
        { asker: { account: 'imports', isOpen: true }, limitMs: MAX_STEP_MS },
      ),
    )
    if (!done) return false
    if (done.state !== 'running' && done.state !== 'undoing')
      log.info('import.ended', {
        importId: done.id,
        state: done.state,
        added: done.added,
        known: done.known,
        refused: done.refused,
        undone: done.undone,
      })
    if (tookMs < BATCH_MS) batch = Math.min(MAX_BATCH, Math.ceil(batch * 1.5))
    else if (tookMs > 2 * BATCH_MS) batch = Math.max(MIN_BATCH, Math.floor(batch / 2))
    if (tookMs > 0) await clock.sleep(tookMs * REST[db.engine], stopping)
    return true
  }

  return createWorker({
    name: 'imports',
    clock,
    everyMs: POLL_EVERY_MS,
    poll: step,
    onFailed: (error) => log.warn('import.failed', errorFields(error)),
  })
}
