// What the board says beyond who stands where, fetched once its first cards are painted: who waits, what is next, who is unread.
import { DayLine } from './day-line.tsx'
import { createFilterView } from './filter-view.ts'
import { Filters } from './filters.tsx'

export type { Filter } from './filter-view.ts'
export type Day = ReturnType<typeof createDay>

export const createDay = () => ({ Line: DayLine, Filters, view: createFilterView() })
