// Advances the cases of leads: decisions, offers, expiries, in any portal. The timers are rows, so that they
// survive restarts; decisions are serialised over all portals.
import { nextStep } from '#domain/rotation/rotation.ts'
import type { Clock } from '#server/clock.ts'
import { isPassing, SqlError, type Database } from '#server/db/database.ts'
import { tryAgain } from '#server/db/try-again.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createWorker, type Worker } from '#server/worker.ts'
import { createRoutingCaseStore } from './rotation-store.ts'

const POLL_EVERY_MS = 1_000
const POSTPONED_MS = 5 * 60_000

export function createDistributor({ db, clock, log }: { db: Database; clock: Clock; log: Log }): Worker {
  const store = createRoutingCaseStore(db)

  async function poll(stopping: AbortSignal): Promise<boolean> {
    let isMoved = false
    for (const id of await store.due(clock.now())) {
      if (stopping.aborted) return false
      // A decision may make the next step due at once, and a poll may leave due cases behind.
      if (await stepSafely(id)) isMoved = true
    }
    return isMoved
  }

  async function stepSafely(id: number): Promise<boolean> {
    try {
      const step = await takeStep(id)
      if (step !== null) log.info('roleta.step', { caseId: id, step: step.kind })
      return step !== null
    } catch (error) {
      log.error('roleta.failed', { caseId: id, ...errorFields(error) })
      if (error instanceof SqlError && !isPassing(error)) await store.postpone(id, clock.now() + POSTPONED_MS)
      return false
    }
  }

  // Takes the step again if an administrator edits the rotation's seats at the same time.
  const takeStep = (id: number) =>
    tryAgain(() =>
      db.transaction(async (query) => {
        const nowMs = clock.now()
        const pending = await store.find(query, id, nowMs)
        if (pending === null) return null
        const step = nextStep(pending)
        await store.settle(query, pending, { ...step, nowMs })
        return step
      }),
    )

  return createWorker({
    name: 'rotation',
    clock,
    everyMs: POLL_EVERY_MS,
    poll: poll,
    onFailed: (error) => log.warn('roleta.look-failed', errorFields(error)),
  })
}
