// Sends queued pushes; the database wakes the worker, in any portal over it.
import { backOffMs } from '#domain/outbox/verdict.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { wakeOn } from '#server/db/wake-on.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createWorker } from '#server/worker.ts'
import { createRunning } from '#server/running.ts'
import type { ClaimedPush, PushQueue } from './push-queue.ts'
import type { Outcome } from './send.ts'

/** Concurrent requests, so that a hanging push service delays no other. */
const MAX_AT_ONCE = 16
/** How often the worker looks by itself, for pushes of a crashed portal and for missed notifications. */
const POLL_EVERY_MS = 30_000
/** How soon the worker looks again while another portal is processing something that is due. */
const POLL_AGAIN_MS = 1_000
/** An operator has to act; until then it is retried now and then. */
const MENDING_WAIT_MS = 5 * 60_000
/** If push services refuse the portal itself, an operator has to act, so it is logged as an error. */
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
  /** The returned function stops it, after the current requests are answered. */
  start(): () => Promise<void>
}

export function createPushWorker(parts: WorkerParts): PushWorker {
  const { db, clock, log, queue } = parts
  const notify = createNotifier(parts)
  // Each finished request wakes the worker again.
  const notices = createRunning(() => poller.wake())
  let alarm = new AbortController()
  const poller = createWorker({
    name: 'push',
    clock,
    everyMs: POLL_EVERY_MS,
    poll: poll,
    onFailed: (error) => log.warn('push.queue-failed', errorFields(error)),
  })

  /** Sends what is due; returns whether more is due at once. */
  async function poll(): Promise<boolean> {
    const room = MAX_AT_ONCE - notices.count()
    if (room === 0) return false
    const atMs = clock.now()
    const { pushes, nextAt } = await queue.claim(atMs, room)
    for (const push of pushes) notices.add(notify(push))
    const nextMs = nextAt === null ? null : Date.parse(nextAt)
    return nextMs !== null && !waits(nextMs > atMs ? nextMs - clock.now() : POLL_AGAIN_MS)
  }

  /** False if nothing waits. The newest delay counts, because it knew the whole queue. */
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
        await notices.settled()
      }
    },
  }
}

/** Sends one push and settles it; never rejects. */
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
      // The push stays claimed until its lease ends, and is then sent again.
      log.error('push.settle-failed', { pushId: push.id, ...errorFields(error) })
    }
  }
}
