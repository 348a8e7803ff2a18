// Passes a card's entrance animation from the code that moved it to the list that shows it.

/** The side of the screen on which a card left its list. */
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
