// The board's additions, loaded after the first cards: which leads wait, their next steps, unread counts, and drafts.
import { watchDrafts } from '#data/messages/card-drafts.ts'
import type { Column } from '../ground/board-view.ts'
import { DayLine } from './day-line.tsx'
import { type Around, createFilterView, filterNamed } from './filter-view.ts'
import { Filters } from './filters.tsx'

export type Day = ReturnType<typeof createDay>

export function createDay() {
  const view = createFilterView()
  return {
    Line: DayLine,
    Filters,
    watchDrafts,
    view: (columns: readonly Column[], word: string | undefined, around: Around) =>
      view(columns, filterNamed(word), around),
  }
}
