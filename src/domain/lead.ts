// A person who asks, as a card shows her. Spec 3, 2.9.
import { formatPhone } from './phone.ts'

export type LastMessage = {
  body: string
  sentAtSeconds: number
  direction: 'incoming' | 'outgoing'
}

export type Lead = {
  id: number
  name: string | null
  number: string | null
  notes: string | null
  stageSlug: string
  pictureUrl: string | null
  instanceName: string
  unreadCount: number
  lastMessage: LastMessage | null
  createdAtMs: number
}

/** Spec 9: a card stands out while its last message is under 5 minutes old. */
const FRESH_SECONDS = 300

export function isFresh(lead: Lead, nowMs: number): boolean {
  return lead.lastMessage !== null && nowMs / 1000 - lead.lastMessage.sentAtSeconds < FRESH_SECONDS
}

/** Name or number (spec 2.9); a contact that has neither is 'Sem nome' (spec 2.10). */
export function leadTitle({ name, number }: Pick<Lead, 'name' | 'number'>): string {
  return name?.trim() || (number && formatPhone(number)) || 'Sem nome'
}
