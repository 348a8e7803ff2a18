// What the board adds after its first cards: waiting leads, next steps, unread counts, filters and drafts.
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
