// Dragging between columns, loaded after the cards: sensors, drag preview, drop target and landing.
import { DndContext, type DropAnimationFunction, useSensor, useSensors } from '@dnd-kit/core'
import { useEffect, useReducer, useRef } from 'react'
import { useBusy } from '#ui/busy.ts'
import { SILENT_DRAG } from '#ui/motion/silent-drag.ts'
import { DragGrip, type Taken } from './handle.tsx'
import { land } from './landing.ts'
import { type Drag, isOn } from './rules.ts'
import { scrollAtEdges } from './scroll.ts'
import { BoardMouseSensor, BoardTouchSensor, MOUSE, STEP_SENSOR, TOUCH } from './sensors.ts'
import { DragTargets, sectionOf, targetsUnder } from './targets.tsx'
import { DragPreview } from './preview.tsx'
import { type DragLayerProps, useDragFlow } from './use-drag-flow.ts'

/** A card held over a folded column opens the column after this time. */
const OPENS_AFTER_MS = 500

export function DragLayer(props: DragLayerProps) {
  const { grip, board, columns, drag, isOff, onDrag, peeked, onPeek, Face, Line } = props
  const taken = useRef<Taken>(null)
  // Renders again to find the column under a resting pointer, which changes when the board scrolls or a column opens.
  const [, lookAgain] = useReducer((count: number) => count + 1, 0)
  const { pointer, stepping, steppedTo, field, ...handlers } = useDragFlow({ ...props, taken, lookAgain })
  const sensors = useSensors(
    useSensor(BoardMouseSensor, MOUSE),
    useSensor(BoardTouchSensor, TOUCH),
    useSensor(STEP_SENSOR, stepping),
  )
  const overSlug = useRef<string>(null)
  useEffect(() => {
    overSlug.current = drag?.overSlug ?? null
  })
  const isDragging = drag !== null && !drag.isLanding
  useBusy(drag !== null)
  useEffect(() => {
    const area = board.current
    const measured = field.current
    if (!isDragging || !area || !measured) return undefined
    area.addEventListener('scroll', lookAgain, { passive: true })
    const stop = scrollAtEdges({
      board: area,
      field: measured,
      at: () => {
        const point = pointer.current()
        return point && isOn(measured, point) ? point : null
      },
      column: () => sectionOf(area, overSlug.current),
    })
    return () => {
      area.removeEventListener('scroll', lookAgain)
      stop()
    }
  }, [isDragging, board, field, pointer])

  const over = isDragging ? drag.overSlug : null
  // Opens a folded column after a card is held over it for a while. With the keyboard, the drag flow opens it at once.
  useEffect(() => {
    if (!isDragging || pointer.current() === null || over === peeked) return undefined
    if (peeked !== null) onPeek(null)
    const timer = setTimeout(() => onPeek(over), OPENS_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isDragging, over, peeked, onPeek, pointer])

  const dropAnimation: DropAnimationFunction = async ({ dragOverlay }) => {
    try {
      if (drag)
        await land(dragOverlay.node, () => cardIn(sectionOf(board.current, landingSlug(drag)), drag.lead.id))
    } finally {
      onDrag((now) => (now?.isLanding ? null : now))
    }
  }
  return (
    <DndContext
      accessibility={SILENT_DRAG}
      autoScroll={false}
      sensors={sensors}
      collisionDetection={targetsUnder({ board, field, steppedTo })}
      {...handlers}
    >
      <DragGrip grip={grip} taken={taken} isOff={isOff} />
      <DragTargets board={board} columns={columns} />
      <DragPreview lead={isDragging ? drag.lead : null} {...{ dropAnimation, Face, Line }} />
    </DndContext>
  )
}

/** Returns the stage where the card will land. A drop that changes nothing returns the card to its column. */
const landingSlug = ({ overSlug, fromSlug }: Drag) => overSlug ?? fromSlug

function cardIn(section: HTMLElement | null, leadId: number): HTMLElement | null {
  return section?.querySelector<HTMLElement>(`[data-lead="${leadId}"]`) ?? null
}
