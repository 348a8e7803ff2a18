// What a machine heard in a voice message, and whether there is one that listens.
import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { keys } from '#data/keys.ts'

const Ability = v.object({ canTranscribe: v.boolean() })
export const abilityQuery = () =>
  queryOptions({
    queryKey: keys.canTranscribe(),
    queryFn: async ({ signal }) =>
      v.parse(Ability, await portal('/api/assist/voice', { signal })).canTranscribe,
    staleTime: 'static',
  })

const Answer = v.object({ text: v.string() })
/** Written once a message, so that asking again costs nothing. */
export const transcriptQuery = (messageId: number) =>
  queryOptions({
    queryKey: keys.transcript(messageId),
    queryFn: async ({ signal }) =>
      v.parse(Answer, await portal(`/api/assist/voice/${messageId}`, { method: 'POST', signal })).text,
    staleTime: 'static',
    retry: false,
    enabled: false,
  })
