// Reads the deliveries of the last thirty days again: shows what would change, and changes it.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { keys } from '#data/keys.ts'

const text = v.nullable(v.string())
const Told = v.object({
  name: text,
  number: text,
  email: text,
  message: text,
  listing: text,
  campaign: text,
  development: text,
})
export type Told = v.InferOutput<typeof Told>
const Change = v.pipe(
  v.object({
    id: v.number(),
    keyName: v.string(),
    receivedAt: v.pipe(
      v.string(),
      v.transform((at) => Date.parse(at)),
    ),
    leads: v.array(v.object({ before: v.nullable(Told), after: Told })),
  }),
  v.transform(({ receivedAt, ...change }) => ({ ...change, receivedAtMs: receivedAt })),
)
export type KeptChange = v.InferOutput<typeof Change>
const Page = v.object({ changes: v.array(Change), next: v.nullable(v.number()) })

/** How many leads at most are shown and changed together. */
const MAX_CHANGES = 200

/** Reads what would change, without changing it. */
export function keptChangesQuery() {
  return queryOptions({
    queryKey: keys.keptChanges(),
    queryFn: async ({ signal }): Promise<readonly KeptChange[]> => {
      const changes: KeptChange[] = []
      let after: number | null = 0
      while (after !== null && changes.length < MAX_CHANGES) {
        const page: v.InferOutput<typeof Page> = v.parse(
          Page,
          await portal(`/api/leads/kept?after=${after}`, { signal }),
        )
        changes.push(...page.changes)
        after = page.next
      }
      return changes.slice(0, MAX_CHANGES)
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}

const Mended = v.object({ mended: v.number(), spoken: v.number() })
export type Mended = v.InferOutput<typeof Mended>

export function mendKept() {
  return mutationOptions({
    mutationFn: async (ids: readonly number[], { client }): Promise<Mended> => {
      try {
        return v.parse(Mended, await portal('/api/leads/kept', { method: 'POST', body: { ids } }))
      } finally {
        await client.invalidateQueries({ queryKey: keys.intakeKeyList() })
      }
    },
  })
}
