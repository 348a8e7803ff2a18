// What a card asks for, and in how much room it stands.
import type { ComponentType } from 'react'
import type { Lead } from '#domain/lead/lead.ts'

export type Density = 'roomy' | 'compact'

/** What a card asks for; each stays the same function, or every card is drawn again. */
export type CardActions = {
  onOpen: (leadId: number) => void
  onNotes: (leadId: number) => void
  /** Asks where to: 'Mover para'. */
  onMoveSheet: (leadId: number) => void
  /** Shows what of the lead waits, met another's change or was refused. */
  onPending?: ((leadId: number) => void) | undefined
  /** Opens what is to be done next. */
  onNext?: ((leadId: number) => void) | undefined
  /** Stands in the place of the lead's picture. */
  Face?: ComponentType<{ lead: Lead; size: 32 | 44 }> | undefined
  /** The left line of the foot; without it the foot is its buttons. */
  Line?: ComponentType<CardLineProps> | undefined
}

export type CardLineProps = Pick<CardActions, 'onNext' | 'onPending'> & { lead: Lead; density: Density }
