// A lead's next step on several broker pages: sets, changes and finishes it; moves a visit and records its outcome.
import { type ComponentProps, Suspense, useState } from 'react'
import type { NextAction } from '#domain/next-action/next-action.ts'
import { NextStepSheet } from '#features/next-step/next-step-sheet.tsx'
import { VisitOutcomes } from '#features/visit/outcome-card.tsx'
import { askToTellRemoved } from '#features/visit/undone-visit.ts'
import { lazily } from '#ui/lazily.ts'

const sheet = lazily(async () => (await import('#features/visit/visit-sheet.tsx')).VisitSheet)

type NextStepPlaceProps = {
  instanceName: string
  /** The lead whose sheet is open; undefined while it is closed. */
  leadId: number | undefined
  /** Opens a lead's conversation. */
  onOpen: (leadId: number) => void
  onClose: () => void
}

export function NextStepPlace({ instanceName, leadId, onOpen, onClose }: NextStepPlaceProps) {
  const [moved, setMoved] = useState<{ leadId: number; instead?: NextAction | undefined }>()
  // Once opened, the sheet stays mounted while closed, so that focus returns.
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
        visits={{ Outcome, onOpen, onMove: move, onInstead: move, onRemoved: askToTellRemoved }}
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
