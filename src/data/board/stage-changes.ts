// The stages for administrators: their list, and changes to it, each in one transaction.
import { type Mutation, mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { rows, rpc } from '#api/client.ts'
import { PortalError } from '#domain/errors.ts'
import type { Stage } from '#domain/stage.ts'
import { slugify, withMoved } from '#domain/stage-editing.ts'
import { cachedOffline } from '../cached-offline.ts'
import { keys } from '../keys.ts'
import { newOperationId } from '../operation.ts'
import { StageRow, toStage } from './stages.ts'

/** Reads the board's stages. Refetched at every change of a stage. */
export function stagesQuery() {
  return queryOptions({
    queryKey: keys.stages(),
    queryFn: cachedOffline({ kind: 'stages', most: 1, version: 2 }, async ({ client, queryKey, signal }) => {
      const answer = await rows('kanban_stages', { select: '*', order: 'order_index' }, signal)
      const read = v.parse(v.array(StageRow), answer).map(toStage)
      // While changes are pending, the shown list is newer than the answer. Keeping it stops rows from jumping under
      // the pointer.
      return hasUnanswered(client) ? (client.getQueryData<readonly Stage[]>(queryKey) ?? read) : read
    }),
  })
}

const Answer = v.object({ success: v.boolean(), code: v.string(), message: v.nullish(v.string(), null) })

/** Calls the database function `name`. Throws PortalError `stage.…` with the server's text. */
async function change(name: string, args: Record<string, unknown>): Promise<void> {
  const answer = await rpc(name, { p_operation_id: newOperationId(), ...args })
  const { success, code, message } = v.parse(Answer, answer)
  if (!success) throw new PortalError(`stage.${code}`, message ?? '', { status: 409 })
}

/** Identifies one change, from the pressed button to the server's answer. */
type Press = object
const answered = new WeakSet<Press>()
type Settled = [unknown, Error | null, unknown, press: Press | undefined, { client: QueryClient }]

/** Sends changes one after another. After the last one the list is refetched, whether it failed or not. */
const ONE_BY_ONE = {
  scope: { id: 'stages' },
  onSettled: async (...[, , , press, { client }]: Settled) => {
    if (press) answered.add(press)
    if (!hasUnanswered(client)) await client.invalidateQueries({ queryKey: keys.stages() })
  },
}

function hasUnanswered(client: QueryClient): boolean {
  const isUnanswered = ({ options, state: { context } }: Mutation) =>
    options.scope?.id === ONE_BY_ONE.scope.id &&
    !(typeof context === 'object' && context !== null && answered.has(context))
  return client.isMutating({ predicate: isUnanswered }) > 0
}

/** Shows a change at once. It cancels a fetch in progress, whose answer would lack the change. */
async function press(client: QueryClient, rule = (stages: readonly Stage[]) => stages): Promise<Press> {
  const queryKey = keys.stages()
  await client.cancelQueries({ queryKey })
  client.setQueryData<readonly Stage[]>(queryKey, (stages) => stages && rule(stages))
  return {}
}

/** The server treats requests with the same name and operation id as one. */
export type NewStage = { name: string; operationId: string }

export function addStage() {
  return mutationOptions({
    ...ONE_BY_ONE,
    onMutate: (_stage: NewStage, { client }) => press(client),
    mutationFn: ({ name, operationId }: NewStage) =>
      change('add_stage', { p_name: name.trim(), p_slug: slugify(name), p_operation_id: operationId }),
  })
}

/** Undefined fields stay as they are. */
export type StageEdit = { stage: Stage; name?: string; kind?: Stage['kind'] }

/** Saves a stage; the list shows the change at once. */
export function saveStage() {
  return mutationOptions({
    ...ONE_BY_ONE,
    onMutate: ({ stage: { id }, ...edit }: StageEdit, { client }) =>
      press(client, (stages) => stages.map((each) => (each.id === id ? { ...each, ...edit } : each))),
    mutationFn: ({ stage, name, kind }: StageEdit) =>
      change('save_stage', { p_id: Number(stage.id), p_name: name ?? null, p_kind: kind ?? null }),
  })
}

export type StageStep = { stage: Stage; step: -1 | 1 }

/** Moves a stage; the list shows the change at once. */
export function moveStage() {
  return mutationOptions({
    ...ONE_BY_ONE,
    onMutate: ({ stage, step }: StageStep, { client }) =>
      press(client, (stages) => withMoved(stages, stage.id, step)),
    mutationFn: ({ stage, step }: StageStep) =>
      change('move_stage', { p_id: Number(stage.id), p_step: step }),
  })
}

/** Removes a stage; its leads go to 'Novos Contatos'. */
export function removeStage() {
  return mutationOptions({
    ...ONE_BY_ONE,
    onMutate: (_stage: Stage, { client }) => press(client),
    mutationFn: (stage: Stage) => change('remove_stage', { p_id: Number(stage.id) }),
  })
}

/** Tells how many leads are in the stage, and would go to another one if it were removed. */
export async function leadsInStage({ slug }: Stage): Promise<number> {
  return v.parse(v.number(), await rpc('count_leads_of_figure', { p_figure: 'status', p_value: slug }))
}
