// Reads and saves the templates of plans of next tries: the agency's own, and one for each development.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { rows, rpc } from '#api/client.ts'
import { keys } from '#data/keys.ts'
import type { TemplateStep } from '#domain/plan/propose.ts'

const Steps = v.array(
  v.object({
    day: v.number(),
    minute: v.number(),
    kind: v.picklist(['call', 'message', 'task']),
    text: v.string(),
  }),
)
const Shared = v.object({
  shared: v.array(v.object({ development: v.nullable(v.string()), steps: Steps })),
})
const Developments = v.array(v.object({ id: v.number(), name: v.string() }))

export type Templates = {
  developments: readonly { id: number; name: string }[]
  /** The steps by the development's name; the agency's own steps have the name ''. */
  steps: ReadonlyMap<string, readonly TemplateStep[]>
}

/** An administrator has no board, so the templates get an empty name in the cache key. */
const NO_BOARD = ''

export function templatesQuery() {
  return queryOptions({
    queryKey: keys.plans(NO_BOARD),
    queryFn: async ({ signal }): Promise<Templates> => {
      const [known, developments] = await Promise.all([
        rpc('get_plans', { p_broker_name: NO_BOARD }, signal),
        rows('developments', { select: 'id,name', archived_at: 'is.null', order: 'name' }, signal),
      ])
      const { shared } = v.parse(Shared, known)
      return {
        developments: v.parse(Developments, developments),
        steps: new Map(shared.map(({ development, steps }) => [development ?? '', steps])),
      }
    },
  })
}

/**
 * Stores a template for everybody; an empty list of steps deletes it. Throws the server's text if a step is not valid.
 */
export function saveTemplate(developmentId: number | null) {
  return mutationOptions({
    mutationFn: async (steps: readonly TemplateStep[], { client }) => {
      await rpc('plan_template_save', { p_development_id: developmentId, p_steps: steps })
      await client.invalidateQueries({ queryKey: keys.plans(NO_BOARD) })
    },
  })
}
