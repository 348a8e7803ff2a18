// The administrator's leads: which rotations could take them, sending them to one, and adding a phone number.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { keys } from '#data/keys.ts'

const InboxRows = v.object({ inbox: v.array(v.object({ id: v.number(), leads: v.number() })) })

/** Poll interval: no live event reports these leads. */
const LOOK_AGAIN_MS = 15_000

/** How many leads each rotation could take, by its id. */
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

/** Returns the number of leads sent. Repeating an operation id has no further effect. */
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

/**
 * Adds a phone number to a lead with only an e-mail. Repeating an operation id has no further effect. Throws
 * PortalError `lead.no-number`.
 */
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
