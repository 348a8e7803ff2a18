// Transcripts of voice messages, and whether the portal can make them.
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
/** Reads a voice message's transcript. The portal transcribes each message once, so asking again costs nothing. */
export const transcriptQuery = (messageId: number) =>
  queryOptions({
    queryKey: keys.transcript(messageId),
    queryFn: async ({ signal }) =>
      v.parse(Answer, await portal(`/api/assist/voice/${messageId}`, { method: 'POST', signal })).text,
    staleTime: 'static',
    retry: false,
    enabled: false,
  })
