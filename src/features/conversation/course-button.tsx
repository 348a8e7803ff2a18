// The way to how a lead came in and whose it was, beside the number. PRODUCT.md 4.2.
import { Waypoints } from 'lucide-react'
import { Suspense, useState } from 'react'
import { type Lead, leadTitle } from '#domain/lead.ts'
import { IconButton } from '#ui/button.tsx'
import { lazily } from '#ui/lazily.ts'
import { SEE_COURSE } from './course-texts.ts'

const dialog = lazily(async () => (await import('./course-dialog.tsx')).CourseDialog)

export function CourseButton({ lead }: { lead: Lead }) {
  const [isOpen, setOpen] = useState(false)
  // Once shown it stays, closed, so that the focus finds its way back to the button.
  const [hasOpened, setOpened] = useState(false)
  if (isOpen && !hasOpened) setOpened(true)
  return (
    <>
      <IconButton
        icon={Waypoints}
        label={SEE_COURSE}
        variant="inline"
        aria-haspopup="dialog"
        onClick={() => dialog.open(() => setOpen(true))}
      />
      <Suspense>
        {hasOpened && (
          <dialog.Component
            lead={isOpen ? { contactId: lead.id, name: leadTitle(lead) } : null}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </>
  )
}
