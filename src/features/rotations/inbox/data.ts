// Reads which rotations could take the administrator's leads, sends leads to a rotation, and adds a missing phone
// number.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { keys } from '#data/keys.ts'

const InboxRows = v.object({ inbox: v.array(v.object({ id: v.number(), leads: v.number() })) })

/** No live event reports leads without a broker, so their number is polled. */
const LOOK_AGAIN_MS = 15_000

/** Reads how many of the administrator's leads each rotation could take, by the rotation's id. */
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

/** Sends the leads to the rotation, and returns how many were sent. Repeating an operation id has no further effect. */
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
 * Adds a phone number to a lead that has only an e-mail address. Repeating an operation id has no further effect.
 * Throws PortalError `lead.no-number`.
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
