// Decides which columns are folded into strips. If not all fit, those of closed stages are, until the user opens them.
import { type RefObject, useCallback, useLayoutEffect, useState } from 'react'
import type { Column } from '../ground/board-view.ts'

const GAP = 14
const NARROWEST = 212
/** The minimum width of an open column, in rem, because columns get wider with large text. */
const NARROWEST_REM = 13.25
const PLACE = 'board.unfolded'

export type Fold = 'folded' | 'open'

/**
 * `foldOf` returns undefined for a column that cannot or need not be folded. The `peeked` column is open while a card
 * is held over it.
 */
export function useFolding(
  board: RefObject<HTMLElement | null>,
  columns: readonly Column[],
  peeked: string | null,
) {
  const [isTight, setTight] = useState(false)
  const [opened, setOpened] = useState(readOpened)
  const count = columns.length
  useLayoutEffect(() => {
    const element = board.current
    if (!element) return undefined
    const measure = () => setTight(roomOf(element) < count * (widthOf() + GAP) - GAP)
    const watching = new ResizeObserver(measure)
    watching.observe(element)
    measure()
    return () => watching.disconnect()
  }, [board, count])
  const onFold = useCallback((slug: string, fold: Fold) => {
    setOpened((slugs) => {
      const next = fold === 'open' ? [...slugs, slug] : slugs.filter((one) => one !== slug)
      keep(next)
      return next
    })
  }, [])
  const foldOf = ({ stage: { slug, kind }, isFiltered, leads }: Column): Fold | undefined => {
    if (!isTight || kind === 'open') return undefined
    // A folded column would hide what a search found.
    if (isFiltered && leads.length > 0) return undefined
    return slug === peeked || opened.includes(slug) ? 'open' : 'folded'
  }
  return { foldOf, onFold }
}

function roomOf(element: HTMLElement): number {
  const { paddingLeft, paddingRight } = getComputedStyle(element)
  return element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
}

const widthOf = () =>
  Math.max(NARROWEST, NARROWEST_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize))

function readOpened(): readonly string[] {
  try {
    return localStorage.getItem(PLACE)?.split(' ').filter(Boolean) ?? []
  } catch {
    return []
  }
}

function keep(slugs: readonly string[]) {
  try {
    localStorage.setItem(PLACE, slugs.join(' '))
  } catch {
    // If the browser cannot store the choice, the columns are folded again next time.
  }
}
