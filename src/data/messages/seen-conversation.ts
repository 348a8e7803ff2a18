// The conversation on screen, for which no notices are shown.
import { useSyncExternalStore } from 'react'

let seen: number | null = null
const listeners = new Set<() => void>()

function see(contactId: number | null) {
  seen = contactId
  for (const listener of listeners) listener()
}

/** Marks a conversation as shown until the returned function is called. */
export function showConversation(contactId: number): () => void {
  see(contactId)
  return () => {
    if (seen === contactId) see(null)
  }
}

export function useSeenConversation(): number | null {
  return useSyncExternalStore(watchSeenConversation, seenConversation)
}

export const seenConversation = (): number | null => seen

export function watchSeenConversation(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
