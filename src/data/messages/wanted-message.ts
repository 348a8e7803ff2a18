// The message at which a conversation opens, named by whoever opens it.

type Wanted = { contactId: number; messageId: number }

let wanted: Wanted | null = null
const listeners = new Set<() => void>()

export function wantMessage(contactId: number, messageId: number) {
  wanted = { contactId, messageId }
  for (const listener of listeners) listener()
}

/** Null: nobody asked for one of this conversation. The next call answers null. */
export function takeWanted(contactId: number): number | null {
  if (wanted?.contactId !== contactId) return null
  const { messageId } = wanted
  wanted = null
  return messageId
}

export function watchWanted(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
