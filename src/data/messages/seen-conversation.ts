// Whose conversation stands open before the person's eyes, for what must not speak of it meanwhile.
import { useSyncExternalStore } from 'react'

let seen: number | null = null
const listeners = new Set<() => void>()

function see(contactId: number | null) {
  seen = contactId
  for (const listener of listeners) listener()
}

/** From now until the answer is called. */
export function showConversation(contactId: number): () => void {
  see(contactId)
  return () => {
    if (seen === contactId) see(null)
  }
}

export function useSeenConversation(): number | null {
  return useSyncExternalStore(subscribe, () => seen)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
