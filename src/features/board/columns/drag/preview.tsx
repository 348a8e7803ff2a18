// The drag preview above everything else, and its animation to the dropped card's place.
import { DragOverlay, type DropAnimationFunction } from '@dnd-kit/core'
import type { WheelEvent } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import { classNames } from '#ui/primitives/class-names.ts'
import { useNow } from '#ui/now.ts'
import type { CardActions } from '#features/board/ground/card-actions.ts'
import { LeadCard } from '#features/board/card/lead-card.tsx'

type DragPreviewProps = Pick<CardActions, 'Face' | 'Line'> & {
  lead: Lead | null
  dropAnimation: DropAnimationFunction
}

/** Buttons on the preview do nothing. */
const NO_ACTIONS = { onOpen: () => {}, onNotes: () => {}, onMoveSheet: () => {} }

/** The value of the design token --z-drag. */
const LAYER = 40

export function DragPreview({ lead, dropAnimation, ...looks }: DragPreviewProps) {
  const nowMs = useNow()
  return (
    // During a drag the preview catches the pointer, because one element then sets the cursor; a page-wide cursor rule
    // would restyle every card at the drop. While it lands it ignores the pointer.
    <div className={classNames('contents', !lead && 'pointer-events-none')} onWheel={scrollBeneath}>
      <DragOverlay
        dropAnimation={dropAnimation}
        zIndex={LAYER}
        className="cursor-grabbing will-change-transform"
      >
        {lead && (
          <div
            inert
            aria-hidden
            className="rotate-[1.6deg] rounded-tab shadow-lift transition-[rotate] starting:rotate-0"
          >
            <LeadCard
              ref={null}
              lead={lead}
              density="compact"
              nowMs={nowMs}
              position={1}
              total={1}
              isTabStop={false}
              {...NO_ACTIONS}
              {...looks}
            />
          </div>
        )}
      </DragOverlay>
    </div>
  )
}

/** Forwards the mouse wheel to the element below the preview that can scroll in this direction. */
function scrollBeneath({ currentTarget, clientX, clientY, deltaX, deltaY }: WheelEvent) {
  const beneath = document.elementsFromPoint(clientX, clientY).find((it) => !currentTarget.contains(it))
  for (let it = beneath ?? null; it; it = it.parentElement) it.scrollBy(deltaX, deltaY)
}
