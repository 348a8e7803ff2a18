// An agent's setup: its mode, its budget, and the facts it may state.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { andReadAgents } from '#data/agents.ts'
import { keys } from '#data/keys.ts'
import { AGENT_MODES, type AgentMode } from '#domain/agent/agent.ts'

const Setup = v.object({
  mode: v.picklist(AGENT_MODES),
  /** Null if no administrator has chosen a language model. */
  model: v.nullable(v.string()),
  isDemoModel: v.boolean(),
  /** The model that transcribes voice messages; null if the portal transcribes none. */
  voiceModel: v.nullable(v.string()),
  /** The monthly budget in millionths of a real; null if there is none. */
  monthLimitMicros: v.nullable(v.number()),
  /** How many answers the agent sends one person before a human answers; then it stops. */
  mostInTenMinutes: v.number(),
  mostADay: v.number(),
  /** True if the agent writes again to leads that do not answer. Missing if the server is older than the app. */
  followsUp: v.optional(v.boolean(), false),
  spentMicros: v.number(),
  /** How many conversations the agent had this month. */
  conversations: v.number(),
  /** True if some of this month's use has unknown cost, because the model had no price yet. */
  isUnpriced: v.optional(v.boolean(), false),
  prices: v.array(
    v.object({
      model: v.string(),
      inputMicros: v.number(),
      outputMicros: v.number(),
      minuteMicros: v.number(),
    }),
  ),
  facts: v.array(
    v.object({
      id: v.number(),
      label: v.string(),
      value: v.string(),
      isPrice: v.boolean(),
      validUntil: v.nullable(v.string()),
      isExpired: v.boolean(),
    }),
  ),
  /** The development's record and the facts in it; null if the agent's development has no record. */
  recordId: v.optional(v.nullable(v.number()), null),
  recordFacts: v.optional(
    v.array(v.object({ label: v.string(), value: v.string(), isPrice: v.boolean() })),
    [],
  ),
})
export type AgentSetup = v.InferOutput<typeof Setup>
export type AgentFact = AgentSetup['facts'][number]
export type ModelPrice = AgentSetup['prices'][number]

export function agentSetupQuery(agentId: number) {
  return queryOptions({
    queryKey: keys.agentSetup(agentId),
    queryFn: async ({ signal }) => v.parse(Setup, await portal(`/api/agents/${agentId}/setup`, { signal })),
  })
}

/** `isAskedTwice`: the user confirmed the change despite failed tests. */
export type SetupChange =
  | { mode: AgentMode; isAskedTwice?: true; monthLimitMicros?: number }
  | { monthLimitMicros: number | null }
  | { mostInTenMinutes: number; mostADay: number }
  | { followsUp: boolean }

/**
 * Throws PortalError. A mode that answers without a broker may end in `agent.no-price`, `agent.no-tools`,
 * `agent.untested` or `agent.failing`. A mode that does so at any hour may also end in `agent.no-limit`.
 */
export function saveSetup(agentId: number) {
  return mutationOptions({
    mutationFn: async (body: SetupChange, { client }) => {
      await andReadAgents(client, portal(`/api/agents/${agentId}/setup`, { method: 'POST', body }))
    },
  })
}

export type FactChange = Omit<AgentFact, 'id' | 'isExpired'> & { id: number | null }

/** Throws PortalError `fact.taken`, `fact.no-end` and `fact.unknown`. */
export function saveFact(agentId: number) {
  return mutationOptions({
    mutationFn: async (body: FactChange, { client }) => {
      await andReadAgents(client, portal(`/api/agents/${agentId}/facts`, { method: 'POST', body }))
    },
  })
}

export function removeFact(agentId: number) {
  return mutationOptions({
    mutationFn: async (factId: number, { client }) => {
      await andReadAgents(client, portal(`/api/agents/${agentId}/facts/${factId}`, { method: 'DELETE' }))
    },
  })
}

export function savePrice() {
  return mutationOptions({
    mutationFn: async (body: ModelPrice, { client }) => {
      await andReadAgents(client, portal('/api/agents/prices', { method: 'POST', body }))
    },
  })
}
