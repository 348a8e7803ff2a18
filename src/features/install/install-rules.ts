// When the home screen is offered unasked. INTERACTIONS 8.
import type { InstallRecord } from '#live/install.ts'

const SESSIONS_BEFORE = 3
const REST_MS = 14 * 24 * 60 * 60_000
const MOST_DECLINES = 2

/** From the third session or the first move on; 'Agora não' is respected for 14 days, and for good the second time. */
export function mayOffer(
  { sessions, hasMoved, declines, declinedAtMs }: InstallRecord,
  nowMs: number,
): boolean {
  if (sessions < SESSIONS_BEFORE && !hasMoved) return false
  return declines === 0 || (declines < MOST_DECLINES && nowMs - declinedAtMs >= REST_MS)
}
