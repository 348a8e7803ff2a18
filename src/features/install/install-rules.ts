// When the app offers its installation and pushes.
import type { InstallRecord } from '#live/install.ts'

const SESSIONS_BEFORE = 3
const REST_MS = 14 * 24 * 60 * 60_000
const MAX_DECLINES = 2

export type Declines = Pick<InstallRecord, 'declines' | 'declinedAtMs'>

/** From the third session or the first move on. */
export function mayOffer({ sessions, hasMoved, ...declined }: InstallRecord, nowMs: number): boolean {
  return (sessions >= SESSIONS_BEFORE || hasMoved) && mayAskAgain(declined, nowMs)
}

/** Not within 14 days after 'Agora não', and never after the second one. */
export function mayAskAgain({ declines, declinedAtMs }: Declines, nowMs: number): boolean {
  return declines === 0 || (declines < MAX_DECLINES && nowMs - declinedAtMs >= REST_MS)
}
