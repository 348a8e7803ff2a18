// The drag preview above everything else, and its animation home.
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

/** The preview's buttons do nothing. */
const NO_ACTIONS = { onOpen: () => {}, onNotes: () => {}, onMoveSheet: () => {} }

/** --z-drag of the design system. */
const LAYER = 40

export function DragPreview({ lead, dropAnimation, ...looks }: DragPreviewProps) {
  const nowMs = useNow()
  return (
    // During a drag it catches the pointer, so that one element sets the cursor; a cursor rule for the page would
    // restyle every card at a drop. While it flies home it ignores the pointer.
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

/** Scrolls the element below the preview that can scroll in this direction. */
function scrollBeneath({ currentTarget, clientX, clientY, deltaX, deltaY }: WheelEvent) {
  const beneath = document.elementsFromPoint(clientX, clientY).find((it) => !currentTarget.contains(it))
  for (let it = beneath ?? null; it; it = it.parentElement) it.scrollBy(deltaX, deltaY)
}
