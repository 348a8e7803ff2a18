// The actions that only a lead's own broker has in its conversation. Administrators read conversations without them.
import type { ReactNode } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import type { OfferNextStep } from './ground/next-step-slot.ts'

export type BrokerActs = {
  /** Opens the booking of a visit. */
  bookVisit: (leadId: number) => void
  /** Marks a contact as private. */
  notLead: (lead: Lead) => void
  /** Marks the conversation as unread, and closes it. */
  unread: (lead: Lead) => void
  /** Records that a waiting lead needs no answer. */
  quiet: (lead: Lead) => void
  /** Opens the form of a lead's next step. */
  changeNext: (leadId: number) => void
  /** Renders what the board page shows below the lead's name. */
  below: (lead: Lead) => ReactNode
  /** Renders a suggested next step above the message box. */
  offerNextStep: OfferNextStep
}
