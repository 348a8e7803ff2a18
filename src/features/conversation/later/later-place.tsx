// Opens 'Enviar depois' for the text in the message box.
import { Suspense, useState } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import { fillName } from '#domain/message/placeholder.ts'
import { lazily } from '#ui/lazily.ts'
import { useAskedToSendLater } from './later-opening.ts'

const sheet = lazily(async () => (await import('./later-sheet.tsx')).LaterSheet)

type LaterPlaceProps = {
  lead: Lead
  text: string
  /** False while files are attached, because files cannot be scheduled. */
  isFree: boolean
  onDone: () => void
}

export function LaterPlace({ lead, text, isFree, onDone }: LaterPlaceProps) {
  const [isOpen, setOpen] = useState<boolean>()
  useAskedToSendLater(lead.id, () => {
    if (isFree) sheet.open(() => setOpen(true))
  })
  return (
    <Suspense>
      {isOpen !== undefined && (
        <sheet.Component
          lead={lead}
          isOpen={isOpen}
          text={fillName(text.trim(), lead.name)}
          onClose={() => setOpen(false)}
          onDone={onDone}
        />
      )}
    </Suspense>
  )
}
