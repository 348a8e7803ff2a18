// Remembers whether the strip or a card has opened 'Pendências', and for which lead.
import { useSyncExternalStore } from 'react'

export type Opening = {
  isOpen: boolean
  /** The lead whose entries the list shows first; null: none in particular. */
  leadId: number | null
}

let opening: Opening = { isOpen: false, leadId: null }
const listeners = new Set<() => void>()

function become(next: Opening) {
  opening = next
  for (const listener of listeners) listener()
}

export function openQueue(leadId: number | null = null) {
  become({ isOpen: true, leadId })
}

export function closeQueue() {
  become({ ...opening, isOpen: false })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useQueueOpening(): Opening {
  return useSyncExternalStore(subscribe, () => opening)
}
