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
    /** Counts the conversation's turns from 1. */
    number: v.number(),
    kind: v.picklist(['answer', 'suggestion']),
    state: v.picklist(['waiting', 'thinking', 'proposed', 'sent', 'silent', 'stale', 'refused', 'failed']),
    reason: v.nullable(v.string()),
    beganAt: timeMs,
    endedAt: v.nullable(timeMs),
    /** How many of the lead's messages the turn answers together. */
    bubbles: v.number(),
    body: v.nullable(v.string()),
    sources: v.array(v.object({ label: v.string() })),
    steps: v.array(v.object({ name: v.string(), result: v.string() })),
    model: v.nullable(v.string()),
    costMicros: v.number(),
    isUnpriced: v.optional(v.boolean(), false),
    /** True if the model's API reported no count for some tokens, so the portal estimated them. */
    isEstimated: v.optional(v.boolean(), false),
    /** The statement without a source because of which the portal refused the text; null if none. */
    missing: v.optional(v.nullable(v.string()), null),
    inputTokens: v.number(),
    outputTokens: v.number(),
    /** Version of the prompts that the turn used; 0 if none was ever saved. */
    version: v.number(),
    /** The message that the turn sent; null if it sent none. */
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
