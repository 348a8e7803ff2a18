// The place over the box in which a page puts what it offers as the next step.
import { createContext, type ReactNode } from 'react'
import type { Lead } from '#domain/lead/lead.ts'

export type NextStepProps = {
  lead: Lead
  /** The newest words are ours, and nothing else stands over the box. */
  isOffered: boolean
  onShown: (isShown: boolean) => void
}

export type OfferNextStep = (props: NextStepProps) => ReactNode

export const NextStepSlot = createContext<OfferNextStep | null>(null)
