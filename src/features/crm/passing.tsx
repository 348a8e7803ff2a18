// Transfers a lead from pages outside the CRM. The sheet's code loads at the first press.
import { type ReactNode, Suspense, useState } from 'react'
import type { LeadToTransfer } from './receiver-list.tsx'
import { lazily } from '#ui/lazily.ts'

const transfer = lazily(async () => (await import('./transfer-dialog.tsx')).TransferDialog)
const NOBODY: readonly LeadToTransfer[] = []

export function usePassing(): { pass: (lead: LeadToTransfer) => void; sheet: ReactNode } {
  const [passed, setPassed] = useState<LeadToTransfer>()
  const [hasPassed, setHasPassed] = useState(false)
  if (passed && !hasPassed) setHasPassed(true)
  const end = () => setPassed(undefined)
  return {
    pass: (lead) => transfer.open(() => setPassed(lead)),
    sheet: (
      <Suspense>
        {hasPassed && (
          <transfer.Component
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
