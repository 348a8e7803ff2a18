// Reads a contact's messages: the newest first, again when they change, and older ones page by page.
import {
  mutationOptions,
  type QueryClient,
  queryOptions,
  replaceEqualDeep,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import type { LastMessage, Lead } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'
import { isChangeRead, isTextRead, layOverMessages } from '#domain/outbox/message-overlay.ts'
import type { Board } from '../board/rows.ts'
import { cachedOffline } from '../cached-offline.ts'
import { keys } from '../keys.ts'
import { type Cut, messageRows, PAGE } from './newest.ts'
import { MessageRow, toMessage } from './row.ts'
import { forget, usePending } from '../pending.ts'

/** A refetch reads at most this many messages. Changes to older ones appear when the conversation is opened again. */
const MAX_READ_AGAIN = 200

export type Conversation = {
  /** The loaded messages, the oldest first. */
  messages: readonly Message[]
  hasOlder: boolean
}

export function conversationQuery(contactId: number) {
  return queryOptions({
    queryKey: keys.conversation(contactId),
    queryFn: cachedOffline(OPENED, async ({ client, queryKey, signal }) => {
      const loaded = client.getQueryData<Conversation>(queryKey)?.messages.length ?? 0
      const limit = Math.min(Math.max(loaded, PAGE), MAX_READ_AGAIN)
      const newest = await readBackwards(contactId, { limit, signal })
      return withNewest(client.getQueryData<Conversation>(queryKey), newest, limit)
    }),
    structuralSharing: false,
  })
}

/**
 * Returns the conversation as a screen shows it: its messages and those in the outbox. If nothing else is known, it has
 * the last message of `lead`'s card.
 */
export function useConversation(contactId: number, lead?: Lead) {
  const client = useQueryClient()
  // A negative id: only this device has the lead, so the server has no messages.
  const isHere = contactId < 0
  const read = useQuery({ ...conversationQuery(contactId), enabled: !isHere })
  const { data, dataUpdatedAt, error } = read
  const { entries } = usePending()
  const isWaiting = entries.some(
    ({ command }) => command.kind.endsWith('.send') && command.lead.id === contactId,
  )
  // Offline, a conversation that was never read shows its pending messages, or the card's last one.
  const known = useMemo(() => {
    if (data) return data
    const last = lead && !isHere ? saidLast(client, lead) : null
    return isHere || (error && (isWaiting || last)) ? ofCard(last, lead) : undefined
  }, [data, error, isHere, isWaiting, lead, client])
  const conversation = useMemo(
    () =>
      known && { ...known, messages: layOverMessages(known.messages, entries, { contactId, ofCard: !data }) },
    [known, entries, contactId, data],
  )
  useEffect(() => {
    if (data)
      forget(
        (entry) =>
          entry.command.lead.id === contactId &&
          (isTextRead(entry, data.messages, boardOf(client, lead)?.askedAtMs) ||
            isChangeRead(entry, { messages: data.messages, entries, readAtMs: dataUpdatedAt })),
      )
  }, [data, dataUpdatedAt, contactId, entries, lead, client])
  return { conversation, read }
}

/** Returns the card's last message without pending ones, because the conversation adds those itself. */
function saidLast(client: QueryClient, lead: Lead): LastMessage | null {
  const board = boardOf(client, lead)
  return board ? (board.leads.get(lead.id)?.lastMessage ?? null) : lead.lastMessage
}

const boardOf = (client: QueryClient, lead: Lead | undefined) =>
  lead && client.getQueryData<Board>(keys.board(lead.instanceName))

/** Returns a conversation with only the card's last message, for one that was never opened, without a signal. */
function ofCard(last: LastMessage | null, lead?: Lead): Conversation {
  if (!last) return { messages: [], hasOlder: false }
  const shown: Message = {
    ...last,
    id: last.id ?? 0,
    isRead: !lead?.unreadCount,
    content: { kind: 'text' },
    deliveryReason: null,
    operationId: last.operation ?? null,
    quote: null,
    reactions: [],
    isEdited: false,
  }
  return { messages: [shown], hasOlder: false }
}

/** The device stores the newest page of recently opened conversations. */
export const OPENED = {
  kind: 'conversation',
  most: 50,
  version: 1,
  trim: ({ messages, hasOlder }: Conversation): Conversation => ({
    messages: messages.slice(-PAGE),
    hasOlder: hasOlder || messages.length > PAGE,
  }),
}

/**
 * Merges refetched newest messages into a conversation. Older messages stay, unless there is a gap before the new ones.
 * Unchanged messages stay the same objects.
 */
export function withNewest(
  known: Conversation | undefined,
  newest: readonly Message[],
  limit: number,
): Conversation {
  const first = newest[0]
  const knownIds = new Map(known?.messages.map((message) => [message.id, message]))
  const messages = newest.map((message) => replaceEqualDeep(knownIds.get(message.id), message))
  const isWhole = newest.length < limit
  if (!known || !first || isWhole || !newest.some(({ id }) => knownIds.has(id)))
    return { messages, hasOlder: !isWhole }
  // A message that was sent again keeps its id, and is now among the newest.
  const newestIds = new Set(newest.map(({ id }) => id))
  const older = known.messages.filter((message) => isBefore(message, first) && !newestIds.has(message.id))
  return { messages: [...older, ...messages], hasOlder: older.length > 0 ? known.hasOlder : true }
}

function isBefore(a: Message, b: Message): boolean {
  return a.sentAtSeconds < b.sentAtSeconds || (a.sentAtSeconds === b.sentAtSeconds && a.id < b.id)
}

/** Fetches the page before the oldest message, and adds it. */
export function olderMessages(contactId: number) {
  return mutationOptions({
    mutationFn: async (_: void, { client }) => {
      const oldest = client.getQueryData<Conversation>(keys.conversation(contactId))?.messages[0]
      if (!oldest) return
      const page = await readBackwards(contactId, { limit: PAGE, before: oldest })
      addOlder(client, contactId, page)
    },
  })
}

function addOlder(client: QueryClient, contactId: number, page: readonly Message[]) {
  client.setQueryData<Conversation>(keys.conversation(contactId), (known) => {
    const first = known?.messages[0]
    if (!known || !first) return known
    // The conversation may have been refetched meanwhile, so messages that it has already are dropped.
    const older = page.filter((message) => isBefore(message, first))
    return { messages: [...older, ...known.messages], hasOlder: page.length === PAGE }
  })
}

/** Reads a page of messages; the result begins with the oldest. */
async function readBackwards(contactId: number, cut: Cut): Promise<Message[]> {
  return v
    .parse(v.array(MessageRow), await messageRows(contactId, cut))
    .map(toMessage)
    .toReversed()
}

const MediaFile = v.object({ url: v.string(), mimeType: v.string(), fileName: v.nullable(v.string()) })
export type MediaFile = v.InferOutput<typeof MediaFile>

/** Reads a short-lived URL of a message's media. Throws `media.unavailable`. */
export function mediaQuery(messageId: number) {
  return queryOptions({
    queryKey: keys.media(messageId),
    queryFn: async ({ signal }) =>
      v.parse(MediaFile, await portal(`/api/messages/${messageId}/media`, { method: 'POST', signal })),
    enabled: false,
    retry: false,
  })
}
