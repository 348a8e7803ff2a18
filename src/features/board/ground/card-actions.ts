// The callbacks of a card, and how densely cards are drawn.
import type { ComponentType } from 'react'
import type { Lead } from '#domain/lead/lead.ts'

export type Density = 'roomy' | 'compact'

/** A card's callbacks. Callers pass the same functions at every render, otherwise every card renders again. */
export type CardActions = {
  onOpen: (leadId: number) => void
  onNotes: (leadId: number) => void
  /** Opens the list of stages, 'Mover para'. */
  onMoveSheet: (leadId: number) => void
  /** Opens the lead's outbox entries: pending, in conflict or refused. */
  onPending?: ((leadId: number) => void) | undefined
  /** Opens the form of the lead's next step. */
  onNext?: ((leadId: number) => void) | undefined
  /** Rendered instead of the lead's picture. */
  Face?: ComponentType<{ lead: Lead; size: 32 | 44 }> | undefined
  /** The line at the card's lower left. If undefined, the card's foot has only buttons. */
  Line?: ComponentType<CardLineProps> | undefined
}

export type CardLineProps = Pick<CardActions, 'onNext' | 'onPending'> & { lead: Lead; density: Density }
