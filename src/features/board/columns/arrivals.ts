// A card that is about to appear again in a stage: told by what moved it, played by what shows it.

/** The side on which it had left. */
export type Side = 'left' | 'right'

type Listener = (leadId: number, side: Side) => void

const listeners = new Set<Listener>()

export function expectArrival(leadId: number, side: Side) {
  for (const listener of listeners) listener(leadId, side)
}

export function onArrival(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
