// Stages as an administrator manages them: the list, and each change of it as one transaction. Spec 2.11, 4, 5, 7.1, 8.
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { rows, rpc } from '#api/client.ts'
import { PortalError } from '#domain/errors.ts'
import type { Stage } from '#domain/stage.ts'
import { slugify, withMoved } from '#domain/stage-editing.ts'
import { kept } from './kept.ts'
import { keys } from './keys.ts'
import { newOperationId } from './operation.ts'
import { StageRow, toStage } from './stages.ts'

/** Live: poked by every change of a stage. */
export function stagesQuery() {
  return queryOptions({
    queryKey: keys.stages(),
    queryFn: kept({ kind: 'stages', most: 1, version: 1 }, async ({ signal }) => {
      const answer = await rows('kanban_stages', { select: '*', order: 'order_index' }, signal)
      return v.parse(v.array(StageRow), answer).map(toStage)
    }),
  })
}

const Answer = v.object({ success: v.boolean(), code: v.string(), message: v.nullish(v.string(), null) })

/** Raises PortalError `stage.…` with the server's words. Whatever came of it, the list is read again. */
async function change(client: QueryClient, name: string, args: Record<string, unknown>): Promise<void> {
  try {
    const { success, code, message } = v.parse(
      Answer,
      await rpc(name, { ...args, p_operation_id: newOperationId() }),
    )
    if (!success) throw new PortalError(`stage.${code}`, message ?? '', { status: 409 })
  } finally {
    await client.invalidateQueries({ queryKey: keys.stages() })
  }
}

/** What is pressed in a row is done in that order. */
const ONE_BY_ONE = { id: 'stages' }

/** Reading the list again, as every change does, puts it right whatever came of it. */
async function showAtOnce(client: QueryClient, rule: (stages: readonly Stage[]) => readonly Stage[]) {
  const queryKey = keys.stages()
  await client.cancelQueries({ queryKey })
  client.setQueryData<readonly Stage[]>(queryKey, (stages) => stages && rule(stages))
}

export function addStage() {
  return mutationOptions({
    mutationFn: (name: string, { client }) =>
      change(client, 'add_stage', { p_name: name.trim(), p_slug: slugify(name) }),
    scope: ONE_BY_ONE,
  })
}

/** What is left out stays. */
export type StageEdit = { stage: Stage; name?: string; kind?: Stage['kind'] }

/** Shown at once. */
export function saveStage() {
  return mutationOptions({
    onMutate: ({ stage: { id }, ...edit }: StageEdit, { client }) =>
      showAtOnce(client, (stages) => stages.map((each) => (each.id === id ? { ...each, ...edit } : each))),
    mutationFn: ({ stage, name, kind }: StageEdit, { client }) =>
      change(client, 'save_stage', { p_id: Number(stage.id), p_name: name ?? null, p_kind: kind ?? null }),
    scope: ONE_BY_ONE,
  })
}

export type StageStep = { stage: Stage; step: -1 | 1 }

/** Shown at once. */
export function moveStage() {
  return mutationOptions({
    onMutate: ({ stage, step }: StageStep, { client }) =>
      showAtOnce(client, (stages) => withMoved(stages, stage.id, step)),
    mutationFn: ({ stage, step }: StageStep, { client }) =>
      change(client, 'move_stage', { p_id: Number(stage.id), p_step: step }),
    scope: ONE_BY_ONE,
  })
}

/** Its leads go to 'Novos Contatos'. */
export function removeStage() {
  return mutationOptions({
    mutationFn: (stage: Stage, { client }) => change(client, 'remove_stage', { p_id: Number(stage.id) }),
    scope: ONE_BY_ONE,
  })
}
