// Takes each lead that came in a step further: decided, offered, passed on by time, whichever portal does it. PRODUCT.md 4.2.
// The timers are rows, so that they survive restarts; decisions go one after the other over all portals.
import { nextStep } from '#domain/roleta.ts'
import type { Clock } from '#server/clock.ts'
import { SqlError, type Database } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createCaseStore } from './roleta-store.ts'

const LOOK_EVERY_MS = 1_000
const POSTPONED_MS = 5 * 60_000
/** Deadlock, serialization, cancelled, shutting down: the lead is not to blame. */
const PASSING = /^(40|53|55|57)/

export function createDistributor({ db, clock, log }: { db: Database; clock: Clock; log: Log }) {
  const store = createCaseStore(db)
  const stopping = new AbortController()
  let isWoken = false
  let running: Promise<void> | null = null

  /** There may be something to decide. */
  function wake() {
    isWoken = true
    if (stopping.signal.aborted) return
    running ??= drain().finally(() => {
      running = null
      if (isWoken) wake()
    })
  }

  async function settled(): Promise<void> {
    if (running === null) return
    await running
    await settled()
  }

  async function drain() {
    while (isWoken && !stopping.signal.aborted) {
      isWoken = false
      try {
        for (const id of await store.due(clock.now())) await stepSafely(id)
      } catch (error) {
        // The next look tries again.
        log.warn('roleta.look-failed', errorFields(error))
      }
    }
  }

  async function stepSafely(id: number) {
    if (stopping.signal.aborted) return
    try {
      const step = await takeStep(id)
      if (step === null) return
      // What was decided may leave the next step due at once, and there may be more than one look takes.
      isWoken = true
      log.info('roleta.step', { caseId: id, step: step.kind })
    } catch (error) {
      log.error('roleta.failed', { caseId: id, ...errorFields(error) })
      if (error instanceof SqlError && !PASSING.test(error.code))
        await store.postpone(id, clock.now() + POSTPONED_MS)
    }
  }

  const takeStep = (id: number) =>
    db.transaction(async (query) => {
      const nowMs = clock.now()
      const pending = await store.find(query, id, nowMs)
      if (pending === null) return null
      const step = nextStep(pending)
      await store.settle(query, pending, { ...step, nowMs })
      return step
    })

  return {
    wake,
    /** Resolves when nothing is under way. */
    settled,
    /** The answer stops it, once the step under way is done. */
    start: (): (() => Promise<void>) => {
      wake()
      const stop = clock.every(LOOK_EVERY_MS, wake)
      return async () => {
        stopping.abort()
        stop()
        await running
      }
    },
  }
}
