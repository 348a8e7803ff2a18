// The assistant's draft reply to a lead's newest message.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { keys } from '#data/keys.ts'

const Answer = v.object({
  suggestion: v.nullable(
    v.object({
      id: v.number(),
      text: v.string(),
      sources: v.array(v.object({ label: v.string(), at: v.string() })),
      model: v.nullable(v.string()),
    }),
  ),
  isBeingWritten: v.boolean(),
})
export type Suggestion = NonNullable<v.InferOutput<typeof Answer>['suggestion']>

const ASK_AGAIN_MS = 3_000

/**
 * Answers null if there is no draft. The portal writes one draft per message. Another device that asks meanwhile polls
 * until it is ready.
 */
export function suggestionQuery(contactId: number, messageId: number) {
  return queryOptions({
    queryKey: keys.suggestion(contactId, messageId),
    queryFn: async () =>
      v.parse(Answer, await portal(`/api/assist/${contactId}/suggestion`, { method: 'POST' })),
    staleTime: 'static',
    retry: false,
    refetchInterval: ({ state }) => (state.data?.isBeingWritten ? ASK_AGAIN_MS : false),
  })
}

/** Dismisses the assistant's draft for this message; it is not shown again. */
export function dismissSuggestion(contactId: number, messageId: number) {
  return mutationOptions({
    mutationFn: async (id: number, { client }) => {
      const { queryKey } = suggestionQuery(contactId, messageId)
      client.setQueryData(queryKey, { suggestion: null, isBeingWritten: false })
      await portal(`/api/assist/suggestions/${id}/dismiss`, { method: 'POST' })
    },
  })
}
