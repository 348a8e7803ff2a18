// How an agent works: its mode, what it may spend, and the facts it may say.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { andReadAgents } from '#data/agents.ts'
import { keys } from '#data/keys.ts'
import { AGENT_MODES, type AgentMode } from '#domain/agent/agent.ts'

const Setup = v.object({
  mode: v.picklist(AGENT_MODES),
  /** Null: nothing is set up that could write. */
  model: v.nullable(v.string()),
  isDemoModel: v.boolean(),
  /** What hears voice messages; null: nothing does. */
  voiceModel: v.nullable(v.string()),
  /** Millionths of a real. */
  monthLimitMicros: v.nullable(v.number()),
  /** Answers to one person without a person of ours in between. */
  mostInTenMinutes: v.number(),
  mostADay: v.number(),
  spentMicros: v.number(),
  /** Of this month. */
  conversations: v.number(),
  /** Some of this month was used before the model had a price. */
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

/** `isAskedTwice`: in spite of conversations of the bench that failed. */
export type SetupChange =
  | { mode: AgentMode; isAskedTwice?: true; monthLimitMicros?: number }
  | { monthLimitMicros: number | null }
  | { mostInTenMinutes: number; mostADay: number }

/** Raises PortalError `agent.no-price`, `agent.no-tools`, `agent.untested` and `agent.failing` for a mode that answers by itself, `agent.no-limit` for one that does so at any hour. */
export function saveSetup(agentId: number) {
  return mutationOptions({
    mutationFn: async (body: SetupChange, { client }) => {
      await andReadAgents(client, portal(`/api/agents/${agentId}/setup`, { method: 'POST', body }))
    },
  })
}

export type FactChange = Omit<AgentFact, 'id' | 'isExpired'> & { id: number | null }

/** Raises PortalError `fact.taken`, `fact.no-end` and `fact.unknown`. */
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
