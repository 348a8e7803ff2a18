// Whether a lead's messages are silent for its broker; stored on the server, which sends the pushes.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import { keys } from '#data/keys.ts'
import { queryClient } from '#data/query-client.ts'

const Answer = v.nullable(v.boolean())

/** Null if the lead has no broker. */
export function mutedQuery(leadId: number) {
  return queryOptions({
    queryKey: keys.muted(leadId),
    queryFn: async ({ signal }) => v.parse(Answer, await rpc('lead_mute', { p_contact_id: leadId }, signal)),
  })
}

/** Throws PortalError. */
export function muteLead(leadId: number) {
  return mutationOptions({
    mutationFn: async (isMuted: boolean) => {
      const answer = v.parse(Answer, await rpc('lead_mute', { p_contact_id: leadId, p_is_muted: isMuted }))
      queryClient.setQueryData(keys.muted(leadId), answer)
    },
  })
}
