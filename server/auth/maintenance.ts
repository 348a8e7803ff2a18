// Deletes expired sessions, tokens and counted attempts.
import type { Clock } from '#server/clock.ts'
import { errorFields, type Log } from '#server/log.ts'
import type { SessionStore } from './session-store.ts'
import type { Throttle } from './throttle.ts'

const EVERY_MS = 3_600_000

/** Runs every hour until stopped. */
export function startMaintenance(parts: {
  clock: Clock
  log: Log
  sessions: SessionStore
  throttle: Throttle
}): () => void {
  return parts.clock.every(EVERY_MS, () => {
    Promise.all([parts.sessions.removeExpired(), parts.throttle.removeForgotten()]).catch((error: unknown) =>
      parts.log.warn('auth.upkeep-failed', errorFields(error)),
    )
  })
}
