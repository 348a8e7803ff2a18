// What the strip below the top bar says about the connection and the outbox. Pure.

export type BarFacts = {
  /** Offline for longer than a moment. */
  isAway: boolean
  /** Back online after entries had waited, and they are being sent or were just sent. */
  isReturning: boolean
  /** Entries that wait to be sent. */
  queued: number
  /** Entries that wait for the user's decision. */
  undecided: number
  /** What has delayed the entries for longer than a moment: the network or the server. */
  isHeldBy: 'network' | 'server' | null
}

export type BarState =
  | { kind: 'none' }
  | { kind: 'offline'; queued: number }
  | { kind: 'returning'; queued: number }
  | { kind: 'sent' }
  | { kind: 'undecided'; count: number }
  | { kind: 'weak' }
  | { kind: 'held'; queued: number }

export function barState({ isAway, isReturning, queued, undecided, isHeldBy }: BarFacts): BarState {
  if (isAway) return { kind: 'offline', queued: queued + undecided }
  if (isHeldBy === 'network') return { kind: 'weak' }
  if (isReturning && queued > 0) return { kind: 'returning', queued }
  if (undecided > 0) return { kind: 'undecided', count: undecided }
  if (isReturning) return { kind: 'sent' }
  return isHeldBy === 'server' ? { kind: 'held', queued } : { kind: 'none' }
}
