// A drag from start to drop or cancel, with its display, vibration and announcements.
import type { DragEndEvent, DragOverEvent, DragStartEvent } from '@dnd-kit/core'
import { type Dispatch, type RefObject, type SetStateAction, useLayoutEffect, useMemo, useRef } from 'react'
import { flushSync } from 'react-dom'
import { tremble } from '#ui/feedback/haptics.ts'
import { announce } from '#ui/feedback/toast.ts'
import { type Column, columnOf } from '#features/board/ground/board-view.ts'
import type { CardActions } from '#features/board/ground/card-actions.ts'
import type { Grip, Taken } from './handle.tsx'
import { type Drag, type Field, findDrop, type Point, stageBeside } from './rules.ts'
import type { StepOptions } from './sensors.ts'
import { measureField, sectionOf } from './targets.tsx'
import {
  DRAG_CANCELLED,
  droppedIn,
  FIRST_STAGE,
  LAST_STAGE,
  overStage,
  pickedUp,
} from '#features/board/moves/texts.ts'
import type { BoardMoves } from '#features/board/moves/use-board-moves.ts'

/** Includes the cards' content, because the preview shows the same. */
export type DragLayerProps = Pick<CardActions, 'Face' | 'Line'> & {
  grip: RefObject<Grip | null>
  board: RefObject<HTMLElement | null>
  /** The current columns. The columns on screen stay as they were when the drag began. */
  columns: readonly Column[]
  drag: Drag | null
  /** The folded column that is open because a card is held over it; null if none is. */
  peeked: string | null
  onPeek: (slug: string | null) => void
  isOff: boolean
  onDrag: Dispatch<SetStateAction<Drag | null>>
  onMove: BoardMoves['move']
}

type DragFlowOptions = DragLayerProps & { taken: RefObject<Taken | null>; lookAgain: () => void }

const NOWHERE = () => null

export function useDragFlow(options: DragFlowOptions) {
  const { drag, board, onDrag, taken } = options
  const newest = useRef(options)
  useLayoutEffect(() => {
    newest.current = options
  })
  /** Returns the pointer's position; null while the keyboard moves the card. */
  const pointer = useRef<() => Point | null>(NOWHERE)
  const steppedTo = useRef<string>(null)
  const field = useRef<Field>(null)
  // When a folded column opens or closes, the others move, so the board is measured again.
  const measuredWith = useRef(options.peeked)
  useLayoutEffect(() => {
    if (measuredWith.current === options.peeked) return
    measuredWith.current = options.peeked
    if (!field.current || !board.current) return
    field.current = measureField(board.current)
    options.lookAgain()
  })

  const stepping = useMemo<StepOptions>(
    () => ({
      step: (by) => {
        const card = taken.current
        const next = stageBeside(newest.current.columns, steppedTo.current ?? '', by)
        if (!card || !next) {
          announce(by < 0 ? FIRST_STAGE : LAST_STAGE)
          return null
        }
        steppedTo.current = next.slug
        // Synchronous, because the measurement below needs the opened column, and the previous one closed.
        flushSync(() => newest.current.onPeek(next.slug))
        const section = sectionOf(board.current, next.slug)
        if (!section) return null
        section.scrollIntoView({ block: 'nearest', inline: 'nearest' })
        const { x, y } = slotOf(section)
        return { x: x - card.box.left, y: y - card.box.top }
      },
    }),
    [board, taken],
  )

  const onDragStart = ({ active, activatorEvent }: DragStartEvent) => {
    const card = taken.current
    const lead = card && columnOf(options.columns, card.leadId)?.leads.find(({ id }) => id === card.leadId)
    if (!card || !lead || !board.current) return
    field.current = measureField(board.current)
    const start = landedAt(activatorEvent)
    pointer.current = start ? () => draggedFrom(start, active) : NOWHERE
    steppedTo.current = card.slug
    options.onPeek(null)
    tremble('done')
    if (!start) announce(pickedUp(lead))
    onDrag({ lead, fromSlug: card.slug, overSlug: card.slug, height: card.box.height, isLanding: false })
  }
  const onDragOver = ({ over }: DragOverEvent) => {
    const overSlug = over ? String(over.id) : null
    if (!drag || overSlug === drag.overSlug) return
    const at = options.columns.findIndex(({ stage }) => stage.slug === overSlug)
    const stage = options.columns[at]?.stage
    if (stage) announce(overStage(stage.name, at + 1, options.columns.length))
    onDrag({ ...drag, overSlug })
  }
  const finish = (drop: ReturnType<typeof findDrop>) => {
    onDrag(drag && { ...drag, overSlug: drop?.toSlug ?? null, isLanding: true })
    const stage = options.columns.find((column) => column.stage.slug === drop?.toSlug)?.stage
    announce(stage ? droppedIn(stage.name) : DRAG_CANCELLED)
    const how = pointer.current === NOWHERE ? 'keys' : 'drag'
    if (drop) options.onMove(drop.lead, drop.toSlug, how)
  }
  const onDragEnd = ({ over }: DragEndEvent) => {
    const overSlug = over ? String(over.id) : null
    finish(drag && !options.isOff ? findDrop(options.columns, { ...drag, overSlug }) : null)
  }
  return {
    pointer,
    stepping,
    steppedTo,
    field,
    onDragStart,
    onDragOver,
    onDragEnd,
    onDragCancel: () => finish(null),
  }
}

/** Tells where the dropped card would be in a column, also before the column shows a gap. */
function slotOf(section: HTMLElement): Point {
  const cards = section.querySelector<HTMLElement>('[data-cards]')
  // Measures the container, because the cards inside move to make the gap.
  const { left, top } = (cards?.parentElement ?? section).getBoundingClientRect()
  const { paddingLeft, paddingTop } = getComputedStyle(cards ?? section)
  return { x: left + Number.parseFloat(paddingLeft), y: top + Number.parseFloat(paddingTop) }
}

/** Tells where the pointer was when the drag began; null for a keyboard drag. */
function landedAt(event: Event): Point | null {
  if (event instanceof MouseEvent) return { x: event.clientX, y: event.clientY }
  const touch = event instanceof KeyboardEvent ? undefined : (event as TouchEvent).touches[0]
  return touch ? { x: touch.clientX, y: touch.clientY } : null
}

function draggedFrom({ x, y }: Point, { rect }: DragStartEvent['active']): Point {
  const { initial, translated } = rect.current
  if (!initial || !translated) return { x, y }
  return { x: x + translated.left - initial.left, y: y + translated.top - initial.top }
}
