// An agent's turns in one conversation, for inspection.
import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { keys } from '#data/keys.ts'

const timeMs = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text)),
)

const Turns = v.array(
  v.object({
    id: v.number(),
    /** The turn's number in its conversation, from 1. */
    number: v.number(),
    kind: v.picklist(['answer', 'suggestion']),
    state: v.picklist(['waiting', 'thinking', 'proposed', 'sent', 'silent', 'stale', 'refused', 'failed']),
    reason: v.nullable(v.string()),
    beganAt: timeMs,
    endedAt: v.nullable(timeMs),
    /** Number of messages that it answers together. */
    bubbles: v.number(),
    body: v.nullable(v.string()),
    sources: v.array(v.object({ label: v.string() })),
    steps: v.array(v.object({ name: v.string(), result: v.string() })),
    model: v.nullable(v.string()),
    costMicros: v.number(),
    isUnpriced: v.optional(v.boolean(), false),
    /** The model's API gave no count for some tokens. */
    isEstimated: v.optional(v.boolean(), false),
    /** The statement in a refused text that had no source. */
    missing: v.optional(v.nullable(v.string()), null),
    inputTokens: v.number(),
    outputTokens: v.number(),
    /** Version of the prompts it used; 0 if none was ever saved. */
    version: v.number(),
    /** The message that it sent. */
    messageId: v.nullable(v.number()),
  }),
)
export type Turn = v.InferOutput<typeof Turns>[number]

/** Newest first; refetched when a message arrives. */
export function agentTurnsQuery(agentId: number, contactId: number) {
  return queryOptions({
    queryKey: keys.agentTurns(agentId, contactId),
    queryFn: async ({ signal }) =>
      v.parse(Turns, await portal(`/api/agents/${agentId}/turns/${contactId}`, { signal })),
  })
}
