// A row of the account sheet whose press opens a dialog. The dialog's code loads at the first press.
import { ChevronRight, type LucideIcon } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { Icon } from '#ui/primitives/icon.tsx'

type DialogRowProps = {
  icon: LucideIcon
  label: string
  /** The current setting, shown below the label. */
  note?: string
  /** Loads the dialog's code, then calls `show`: the `open` of a `lazily` component. */
  open: (show: () => void) => void
  children: (shown: { isOpen: boolean; onClose: () => void }) => ReactNode
}

export function DialogRow({ icon, label, note, open, children }: DialogRowProps) {
  const [isOpen, setOpen] = useState(false)
  // Once opened, the dialog stays mounted while closed, so that focus returns to the row.
  const [hasOpened, setOpened] = useState(false)
  if (isOpen && !hasOpened) setOpened(true)
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => open(() => setOpen(true))}
        className="flex min-h-14 w-full items-center gap-3.5 rounded-lg px-4 text-left text-16 transition-colors hover:bg-surface-2"
      >
        <Icon of={icon} />
        <span className="grow">{label}</span>
        {note !== undefined && <span className="text-14 text-text-2">{note}</span>}
        <Icon of={ChevronRight} size={18} className="text-text-3" />
      </button>
      <Suspense>{hasOpened && children({ isOpen, onClose: () => setOpen(false) })}</Suspense>
    </>
  )
}
