// The board's additions, loaded after the first cards: which leads wait, their next steps, and unread counts.
import type { Column } from '../board-view.ts'
import { DayLine } from './day-line.tsx'
import { createFilterView, filterNamed } from './filter-view.ts'
import { Filters } from './filters.tsx'

export type Day = ReturnType<typeof createDay>

export function createDay() {
  const view = createFilterView()
  return {
    Line: DayLine,
    Filters,
    view: (columns: readonly Column[], word: string | undefined, nowMs: number) =>
      view(columns, filterNamed(word), nowMs),
  }
}
