// Finds, exports and erases one person's data, for administrators (LGPD art. 18).
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal, portalFile } from '#api/client.ts'
import { longFile } from '#api/long-answer.ts'
import { type ConversationOf, type HeldData, PLACES, type PersonAsked } from '#domain/person-data.ts'
import { keys } from '#data/keys.ts'

const Held = v.object({
  optedOutAtMs: v.nullable(v.number()),
  files: v.number(),
  leads: v.array(
    v.object({
      id: v.number(),
      name: v.nullable(v.string()),
      number: v.nullable(v.string()),
      instanceName: v.nullable(v.string()),
      stage: v.nullable(v.string()),
      createdAtMs: v.number(),
      messages: v.number(),
    }),
  ),
  places: v.array(
    v.object({
      place: v.picklist(Object.keys(PLACES) as (keyof typeof PLACES)[]),
      count: v.number(),
      fromMs: v.number(),
      toMs: v.number(),
    }),
  ),
})

/**
 * Reads what is stored about a person. The cache drops it as soon as no screen shows it. Throws PortalError
 * `phone.invalid`.
 */
export function personQuery(who: PersonAsked) {
  return queryOptions({
    queryKey: keys.person(who),
    queryFn: async ({ signal }): Promise<HeldData> =>
      v.parse(Held, await portal('/api/people/find', { method: 'POST', body: who, signal })),
    staleTime: 0,
    gcTime: 0,
  })
}

/** Returns all stored data as a zip file. Throws PortalError `person.unknown`, `request.too-often`. */
export function exportPerson() {
  return mutationOptions({
    mutationFn: (who: PersonAsked) => portalFile('/api/people/export', { method: 'POST', body: who }),
  })
}

/**
 * Downloads one lead's conversation as a PDF. Throws PortalError `lead.unknown`, `proof.empty`, `proof.busy`,
 * `request.too-often`.
 */
export function saveConversation() {
  return mutationOptions({
    mutationFn: ({ id }: ConversationOf) => longFile('/api/people/conversation', { contactId: id }),
  })
}

const Erased = v.object({ leads: v.number(), messages: v.number(), files: v.number() })

export type Erased = v.InferOutput<typeof Erased>

/**
 * Erases a person's data, which cannot be undone. Repeating an operation id has no further effect. Throws PortalError
 * `person.unknown`, `person.sending`, `agents.not-forgotten`.
 */
export function erasePerson() {
  return mutationOptions({
    mutationFn: async ({ who, operationId }: { who: PersonAsked; operationId: string }): Promise<Erased> =>
      v.parse(Erased, await portal('/api/people/erase', { method: 'POST', body: { ...who, operationId } })),
  })
}
