// While the conversation is open and visible, marks its messages as read and suppresses its pushes.
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
  // Opening removes the mark. One that is set while the conversation is open stays.
  const [wasMarked, setMarked] = useState<boolean>()
  if (lead && wasMarked === undefined) setMarked(lead.isMarkedUnread ?? false)
  const { id, sentAtSeconds } = newest ?? (messages && wasMarked ? NO_MESSAGE : NOTHING)
  useEffect(() => {
    // The id as well, because several messages may share a second.
    if (isSeen && id !== undefined && sentAtSeconds !== undefined) void markRead(contactId, sentAtSeconds)
  }, [contactId, id, sentAtSeconds, isSeen])
}

/** A reading without a new message removes the mark alone. */
const NO_MESSAGE = { id: 0, sentAtSeconds: 0 }
const NOTHING: Partial<typeof NO_MESSAGE> = {}

function watchVisibility(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}
