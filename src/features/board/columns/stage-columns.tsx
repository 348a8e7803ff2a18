// Stages as columns: arrow keys move between the cards, which can be dragged from stage to stage.
import './columns.css'
import { Suspense, type SyntheticEvent, useId, useRef, useState } from 'react'
import { useArrival } from '#ui/arrival.ts'
import { lazily } from '#ui/lazily.ts'
import type { Column } from '../ground/board-view.ts'
import { StageColumn } from './column.tsx'
import type { Grip } from './drag/handle.tsx'
import { type Drag, slotSlug } from './drag/rules.ts'
import type { CardActions } from '../ground/card-actions.ts'
import type { BoardMoves } from '../moves/use-board-moves.ts'
import type { CardListHandle } from '../ground/use-card-focus.ts'
import { useColumnKeys } from './use-column-keys.ts'
import { useFolding } from './use-folding.ts'
import { useHeld } from './use-steady-list.ts'

export type StageColumnsProps = CardActions & {
  columns: readonly Column[]
  moves: BoardMoves
  /** True while a card's notes, stage list or conversation is open. */
  isDragOff: boolean
}

const dragging = lazily(async () => (await import('./drag/layer.tsx')).DragLayer)

export function StageColumns({ columns: newest, moves, isDragOff, ...actions }: StageColumnsProps) {
  const keysId = useId()
  const board = useRef<HTMLDivElement>(null)
  const grip = useRef<Grip>(null)
  const lists = useRef(new Map<string, CardListHandle>())
  const [drag, setDrag] = useState<Drag | null>(null)
  const isDragging = drag !== null && !drag.isLanding
  // Changes by others appear after the drag, so that cards do not jump under the pointer.
  const columns = useHeld(newest, isDragging)
  const slot = slotSlug(columns, drag)
  const { stopSlug, ...keys } = useColumnKeys({ board, columns, lists, moves, isDragging })
  const isDraggingHere = useArrival(dragging.load)
  const [peeked, onPeek] = useState<string | null>(null)
  const { foldOf, onFold } = useFolding(board, columns, drag && peeked)

  const press = (event: SyntheticEvent) => grip.current?.press(event)
  const onKeyDown = (event: React.KeyboardEvent) => {
    keys.onKeyDown(event)
    press(event)
  }
  return (
    <>
      <p id={keysId} className="sr-only">
        Setas andam entre os contatos. Espaço pega um contato; Alt com seta para os lados move para o estágio
        vizinho.
      </p>
      {/* The cards inside take the focus. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <section
        ref={board}
        aria-label="Estágios"
        aria-describedby={keysId}
        data-dragging={isDragging || undefined}
        onMouseDown={press}
        onTouchStart={press}
        onKeyDown={onKeyDown}
        onKeyDownCapture={keys.onKeyDownCapture}
        onFocus={keys.onFocus}
        onBlur={keys.onBlur}
        className="flex min-h-80 grow touch-manipulation scroll-px-4 gap-3.5 overflow-x-auto px-4 pb-4 select-none [-webkit-touch-callout:none] lg:scroll-px-8 lg:px-8"
      >
        {columns.map((column) => {
          const { slug } = column.stage
          const hasHeld =
            drag !== null && (slug === drag.fromSlug || (drag.isLanding && slug === drag.overSlug))
          return (
            <StageColumn
              key={slug}
              column={column}
              lists={lists}
              hasTabStop={slug === stopSlug}
              draggedId={hasHeld ? drag.lead.id : undefined}
              slotHeight={slug === slot ? drag?.height : undefined}
              fold={foldOf(column)}
              onFold={onFold}
              {...actions}
            />
          )
        })}
      </section>
      <Suspense>
        {isDraggingHere && (
          <dragging.Component
            grip={grip}
            board={board}
            columns={newest}
            drag={drag}
            peeked={peeked}
            onPeek={onPeek}
            isOff={isDragOff}
            Face={actions.Face}
            Line={actions.Line}
            onDrag={setDrag}
            onMove={moves.move}
          />
        )}
      </Suspense>
    </>
  )
}
