// The columns of the board as an administrator changes them.
import type { Stage } from './stage.ts'

/** As the table of stages has them. */
export const MAX_STAGE_NAME = 60

/**
 * In small letters, what is neither letter nor digit an underscore, none at the ends; accents are left out, as in
 * 'negociacao'. A name of signs alone has one all the same.
 */
export function slugify(name: string): string {
  const slug = name
    .normalize('NFD')
    .replace(/\p{Mn}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, MAX_STAGE_NAME)
    .replace(/^_+|_+$/g, '')
  return slug || 'estagio'
}

/** The new name; null where it is blank or the one that the stage has. */
export function renameOf({ name }: Pick<Stage, 'name'>, typed: string): string | null {
  const wanted = typed.trim()
  return wanted === '' || wanted === name ? null : wanted
}

/** The stages with one a place further up (-1) or down (1), numbered from 1; at the ends they stay. */
export function withMoved(stages: readonly Stage[], id: string, step: -1 | 1): readonly Stage[] {
  const at = stages.findIndex((stage) => stage.id === id)
  const [stage, other] = [stages[at], stages[at + step]]
  if (!stage || !other) return stages
  const moved = stages.with(at, other).with(at + step, stage)
  return moved.map((each, index) => ({ ...each, position: index + 1 }))
}
