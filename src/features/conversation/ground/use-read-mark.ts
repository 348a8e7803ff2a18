// While the conversation is open and visible, marks its messages as read and suppresses its pushes.
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
    // The id as well, because several messages may share a second.
    if (isSeen && id !== undefined && sentAtSeconds !== undefined) void markRead(contactId, sentAtSeconds)
  }, [contactId, id, sentAtSeconds, isSeen])
}

function watchVisibility(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}
