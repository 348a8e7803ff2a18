// The account sheet's row for the user's password.
import { KeyRound } from 'lucide-react'
import { lazily } from '#ui/lazily.ts'
import { DialogRow } from '../dialog-row.tsx'
import { CHANGE_PASSWORD } from '../texts.ts'

const dialog = lazily(async () => (await import('./dialog.tsx')).PasswordDialog)

export function PasswordRow() {
  return (
    <DialogRow icon={KeyRound} label={CHANGE_PASSWORD} open={dialog.open}>
      {(shown) => <dialog.Component {...shown} />}
    </DialogRow>
  )
}
