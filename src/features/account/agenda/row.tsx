// The account sheet's row for visiting hours and calendar.
import { CalendarDays } from 'lucide-react'
import { useSession } from '#data/session.ts'
import { lazily } from '#ui/lazily.ts'
import { DialogRow } from '../dialog-row.tsx'
import { AGENDA } from '../texts.ts'

const dialog = lazily(async () => (await import('./dialog.tsx')).AgendaDialog)

export function AgendaRow() {
  const session = useSession()
  if (session.status !== 'in' || session.user.role !== 'broker') return null
  const { instanceName } = session.user
  return (
    <DialogRow icon={CalendarDays} label={AGENDA} open={dialog.open}>
      {(shown) => <dialog.Component instanceName={instanceName} {...shown} />}
    </DialogRow>
  )
}
