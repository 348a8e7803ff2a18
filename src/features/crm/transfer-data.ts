// Transfers leads to another broker, and reads a lead's former brokers.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import { PortalError } from '#domain/errors.ts'
import { keys } from '#data/keys.ts'

const Answer = v.object({
  success: v.boolean(),
  code: v.string(),
  message: v.nullish(v.string(), null),
  moved: v.number(),
  merged: v.number(),
  leads: v.array(v.object({ id: v.number(), from: v.nullable(v.string()) })),
})

export type Transfer = { operationId: string; leadIds: readonly number[]; to: string }

/**
 * `moved` counts the leads that changed their broker, `merged` those of them that were merged with an existing lead.
 * `from` is a lead's former broker; null if it had none.
 */
export type Transferred = { moved: number; merged: number; leads: { id: number; from: string | null }[] }

/** Repeating an operation id has no further effect. Throws PortalError with the server's text. */
export function transferLeads() {
  return mutationOptions({
    mutationFn: async ({ operationId, leadIds, to }: Transfer, { client }): Promise<Transferred> => {
      try {
        const answer = v.parse(
          Answer,
          await rpc('transferir_leads', {
            p_contact_ids: leadIds,
            p_broker_name: to,
            p_operation_id: operationId,
          }),
        )
        if (!answer.success)
          throw new PortalError(`hand-over.${answer.code}`, answer.message ?? '', { status: 409 })
        return answer
      } finally {
        // Live events refetch the boards; this refetch is for a stream that died unnoticed.
        await client.invalidateQueries({ queryKey: keys.boards() })
        void client.invalidateQueries({ queryKey: keys.brokerTotals() })
        void client.invalidateQueries({ queryKey: keys.openCases() })
      }
    },
  })
}

const OwnerRows = v.array(
  v.pipe(
    v.object({
      changed_at: v.string(),
      changed_by: v.string(),
      from_broker: v.nullable(v.string()),
      to_broker: v.nullable(v.string()),
    }),
    v.transform((row) => ({
      changedAtMs: Date.parse(row.changed_at),
      changedBy: row.changed_by,
      from: row.from_broker,
      to: row.to_broker,
    })),
  ),
)

/** The latest change first; a null broker stands for the administrator. */
export function leadOwnersQuery(leadId: number) {
  return queryOptions({
    queryKey: keys.leadOwners(leadId),
    queryFn: async ({ signal }) =>
      v.parse(OwnerRows, await rpc('get_lead_owners', { p_contact_id: leadId }, signal)),
    staleTime: 0,
  })
}
