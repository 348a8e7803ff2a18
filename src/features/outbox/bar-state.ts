// What the strip under the top bar says of the connection and of what waits. Pure.

export type BarFacts = {
  /** Without a network for longer than a moment. */
  isAway: boolean
  /** It was, with something waiting, and not all of it is gone yet or just is. */
  isReturning: boolean
  /** What waits to go out. */
  queued: number
  /** What waits for the person. */
  undecided: number
  /** Of what waits: kept back for longer than a moment, by the network or by the server. */
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
