// Lets the user order a table's rows or a grid's tiles by drag: the carried one follows the pointer, and its new place
// is marked. Arrow keys on the focused handle move it too.
import { closestCenter, DndContext, type DragEndEvent, useDraggable, useDroppable } from '@dnd-kit/core'
import { type CSSProperties, type KeyboardEvent, type ReactNode, useCallback } from 'react'
import { tremble } from '#ui/feedback/haptics.ts'
import { announce } from '#ui/feedback/toast.ts'
import { useDragSensors } from '#ui/motion/drag-sensors.ts'
import { SILENT_DRAG } from '#ui/motion/silent-drag.ts'

type OrderProps<T> = {
  rows: readonly T[]
  keyOf: (row: T) => string
  onOrder: (rows: T[]) => void
  children: ReactNode
}

export function Order<T>({ rows, keyOf, onOrder, children }: OrderProps<T>) {
  const sensors = useDragSensors()
  const end = ({ active, over }: DragEndEvent) => {
    const [from, to] = [active.id, over?.id].map((key) => rows.findIndex((row) => keyOf(row) === key))
    if (from === undefined || to === undefined || from < 0 || to < 0 || from === to) return
    tremble('done')
    onOrder(moved(rows, from, to))
  }
  return (
    <DndContext
      accessibility={SILENT_DRAG}
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={end}
    >
      {children}
    </DndContext>
  )
}

function moved<T>(rows: readonly T[], from: number, to: number): T[] {
  const row = rows[from]
  return row === undefined ? [...rows] : rows.toSpliced(from, 1).toSpliced(to, 0, row)
}

const STEP: Readonly<Record<string, -1 | 1>> = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }

/** Moves a row one step; called by the handle's `onKeyDown`. */
export function stepByKey<T>(
  event: KeyboardEvent,
  {
    rows,
    at,
    nameOf,
    onOrder,
  }: { rows: readonly T[]; at: number; nameOf: (row: T) => string; onOrder: (rows: T[]) => void },
): void {
  const by = STEP[event.key]
  const row = rows[at]
  if (by === undefined || row === undefined) return
  event.preventDefault()
  const to = Math.min(rows.length - 1, Math.max(0, at + by))
  if (to !== at) onOrder(moved(rows, at, to))
  announce(`${nameOf(row)}, ${to + 1}ª de ${rows.length}.`)
}

/** Lets the user drag a row or tile, and drop another one on its place. */
export function useOrdered(id: string, isOff: boolean) {
  const { listeners, setNodeRef: hold, transform, isDragging } = useDraggable({ id, disabled: isOff })
  const { setNodeRef: aim, isOver } = useDroppable({ id })
  const ref = useCallback(
    (node: HTMLElement | null) => {
      hold(node)
      aim(node)
    },
    [hold, aim],
  )
  const style: CSSProperties | undefined = transform
    ? { transform: `translate(${transform.x}px, ${transform.y}px)`, position: 'relative', zIndex: 1 }
    : undefined
  return { ref, style, listeners, isDragging, isAimedAt: isOver && !isDragging }
}
