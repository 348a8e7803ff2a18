// A list whose rows can be reordered: dragged with the mouse or after a long press, moved with keys, or by buttons for
// up and down.
import { closestCenter, DndContext, type DragEndEvent, type DragOverEvent } from '@dnd-kit/core'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { tremble } from '../feedback/haptics.ts'
import { DURATION, EASE_OUT, wantsLessMotion } from './motion.ts'
import { useDragSensors } from './drag-sensors.ts'
import { SILENT_DRAG } from './silent-drag.ts'
import { CANCELLED, type Drag, dropped, pickedUp, placed } from './sortable-places.ts'
import { SortableRow } from './sortable-row.tsx'
import { announce } from '../feedback/toast.ts'

type SortableProps<T> = {
  label: string
  rows: readonly T[]
  keyOf: (row: T) => string
  /** Names a row in announcements. */
  nameOf: (row: T) => string
  isOff: boolean
  onMove: (from: number, to: number) => void
  children: (row: T) => ReactNode
}

export function Sortable<T>({ label, rows, keyOf, nameOf, isOff, onMove, children }: SortableProps<T>) {
  const sensors = useDragSensors()
  const list = useRef<HTMLOListElement>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  /** The row that keys move, and the index where it began; null if there is none. */
  const [carried, setCarried] = useState<{ key: string; from: number } | null>(null)
  useOwnEscape(drag !== null)
  const indexOf = (id: unknown) => rows.findIndex((row) => keyOf(row) === id)
  const over = ({ over: target }: DragOverEvent) =>
    setDrag((now) => (now && target ? { ...now, to: indexOf(target.id) } : now))
  const end = ({ active, over: target }: DragEndEvent) => {
    const [from, to] = [indexOf(active.id), indexOf(target?.id)]
    const row = rows[from]
    setDrag(null)
    land(list, from < 0 || to < 0 ? from : to, active.rect.current.translated?.top)
    if (!row || to < 0 || from === to) return
    tremble('done')
    onMove(from, to)
    announce(placed(nameOf(row), to, rows.length))
  }
  const move = (row: T, to: number) => {
    const from = indexOf(keyOf(row))
    if (to < 0 || to >= rows.length || from === to) return announce(placed(nameOf(row), from, rows.length))
    onMove(from, to)
    announce(placed(nameOf(row), to, rows.length))
  }
  const onKey = (row: T, event: KeyboardEvent) => {
    const at = indexOf(keyOf(row))
    const isCarried = carried?.key === keyOf(row)
    const step = STEP[event.key]
    if (event.key === ' ' && !event.repeat) {
      setCarried(isCarried ? null : { key: keyOf(row), from: at })
      announce(isCarried ? dropped(nameOf(row), at, rows.length) : pickedUp(nameOf(row)))
    } else if (isCarried && step !== undefined) move(row, at + step)
    else if (isCarried && event.key === 'Escape') {
      setCarried(null)
      if (at !== carried.from) onMove(at, carried.from)
      announce(CANCELLED)
    } else return
    event.preventDefault()
  }
  return (
    <DndContext
      accessibility={SILENT_DRAG}
      sensors={sensors}
      collisionDetection={closestCenter}
      autoScroll={{ canScroll: (area) => area !== document.scrollingElement || !isOverPage(list.current) }}
      onDragStart={({ active }) => {
        const from = indexOf(active.id)
        tremble('done')
        setDrag({ from, to: from, height: list.current?.children[from]?.clientHeight ?? 0 })
      }}
      onDragOver={over}
      onDragEnd={end}
      onDragCancel={() => setDrag(null)}
    >
      <ol ref={list} aria-label={label} className="flex flex-col gap-1.5">
        {rows.map((row, index) => (
          <SortableRow
            key={keyOf(row)}
            id={keyOf(row)}
            name={nameOf(row)}
            index={index}
            isOff={isOff || rows.length < 2}
            isCarried={carried?.key === keyOf(row)}
            drag={drag}
            onKey={(event) => onKey(row, event)}
            onStep={(by) => move(row, index + by)}
            onLeave={() => setCarried((now) => (now?.key === keyOf(row) ? null : now))}
          >
            {children(row)}
          </SortableRow>
        ))}
      </ol>
    </DndContext>
  )
}

/** During a drag, Escape cancels only the drag, not the dialog around the list. */
function useOwnEscape(isOn: boolean) {
  useEffect(() => {
    if (!isOn) return undefined
    const keep = (event: globalThis.KeyboardEvent) => event.key === 'Escape' && event.preventDefault()
    document.addEventListener('keydown', keep, true)
    return () => document.removeEventListener('keydown', keep, true)
  }, [isOn])
}

/** True if a dialog contains the list. The page behind the dialog must not scroll. */
const isOverPage = (list: Element | null) => list?.closest('dialog') !== null

const STEP: Readonly<Record<string, -1 | 1>> = { ArrowUp: -1, ArrowDown: 1 }

/** Animates a dropped row from where it was released to its place. */
function land(list: RefObject<HTMLElement | null>, index: number, fromTop: number | undefined) {
  if (fromTop === undefined || wantsLessMotion()) return
  requestAnimationFrame(() => {
    const row = list.current?.children[index]
    if (!row) return
    const way = fromTop - row.getBoundingClientRect().top
    row.animate([{ transform: `translateY(${way}px)` }, { transform: 'none' }], {
      duration: DURATION.base,
      easing: EASE_OUT,
    })
  })
}
