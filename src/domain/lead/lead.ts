// A lead as a card shows it.
import type { Delivery } from '../message/message.ts'
import type { Later } from '../next-action/later.ts'
import type { NextAction } from '../next-action/next-action.ts'
import { formatPhone } from '../phone/phone.ts'

export type LastMessage = {
  body: string
  sentAtSeconds: number
  direction: 'incoming' | 'outgoing'
  /** How far it went; of outgoing ones only. */
  delivery: Delivery | null
  /** An assistant's words, no person's. */
  byAssistant?: boolean
}

/** What brokers read that an assistant is. */
export const ASSISTANT = 'Assistente'

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
  /** Since when the lead waits for our answer; null: it does not. */
  waitingSinceMs: number | null
  /** What is to be done, the one due first in front. */
  next: readonly NextAction[]
  /** Texts that are to go later; left out where there is none. */
  later?: readonly Later[] | undefined
  /** What was done on the day of its last change, in the words of its row; left out where there is nothing. */
  done?: readonly unknown[] | undefined
  /** Within how long it is to be answered, where that is not as the agency says. */
  targetMs?: number | undefined
  source: string
  development: string | null
  /** When a campaign last wrote to the lead. */
  remarketingSentAtMs: number | null
  /** The lead asked for no more campaigns. */
  isOptedOut: boolean
  /** What was changed here and has not reached the server: it waits, met another's change, or was refused. */
  waiting: 'queue' | 'conflict' | 'refused' | null
}

/** A card stands out for the first 5 minutes. */
const FRESH_MS = 300_000

/** The highlight of a card: who came or wrote so shortly before, a lead, who waits for us (a sun), or we (a ring). */
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

/** The note as a card shows it: none where it is what the form said (as portal.take_lead notes it), which stands above it. */
export const shownNote = ({ notes, lastMessage }: Lead) =>
  notes === `Mensagem do formulário: ${lastMessage?.body}` ? null : notes

/** Name, number or e-mail; a contact that has none is 'Sem nome'. */
export function leadTitle({
  name,
  number,
  email,
}: Pick<Lead, 'name' | 'number'> & { email?: string | null }): string {
  return name?.trim() || (number && formatPhone(number)) || email || 'Sem nome'
}

/** When lead and broker last spoke, or when the lead came: the order of a column. */
export function spokenAtMs({ lastMessage, createdAtMs }: Pick<Lead, 'lastMessage' | 'createdAtMs'>): number {
  return lastMessage ? lastMessage.sentAtSeconds * 1000 : createdAtMs
}
