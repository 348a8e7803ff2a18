// Runs campaigns: puts one line at a time into the queue of its instance, paced, whichever portal over the database does it. PRODUCT.md 4.5.
import { capOfDay, nextMidnight, nextOpening } from '#domain/campaign.ts'
import type { Clock } from '#server/clock.ts'
import { isPassing, SqlError, type Database } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createRunStore, type Due, type Pace } from './campaign-store.ts'

const LOOK_EVERY_MS = 1_000
/** Of the typing time the lead sees so much at most: while the gateway shows it, a person's reply would have to wait. */
const SHOWN_TYPING_MS = 3_000

export type RunParts = {
  db: Database
  clock: Clock
  log: Log
  zone: string
  delayMs: { min: number; max: number }
  /** There is a line in the queue of the instance. */
  onQueued: (instanceName: string) => void
}

export function createRunner({ db, clock, log, zone, delayMs, onQueued }: RunParts) {
  const store = createRunStore(db)
  const stopping = new AbortController()
  let isWoken = false
  let running: Promise<void> | null = null

  /** There may be something to do. */
  function wake() {
    isWoken = true
    if (stopping.signal.aborted) return
    running ??= drain().finally(() => {
      running = null
      if (isWoken) wake()
    })
  }

  async function drain() {
    while (isWoken && !stopping.signal.aborted) {
      isWoken = false
      try {
        for (const campaign of await store.due(clock.now())) await runSafely(campaign)
      } catch (error) {
        // The next look tries again.
        log.warn('campaign.look-failed', errorFields(error))
      }
    }
  }

  async function runSafely(campaign: Due) {
    if (stopping.signal.aborted) return
    try {
      await run(campaign)
    } catch (error) {
      log.error('campaign.failed', { campaignId: campaign.id, ...errorFields(error) })
      if (error instanceof SqlError && !isPassing(error)) await store.fail(campaign.id, clock.now())
    }
  }

  async function run({ id, instanceName, pacing }: Due) {
    const nowMs = clock.now()
    const step = await store.run(id, nowMs, paceAt(pacing, nowMs))
    if (step === 'queued') onQueued(instanceName)
    // Something changed that the next step builds on.
    if (step === 'passed' || step === 'capped') isWoken = true
    if (step !== 'busy' && step !== 'resting')
      log.info('campaign.step', { campaignId: id, instance: instanceName, step })
  }

  /** The gap after a line holds the typing time that is not shown, too. */
  function paceAt(pacing: Due['pacing'], nowMs: number): Pace {
    const typingMs = draw()
    const shownMs = Math.min(typingMs, SHOWN_TYPING_MS)
    const cap = capOfDay(pacing, pacing.earlierDays + 1)
    const isUsedUp = pacing.sentToday >= cap
    const opensAtMs = nextOpening(pacing, isUsedUp ? nextMidnight(nowMs, zone) : nowMs, zone)
    const waits = opensAtMs > nowMs
    return {
      day: pacing.day,
      cap,
      gapMs: draw() + typingMs - shownMs,
      typingMs: shownMs,
      waitUntil: waits ? new Date(opensAtMs).toISOString() : null,
      waitReason: waits ? (isUsedUp ? 'daily-cap' : 'courtesy-hours') : null,
    }
  }

  const draw = () => clock.randomBetween(delayMs.min, delayMs.max)

  return {
    wake,
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

/** From one message to the next on average, for a forecast. */
export const averageStepMs = ({ min, max }: RunParts['delayMs']): number => min + max
