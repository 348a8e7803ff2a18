// A conversation is read, or marked as unread. The board changes here at once, on other devices once it is sent.
import type { Lead } from '#domain/lead/lead.ts'
import { leadRef, perform } from './operation.ts'

/** Marks a conversation as read up to a time, and removes a mark as unread. */
export async function markRead(contactId: number, upToSeconds: number): Promise<void> {
  const lead = { id: contactId, number: null, name: null, instanceName: null }
  await perform({ kind: 'lead.read', lead, upToSeconds })
}

/** The board's toggle, without opening the conversation. */
export async function toggleUnread(lead: Lead): Promise<void> {
  if (lead.unreadCount === 0) return markUnread(lead)
  return markRead(lead.id, lead.lastMessage?.sentAtSeconds ?? 0)
}

/** The conversation counts as unread until it is opened or the lead writes. */
export async function markUnread(lead: Lead): Promise<void> {
  await perform({ kind: 'lead.unread', lead: leadRef(lead), given: {} })
}
