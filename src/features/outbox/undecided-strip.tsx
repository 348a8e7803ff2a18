// The strip of a conversation whose lead has a change that needs a decision. A refused text is marked at its bubble.
import { CircleAlert } from 'lucide-react'
import { type Lead, WAITING } from '#domain/lead/lead.ts'
import { Banner } from '#ui/primitives/banner.tsx'
import { openQueue } from './queue-opening.ts'

export function UndecidedStrip({ lead: { id, waiting } }: { lead: Lead }) {
  if (waiting === null || waiting === 'queue' || waiting === 'refused') return null
  return (
    <section>
      <Banner tone="warning" icon={CircleAlert} action={{ label: 'Resolver', run: () => openQueue(id) }}>
        {WAITING[waiting]}
      </Banner>
    </section>
  )
}
