// The conversations of an agent's development, and whom the agent keeps silent towards.
import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import { type Pause, PAUSE_REASONS } from '#domain/agent/agent.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { foldText } from '#domain/search.ts'
import { andReadAgents } from '#data/agents.ts'
import { keys } from '#data/keys.ts'
import { LeadRow, toLead } from '#data/board/rows.ts'

const PAGE = 50

const timeMs = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text)),
)
const PauseRow = v.pipe(
  v.object({
    reason: v.picklist(PAUSE_REASONS),
    by: v.string(),
    since: timeMs,
    until: v.nullable(timeMs),
  }),
  v.transform(({ reason, by, since, until }): Pause => ({ reason, by, sinceMs: since, untilMs: until })),
)

export type AgentConversation = {
  lead: Lead
  /** Who wrote its last line, where that was no lead. */
  lastAuthor: 'human' | 'agent' | 'campaign' | null
  pause: Pause | null
  /** Since when a broker whom the agent called is waited for. */
  calledAtMs: number | null
  /** Whether the lead is on a number on which the agent answers, where its mode does. */
  answersHere: boolean
  /** False: it is nobody's, so no WhatsApp could answer. */
  canAnswer: boolean
  /** False: it is nobody's, or on a central number still. */
  hasBroker: boolean
}

const ConversationRow = v.pipe(
  v.object({
    ...LeadRow.entries,
    instanceName: v.nullable(v.string()),
    last_author: v.nullable(v.picklist(['human', 'agent', 'campaign'])),
    pause: v.nullable(PauseRow),
    called_at: v.nullable(v.number()),
    answers_here: v.boolean(),
    has_broker: v.boolean(),
  }),
  v.transform(
    ({
      last_author: lastAuthor,
      pause,
      called_at: calledAt,
      answers_here: answersHere,
      has_broker: hasBroker,
      instanceName,
      ...row
    }): AgentConversation => ({
      lead: toLead({ ...row, instanceName: instanceName ?? '' }),
      lastAuthor,
      pause,
      calledAtMs: calledAt === null ? null : calledAt * 1000,
      answersHere,
      canAnswer: instanceName !== null,
      hasBroker,
    }),
  ),
)

/** With whom a conversation is, as portal.agent_holder says. */
export type Holder = 'agent' | 'waiting'

type Cursor = { beforeAt: number; beforeId: number } | null

/** The newest first, page by page; with a search older than thirty days too. Another search is read while the earlier answer stays. Live: poked by every board's change. */
export function agentConversationsQuery(agentId: number, search: string, holder: Holder | null) {
  const wanted = foldText(search)
  return infiniteQueryOptions({
    queryKey: keys.agentConversationsOf(agentId, wanted, holder),
    queryFn: async ({ pageParam, signal }) =>
      v.parse(
        v.array(ConversationRow),
        await rpc(
          'get_agent_conversations',
          {
            p_agent_id: agentId,
            p_search: wanted === '' ? null : wanted,
            p_before_at: pageParam?.beforeAt ?? null,
            p_before_id: pageParam?.beforeId ?? null,
            p_holder: holder,
          },
          signal,
        ),
      ),
    initialPageParam: null as Cursor,
    getNextPageParam: (page): Cursor => {
      const last = page.at(-1)?.lead
      return page.length < PAGE || !last?.lastMessage
        ? null
        : { beforeAt: last.lastMessage.sentAtSeconds, beforeId: last.id }
    },
    placeholderData: (earlier, query) => (query?.queryKey[2] === agentId ? earlier : undefined),
  })
}

/** How many of the last thirty days are with whom. Live as the list is. */
export function agentHoldersQuery(agentId: number) {
  return queryOptions({
    queryKey: keys.agentHolders(agentId),
    queryFn: async ({ signal }) =>
      v.parse(
        v.object({ agent: v.number(), waiting: v.number() }),
        await rpc('get_agent_holders', { p_agent_id: agentId }, signal),
      ),
  })
}

/** With one person, however old it is. Live as the list is. Raises a PortalError of status 404 for one that is not the agent's. */
export function agentConversationQuery(agentId: number, contactId: number) {
  return queryOptions({
    queryKey: keys.agentConversation(agentId, contactId),
    queryFn: async ({ signal }) => {
      const args = { p_agent_id: agentId, p_contact_id: contactId }
      return v.parse(ConversationRow, await rpc('get_agent_conversation', args, signal))
    },
  })
}

export type PauseIntent = { contactId: number; isPaused: boolean; minutes: number | null }

/** Towards one person; `minutes` null: until it is resumed. */
export function pauseConversation(agentId: number) {
  return mutationOptions({
    mutationFn: async ({ contactId, isPaused, minutes }: PauseIntent, { client }) => {
      const asking = rpc('pause_conversation', {
        p_agent_id: agentId,
        p_contact_id: contactId,
        p_is_paused: isPaused,
        p_minutes: minutes,
      })
      const pause = v.parse(v.nullable(PauseRow), await andReadAgents(client, asking))
      return pause
    },
  })
}
