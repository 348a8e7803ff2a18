// What brokers can do with their lead in its conversation. An administrator's conversation has none of it.
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
  /** Opens a lead's next step. */
  changeNext: (leadId: number) => void
  /** Content below the lead's name. */
  below: (lead: Lead) => ReactNode
  /** Offers a next step above the box. */
  offerNextStep: OfferNextStep
}
