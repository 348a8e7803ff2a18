// A list whose rows are put in another order: dragged with a mouse or a held finger, carried with the keyboard, or a place up or down
// by a button. Spec 9; INTERACTIONS 7; DESIGN-SYSTEM 9, 10.
import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  type DragOverEvent,
  MouseSensor,
  TouchSensor,
  useDraggable,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react'
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { tremble } from './haptics.ts'
import { Icon } from './icon.tsx'
import { DURATION, EASE_OUT, wantsLessMotion } from './motion.ts'
import { announce } from './toast.ts'

const MOUSE = { activationConstraint: { distance: 5 } }
const TOUCH = { activationConstraint: { delay: 150, tolerance: 5 } }

/** Px between two rows, and how far one in the hand strays from their line. */
const GAP = 6
const MOST_ASIDE = 8

/** What is said, the list says itself, for fingers and keys alike. */
const SILENT = {
  restoreFocus: false,
  screenReaderInstructions: { draggable: '' },
  announcements: {
    onDragStart: () => undefined,
    onDragOver: () => undefined,
    onDragEnd: () => undefined,
    onDragCancel: () => undefined,
  },
}

type SortableProps<T> = {
  label: string
  rows: readonly T[]
  keyOf: (row: T) => string
  /** How a row is called where it is spoken of. */
  nameOf: (row: T) => string
  isOff: boolean
  onMove: (from: number, to: number) => void
  children: (row: T) => ReactNode
}

type Drag = { from: number; to: number; height: number }

export function Sortable<T>({ label, rows, keyOf, nameOf, isOff, onMove, children }: SortableProps<T>) {
  const sensors = useSensors(useSensor(MouseSensor, MOUSE), useSensor(TouchSensor, TOUCH))
  const list = useRef<HTMLOListElement>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  /** Carried with keys, and from where. */
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
      accessibility={SILENT}
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
          <Row
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
          </Row>
        ))}
      </ol>
    </DndContext>
  )
}

/** While a row is in the hand, Escape lets it go, and leaves a dialog around the list open. */
function useOwnEscape(isOn: boolean) {
  useEffect(() => {
    if (!isOn) return undefined
    const keep = (event: globalThis.KeyboardEvent) => event.key === 'Escape' && event.preventDefault()
    document.addEventListener('keydown', keep, true)
    return () => document.removeEventListener('keydown', keep, true)
  }, [isOn])
}

/** The page behind a dialog stays where it is. */
const isOverPage = (list: Element | null) => list?.closest('dialog') !== null

const STEP: Readonly<Record<string, -1 | 1>> = { ArrowUp: -1, ArrowDown: 1 }
const CANCELLED = 'Movimento cancelado.'
const pickedUp = (name: string) =>
  `${name} na mão. Use as setas para mudar a posição, espaço para soltar, Esc para cancelar.`
const placed = (name: string, at: number, total: number) => `${name}, posição ${at + 1} de ${total}.`
const dropped = (name: string, at: number, total: number) => `Solto. ${placed(name, at, total)}`

/** Which place a row would have if what is dragged were let go now. */
function placeOf(index: number, { from, to }: Drag): number {
  if (index === from) return to + 1
  return index + 1 + shiftOf(index, { from, to })
}

/** Whether a row makes room a place up (-1) or down (1). */
function shiftOf(index: number, { from, to }: Pick<Drag, 'from' | 'to'>): -1 | 0 | 1 {
  if (index > from && index <= to) return -1
  return index < from && index >= to ? 1 : 0
}

/** From where it was let go to its place, once it stands there. */
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

type RowProps = {
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

function Row({ id, name, index, isOff, isCarried, drag, onKey, onStep, onLeave, children }: RowProps) {
  const { listeners, setNodeRef: holdRow, transform, isDragging } = useDraggable({ id, disabled: isOff })
  const { setNodeRef: aimRow } = useDroppable({ id })
  // Another one each time would be measured anew each time.
  const hold = useCallback(
    (node: HTMLElement | null) => {
      holdRow(node)
      aimRow(node)
    },
    [holdRow, aimRow],
  )
  const aside = Math.max(-MOST_ASIDE, Math.min(MOST_ASIDE, transform?.x ?? 0))
  const makesRoom = drag ? shiftOf(index, drag) * (drag.height + GAP) : 0
  const style: CSSProperties = isDragging
    ? { transform: `translate(${aside}px, ${transform?.y ?? 0}px)` }
    : { transform: makesRoom === 0 ? 'none' : `translateY(${makesRoom}px)` }
  return (
    <li
      ref={hold}
      {...listeners}
      // A finger on a row holds it, and does not pull the sheet.
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
