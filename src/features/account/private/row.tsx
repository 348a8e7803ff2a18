// The account sheet's row for the broker's private contacts.
import { UserRoundX } from 'lucide-react'
import { useSession } from '#data/session.ts'
import { lazily } from '#ui/lazily.ts'
import { DialogRow } from '../dialog-row.tsx'
import { PRIVATE } from '../texts.ts'

const dialog = lazily(async () => (await import('./dialog.tsx')).PrivateDialog)

export function PrivateRow() {
  const session = useSession()
  if (session.status !== 'in' || session.user.role !== 'broker') return null
  const { instanceName } = session.user
  return (
    <DialogRow icon={UserRoundX} label={PRIVATE} open={dialog.open}>
      {(shown) => <dialog.Component instanceName={instanceName} {...shown} />}
    </DialogRow>
  )
}
