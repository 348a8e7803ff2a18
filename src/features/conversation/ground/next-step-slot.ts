// The place above the box where a page offers a next step.
import { createContext, type ReactNode } from 'react'
import type { Lead } from '#domain/lead/lead.ts'

export type NextStepProps = {
  lead: Lead
  /** The newest message is ours, and nothing else is above the box. */
  isOffered: boolean
  onShown: (isShown: boolean) => void
}

export type OfferNextStep = (props: NextStepProps) => ReactNode

export const NextStepSlot = createContext<OfferNextStep | null>(null)
