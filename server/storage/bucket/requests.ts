// Requests to an S3 bucket: retried within a deadline, refused at once while the store is away.
import type { Clock } from '#server/clock.ts'
import { BucketError, codeOf, readText } from './faults.ts'
import { createSender, type Asked, type BucketSettings, type Reply } from './sending.ts'

export type BucketLimits = {
  /** A request counts as lost after this time without a byte in either direction. */
  silenceMs: number
  /** No retry begins later than this after the first try. */
  deadlineMs: number
  /** How long everything is refused at once after the store did not answer. */
  awayMs: number
}

const LIMITS: BucketLimits = { silenceMs: 10_000, deadlineMs: 20_000, awayMs: 5_000 }

const TRIES = 3
const FIRST_WAIT_MS = 100
const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 504])
/**
 * After these statuses (null: no answer) the store counts as away. 500 and 429 may concern one object only, so they
 * do not count.
 */
const OF_ALL: ReadonlySet<number | null> = new Set([null, 403, 502, 503, 504])
/** A store refuses requests whose time is 15 minutes off. */
const SKEW_MS = 60_000

export type BucketRequests = ReturnType<typeof createBucketRequests>

/**
 * `ask` answers any reply below 300, and the 404 of an object. It raises BucketError for another answer, or for none
 * after the retries. Each request is safe to repeat.
 */
export function createBucketRequests(settings: BucketSettings, clock: Clock, limits: BucketLimits = LIMITS) {
  const { send, close } = createSender(settings, limits)
  /** How far the store's clock is ahead of the portal's; measured again when the store refuses the time. */
  let aheadMs = 0
  let away: { untilMs: number; error: BucketError } | null = null

  /** The error that a reply means; null for a reply to hand on. */
  async function faultOf({ method, key }: Asked, { status, headers, body }: Reply) {
    if (status >= 200 && status < 300) return null
    if (status === 404 && key !== '' && method !== 'PUT') return null
    const code = codeOf(await readText(body))
    const skewMs = Date.parse(headers.date ?? '') - clock.now() - aheadMs
    const isSkewed =
      code === 'RequestTimeTooSkewed' || (status === 403 && code === null && Math.abs(skewMs) > SKEW_MS)
    if (!isSkewed || Number.isNaN(skewMs)) return new BucketError(status, code)
    aheadMs += skewMs
    return new BucketError(status, 'RequestTimeTooSkewed')
  }

  async function tryAll(asked: Asked): Promise<Reply> {
    const startMs = clock.now()
    for (let attempt = 1; ; attempt++) {
      let fault: BucketError | null
      try {
        const reply = await send(asked, clock.now() + aheadMs)
        fault = await faultOf(asked, reply)
        if (!fault) return reply
      } catch (error) {
        if (!(error instanceof BucketError)) throw error
        fault = error
      }
      const waitMs = FIRST_WAIT_MS * 2 ** attempt + clock.randomBetween(0, FIRST_WAIT_MS)
      const isLate = clock.now() + waitMs - startMs > limits.deadlineMs
      if (asked.isTriedOnce || attempt === TRIES || isLate || !isWorthATry(fault)) throw fault
      await clock.sleep(waitMs)
    }
  }

  return {
    /** True: the store is away, from a request without an answer until the next answer. */
    isAway: () => away !== null,
    ask: async (asked: Asked): Promise<Reply> => {
      if (away && clock.now() < away.untilMs) throw away.error
      try {
        const reply = await tryAll(asked)
        away = null
        return reply
      } catch (error) {
        if (error instanceof BucketError && OF_ALL.has(error.status))
          away = { untilMs: clock.now() + limits.awayMs, error }
        throw error
      }
    },
    close,
  }
}

const isWorthATry = ({ status, code }: BucketError) =>
  status === null || PASSING.has(status) || code === 'RequestTimeTooSkewed'
