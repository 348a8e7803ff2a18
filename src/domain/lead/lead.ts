// A lead as a card shows it.
import type { Delivery } from '../message/message.ts'
import type { Later } from '../next-action/later.ts'
import type { NextAction } from '../next-action/next-action.ts'
import { formatPhone } from '../phone/phone.ts'

export type LastMessage = {
  /** Undefined: a form's text, or one that only this device has. */
  id?: number | undefined
  body: string
  sentAtSeconds: number
  direction: 'incoming' | 'outgoing'
  /** Delivery state of an outgoing message. */
  delivery: Delivery | null
  byAssistant?: boolean
  /** The first characters of the operation that sent it. */
  operation?: string | undefined
}

/** The label that brokers read for an agent's message. */
export const ASSISTANT = 'Assistente'

/** Of a text, of a visit, of anything else. */
export type Refusal = 'refused' | 'unbooked' | 'unsaved'

export type Lead = {
  id: number
  name: string | null
  number: string | null
  notes: string | null
  stageSlug: string
  pictureUrl: string | null
  instanceName: string
  unreadCount: number
  /** The broker marked it as unread, though every message is read; `unreadCount` is 1. */
  isMarkedUnread?: boolean
  lastMessage: LastMessage | null
  createdAtMs: number
  /** Since when the lead waits for our answer; null: it does not wait. */
  waitingSinceMs: number | null
  /** Open next actions, the one due first in front. */
  next: readonly NextAction[]
  /** Scheduled texts; undefined without any. */
  later?: readonly Later[] | undefined
  /** What was done on the day of the last change, as in the lead's row; undefined without any. */
  done?: readonly unknown[] | undefined
  /** The target of its rotation for the first answer; undefined: the agency's. */
  targetMs?: number | undefined
  source: string
  development: string | null
  /** Developments that the lead asked for or was sent, the oldest first; null or absent without any. */
  interests?: readonly string[] | null | undefined
  /** When a campaign last wrote to the lead. */
  remarketingSentAtMs: number | null
  /** The lead opted out of campaigns. */
  isOptedOut: boolean
  /** A text that was begun on this device and not sent. */
  draft?: string | undefined
  /** A change on this device that the server does not have: queued, in conflict, or refused (with what it was). */
  waiting: 'queue' | 'conflict' | Refusal | null
}

/** A card is highlighted for the first 5 minutes. */
const FRESH_MS = 300_000

/** The highlight of a card with recent activity: a sun if the lead waits for us, a ring if we wrote. */
export function freshWords(
  { lastMessage, waitingSinceMs }: Lead,
  nowMs: number,
): LastMessage['direction'] | null {
  if (waitingSinceMs !== null) return isFresh(waitingSinceMs, nowMs) ? 'incoming' : null
  return lastMessage?.direction === 'outgoing' && isFresh(lastMessage.sentAtSeconds * 1000, nowMs)
    ? 'outgoing'
    : null
}

const isFresh = (thenMs: number, nowMs: number) => nowMs - thenMs < FRESH_MS

/**
 * The note for a card; null if it only repeats the form's text (see portal.take_lead), which is shown above
 * it.
 */
export const shownNote = ({ notes, lastMessage }: Lead) =>
  notes === `Mensagem do formulário: ${lastMessage?.body}` ? null : notes

/** Name, number or e-mail; 'Sem nome' without any of them. */
export function leadTitle({
  name,
  number,
  email,
}: Pick<Lead, 'name' | 'number'> & { email?: string | null }): string {
  return name?.trim() || (number && formatPhone(number)) || email || 'Sem nome'
}

/** The last message or the arrival; columns are sorted by it. */
export function spokenAtMs({ lastMessage, createdAtMs }: Pick<Lead, 'lastMessage' | 'createdAtMs'>): number {
  return lastMessage ? lastMessage.sentAtSeconds * 1000 : createdAtMs
}
