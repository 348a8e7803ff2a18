// A lead as a card shows it.
import type { Delivery } from '../message/message.ts'
import type { Later } from '../next-action/later.ts'
import type { NextAction } from '../next-action/next-action.ts'
import { formatPhone } from '../phone/phone.ts'

export type LastMessage = {
  /** Undefined if the message is a form's text, or if only this device has it. */
  id?: number | undefined
  body: string
  sentAtSeconds: number
  direction: 'incoming' | 'outgoing'
  /** The delivery state of an outgoing message; null for incoming ones. */
  delivery: Delivery | null
  byAssistant?: boolean
  /** The first characters of the operation id with which a device sent the message. */
  operation?: string | undefined
}

/** The label that brokers read for an agent's message. */
export const ASSISTANT = 'Assistente'

/** What the server refused: a text ('refused'), a visit ('unbooked') or anything else ('unsaved'). */
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
  /** The broker marked the lead as unread, although every message is read. `unreadCount` is then 1. */
  isMarkedUnread?: boolean
  lastMessage: LastMessage | null
  createdAtMs: number
  /** Since when the lead waits for the broker's answer; null if it does not wait. */
  waitingSinceMs: number | null
  /** Open next actions, in the order in which they are due. */
  next: readonly NextAction[]
  /** Scheduled texts; undefined if there are none. */
  later?: readonly Later[] | undefined
  /**
   * What the broker did on the day of the lead's last change, as stored in its row. Undefined if the broker did
   * nothing.
   */
  done?: readonly unknown[] | undefined
  /** The target for the first answer, set by the lead's rotation. Undefined if the agency's target applies. */
  targetMs?: number | undefined
  source: string
  development: string | null
  /** Developments that the lead asked for or got material of, oldest first. Null or undefined if there are none. */
  interests?: readonly string[] | null | undefined
  /** When a campaign last wrote to the lead; null if none ever did. */
  remarketingSentAtMs: number | null
  /** True if the lead wants no more campaigns. */
  isOptedOut: boolean
  /** A text that the broker began on this device and has not sent. */
  draft?: string | undefined
  /**
   * Whether this device has a change that the server does not have: queued, in conflict or refused. Null if there is
   * none.
   */
  waiting: 'queue' | 'conflict' | Refusal | null
}

/** The words of a card and its conversation for a change that the server does not have. */
export const WAITING = {
  queue: 'Na fila',
  conflict: 'Mudou em outro aparelho',
  refused: 'Não foi enviada',
  unbooked: 'A visita não foi marcada',
  unsaved: 'Não foi salvo',
}

/** A card is highlighted for this long after a message. */
const FRESH_MS = 300_000

/**
 * Tells how a card with recent activity is highlighted: 'incoming' as a sun, because the lead waits; 'outgoing' as a
 * ring, because the broker wrote. Returns null for a card without a highlight.
 */
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
 * Returns the note that a card shows. Null if the note only repeats the form's text (see portal.take_lead), which is
 * above it.
 */
export const shownNote = ({ notes, lastMessage }: Lead) =>
  notes === `Mensagem do formulário: ${lastMessage?.body}` ? null : notes

/** Returns the lead's name, number or e-mail; 'Sem nome' if it has none of them. */
export function leadTitle({
  name,
  number,
  email,
}: Pick<Lead, 'name' | 'number'> & { email?: string | null }): string {
  return name?.trim() || (number && formatPhone(number)) || email || 'Sem nome'
}

/** Returns the time of the last message, or of the arrival without one. Columns are sorted by it. */
export function spokenAtMs({ lastMessage, createdAtMs }: Pick<Lead, 'lastMessage' | 'createdAtMs'>): number {
  return lastMessage ? lastMessage.sentAtSeconds * 1000 : createdAtMs
}
