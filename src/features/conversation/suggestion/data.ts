// The assistant's draft for the newest message of a lead.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { laterKeys } from '#data/later-keys.ts'

const Answer = v.object({
  suggestion: v.nullable(
    v.object({
      id: v.number(),
      text: v.string(),
      sources: v.array(v.object({ label: v.string(), at: v.string() })),
      model: v.nullable(v.string()),
    }),
  ),
})
export type Suggestion = NonNullable<v.InferOutput<typeof Answer>['suggestion']>

/**
 * Null: there is none. Written once a message, and while it is being written whoever asks again is given none: it is waited for, even
 * where the conversation is closed meanwhile.
 */
export function suggestionQuery(contactId: number, messageId: number) {
  return queryOptions({
    queryKey: laterKeys.suggestion(contactId, messageId),
    queryFn: async () =>
      v.parse(Answer, await portal(`/api/assist/${contactId}/suggestion`, { method: 'POST' })).suggestion,
    staleTime: 'static',
    retry: false,
  })
}

/** It is not shown again for its message. */
export function dismissSuggestion(contactId: number, messageId: number) {
  return mutationOptions({
    mutationFn: async (id: number, { client }) => {
      client.setQueryData(laterKeys.suggestion(contactId, messageId), null)
      await portal(`/api/assist/suggestions/${id}/dismiss`, { method: 'POST' })
    },
  })
}
