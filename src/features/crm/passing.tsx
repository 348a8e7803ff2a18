// A lead is given to another broker from a page that is not the CRM's: the sheet is fetched when it is first wanted.
import { type ReactNode, Suspense, useState } from 'react'
import type { HandedLead } from './receiver-list.tsx'
import { lazily } from '#ui/lazily.ts'

const handOver = lazily(async () => (await import('./handover-dialog.tsx')).HandOverDialog)
const NOBODY: readonly HandedLead[] = []

export function usePassing(): { pass: (lead: HandedLead) => void; sheet: ReactNode } {
  const [passed, setPassed] = useState<HandedLead>()
  const [hasPassed, setHasPassed] = useState(false)
  if (passed && !hasPassed) setHasPassed(true)
  const end = () => setPassed(undefined)
  return {
    pass: (lead) => handOver.open(() => setPassed(lead)),
    sheet: (
      <Suspense>
        {hasPassed && (
          <handOver.Component
            isOpen={passed !== undefined}
            leads={passed ? [passed] : NOBODY}
            onClose={end}
            onDone={end}
          />
        )}
      </Suspense>
    ),
  }
}
