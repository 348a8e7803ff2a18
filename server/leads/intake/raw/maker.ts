// Makes leads of stored bodies: of the current one while its sender waits, of others in the background.
import { createHash } from 'node:crypto'
import type { Clock } from '#server/clock.ts'
import { isPassing, SqlError } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createWorker, type Worker } from '#server/worker.ts'
import { withMime } from '../mail/mime.ts'
import { UnreadableLead, type NewLead } from '../new-lead.ts'
import { readSent } from './body.ts'
import type { Raw, RawStore, Taken } from './store.ts'
import { readBody } from '../sources.ts'
import { refuseRobot } from '../trap.ts'

const POLL_EVERY_MS = 2_000
/** How long one portal has a body to itself before another one tries it. */
export const LEASE_MS = 30_000
const MAX_WAIT_MS = 10 * 60_000
/** So many attempts last about three hours, with the waits between them. */
const MAX_ATTEMPTS = 24
/** Few at once, so that the database stays free for storing new bodies and for other work. */
const MAX_AT_ONCE = 2
/** Beyond this many waiting bodies the sender is answered at once, and its lead is made later. */
const MAX_WAITING = 16

/** `later`: stored, and retried. `nobody`: parsed, without a lead. */
type Made =
  | { outcome: 'taken'; taken: Taken; name: string | null; fault: string | null }
  | { outcome: 'test' }
  | { outcome: 'nobody' }
  | { outcome: 'unreadable'; error: UnreadableLead }
  | { outcome: 'later' }

export type RawMaker = Worker & {
  /** Tells whether too many bodies wait to make another lead at once. */
  isBusy: () => boolean
  make: (raw: Raw) => Promise<Made>
  /**
   * Parses a body because a person asks for it, even a robot's. Returns the lead's name, or why parsing fails. Never
   * rejects.
   */
  readAgain: (raw: Raw) => Promise<{ name: string | null; fault: string | null }>
}

type Parts = { clock: Clock; log: Log; store: RawStore; onTaken: () => void }

/** Tries once to make the leads of a body; never rejects. */
function createAttempt({ clock, log, store, onTaken }: Parts) {
  async function attempt(raw: Raw, isVouchedFor = false): Promise<Made> {
    try {
      const body = await withMime(readSent(raw))
      if (!isVouchedFor) refuseRobot(body)
      const parsed = named(readBody(raw, body, clock.now()), raw)
      const fault = parsed.find((one) => one instanceof UnreadableLead)
      const leads = parsed.filter((one): one is NewLead => !(one instanceof UnreadableLead) && !one.isTest)
      if (leads.length === 0) return fault ? notRead(raw, fault) : endTest(raw)
      const taken = await store.take(raw.id, { leads, fault: fault?.summary ?? null }, clock.now())
      if (taken === null) return { outcome: 'later' }
      if (!taken.isRepeat) onTaken()
      const [first] = leads
      return {
        outcome: 'taken',
        taken,
        name: first?.name ?? first?.number ?? first?.email ?? null,
        fault: fault?.summary ?? null,
      }
    } catch (error) {
      if (error instanceof UnreadableLead) return notRead(raw, error)
      return putOff(raw, error)
    }
  }

  async function endTest(raw: Raw): Promise<Made> {
    await store.endTest(raw.id, clock.now())
    return { outcome: 'test' }
  }

  async function notRead(raw: Raw, error: UnreadableLead): Promise<Made> {
    if (!error.isNoLead) return { outcome: 'unreadable', error }
    await store.putAside(raw.id, error.summary)
    return { outcome: 'nobody' }
  }

  /** Outages are retried without end; an error that the body causes only MAX_ATTEMPTS times. */
  async function putOff(raw: Raw, error: unknown): Promise<Made> {
    const isPoison = error instanceof SqlError && !isPassing(error)
    const isFinal = isPoison && raw.attempts >= MAX_ATTEMPTS
    log.warn(isFinal ? 'intake.given-up' : 'intake.postponed', { rawId: raw.id, ...errorFields(error) })
    const fault = error instanceof SqlError ? error.code : 'failed'
    const waitMs = Math.min(MAX_WAIT_MS, 1_000 * 2 ** Math.min(raw.attempts, 10))
    await (
      isFinal ? store.setUnread(raw.id, fault) : store.postpone(raw.id, clock.now() + waitMs, fault)
    ).catch(
      // The body is retried when its lease expires.
      (cause: unknown) => log.warn('intake.not-postponed', { rawId: raw.id, ...errorFields(cause) }),
    )
    return { outcome: 'later' }
  }

  return attempt
}

export function createRawMaker(parts: Parts): RawMaker {
  const { clock, log, store } = parts
  const limit = createConcurrencyLimit(MAX_AT_ONCE)
  const attempt = createAttempt(parts)

  async function makeLater(raw: Raw) {
    const made = await limit.run(() => attempt(raw))
    if (made.outcome === 'unreadable') await setUnread(raw, made.error)
  }

  async function setUnread(raw: Raw, { summary, code }: UnreadableLead) {
    const isStored = await store.setUnread(raw.id, summary)
    log.warn(isStored ? 'intake.unread' : 'intake.dropped', { rawId: raw.id, code })
  }

  async function readAgain(raw: Raw) {
    const made = await limit.run(() => attempt(raw, true))
    if (made.outcome === 'taken') return { name: made.name, fault: made.fault }
    if (made.outcome !== 'unreadable') return { name: null, fault: null }
    // If this fails, the body is retried when its lease expires.
    await setUnread(raw, made.error).catch((error: unknown) =>
      log.warn('intake.not-postponed', { rawId: raw.id, ...errorFields(error) }),
    )
    return { name: null, fault: made.error.summary }
  }

  const worker = createWorker({
    name: 'intake',
    clock,
    everyMs: POLL_EVERY_MS,
    poll: async () => {
      const due = await store.due(clock.now(), clock.now() + LEASE_MS, MAX_WAITING)
      await Promise.all(due.map(makeLater))
      return due.length > 0
    },
    onFailed: (error) => log.warn('intake.look-failed', errorFields(error)),
  })
  return {
    ...worker,
    isBusy: () => limit.waiting() >= MAX_WAITING,
    make: (raw) => limit.run(() => attempt(raw)),
    readAgain,
  }
}

/**
 * Gives leads without an id a stable one, which recognises a repeated delivery: the request's idempotency key, else, if
 * the body has several leads, the body's hash. A single lead without that key gets none.
 */
export function named(parsed: readonly (NewLead | UnreadableLead)[], { repeatKey, body }: Raw) {
  const id =
    repeatKey ??
    (parsed.length > 1 ? `corpo ${createHash('sha256').update(body).digest('hex').slice(0, 40)}` : null)
  return parsed.map((one, index) =>
    one instanceof UnreadableLead || one.externalId !== null || id === null
      ? one
      : { ...one, externalId: index === 0 ? id : `${id} ${index}` },
  )
}

/** Runs at most `most` tasks at once; others wait in order. */
function createConcurrencyLimit(most: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return {
    waiting: () => waiting.length,
    run: async <T>(task: () => Promise<T>): Promise<T> => {
      if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
      else running += 1
      try {
        return await task()
      } finally {
        // Hands the slot to the next task, or frees it.
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}
