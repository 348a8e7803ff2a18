// The place of the plan above the box; its parts are loaded once a conversation has messages.
import { Suspense } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'
import { lazily } from '#ui/lazily.ts'

const strip = lazily(async () => (await import('./plan-strip.tsx')).PlanStrip)

type PlanPlaceProps = {
  lead: Lead
  messages: readonly Message[]
  /** True if the broker types nothing, has attached nothing and sees no suggestion. */
  isFree: boolean
  onShown: (isShown: boolean) => void
}

export function PlanPlace(props: PlanPlaceProps) {
  if (props.lead.id < 0 || props.messages.length === 0) return null
  return (
    <Suspense>
      <strip.Component {...props} />
    </Suspense>
  )
}
