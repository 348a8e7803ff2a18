// What a card in the hand can be let go over: the columns, of which the pointer or the arrows choose one. Spec 4; INTERACTIONS 6, 7.
import { type CollisionDetection, pointerWithin, useDroppable } from '@dnd-kit/core'
import { type RefObject, useLayoutEffect } from 'react'
import type { Column } from './board-view.ts'
import type { Point } from './drag-scroll.ts'

type DragTargetsProps = { board: RefObject<HTMLElement | null>; columns: readonly Column[] }

export function DragTargets({ board, columns }: DragTargetsProps) {
  return columns.map(({ stage: { slug } }) => <DragTarget key={slug} board={board} slug={slug} />)
}

function DragTarget({ board, slug }: { board: RefObject<HTMLElement | null>; slug: string }) {
  const { setNodeRef } = useDroppable({ id: slug })
  useLayoutEffect(() => {
    setNodeRef(sectionOf(board.current, slug))
    return () => setNodeRef(null)
  }, [board, slug, setNodeRef])
  return null
}

export function sectionOf(board: HTMLElement | null, slug: string | null): HTMLElement | null {
  return slug === null
    ? null
    : (board?.querySelector<HTMLElement>(`[data-stage="${CSS.escape(slug)}"]`) ?? null)
}

/** The column under the pointer, a card in it or not; without a pointer the one that the arrows chose. */
export function targetsUnder(
  board: RefObject<HTMLElement | null>,
  steppedTo: RefObject<string | null>,
): CollisionDetection {
  return (args) => {
    const { pointerCoordinates } = args
    if (!pointerCoordinates) return steppedTo.current === null ? [] : [{ id: steppedTo.current }]
    return isOver(board.current, pointerCoordinates) ? pointerWithin(args) : []
  }
}

/** Columns that are scrolled away lie under what stands beside the board. */
export function isOver(board: HTMLElement | null, { x, y }: Point): boolean {
  const box = board?.getBoundingClientRect()
  return box !== undefined && x >= box.left && x <= box.right && y >= box.top && y <= box.bottom
}
