// Reads a board's stages from rows of kanban_stages.
import * as v from 'valibot'
import type { Stage } from '#domain/stage.ts'

export const StageRow = v.object({
  id: v.union([v.string(), v.number()]),
  name: v.string(),
  slug: v.string(),
  order_index: v.number(),
  kind: v.picklist(['open', 'won', 'lost']),
  hue: v.string(),
})

export function toStage(row: v.InferOutput<typeof StageRow>): Stage {
  const { id, name, slug, order_index: position, kind, hue } = row
  return { id: String(id), name, slug, position, kind, hue }
}
