// Whether agents may answer on the broker's own number outside working hours.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { keys } from '#data/keys.ts'

const Own = v.object({ isOn: v.boolean(), isAvailable: v.boolean() })

export const ownAssistantQuery = () =>
  queryOptions({
    queryKey: keys.ownAssistant(),
    queryFn: async ({ signal }) => v.parse(Own, await portal('/api/assist/own', { signal })),
  })

export const setOwnAssistant = () =>
  mutationOptions({
    mutationFn: async (isOn: boolean, { client }) => {
      try {
        await portal('/api/assist/own', { method: 'POST', body: { isOn } })
      } finally {
        await client.invalidateQueries(ownAssistantQuery())
      }
    },
  })
