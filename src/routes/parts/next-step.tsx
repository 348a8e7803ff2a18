// The next step of a lead, as several pages of a broker's put it together: set, changed, finished; where it is a visit, moved and asked about.
import { type ComponentProps, Suspense, useState } from 'react'
import type { NextAction } from '#domain/next-action/next-action.ts'
import { NextStepSheet } from '#features/next-step/next-step-sheet.tsx'
import { VisitOutcomes } from '#features/visit/outcome-card.tsx'
import { lazily } from '#ui/lazily.ts'

const sheet = lazily(async () => (await import('#features/visit/visit-sheet.tsx')).VisitSheet)

type NextStepPlaceProps = {
  instanceName: string
  /** Whose; undefined: closed. */
  leadId: number | undefined
  /** Opens a lead's conversation. */
  onOpen: (leadId: number) => void
  onClose: () => void
}

export function NextStepPlace({ instanceName, leadId, onOpen, onClose }: NextStepPlaceProps) {
  const [moved, setMoved] = useState<{ leadId: number; instead?: NextAction | undefined }>()
  // Once shown it stays, closed, so that the focus finds its way back.
  const [hasMoved, setHasMoved] = useState(false)
  if (moved !== undefined && !hasMoved) setHasMoved(true)
  const move = (id: number, instead?: NextAction) =>
    sheet.open(() => {
      onClose()
      setMoved({ leadId: id, instead })
    })
  return (
    <>
      <NextStepSheet
        {...{ instanceName, leadId, onClose }}
        visits={{ Outcome, onOpen, onMove: move, onInstead: move }}
      />
      <Suspense>
        {hasMoved && (
          <sheet.Component
            {...{ instanceName, leadId: moved?.leadId, instead: moved?.instead, isMoved: true }}
            onClose={() => setMoved(undefined)}
          />
        )}
      </Suspense>
    </>
  )
}

type OutcomeProps = ComponentProps<ComponentProps<typeof NextStepSheet>['visits']['Outcome']>

function Outcome({ lead, onOpen, onMove, onEnd }: OutcomeProps) {
  const open = (id: number) => {
    onEnd()
    onOpen(id)
  }
  return <VisitOutcomes leads={[lead]} isWanted {...{ onMove, onEnd }} onOpen={open} />
}
