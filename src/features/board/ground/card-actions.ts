// The callbacks of a card, and its density.
import type { ComponentType } from 'react'
import type { Lead } from '#domain/lead/lead.ts'

export type Density = 'roomy' | 'compact'

/** A card's callbacks. Keep each the same function, otherwise every card renders again. */
export type CardActions = {
  onOpen: (leadId: number) => void
  onNotes: (leadId: number) => void
  /** Opens 'Mover para'. */
  onMoveSheet: (leadId: number) => void
  /** Shows the lead's outbox entries: waiting, conflicting or refused. */
  onPending?: ((leadId: number) => void) | undefined
  /** Opens the next step. */
  onNext?: ((leadId: number) => void) | undefined
  /** Replaces the lead's picture. */
  Face?: ComponentType<{ lead: Lead; size: 32 | 44 }> | undefined
  /** The left line of the foot; without it the foot has only buttons. */
  Line?: ComponentType<CardLineProps> | undefined
}

export type CardLineProps = Pick<CardActions, 'onNext' | 'onPending'> & { lead: Lead; density: Density }
