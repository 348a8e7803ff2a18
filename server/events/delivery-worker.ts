// Sends the rows of portal.event_out, in any portal over the database; in order for each lead. portal.settle_event
// (18_events.sql) decides when one is repeated and when its address is paused.
import { randomUUID } from 'node:crypto'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { wakeOn } from '#server/db/wake-on.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createWorker, type Worker } from '#server/worker.ts'
import { createRunning } from '#server/running.ts'
import type { Post } from './post.ts'
import { openSecrets, signatureHeaders } from './signature.ts'

/** Concurrent requests. */
const MAX_AT_ONCE = 16
/** Longer than an attempt may take, so that no other portal sends the same event. */
const LEASE_SECONDS = 30
const POLL_EVERY_MS = 30_000

type ClaimedEvent = {
  id: number
  messageId: string
  hookId: string
  type: string
  data: unknown
  happenedAt: string
  tries: number
  url: string
  secret: string
  oldSecret: string | null
}
type Claimed = { events: ClaimedEvent[]; nextAt: string | null }

export type DeliveryParts = {
  db: Database
  clock: Clock
  log: Log
  post: Post
  /** Null: it was encrypted under another JWT_SECRET. */
  decrypt: (encrypted: string) => string | null
}

/** The result of one attempt: the status, or why no request was possible. */
const createSend =
  ({ clock, post, decrypt }: Pick<DeliveryParts, 'clock' | 'post' | 'decrypt'>) =>
  (event: ClaimedEvent): ReturnType<Post> => {
    const secrets = openSecrets(event, decrypt)
    // An unsigned body could be forged, so the event waits until an administrator sets the secret again.
    if (secrets.length === 0) return Promise.resolve({ status: null, fault: 'secret', tookMs: 0 })
    const body = JSON.stringify({ type: event.type, timestamp: event.happenedAt, data: event.data })
    const atSeconds = Math.floor(clock.now() / 1_000)
    return post(event.url, signatureHeaders(secrets, { id: event.messageId, atSeconds, body }), body)
  }

export function createDeliveryWorker({ db, clock, log, post, decrypt }: DeliveryParts): Worker {
  /** Identifies this process among the portals over one database. */
  const claimer = randomUUID()
  const send = createSend({ clock, post, decrypt })
  // Each finished request wakes the worker again.
  const sendings = createRunning(() => worker.wake())
  let alarm = new AbortController()
  const worker = createWorker({
    name: 'webhooks',
    clock,
    everyMs: POLL_EVERY_MS,
    poll,
    onFailed: (error) => log.warn('events.queue-failed', errorFields(error)),
  })

  async function poll(): Promise<boolean> {
    const room = MAX_AT_ONCE - sendings.count()
    if (room === 0) return false
    const { rows } = await db.query<{ claimed: Claimed }>(
      'select portal.claim_events($1, $2, $3, $4) as claimed',
      [claimer, new Date(clock.now()).toISOString(), LEASE_SECONDS, room],
    )
    const { events, nextAt } = rows[0]?.claimed ?? { events: [], nextAt: null }
    for (const event of events) sendings.add(deliver(event))
    alarm.abort()
    if (nextAt !== null) {
      const mine = (alarm = new AbortController())
      const delayMs = Math.max(1, Date.parse(nextAt) - clock.now())
      void clock.sleep(delayMs, mine.signal).then(() => mine.signal.aborted || worker.wake())
    }
    return false
  }

  async function deliver(event: ClaimedEvent): Promise<void> {
    try {
      const { status, fault, tookMs } = await send(event)
      const { rows } = await db.query<{ became: string }>(
        'select portal.settle_event($1, $2, $3, $4, $5, $6) as became',
        [event.id, claimer, new Date(clock.now()).toISOString(), status, fault, tookMs],
      )
      const became = rows[0]?.became ?? 'lost'
      const fields = { eventId: event.id, hook: event.hookId, status, fault, tookMs }
      if (became === 'delivered') log.debug('events.delivered', fields)
      else log[became === 'failures' ? 'error' : 'warn'](`events.${became}`, fields)
    } catch (error) {
      // The event stays claimed until its lease ends. A worker then sends it again.
      log.error('events.settle-failed', { eventId: event.id, ...errorFields(error) })
    }
  }

  async function settled(): Promise<void> {
    await worker.settled()
    if (sendings.count() === 0) return
    await sendings.settled()
    await settled()
  }

  return {
    wake: worker.wake,
    settled,
    start: () => {
      const endListening = wakeOn(db, 'events_out', {
        wake: worker.wake,
        onDeaf: (error) => log.error('events.deaf', errorFields(error)),
      })
      const stop = worker.start()
      return async () => {
        await stop()
        alarm.abort()
        await endListening()
        await sendings.settled()
      }
    },
  }
}
