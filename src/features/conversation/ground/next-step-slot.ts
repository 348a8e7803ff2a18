// The slot above the message box where a page may suggest a next step.
import { createContext, type ReactNode } from 'react'
import type { Lead } from '#domain/lead/lead.ts'

export type NextStepProps = {
  lead: Lead
  /** True if the newest message is from the broker, and nothing else is shown above the box. */
  isOffered: boolean
  onShown: (isShown: boolean) => void
}

export type OfferNextStep = (props: NextStepProps) => ReactNode

export const NextStepSlot = createContext<OfferNextStep | null>(null)
