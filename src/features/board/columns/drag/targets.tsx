// The drop targets of a drag: the columns, chosen by the pointer or by arrow keys.
import { type CollisionDetection, useDroppable } from '@dnd-kit/core'
import { type RefObject, useLayoutEffect } from 'react'
import type { Column } from '#features/board/ground/board-view.ts'
import { columnAt, type Field } from './rules.ts'

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

/** Measures the board once per drag; resizing the window ends the drag. */
export function measureField(board: HTMLElement): Field {
  const { left, right } = board.getBoundingClientRect()
  const sections = [...board.querySelectorAll<HTMLElement>('[data-stage]')]
  const boxes = sections.map((section) => ({
    slug: section.dataset['stage'] ?? '',
    box: section.getBoundingClientRect(),
  }))
  const fromLeft = board.scrollLeft - left
  return {
    left,
    right,
    top: boxes[0]?.box.top ?? 0,
    bottom: boxes[0]?.box.bottom ?? 0,
    columns: boxes.map(({ slug, box }) => ({ slug, start: box.left + fromLeft, end: box.right + fromLeft })),
  }
}

type Choosing = {
  board: RefObject<HTMLElement | null>
  field: RefObject<Field | null>
  /** The column that the user chose with arrow keys; null without keys. */
  steppedTo: RefObject<string | null>
}

/**
 * Finds the column under the pointer, also between its cards. With the keyboard it is the column chosen with arrow
 * keys.
 */
export function targetsUnder({ board, field, steppedTo }: Choosing): CollisionDetection {
  return ({ pointerCoordinates: pointer }) => {
    if (!field.current || !board.current) return []
    const slug = pointer ? columnAt(field.current, pointer, board.current.scrollLeft) : steppedTo.current
    return slug === null ? [] : [{ id: slug }]
  }
}
