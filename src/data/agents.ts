// Development agents: their list with live states, one agent's details, adding one, and forgetting a chat.
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal, rpc } from '#api/client.ts'
import { type Agent, AGENT_MODES, PROMPT_FIELDS } from '#domain/agent/agent.ts'
import { cachedOffline } from './cached-offline.ts'
import { keys } from './keys.ts'

const timeMs = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text)),
)

const AgentRows = v.array(
  v.pipe(
    v.object({
      id: v.number(),
      name: v.string(),
      development: v.nullable(v.string()),
      instanceName: v.nullable(v.string()),
      pausedAt: v.nullable(timeMs),
      hasPrompt: v.boolean(),
      isLinked: v.boolean(),
      hasEngine: v.boolean(),
      mode: v.picklist(AGENT_MODES),
      model: v.nullable(v.string()),
      isSpent: v.boolean(),
    }),
    v.transform(({ pausedAt, ...agent }): Agent => ({ ...agent, pausedAtMs: pausedAt })),
  ),
)

/** The gateway reports lost links only for brokers' own instances, so the list is polled. */
const LOOK_AGAIN_MS = 30_000

export function agentsQuery() {
  return queryOptions({
    queryKey: keys.agentList(),
    queryFn: cachedOffline({ kind: 'agents', most: 1, version: 4 }, async ({ signal }) =>
      v.parse(AgentRows, await portal('/api/agents', { signal })),
    ),
    refetchInterval: LOOK_AGAIN_MS,
  })
}

const InstanceRows = v.array(
  v.object({
    instanceName: v.string(),
    number: v.nullable(v.string()),
    isLinked: v.boolean(),
    agent: v.nullable(v.string()),
  }),
)
/** An instance of the gateway; `agent` names the agent that uses it, if any. */
export type CentralInstance = v.InferOutput<typeof InstanceRows>[number]

export function agentInstancesQuery() {
  return queryOptions({
    queryKey: keys.agentInstances(),
    queryFn: async ({ signal }) => v.parse(InstanceRows, await portal('/api/agents/instances', { signal })),
  })
}

const DevelopmentRows = v.array(v.object({ empreendimento: v.string() }))

/** Development names that lead sources use. An agent with any other name would get no conversations. */
export function agentDevelopmentsQuery() {
  return queryOptions({
    queryKey: keys.agentDevelopments(),
    queryFn: async ({ signal }) =>
      v
        .parse(DevelopmentRows, await rpc('get_available_empreendimentos', {}, signal))
        .map(({ empreendimento }) => empreendimento),
  })
}

const InfoRow = v.pipe(
  v.object({
    version: v.number(),
    last_edit: v.nullable(v.object({ field: v.picklist(PROMPT_FIELDS), by: v.string(), at: timeMs })),
    paused_by: v.nullable(v.string()),
    paused_at: v.nullable(timeMs),
    active: v.number(),
    paused: v.number(),
    replies: v.number(),
    roleta: v.nullable(v.object({ name: v.string(), is_active: v.boolean(), brokers: v.number() })),
  }),
  v.transform((row) => ({
    /** How many texts were saved so far. */
    version: row.version,
    lastEdit: row.last_edit && { field: row.last_edit.field, by: row.last_edit.by, atMs: row.last_edit.at },
    paused: row.paused_at === null ? null : { by: row.paused_by ?? '', sinceMs: row.paused_at },
    activeCount: row.active,
    pausedCount: row.paused,
    /** Replies of the last 7 days. */
    replyCount: row.replies,
    roleta: row.roleta && {
      name: row.roleta.name,
      isActive: row.roleta.is_active,
      brokerCount: row.roleta.brokers,
    },
  })),
)
export type AgentInfo = v.InferOutput<typeof InfoRow>

export function agentInfoQuery(agentId: number) {
  return queryOptions({
    queryKey: keys.agentInfo(agentId),
    queryFn: cachedOffline({ kind: 'agent-info', most: 20, version: 1 }, async ({ signal }) =>
      v.parse(InfoRow, await rpc('get_agent_info', { p_id: agentId }, signal)),
    ),
  })
}

/**
 * Refetches all agents even after an error, because the server may have made the change although its response was lost.
 */
export async function andReadAgents<T>(client: QueryClient, asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } finally {
    void client.invalidateQueries({ queryKey: keys.agents() })
  }
}

export type NewAgent = {
  operationId: string
  name: string
  instanceName: string | null
  copyFrom: number | null
}

/**
 * Adds an agent. Repeating an operation id adds no second one. Throws PortalError `agent.no-name`, `agent.taken`,
 * `agent.instance-taken` and `agent.no-source`.
 */
export function addAgent() {
  return mutationOptions({
    mutationFn: async (body: NewAgent, { client }) => {
      await andReadAgents(client, portal('/api/agents', { method: 'POST', body }))
    },
  })
}

/** Moves an agent to another instance. Throws PortalError `agent.unknown` and `agent.instance-taken`. */
export function moveAgent(agentId: number) {
  return mutationOptions({
    mutationFn: async (instanceName: string | null, { client }) => {
      const asking = portal(`/api/agents/${agentId}/instance`, { method: 'POST', body: { instanceName } })
      await andReadAgents(client, asking)
    },
  })
}

/** Pauses or resumes an agent in all conversations. */
export function pauseAgent(agentId: number) {
  return mutationOptions({
    mutationFn: async (isPaused: boolean, { client }) => {
      await andReadAgents(client, rpc('pause_agent', { p_id: agentId, p_is_paused: isPaused }))
    },
  })
}

const Forgotten = v.object({ number: v.string(), deleted: v.number() })
export type Forgotten = v.InferOutput<typeof Forgotten>

/** Makes the agent forget the person with a typed number. The returned `number` has the portal's own form. */
export function forgetChat(agentId: number) {
  return mutationOptions({
    mutationFn: async (number: string) =>
      v.parse(Forgotten, await portal(`/api/agents/${agentId}/forget`, { method: 'POST', body: { number } })),
  })
}
