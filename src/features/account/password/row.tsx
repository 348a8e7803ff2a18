// The way to a broker's own password in the account sheet.
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
