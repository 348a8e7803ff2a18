// One row of a sortable list: handle, number, content, and buttons for up and down.
import { useDraggable, useDroppable } from '@dnd-kit/core'
import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react'
import { type CSSProperties, type KeyboardEvent, type ReactNode, useCallback } from 'react'
import { IconButton } from '../primitives/button.tsx'
import { classNames } from '../primitives/class-names.ts'
import { Icon } from '../primitives/icon.tsx'
import { type Drag, placeOf, shiftOf } from './sortable-places.ts'

/** GAP: px between two rows. MAX_ASIDE: how far a dragged row may move sideways. */
const GAP = 6
const MAX_ASIDE = 8

type SortableRowProps = {
  id: string
  name: string
  index: number
  isOff: boolean
  isCarried: boolean
  drag: Drag | null
  onKey: (event: KeyboardEvent) => void
  onStep: (by: -1 | 1) => void
  onLeave: () => void
  children: ReactNode
}

export function SortableRow(props: SortableRowProps) {
  const { id, name, index, isOff, isCarried, drag, onKey, onStep, onLeave, children } = props
  const { listeners, setNodeRef: holdRow, transform, isDragging } = useDraggable({ id, disabled: isOff })
  const { setNodeRef: aimRow } = useDroppable({ id })
  // The callback stays the same, because a new one would measure the row at each render.
  const hold = useCallback(
    (node: HTMLElement | null) => {
      holdRow(node)
      aimRow(node)
    },
    [holdRow, aimRow],
  )
  const aside = Math.max(-MAX_ASIDE, Math.min(MAX_ASIDE, transform?.x ?? 0))
  const makesRoom = drag ? shiftOf(index, drag) * (drag.height + GAP) : 0
  const style: CSSProperties = isDragging
    ? { transform: `translate(${aside}px, ${transform?.y ?? 0}px)` }
    : { transform: makesRoom === 0 ? 'none' : `translateY(${makesRoom}px)` }
  return (
    <li
      ref={hold}
      {...listeners}
      // Marks the row as handling its own touches, so that a drag does not pull the sheet.
      data-own-touch
      style={style}
      className={classNames(
        'group/row relative flex min-h-14 touch-manipulation items-center gap-2 rounded-md bg-surface p-1 select-none',
        isDragging ? 'z-10 rotate-[-0.5deg] cursor-grabbing' : !isOff && 'cursor-grab',
        drag && !isDragging && 'transition-transform motion-reduce:transition-none',
        isDragging || isCarried ? 'shadow-lift outline-2 outline-primary' : 'shadow-line',
      )}
    >
      <button
        type="button"
        aria-label={`Reordenar ${name}`}
        aria-pressed={isCarried}
        disabled={isOff}
        onKeyDown={onKey}
        onBlur={onLeave}
        className="inline-flex size-11 shrink-0 cursor-[inherit] items-center justify-center rounded-md text-text-3 disabled:opacity-40 lg:w-8"
      >
        <Icon of={GripVertical} size={18} />
      </button>
      <span className="w-6 shrink-0 text-center text-14 text-text-2 tabular-nums">
        {drag ? placeOf(index, drag) : index + 1}
      </span>
      {children}
      {!isOff && (
        <span className="sr-only group-has-focus-visible/row:not-sr-only group-has-focus-visible/row:flex">
          <IconButton icon={ArrowUp} label={`Mover ${name} para cima`} onClick={() => onStep(-1)} />
          <IconButton icon={ArrowDown} label={`Mover ${name} para baixo`} onClick={() => onStep(1)} />
        </span>
      )}
    </li>
  )
}
