// Rules for editing the board's stages.
import type { Stage } from './stage.ts'

/** The limit of the database's column. */
export const MAX_STAGE_NAME = 60

/**
 * Returns a slug such as 'negociacao': lower case, no accents, underscores for other characters except at the ends. A
 * name without letters gets a slug too.
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

/** Returns the new name; null if it is blank or unchanged. */
export function renameOf({ name }: Pick<Stage, 'name'>, typed: string): string | null {
  const wanted = typed.trim()
  return wanted === '' || wanted === name ? null : wanted
}

/** Returns the stages after one moved up (-1) or down (1), numbered from 1. At the ends nothing changes. */
export function withMoved(stages: readonly Stage[], id: string, step: -1 | 1): readonly Stage[] {
  const at = stages.findIndex((stage) => stage.id === id)
  const [stage, other] = [stages[at], stages[at + step]]
  if (!stage || !other) return stages
  const moved = stages.with(at, other).with(at + step, stage)
  return moved.map((each, index) => ({ ...each, position: index + 1 }))
}
