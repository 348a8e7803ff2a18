// Tells devices what is queued for them: woken by the database, whichever portal over it comes first.
import { backOffMs } from '#domain/outbox/verdict.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { wakeOn } from '#server/db/wake-on.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createWorker } from '#server/worker.ts'
import type { ClaimedPush, PushQueue } from './push-queue.ts'
import type { Outcome } from './send.ts'

/** Under way at once; a push service that hangs keeps nobody else from being told. */
const MAX_AT_ONCE = 16
/** What a portal that ended left behind, and a word of the database that was missed. */
const POLL_EVERY_MS = 30_000
/** Something is due that another portal is at. */
const POLL_AGAIN_MS = 1_000
/** Someone must look; until then it is tried now and then. */
const MENDING_WAIT_MS = 5 * 60_000
/** A portal that push services do not know any more tells nobody: someone must mend it. */
const LEVELS = {
  taken: 'info',
  gone: 'warn',
  refused: 'warn',
  later: 'warn',
  forbidden: 'error',
  unmade: 'error',
} as const
const MAX_WAIT_MS = 60 * 60_000

export type WorkerParts = {
  db: Database
  clock: Clock
  log: Log
  queue: PushQueue
  send: (push: ClaimedPush) => Promise<Outcome>
}

export type PushWorker = {
  /** The answer stops it, once what is under way was answered. */
  start(): () => Promise<void>
}

export function createPushWorker(parts: WorkerParts): PushWorker {
  const { db, clock, log, queue } = parts
  const notify = createNotifier(parts)
  const underWay = new Set<Promise<void>>()
  let alarm = new AbortController()
  const poller = createWorker({
    clock,
    everyMs: POLL_EVERY_MS,
    poll: poll,
    onFailed: (error) => log.warn('push.queue-failed', errorFields(error)),
  })

  /** Whether more is due at once. */
  async function poll(): Promise<boolean> {
    const room = MAX_AT_ONCE - underWay.size
    // Each one that ends wakes it again.
    if (room === 0) return false
    const atMs = clock.now()
    const { pushes, nextAt } = await queue.claim(atMs, room)
    for (const push of pushes) {
      const notifying: Promise<void> = notify(push).finally(() => {
        underWay.delete(notifying)
        poller.wake()
      })
      underWay.add(notifying)
    }
    const nextMs = nextAt === null ? null : Date.parse(nextAt)
    return nextMs !== null && !waits(nextMs > atMs ? nextMs - clock.now() : POLL_AGAIN_MS)
  }

  /** False when there is nothing to wait for. The last word counts: it knew all that is queued. */
  function waits(delayMs: number): boolean {
    alarm.abort()
    if (delayMs <= 0) return false
    const mine = (alarm = new AbortController())
    void clock.sleep(delayMs, mine.signal).then(() => mine.signal.aborted || poller.wake())
    return true
  }

  return {
    start: () => {
      const endListening = wakeOn(db, 'push', {
        wake: poller.wake,
        onDeaf: (error) => log.error('push.deaf', errorFields(error)),
      })
      const stop = poller.start()
      return async () => {
        await stop()
        alarm.abort()
        await endListening()
        await Promise.all(underWay)
      }
    },
  }
}

/** Sends one push and keeps what became of it; never rejects. */
function createNotifier({ clock, log, queue, send }: WorkerParts) {
  async function settle(push: ClaimedPush, outcome: Outcome): Promise<void> {
    switch (outcome.kind) {
      case 'taken':
        return queue.settle(push, true)
      case 'refused':
        return queue.settle(push, false)
      case 'gone':
        return queue.forget(push)
      case 'forbidden':
      case 'unmade':
        return queue.release(push, clock.now() + MENDING_WAIT_MS)
      case 'later': {
        const chance = clock.randomBetween(0, 999) / 1_000
        const waitMs = outcome.afterMs ?? backOffMs(push.heldTimes + 1, chance)
        return queue.release(push, clock.now() + Math.min(waitMs, MAX_WAIT_MS))
      }
    }
  }

  return async (push: ClaimedPush): Promise<void> => {
    try {
      const outcome = await send(push)
      await settle(push, outcome)
      const { kind: became, ...why } = { status: undefined, ...outcome }
      log[LEVELS[became]](`push.${became}`, {
        pushId: push.id,
        kind: push.kind,
        device: push.deviceId,
        ...why,
      })
    } catch (error) {
      // It stays claimed until the lease ends, and is told again then.
      log.error('push.settle-failed', { pushId: push.id, ...errorFields(error) })
    }
  }
}
