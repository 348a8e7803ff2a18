// Runs campaigns: puts one message at a time into the queue of its instance, at its pace, in any portal over
// the database.
import { capOfDay, type ErrorReason, nextMidnight, nextOpening } from '#domain/campaign.ts'
import type { Clock } from '#server/clock.ts'
import { isPassing, SqlError, type Database } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import { createWorker } from '#server/worker.ts'
import { createRunStore, type Due, type Pace, type Step } from './campaign-store.ts'
import { createTyping, type TypingParts } from './typing.ts'

const POLL_EVERY_MS = 1_000
/** Maximum time for which a send itself shows 'digitando…'. Meanwhile a person's reply would wait in the queue. */
const SENT_TYPING_MS = 3_000

export type RunParts = TypingParts & {
  db: Database
  clock: Clock
  log: Log
  zone: string
  /** True: the gateway is down, and no campaign takes a step. */
  isAway: () => boolean
  /** While the media store is away, campaigns with a file take no step. Campaigns of texts go on. */
  storage: Pick<MediaStore, 'isAway'>
  /** Called when a message was queued for the instance. */
  onQueued: (instanceName: string) => void
}

type Outcome = Step | 'failed'

export function createRunner(parts: RunParts) {
  const { db, clock, log, zone, delayMs, isAway, storage, onQueued } = parts
  const store = createRunStore(db)
  const typing = createTyping(parts)
  const { wake, start } = createWorker({
    name: 'campaigns',
    clock,
    everyMs: POLL_EVERY_MS,
    poll: async (stopping) => {
      if (isAway()) return false
      for (const coming of await store.coming(clock.now(), delayMs.max)) typing.show(coming)
      const steps: Outcome[] = []
      for (const campaign of await store.due(clock.now()))
        if (!stopping.aborted && !(campaign.hasMedia && storage.isAway?.()))
          steps.push(await runSafely(campaign))
      // These steps make another step possible at once.
      return steps.some((step) => step === 'passed' || step === 'capped')
    },
    onFailed: (error) => log.warn('campaign.look-failed', errorFields(error)),
  })

  async function runSafely(campaign: Due): Promise<Outcome> {
    try {
      return await run(campaign)
    } catch (error) {
      log.error('campaign.failed', { campaignId: campaign.id, ...errorFields(error) })
      if (error instanceof SqlError && !isPassing(error))
        await store.fail(campaign.id, clock.now(), reasonOf(error))
      return 'failed'
    }
  }

  async function run({ id, instanceName, pacing }: Due): Promise<Step> {
    const nowMs = clock.now()
    const step = await store.run(id, nowMs, paceAt(pacing, { nowMs, wasTyped: typing.wasShown(id) }))
    if (step === 'queued') {
      typing.forget(id)
      onQueued(instanceName)
    }
    if (step !== 'busy' && step !== 'resting')
      log.info('campaign.step', { campaignId: id, instance: instanceName, step })
    return step
  }

  /** The gap after a message includes the next one's typing time. The first message of a run has no gap before it. */
  function paceAt(pacing: Due['pacing'], { nowMs, wasTyped }: { nowMs: number; wasTyped: boolean }): Pace {
    const { day, sentToday, earlierDays, ...settings } = pacing
    const cap = capOfDay(settings, earlierDays + 1)
    const isUsedUp = sentToday >= cap
    const fromMs = isUsedUp ? nextMidnight(nowMs, zone) : nowMs
    const opensAtMs = nextOpening(settings, fromMs, zone)
    // True: without the rule for Sundays the campaign would resume earlier.
    const isSunday = nextOpening({ ...settings, sendsOnSundays: true }, fromMs, zone) < opensAtMs
    const waits = opensAtMs > nowMs
    const reason = isSunday ? 'sunday' : 'courtesy-hours'
    return {
      settings,
      day,
      cap,
      gapMs: draw() + draw(),
      typingMs: wasTyped ? 0 : Math.min(draw(), SENT_TYPING_MS),
      waitUntil: waits ? new Date(opensAtMs).toISOString() : null,
      waitReason: waits ? (isUsedUp ? 'daily-cap' : reason) : null,
    }
  }

  const draw = () => clock.randomBetween(delayMs.min, delayMs.max)

  return { wake, start }
}

/** The reason of an error, by the class of its SQLSTATE. */
function reasonOf({ code }: SqlError): ErrorReason {
  if (/^(22|23)/.test(code)) return 'data'
  if (code.startsWith('42')) return 'schema'
  return /^(58|F0|XX)/.test(code) ? 'storage' : 'fault'
}

/** Average time between two messages, for a forecast. */
export const averageStepMs = ({ min, max }: RunParts['delayMs']): number => min + max
