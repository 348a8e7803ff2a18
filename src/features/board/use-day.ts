// The part of the board that tells who waits and what is next, once it is here; and the filter that it lays over the columns.
import { useEffect, useMemo, useState } from 'react'
import { afterPaint } from '#data/after-paint.ts'
import { untilHere } from '#ui/arrival.ts'
import type { Column } from './board-view.ts'
import type { Day } from './day/day.ts'

let here: Day | undefined
export const loadDay = async () => (here ??= (await import('./day/day.ts')).createDay())
/** The word of the filter; ends with the session of the app, not with the screen. */
let last: string | undefined

type Filtered = {
  filter: string | undefined
  onFilter: (filter: string | undefined, stageSlug?: string) => void
}

export function useDay(columns: readonly Column[], { filter: named, onFilter: name }: Filtered) {
  const [day, setDay] = useState(here)
  const [kept, setKept] = useState(() => (last = named ?? last))
  /** At what time it is late. */
  const [atMs, onMinute] = useState(Date.now)
  // The cards go first, unless it is here already.
  const isDue = columns.length > 0
  const [wasDue, setDue] = useState(isDue)
  if (isDue !== wasDue) {
    setDue(isDue)
    setDay(here)
  }
  useEffect(() => {
    if (day || !isDue) return undefined
    let isWanted = true
    void afterPaint()
      .then(() => untilHere(loadDay))
      .then((loaded) => isWanted && setDay(loaded))
    return () => void (isWanted = false)
  }, [day, isDue])
  const filter = named ?? kept
  const shown = useMemo(() => day?.view(columns, filter, atMs) ?? columns, [day, columns, filter, atMs])
  const onFilter: Filtered['onFilter'] = (chosen, stageSlug) => {
    setKept((last = chosen))
    name(chosen, stageSlug)
  }
  return { day, shown, filter, onFilter, onMinute }
}
