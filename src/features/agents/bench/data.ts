// The shipped conversations that an agent is tried with, and how its last two runs ended.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { andReadAgents } from '#data/agents.ts'
import { laterKeys } from '#data/later-keys.ts'

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
const Bench = v.object({
  /** The newest run is of the texts that stand. */
  isCurrent: v.boolean(),
  runs: v.array(Run),
})
export type BenchRun = v.InferOutput<typeof Run>

const WATCH_MS = 1_500

/** The newest run first; watched while it runs. */
export function benchQuery(agentId: number) {
  return queryOptions({
    queryKey: laterKeys.agentBench(agentId),
    queryFn: async ({ signal }) => v.parse(Bench, await portal(`/api/agents/${agentId}/bench`, { signal })),
    refetchInterval: ({ state }) => (state.data?.runs[0]?.endedAt === null ? WATCH_MS : false),
  })
}

/** Raises PortalError `agent.no-model` and `bench.running`. */
export function startBench(agentId: number) {
  return mutationOptions({
    mutationFn: async (_: void, { client }) => {
      await andReadAgents(client, portal(`/api/agents/${agentId}/bench`, { method: 'POST' }))
    },
  })
}
