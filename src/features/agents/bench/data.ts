// Reads an agent's test conversations and its last two test runs, and starts runs.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { PROMPT_FIELDS } from '#domain/agent/agent.ts'
import { andReadAgents } from '#data/agents.ts'
import { keys } from '#data/keys.ts'

const timeMs = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text)),
)
const Run = v.object({
  id: v.number(),
  by: v.string(),
  model: v.string(),
  beganAt: timeMs,
  endedAt: v.nullable(timeMs),
  cases: v.number(),
  results: v.array(v.object({ id: v.string(), fault: v.nullable(v.string()), body: v.nullable(v.string()) })),
})
const Line = v.object({
  by: v.picklist(['lead', 'agent', 'human', 'campaign']),
  kind: v.optional(v.string()),
  text: v.string(),
})
const Bench = v.object({
  /** True: `run` tested the texts as they would be published now. */
  isCurrent: v.boolean(),
  /** The fingerprint of the texts that `run` tested; starting and publishing send it back. */
  mark: v.string(),
  /** The published version, as shown in 'Versão publicada'; 0 if nothing was ever saved. */
  version: v.number(),
  draft: v.nullable(v.object({ by: v.string(), at: timeMs, fields: v.array(v.picklist(PROMPT_FIELDS)) })),
  run: v.nullable(Run),
  /** The run to compare with: of the published texts if there is a draft, otherwise the previous run. */
  before: v.nullable(Run),
  /** Tests that administrators made from conversations. */
  own: v.array(v.object({ id: v.number(), title: v.string(), lines: v.array(Line), handsOver: v.boolean() })),
})
export type Bench = v.InferOutput<typeof Bench>
export type BenchRun = v.InferOutput<typeof Run>

const WATCH_MS = 1_500

/** An unfinished run older than this counts as lost, so the administrator may start another. */
const MAX_RUN_MS = 15 * 60_000

export const isRunning = (bench: Bench | undefined, nowMs = Date.now()) =>
  [bench?.run, bench?.draft && bench.before].some(
    (run) => run?.endedAt === null && nowMs - run.beganAt < MAX_RUN_MS,
  )

/** The query refetches every 1.5 seconds while a run is in progress. */
export function benchQuery(agentId: number) {
  return queryOptions({
    queryKey: keys.agentBench(agentId),
    queryFn: async ({ signal }) => v.parse(Bench, await portal(`/api/agents/${agentId}/bench`, { signal })),
    refetchInterval: ({ state }) => (isRunning(state.data) ? WATCH_MS : false),
  })
}

/** Throws PortalError `agent.no-model` and `bench.running`. */
export function startBench(agentId: number) {
  return mutationOptions({
    mutationFn: async (_: void, { client }) => {
      await andReadAgents(client, portal(`/api/agents/${agentId}/bench`, { method: 'POST' }))
    },
  })
}

const Preview = v.object({ title: v.string(), lines: v.array(Line) })

/**
 * Reads the test that a turn would become, without the person's data. Throws PortalError `turn.unknown` and
 * `turn.unread`.
 */
export function casePreviewQuery(agentId: number, turnId: number) {
  return queryOptions({
    queryKey: keys.agentCasePreview(agentId, turnId),
    queryFn: async ({ signal }) =>
      v.parse(Preview, await portal(`/api/agents/${agentId}/cases/of/${turnId}`, { signal })),
  })
}

/** Throws PortalError `case.too-many` once the agent has the maximum of own tests. */
export function addCase(agentId: number) {
  return mutationOptions({
    mutationFn: async (made: { operationId: string; turnId: number; handsOver: boolean }, { client }) => {
      await andReadAgents(client, portal(`/api/agents/${agentId}/cases`, { method: 'POST', body: made }))
    },
  })
}

export function removeCase(agentId: number) {
  return mutationOptions({
    mutationFn: async (caseId: number, { client }) => {
      await andReadAgents(client, portal(`/api/agents/${agentId}/cases/${caseId}`, { method: 'DELETE' }))
    },
  })
}
