// Opens 'Dados do lead' from the header's picture and from the conversation's menu.
import { type ReactNode, Suspense, useState } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import type { Stage } from '#domain/stage.ts'
import { lazily } from '#ui/lazily.ts'

const leadSheet = lazily(async () => (await import('./lead-sheet.tsx')).LeadSheet)

/** The caller must render `sheet`. The sheet closes when the lead changes. */
export function useLeadDetails(
  lead: Lead | undefined,
  stages: readonly Stage[],
  changeNext: ((leadId: number) => void) | undefined,
): { open: () => void; openNote: () => void; sheet: ReactNode } {
  const [openedId, setOpenedId] = useState<number | null>(null)
  // Once opened, the sheet stays mounted while closed, so that focus returns to the button that opened it.
  const [hasOpened, setOpened] = useState(false)
  if (openedId !== null && !hasOpened) setOpened(true)
  const [opening, setOpening] = useState({ times: 0, isNote: false })
  const openWith = (isNote: boolean) =>
    lead &&
    leadSheet.open(() => {
      setOpening(({ times }) => ({ times: times + 1, isNote }))
      setOpenedId(lead.id)
    })
  return {
    open: () => openWith(false),
    openNote: () => openWith(true),
    sheet: (
      <Suspense>
        {hasOpened && lead && (
          <leadSheet.Component
            key={`${lead.id} ${opening.times}`}
            lead={lead}
            stages={stages}
            isOpen={openedId === lead.id}
            startsWithNote={opening.isNote}
            changeNext={changeNext}
            onClose={() => setOpenedId(null)}
          />
        )}
      </Suspense>
    ),
  }
}
