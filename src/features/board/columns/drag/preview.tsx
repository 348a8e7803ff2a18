// The card in the hand, over everything, and its way home.
import { DragOverlay, type DropAnimationFunction } from '@dnd-kit/core'
import type { Lead } from '#domain/lead/lead.ts'
import { useNow } from '#ui/now.ts'
import { LeadCard } from '#features/board/card/lead-card.tsx'

type DragPreviewProps = { lead: Lead | null; dropAnimation: DropAnimationFunction }

/** Nothing is pressed on a card that is in the hand. */
const NO_ACTIONS = { onOpen: () => {}, onNotes: () => {}, onMoveSheet: () => {} }

/** --z-drag of the design system. */
const LAYER = 40

export function DragPreview({ lead, dropAnimation }: DragPreviewProps) {
  const nowMs = useNow()
  return (
    <DragOverlay
      dropAnimation={dropAnimation}
      zIndex={LAYER}
      className="pointer-events-none will-change-transform"
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
          />
        </div>
      )}
    </DragOverlay>
  )
}
