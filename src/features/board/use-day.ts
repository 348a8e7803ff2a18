// Loads the code of the filters, waiting leads, next steps and drafts, and filters the columns.
import { useEffect, useMemo, useState } from 'react'
import { afterPaint } from '#data/after-paint.ts'
import { afterFirst } from '#data/first-in-line.ts'
import { untilHere } from '#ui/arrival.ts'
import { type Column, withUnread } from './ground/board-view.ts'
import type { Day } from './day/day.ts'
import type { Drafts } from './day/filter-view.ts'

let here: Day | undefined
export const loadDay = async () => (here ??= (await import('./day/day.ts')).createDay())
/** The active filter's name, kept until the app reloads. */
let last: string | undefined

type Filtered = {
  filter: string | undefined
  onFilter: (filter: string | undefined, stageSlug?: string) => void
}

export function useDay(columns: readonly Column[], { filter: named, onFilter: name }: Filtered) {
  const [day, setDay] = useState(here)
  const [kept, setKept] = useState(() => (last = named ?? last))
  /** The time by which the board tells which leads are late. */
  const [atMs, onMinute] = useState(Date.now)
  // Loads the code after the first cards, unless it is loaded already.
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
      .then(() => afterFirst())
      .then(() => untilHere(loadDay))
      .then((loaded) => isWanted && setDay(loaded))
    return () => void (isWanted = false)
  }, [day, isDue])
  const [drafts, setDrafts] = useState<Drafts>()
  useEffect(() => day?.watchDrafts(setDrafts), [day])
  const filter = named ?? kept
  const shown = useMemo(
    () => day?.view(columns, filter, { nowMs: atMs, drafts }) ?? columns.map(withUnread),
    [day, columns, filter, atMs, drafts],
  )
  const onFilter: Filtered['onFilter'] = (chosen, stageSlug) => {
    setKept((last = chosen))
    name(chosen, stageSlug)
  }
  return { day, shown, filter, onFilter, onMinute }
}
