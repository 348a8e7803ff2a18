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

/** `lines`: the number of messages between assistant and lead, from `firstId` to `lastId`. */
export type HandoverCard = v.InferOutput<typeof Card>
type Passing = v.InferOutput<typeof Answer>
/** Who has the conversation; null: no assistant answers in it. stopped: by someone other than its broker. */
type Baton = Passing['baton']

/** `lastId`: the newest message, after which the state may have changed. */
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
    // The stored state may be outdated.
    refetchOnReconnect: 'always',
    retry: false,
    // The card stays while the newest message of the same conversation is being fetched.
    placeholderData: (before: Passing | undefined, query) =>
      query?.queryKey[1] === contactId ? before : undefined,
  })

/** The state as last fetched; triggers no fetch. */
export const batonQuery = (contactId: number) =>
  queryOptions<Baton>({ queryKey: keys.baton(contactId), queryFn: skipToken })

/** Throws PortalError. `isAnsweredNow`: the assistant answers at once, otherwise only outside business hours. */
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
