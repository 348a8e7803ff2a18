// Reads the leads with a doubtful phone number, and saves an administrator's decision.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { keys } from '#data/keys.ts'

const DoubtRows = v.object({
  doubts: v.array(
    v.object({
      contactId: v.number(),
      name: v.nullable(v.string()),
      instanceName: v.nullable(v.string()),
      numbers: v.array(v.string()),
    }),
  ),
})

export type NumberDoubt = v.InferOutput<typeof DoubtRows>['doubts'][number]

export function doubtsQuery() {
  return queryOptions({
    queryKey: keys.numberDoubts(),
    queryFn: async ({ signal }): Promise<readonly NumberDoubt[]> =>
      v.parse(DoubtRows, await portal('/api/leads/contacts/doubts', { signal })).doubts,
  })
}

const DecidedRow = v.object({ isKnown: v.boolean() })

/** Repeating an operation id has no further effect. Throws PortalError `lead.no-number`, `lead.unknown`. */
export function decideNumber(contactId: number) {
  return mutationOptions({
    mutationFn: async (body: { operationId: string; number: string }, { client }) => {
      try {
        return v.parse(
          DecidedRow,
          await portal(`/api/leads/contacts/${contactId}/decision`, { method: 'POST', body }),
        )
      } finally {
        await client.invalidateQueries({ queryKey: keys.numberDoubts() })
      }
    },
  })
}
