// Decides when the app offers its installation and pushes.
import type { InstallRecord } from '#live/install.ts'

const SESSIONS_BEFORE = 3
const REST_MS = 14 * 24 * 60 * 60_000
const MAX_DECLINES = 2

export type Declines = Pick<InstallRecord, 'declines' | 'declinedAtMs'>

/** The app offers its installation from the third session, or from the first move of a lead. */
export function mayOffer({ sessions, hasMoved, ...declined }: InstallRecord, nowMs: number): boolean {
  return (sessions >= SESSIONS_BEFORE || hasMoved) && mayAskAgain(declined, nowMs)
}

/** The app does not ask again within 14 days after 'Agora não', and never after the second 'Agora não'. */
export function mayAskAgain({ declines, declinedAtMs }: Declines, nowMs: number): boolean {
  return declines === 0 || (declines < MAX_DECLINES && nowMs - declinedAtMs >= REST_MS)
}
