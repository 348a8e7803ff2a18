// Marks what came in as read, and says whose it is, while the conversation is open and seen.
import { useEffect, useSyncExternalStore } from 'react'
import { markRead } from '#data/messages/messages.ts'
import { showConversation } from '#data/messages/seen-conversation.ts'
import type { Message } from '#domain/message/message.ts'

export function useReadMark(contactId: number, messages: readonly Message[] | undefined) {
  const isSeen = useSyncExternalStore(watchVisibility, () => document.visibilityState === 'visible')
  useEffect(() => (isSeen ? showConversation(contactId) : undefined), [contactId, isSeen])
  const newest = messages?.findLast(({ direction, isRead }) => direction === 'incoming' && !isRead)
  const { id, sentAtSeconds } = newest ?? {}
  useEffect(() => {
    // By id, too: a second may bring several.
    if (isSeen && id !== undefined && sentAtSeconds !== undefined) void markRead(contactId, sentAtSeconds)
  }, [contactId, id, sentAtSeconds, isSeen])
}

function watchVisibility(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}
