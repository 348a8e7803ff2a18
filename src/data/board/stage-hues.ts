// The stages' colours, for screens that know only a stage's slug.
import { useQuery } from '@tanstack/react-query'
import type { Stage } from '#domain/stage.ts'
import { stagesQuery } from './stage-changes.ts'

const NONE: ReadonlyMap<string, string | undefined> = new Map()
const toHues = (stages: readonly Stage[]): typeof NONE => new Map(stages.map(({ slug, hue }) => [slug, hue]))

/** By slug. A removed stage has none, nor has any before the stages are loaded. */
export function useStageHues(): typeof NONE {
  const { data = NONE } = useQuery({ ...stagesQuery(), select: toHues })
  return data
}
