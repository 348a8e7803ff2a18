// Asks the portal for a summary of a conversation; it is kept nowhere.
import { mutationOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { longAnswer } from '#api/long-answer.ts'

const Summary = v.object({ text: v.string(), model: v.string(), messages: v.number() })

/** Throws PortalError `summary.no-model`, `summary.budget`, `summary.empty`, `summary.model-away`, `summary.unfit`. */
export function summarizeLead(leadId: number) {
  return mutationOptions({
    mutationFn: async () => v.parse(Summary, await longAnswer(`/api/assist/${leadId}/summary`)),
  })
}
