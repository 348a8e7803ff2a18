// Stages of the board: rows of kanban_stages.
import * as v from 'valibot'
import type { Stage } from '#domain/stage.ts'

export const StageRow = v.object({
  id: v.union([v.string(), v.number()]),
  name: v.string(),
  slug: v.string(),
  order_index: v.number(),
  kind: v.picklist(['open', 'won', 'lost']),
})

export function toStage(row: v.InferOutput<typeof StageRow>): Stage {
  return { id: String(row.id), name: row.name, slug: row.slug, position: row.order_index, kind: row.kind }
}
