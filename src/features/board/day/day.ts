// What the board says beyond who stands where, fetched once its first cards are painted: who waits, what is next, who is unread.
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
