// Decides when the app offers its installation and pushes.
import type { InstallRecord } from '#live/install.ts'

const SESSIONS_BEFORE = 3
const REST_MS = 14 * 24 * 60 * 60_000
const MAX_DECLINES = 2

export type Declines = Pick<InstallRecord, 'declines' | 'declinedAtMs'>

/** Decides whether the app offers its installation: from the third session on, or from the first move of a lead. */
export function mayOffer({ sessions, hasMoved, ...declined }: InstallRecord, nowMs: number): boolean {
  return (sessions >= SESSIONS_BEFORE || hasMoved) && mayAskAgain(declined, nowMs)
}

/**
 * Decides whether the app may ask again: not within 14 days after 'Agora não', and never after the second 'Agora não'.
 */
export function mayAskAgain({ declines, declinedAtMs }: Declines, nowMs: number): boolean {
  return declines === 0 || (declines < MAX_DECLINES && nowMs - declinedAtMs >= REST_MS)
}
