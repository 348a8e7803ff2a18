// The stages' colours, for screens that have only a stage's slug.
import { useQuery } from '@tanstack/react-query'
import type { Stage } from '#domain/stage.ts'
import { stagesQuery } from './stage-changes.ts'

const NONE: ReadonlyMap<string, string | undefined> = new Map()
const toHues = (stages: readonly Stage[]): typeof NONE => new Map(stages.map(({ slug, hue }) => [slug, hue]))

/** Returns the colours by slug. Removed stages have none, and there are none before the stages are loaded. */
export function useStageHues(): typeof NONE {
  const { data = NONE } = useQuery({ ...stagesQuery(), select: toHues })
  return data
}
