// The card of a conversation that the assistant handed over.
import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { laterKeys } from '#data/later-keys.ts'

const Answer = v.object({
  handover: v.nullable(
    v.object({
      at: v.pipe(
        v.string(),
        v.transform((text) => Date.parse(text)),
      ),
      wants: v.string(),
      said: v.string(),
      missing: v.string(),
    }),
  ),
})

/** `lastId`: of the conversation's newest line, after which it may have changed. */
export const handoverQuery = (contactId: number, lastId: number) =>
  queryOptions({
    queryKey: laterKeys.handover(contactId, lastId),
    queryFn: async ({ signal }) =>
      v.parse(Answer, await portal(`/api/assist/${contactId}/handover`, { signal })).handover,
    staleTime: 'static',
    retry: false,
  })
