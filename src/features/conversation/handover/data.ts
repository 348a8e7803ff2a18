// Hand-overs between assistant and broker: the hand-over's card, who has the conversation now, and giving it back.
import { mutationOptions, queryOptions, skipToken } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { cachedOffline } from '#data/cached-offline.ts'
import { keys } from '#data/keys.ts'
import { queryClient } from '#data/query-client.ts'

const Card = v.object({
  at: v.pipe(
    v.string(),
    v.transform((text) => Date.parse(text)),
  ),
  wants: v.string(),
  said: v.string(),
  missing: v.string(),
  lines: v.number(),
  firstId: v.nullable(v.number()),
  lastId: v.nullable(v.number()),
})
const Answer = v.object({
  handover: v.nullable(Card),
  baton: v.nullable(v.picklist(['assistant', 'broker', 'stopped'])),
})
const Given = v.object({ isAnsweredNow: v.boolean() })

/** `lines` counts the messages between assistant and lead, from `firstId` to `lastId`. */
export type HandoverCard = v.InferOutput<typeof Card>
type Passing = v.InferOutput<typeof Answer>
/**
 * Who answers in the conversation; null if no assistant does. 'stopped' means that somebody other than the lead's
 * broker stopped the assistant.
 */
type Baton = Passing['baton']

/** `lastId` is the newest message: each new message triggers a fetch, because it may change who answers. */
export const passingQuery = (contactId: number, lastId: number) =>
  queryOptions({
    queryKey: keys.handover(contactId, lastId),
    queryFn: cachedOffline(
      { kind: 'handover', most: 50, version: 1 },
      async ({ signal }): Promise<Passing> => {
        const answer = v.parse(Answer, await portal(`/api/assist/${contactId}/handover`, { signal }))
        queryClient.setQueryData(keys.baton(contactId), answer.baton)
        return answer
      },
    ),
    staleTime: Number.POSITIVE_INFINITY,
    // The device's stored answer may be outdated.
    refetchOnReconnect: 'always',
    retry: false,
    // The previous card stays visible while the answer for a newer message is fetched.
    placeholderData: (before: Passing | undefined, query) =>
      query?.queryKey[1] === contactId ? before : undefined,
  })

/** Reads who answers from the cache, as passingQuery stored it last; this query never fetches. */
export const batonQuery = (contactId: number) =>
  queryOptions<Baton>({ queryKey: keys.baton(contactId), queryFn: skipToken })

/**
 * Throws PortalError. `isAnsweredNow` is true if the assistant answers at once, false if it waits until working hours
 * end.
 */
export const giveBack = (contactId: number) =>
  mutationOptions({
    mutationFn: async () => {
      const path = `/api/assist/${contactId}/give-back` as const
      const { isAnsweredNow } = v.parse(Given, await portal(path, { method: 'POST' }))
      queryClient.setQueriesData(
        { queryKey: keys.handover(contactId) },
        { handover: null, baton: 'assistant' },
      )
      queryClient.setQueryData(keys.baton(contactId), 'assistant')
      return isAnsweredNow
    },
  })
