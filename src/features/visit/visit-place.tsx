// The visits' parts of a conversation on the board: the question about the outcome below the name, and the booking
// sheet.
import { Suspense, useState } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import { lazily } from '#ui/lazily.ts'
import { VisitOutcomes } from './outcome-card.tsx'
import { useAskedToBook } from './visit-opening.ts'

const sheet = lazily(async () => (await import('./visit-sheet.tsx')).VisitSheet)

export function VisitPlace({ lead }: { lead: Lead }) {
  const [wanted, setWanted] = useState<{ isMoved: boolean } | null>(null)
  const [hasOpened, setOpened] = useState(false)
  if (wanted && !hasOpened) setOpened(true)
  const open = (isMoved: boolean) => sheet.open(() => setWanted({ isMoved }))
  useAskedToBook(lead.id, () => open(false))
  return (
    <>
      <VisitOutcomes leads={[lead]} onMove={() => open(true)} />
      <Suspense>
        {hasOpened && (
          <sheet.Component
            instanceName={lead.instanceName}
            leadId={wanted ? lead.id : undefined}
            isMoved={wanted?.isMoved ?? false}
            onClose={() => setWanted(null)}
          />
        )}
      </Suspense>
    </>
  )
}
