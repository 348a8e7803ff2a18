// Reads and changes whether a lead's messages send pushes to its broker. The server stores it, because the server sends
// pushes.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import { keys } from '#data/keys.ts'
import { queryClient } from '#data/query-client.ts'

const Answer = v.nullable(v.boolean())

/** The query answers null if the lead has no broker. */
export function mutedQuery(leadId: number) {
  return queryOptions({
    queryKey: keys.muted(leadId),
    queryFn: async ({ signal }) => v.parse(Answer, await rpc('lead_mute', { p_contact_id: leadId }, signal)),
  })
}

/** Mutes a lead, or ends that. Throws PortalError. */
export function muteLead(leadId: number) {
  return mutationOptions({
    mutationFn: async (isMuted: boolean) => {
      const answer = v.parse(Answer, await rpc('lead_mute', { p_contact_id: leadId, p_is_muted: isMuted }))
      queryClient.setQueryData(keys.muted(leadId), answer)
    },
  })
}
