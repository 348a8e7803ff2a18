// Messages found by their words: in the conversations that the device stores, and at the portal among all.
import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import { hasWords, searchWords } from '#domain/message/found.ts'
import { currentOwner } from '#offline/owner.ts'
import { readConversations } from '#offline/stored-conversations.ts'
import type { Board } from '../board/rows.ts'
import { keys } from '../keys.ts'
import { queryClient } from '../query-client.ts'
import { type Conversation, OPENED } from './messages.ts'

export type FoundMessage = {
  id: number
  contactId: number
  /** The lead's name or number. */
  title: string
  instanceName: string
  sentAtSeconds: number
  isOwn: boolean
  body: string
}

/** `until`: ask for older ones with it; null: none are left. */
export type FoundPage = { messages: readonly FoundMessage[]; until: number | null }

const MAX_STORED = 30

const Found = v.object({
  messages: v.array(
    v.pipe(
      v.object({
        id: v.number(),
        contact_id: v.number(),
        name: v.nullable(v.string()),
        number: v.nullable(v.string()),
        instanceName: v.nullable(v.string()),
        timestamp: v.number(),
        type: v.string(),
        body: v.string(),
      }),
      v.transform(({ id, contact_id, timestamp, type, body, instanceName, ...lead }): FoundMessage => ({
        id,
        contactId: contact_id,
        title: leadTitle(lead),
        instanceName: instanceName ?? '',
        sentAtSeconds: timestamp,
        isOwn: type === 'outgoing',
        body,
      })),
    ),
  ),
  until: v.nullable(v.number()),
})

type Asked = { query: string; brokers: readonly string[] }

/** Searches on the server; returns the newest first. Throws PortalError. */
export async function findAtPortal(
  { query, brokers }: Asked,
  before: number | null,
  signal?: AbortSignal,
): Promise<FoundPage> {
  const asked = { p_query: query, p_brokers: brokers, p_before: before }
  return v.parse(Found, await rpc('search_messages', asked, signal))
}

/** Forgotten once it is not shown, because what was found may be erased meanwhile. */
export function foundAtPortalQuery(asked: Asked) {
  return queryOptions({
    queryKey: ['found-messages', 'portal', asked] as const,
    queryFn: ({ signal }) => findAtPortal(asked, null, signal),
    gcTime: 0,
    retry: false,
  })
}

export function foundOnDeviceQuery(asked: Asked) {
  return queryOptions({
    queryKey: ['found-messages', 'device', asked] as const,
    queryFn: () => findOnDevice(asked),
    networkMode: 'always',
    gcTime: 0,
    retry: false,
  })
}

/** Of leads on these boards, so that nothing of who left them is found. */
async function findOnDevice({ query, brokers }: Asked): Promise<readonly FoundMessage[]> {
  const [owner, words] = [currentOwner(), searchWords(query)]
  if (owner === null || words === null) return []
  const boards = brokers.flatMap((name) => queryClient.getQueryData<Board>(keys.board(name)) ?? [])
  const stored = await readConversations(owner, OPENED)
  const found = stored.flatMap(({ key, data }) => {
    const contactId = Array.isArray(key) ? (key[1] as unknown) : undefined
    if (typeof contactId !== 'number') return []
    const lead = boards.flatMap(({ leads }) => leads.get(contactId) ?? [])[0]
    return lead ? foundIn(lead, data as Conversation, words) : []
  })
  return found.toSorted(newestFirst).slice(0, MAX_STORED)
}

function foundIn(lead: Lead, { messages }: Conversation, words: readonly string[]): FoundMessage[] {
  return messages.flatMap(({ id, body, direction, sentAtSeconds }) =>
    id > 0 && direction !== 'note' && hasWords(body, words)
      ? {
          id,
          contactId: lead.id,
          title: leadTitle(lead),
          instanceName: lead.instanceName,
          sentAtSeconds,
          isOwn: direction === 'outgoing',
          body,
        }
      : [],
  )
}

const newestFirst = (one: FoundMessage, other: FoundMessage) =>
  other.sentAtSeconds - one.sentAtSeconds || other.id - one.id
