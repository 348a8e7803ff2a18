// A modal dialog: centred on a desk, a sheet from below on a phone. DESIGN-SYSTEM 9; INTERACTIONS 8.
import { X } from 'lucide-react'
import { type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { IconButton } from './button.tsx'
import { CLOSE } from './texts.ts'
import { useBackCloses } from './use-back-closes.ts'

type DialogProps = {
  isOpen: boolean
  onClose: () => void
  title: string
  /** Stands before the title: an avatar. */
  lead?: ReactNode
  subtitle?: string
  children: ReactNode
}

/** The native element traps focus, closes on Escape and gives focus back. */
export function Dialog({ isOpen, onClose, title, lead, subtitle, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useBackCloses(isOpen, onClose)
  useEffect(() => {
    if (isOpen) ref.current?.showModal()
    else ref.current?.close()
  }, [isOpen])

  const closeOnBackdrop = (event: MouseEvent) => {
    if (event.target === ref.current) onClose()
  }

  return (
    // Escape does for a keyboard what a press beside the dialog does for a pointer.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onClose={onClose}
      onClick={closeOnBackdrop}
      className="dialog"
    >
      {isOpen && (
        <div className="px-2 pt-3 pb-[max(20px,var(--safe-bottom))] md:px-4 md:pt-5">
          <div className="flex items-center gap-3 pr-1 pb-2 pl-3">
            {lead}
            <div className="min-w-0 grow">
              <h2 id={titleId} className="text-20 font-semibold">
                {title}
              </h2>
              {subtitle && <p className="mt-0.5 truncate text-13 text-text-3">{subtitle}</p>}
            </div>
            <IconButton icon={X} label={CLOSE} onClick={onClose} />
          </div>
          {children}
        </div>
      )}
    </dialog>
  )
}
