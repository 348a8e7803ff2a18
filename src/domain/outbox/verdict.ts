// Interprets the server's answer to a write, and computes when to retry.
import type { Problem } from './command.ts'

/** The parsed answer. `code` is the server's; 'done' for writes whose answer has none. */
export type Reading = {
  code: string
  problem: Problem
  messageId: number | null
  leadId?: number | undefined
  /** The operations of material that were refused; the others are done. */
  gone?: readonly string[]
}

export type Answer = {
  /** The HTTP status; 0 if no answer came. */
  status: number
  retryAfterMs: number | null
  /** Null if the answer is not the portal's own, for example a hotel's sign-in page or a proxy's error. */
  reading: Reading | null
}

export type Verdict =
  | {
      kind: 'applied'
      messageId: number | null
      leadId?: number | undefined
      /** The refused messages of material. */
      refused?: { gone: readonly string[]; problem: Problem }
    }
  | { kind: 'conflict' | 'refused'; problem: Problem }
  /** Only this entry is retried later; others are sent. */
  | { kind: 'later'; retryAfterMs: number | null; isFault: boolean }
  /** The network is down. */
  | { kind: 'network' }
  /** The session has ended. */
  | { kind: 'session' }

const TRY_LATER = [408, 425, 429]
const DONE = ['moved', 'already', 'saved', 'done']

export function verdictOf({ status, retryAfterMs, reading }: Answer): Verdict {
  if (status === 401) return { kind: 'session' }
  if (status >= 500 || TRY_LATER.includes(status))
    return { kind: 'later', retryAfterMs, isFault: status === 500 }
  if (status === 0 || !reading) return { kind: 'network' }
  if (status >= 300) return { kind: 'refused', problem: reading.problem }
  if (DONE.includes(reading.code))
    return {
      kind: 'applied',
      messageId: reading.messageId,
      leadId: reading.leadId,
      ...(reading.gone?.length && { refused: { gone: reading.gone, problem: reading.problem } }),
    }
  return { kind: reading.code === 'conflict' ? 'conflict' : 'refused', problem: reading.problem }
}

const FIRST_WAIT_MS = 2_000
const MAX_BACKOFF_MS = 5 * 60_000

/**
 * Returns the wait before a retry. It doubles with each attempt, up to five minutes. `chance` in [0, 1) shortens it by
 * up to half, so that phones do not retry at the same time.
 */
export function backOffMs(attempts: number, chance: number): number {
  const whole = Math.min(MAX_BACKOFF_MS, FIRST_WAIT_MS * 2 ** Math.min(Math.max(attempts - 1, 0), 30))
  return Math.round(whole * (1 - chance / 2))
}

/** After this many server errors the write is refused, because it will not succeed. */
export const MAX_FAULTS = 8

/** Reads '120' or a date as milliseconds; null for anything else. */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null
  const seconds = Number(header)
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - nowMs
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs)
}
