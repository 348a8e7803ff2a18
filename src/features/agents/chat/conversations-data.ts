// The conversations of an agent's development, and the agent's pauses.
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
  /** The author of the last message, unless it was the lead. */
  lastAuthor: 'human' | 'agent' | 'campaign' | null
  pause: Pause | null
  /** When the agent called a broker who has not answered yet. */
  calledAtMs: number | null
  /**
   * The result of the turn in which the agent called the broker. Null if no broker is awaited, or an older portal
   * answered.
   */
  calledFor: string | null
  /** True if the agent's mode covers the number that the lead writes to, and the current hour. */
  answersHere: boolean
  /** True if the agent answers outside working hours only, and it is working hours now. */
  answersLater: boolean
  /** False if the lead has no broker, so no WhatsApp could answer. */
  canAnswer: boolean
  /** False if the lead has no broker, or still belongs to a central number. */
  hasBroker: boolean
}

const ConversationRow = v.pipe(
  v.object({
    ...LeadRow.entries,
    instanceName: v.nullable(v.string()),
    last_author: v.nullable(v.picklist(['human', 'agent', 'campaign'])),
    pause: v.nullable(PauseRow),
    called_at: v.nullable(v.number()),
    called_for: v.optional(v.nullable(v.string()), null),
    answers_here: v.boolean(),
    answers_later: v.optional(v.boolean(), false),
    has_broker: v.boolean(),
  }),
  v.transform(
    ({
      last_author: lastAuthor,
      pause,
      called_at: calledAt,
      called_for: calledFor,
      answers_here: answersHere,
      answers_later: answersLater,
      has_broker: hasBroker,
      instanceName,
      ...row
    }): AgentConversation => ({
      lead: toLead({ ...row, instanceName: instanceName ?? '' }),
      lastAuthor,
      pause,
      calledAtMs: calledAt === null ? null : calledAt * 1000,
      calledFor,
      answersHere,
      answersLater,
      canAnswer: instanceName !== null,
      hasBroker,
    }),
  ),
)

/** Who has the conversation, as in portal.agent_holder. */
export type Holder = 'agent' | 'waiting'

type Cursor = { beforeAt: number; beforeId: number } | null

/**
 * Conversations, newest first, page by page. A search also finds those older than thirty days. The previous result
 * stays while a search is fetched. Changes of any board trigger a new fetch.
 */
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

/** Reads how many conversations of the last thirty days each holder has. Refetched whenever the list is. */
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

/**
 * Reads the conversation with one person, of any age. Refetched whenever the list is. Throws a PortalError with status
 * 404 if the conversation belongs to another agent.
 */
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

/** Pauses the agent for one person, for `minutes`; null pauses it until somebody resumes the agent. */
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
