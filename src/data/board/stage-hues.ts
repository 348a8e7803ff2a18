// The colours of the stages for screens that know but a stage's slug.
import { useQuery } from '@tanstack/react-query'
import type { Stage } from '#domain/stage.ts'
import { stagesQuery } from './stage-changes.ts'

const NONE: ReadonlyMap<string, string | undefined> = new Map()
const toHues = (stages: readonly Stage[]): typeof NONE => new Map(stages.map(({ slug, hue }) => [slug, hue]))

/** By slug; of a stage that is gone, or before they are here, there is none. */
export function useStageHues(): typeof NONE {
  const { data = NONE } = useQuery({ ...stagesQuery(), select: toHues })
  return data
}
