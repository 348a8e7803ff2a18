// Marks a conversation as read or unread. The board changes at once, on other devices once the change is sent.
import type { Lead } from '#domain/lead/lead.ts'
import { leadRef, perform } from './operation.ts'

/** Marks a conversation as read up to a time, and removes the 'unread' mark. */
export async function markRead(contactId: number, upToSeconds: number): Promise<void> {
  const lead = { id: contactId, number: null, name: null, instanceName: null }
  await perform({ kind: 'lead.read', lead, upToSeconds })
}

/** Switches between read and unread from the board, without opening the conversation. */
export async function toggleUnread(lead: Lead): Promise<void> {
  if (lead.unreadCount === 0) return markUnread(lead)
  return markRead(lead.id, lead.lastMessage?.sentAtSeconds ?? 0)
}

/** Marks the conversation as unread until it is opened or the lead writes. */
export async function markUnread(lead: Lead): Promise<void> {
  await perform({ kind: 'lead.unread', lead: leadRef(lead), given: {} })
}
