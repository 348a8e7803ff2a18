// The turns of an agent in one conversation, for whoever looks into it.
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
    /** From the first of the conversation on. */
    number: v.number(),
    kind: v.picklist(['answer', 'suggestion']),
    state: v.picklist(['waiting', 'thinking', 'proposed', 'sent', 'silent', 'stale', 'refused', 'failed']),
    reason: v.nullable(v.string()),
    beganAt: timeMs,
    endedAt: v.nullable(timeMs),
    /** Messages that it answers together. */
    bubbles: v.number(),
    body: v.nullable(v.string()),
    sources: v.array(v.object({ label: v.string() })),
    steps: v.array(v.object({ name: v.string(), result: v.string() })),
    model: v.nullable(v.string()),
    costMicros: v.number(),
    isUnpriced: v.optional(v.boolean(), false),
    /** Of some tokens the endpoint gave no count. */
    isEstimated: v.optional(v.boolean(), false),
    /** What in a refused text had nothing behind it. */
    missing: v.optional(v.nullable(v.string()), null),
    inputTokens: v.number(),
    outputTokens: v.number(),
    /** Of the texts that it read; 0 where none was ever saved. */
    version: v.number(),
    /** The line that it sent. */
    messageId: v.nullable(v.number()),
  }),
)
export type Turn = v.InferOutput<typeof Turns>[number]

/** The newest first; read again while something is said there. */
export function agentTurnsQuery(agentId: number, contactId: number) {
  return queryOptions({
    queryKey: keys.agentTurns(agentId, contactId),
    queryFn: async ({ signal }) =>
      v.parse(Turns, await portal(`/api/agents/${agentId}/turns/${contactId}`, { signal })),
  })
}
