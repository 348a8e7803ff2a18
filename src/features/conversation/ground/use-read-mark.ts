// While the conversation is open and visible, marks its messages as read and tells the portal to send no push for it.
import { useEffect, useState, useSyncExternalStore } from 'react'
import { markRead } from '#data/read-marks.ts'
import { showConversation } from '#data/messages/seen-conversation.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'

export function useReadMark(
  contactId: number,
  messages: readonly Message[] | undefined,
  lead: Lead | undefined,
) {
  const isSeen = useSyncExternalStore(watchVisibility, () => document.visibilityState === 'visible')
  useEffect(() => (isSeen ? showConversation(contactId) : undefined), [contactId, isSeen])
  const newest = messages?.findLast(({ direction, isRead }) => direction === 'incoming' && !isRead)
  // Opening a conversation removes its 'unread' mark. A mark that the broker sets while it is open stays.
  const [wasMarked, setMarked] = useState<boolean>()
  if (lead && wasMarked === undefined) setMarked(lead.isMarkedUnread ?? false)
  const { id, sentAtSeconds } = newest ?? (messages && wasMarked ? NO_MESSAGE : NOTHING)
  useEffect(() => {
    // The id is a dependency too, because several messages may share a second.
    if (isSeen && id !== undefined && sentAtSeconds !== undefined) void markRead(contactId, sentAtSeconds)
  }, [contactId, id, sentAtSeconds, isSeen])
}

/** Marks no message as read, only removes the broker's 'unread' mark. */
const NO_MESSAGE = { id: 0, sentAtSeconds: 0 }
const NOTHING: Partial<typeof NO_MESSAGE> = {}

function watchVisibility(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}
