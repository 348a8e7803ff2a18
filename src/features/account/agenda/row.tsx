// The way to a broker's week of visits and calendar in the account sheet.
import { CalendarDays, ChevronRight } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useSession } from '#data/session.ts'
import { lazily } from '#ui/lazily.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { AGENDA } from '../texts.ts'

const dialog = lazily(async () => (await import('./dialog.tsx')).AgendaDialog)

export function AgendaRow() {
  const session = useSession()
  const [isOpen, setOpen] = useState(false)
  // Once shown it stays, closed, so that the focus finds its way back to the row.
  const [hasOpened, setOpened] = useState(false)
  if (isOpen && !hasOpened) setOpened(true)
  if (session.status !== 'in' || session.user.role !== 'broker') return null
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => dialog.open(() => setOpen(true))}
        className="flex min-h-14 w-full items-center gap-3.5 rounded-lg px-4 text-left text-16 transition-colors hover:bg-surface-2"
      >
        <Icon of={CalendarDays} />
        <span className="grow">{AGENDA}</span>
        <Icon of={ChevronRight} size={18} className="text-text-3" />
      </button>
      <Suspense>
        {hasOpened && (
          <dialog.Component
            instanceName={session.user.instanceName}
            isOpen={isOpen}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </>
  )
}
