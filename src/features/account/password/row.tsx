// The way to a broker's own password in the account sheet.
import { ChevronRight, KeyRound } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Icon } from '#ui/primitives/icon.tsx'
import { lazily } from '#ui/lazily.ts'
import { CHANGE_PASSWORD } from '../texts.ts'

const dialog = lazily(async () => (await import('./dialog.tsx')).PasswordDialog)

export function PasswordRow() {
  const [isOpen, setOpen] = useState(false)
  // Once shown it stays, closed, so that the focus finds its way back to the row.
  const [hasOpened, setOpened] = useState(false)
  if (isOpen && !hasOpened) setOpened(true)
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => dialog.open(() => setOpen(true))}
        className="flex min-h-14 w-full items-center gap-3.5 rounded-lg px-4 text-left text-16 transition-colors hover:bg-surface-2"
      >
        <Icon of={KeyRound} />
        <span className="grow">{CHANGE_PASSWORD}</span>
        <Icon of={ChevronRight} size={18} className="text-text-3" />
      </button>
      <Suspense>{hasOpened && <dialog.Component isOpen={isOpen} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
