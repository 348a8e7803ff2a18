// A row of the account sheet that opens a dialog, loaded on demand.
import { ChevronRight, type LucideIcon } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { Icon } from '#ui/primitives/icon.tsx'

type DialogRowProps = {
  icon: LucideIcon
  label: string
  /** The current setting. */
  note?: string
  /** The `open` of `lazily`. */
  open: (show: () => void) => void
  children: (shown: { isOpen: boolean; onClose: () => void }) => ReactNode
}

export function DialogRow({ icon, label, note, open, children }: DialogRowProps) {
  const [isOpen, setOpen] = useState(false)
  // After the first opening it stays mounted, closed, so that the focus returns to the row.
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
