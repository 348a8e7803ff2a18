// Interprets the server's answer to a write, and computes the delay of a retry.
import type { Problem } from './command.ts'

/** The parsed answer; `code` as of the server, 'done' for writes without a code. */
export type Reading = {
  code: string
  problem: Problem
  messageId: number | null
  leadId?: number | undefined
  /** Operations of a burst that were refused, for the problem's reason; the others are done. */
  gone?: readonly string[]
}

export type Answer = {
  /** 0 without an answer. */
  status: number
  retryAfterMs: number | null
  /** Null if the answer is not the portal's: a hotel's sign-in page, a proxy's error. */
  reading: Reading | null
}

export type Verdict =
  | {
      kind: 'applied'
      messageId: number | null
      leadId?: number | undefined
      /** The refused part of a burst. */
      refused?: { gone: readonly string[]; problem: Problem }
    }
  | { kind: 'conflict' | 'refused'; problem: Problem }
  /** This entry is retried later; others go on. */
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
 * Doubles with each attempt, up to five minutes, and is shortened by up to half by `chance` in [0, 1), so
 * that phones spread.
 */
export function backOffMs(attempts: number, chance: number): number {
  const whole = Math.min(MAX_BACKOFF_MS, FIRST_WAIT_MS * 2 ** Math.min(Math.max(attempts - 1, 0), 30))
  return Math.round(whole * (1 - chance / 2))
}

/** After this many server errors the same write will not succeed. */
export const MAX_FAULTS = 8

/** '120' or a date; null for anything else. */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null
  const seconds = Number(header)
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - nowMs
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs)
}
