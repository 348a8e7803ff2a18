// Leads that are the administrator's: by the rotation that could take them, sending them through it, and a number found out.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { keys } from '#data/keys.ts'

const InboxRows = v.object({ inbox: v.array(v.object({ id: v.number(), leads: v.number() })) })

/** No live event tells an administrator of them. */
const LOOK_AGAIN_MS = 15_000

/** How many each rotation could take, by its id. */
export function rotationInboxQuery() {
  return queryOptions({
    queryKey: keys.rotationInbox(),
    queryFn: async ({ signal }): Promise<ReadonlyMap<number, number>> => {
      const { inbox } = v.parse(InboxRows, await portal('/api/roleta/inbox', { signal }))
      return new Map(inbox.map(({ id, leads }) => [id, leads]))
    },
    refetchInterval: LOOK_AGAIN_MS,
  })
}

const SentRow = v.object({ leads: v.number() })

/** Answers how many went. The same operation twice is done once. */
export function sendRotationInbox(id: number) {
  return mutationOptions({
    mutationFn: async (operationId: string, { client }): Promise<number> => {
      try {
        const body = { operationId }
        return v.parse(SentRow, await portal(`/api/roleta/${id}/inbox`, { method: 'POST', body })).leads
      } finally {
        await client.invalidateQueries({ queryKey: keys.rotations() })
      }
    },
  })
}

const CompletedRow = v.object({ isKnown: v.boolean() })

/** The number of a lead that left only an e-mail. The same operation twice is done once. Raises PortalError `lead.no-number`. */
export function completeLead(contactId: number) {
  return mutationOptions({
    mutationFn: async (body: { operationId: string; number: string }, { client }) => {
      try {
        return v.parse(
          CompletedRow,
          await portal(`/api/leads/contacts/${contactId}/number`, { method: 'POST', body }),
        )
      } finally {
        await client.invalidateQueries({ queryKey: keys.rotations() })
      }
    },
  })
}
