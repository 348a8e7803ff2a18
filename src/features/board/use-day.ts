// The part of the board that tells who waits and what is next, once it is here; and the filter that it lays over the columns.
import { useCallback, useEffect, useMemo, useState } from 'react'
import { afterPaint } from '#data/after-paint.ts'
import { untilHere } from '#ui/lazily.ts'
import type { Column } from './board-view.ts'
import type { Day, Filter } from './day/day.ts'

let here: Day | undefined
const load = async () => (here ??= (await import('./day/day.ts')).createDay())
/** Ends with the session of the app, not with the screen. */
let last: { filter: Filter; atMs: number } = { filter: 'all', atMs: 0 }

export function useDay(columns: readonly Column[]) {
  const [day, setDay] = useState(here)
  const [asked, setAsked] = useState(last)
  // The cards go first.
  const isDue = columns.length > 0
  useEffect(() => {
    if (day || !isDue) return undefined
    let isWanted = true
    void afterPaint()
      .then(() => untilHere(load))
      .then((loaded) => isWanted && setDay(loaded))
    return () => void (isWanted = false)
  }, [day, isDue])
  const { filter, atMs } = asked
  const shown = useMemo(() => day?.view(columns, filter, atMs) ?? columns, [day, columns, filter, atMs])
  const onFilter = useCallback(
    (chosen: Filter, nowMs = Date.now()) => setAsked((last = { filter: chosen, atMs: nowMs })),
    [],
  )
  return { day, shown, filter, onFilter }
}
