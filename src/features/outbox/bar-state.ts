// Computes what the strip below the top bar tells about the connection and the outbox. Pure.

export type BarFacts = {
  /** True once the device has been offline for 1.5 seconds. */
  isAway: boolean
  /** True if the device is online again, and entries that had waited are being sent or were just sent. */
  isReturning: boolean
  /** How many entries wait to be sent. */
  queued: number
  /** How many entries wait for the user's decision. */
  undecided: number
  /** What has delayed the entries for a while: the network or the server. Null if neither has. */
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
