// The native dialog over the page: focus kept inside, closed by Escape, Back and a press beside it. DESIGN-SYSTEM 9; INTERACTIONS 8.
import { type MouseEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { classNames } from './class-names.ts'
import { Toasts } from './toasts.tsx'
import { useBackCloses } from './use-back-closes.ts'

type ModalProps = {
  isOpen: boolean
  onClose: () => void
  /** Id of its heading. */
  labelledBy: string
  /** 'tall' takes 80 % of the window, whatever is in it. */
  height?: 'fit' | 'tall'
  /** The page's address says that it is open, so that Back closes it already. */
  hasAddress?: boolean
  children: ReactNode
}

export function Modal({
  isOpen,
  onClose,
  labelledBy,
  height = 'fit',
  hasAddress = false,
  children,
}: ModalProps) {
  const ref = useRef<HTMLDialogElement>(null)
  useBackCloses(isOpen && !hasAddress, onClose)
  // Closed while it still stands in the page, or nobody would get the focus back.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!isOpen || !dialog) return undefined
    dialog.showModal()
    return () => dialog.close()
  }, [isOpen])

  const closeOnBackdrop = (event: MouseEvent) => {
    if (event.target === ref.current) onClose()
  }
  // Closing by Escape is told here; what was closed from outside is known there.
  const tellClosed = () => {
    if (isOpen && !ref.current?.open) onClose()
  }

  return (
    // Escape does for a keyboard what a press beside the dialog does for a pointer.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={ref}
      aria-labelledby={labelledBy}
      onClose={tellClosed}
      onClick={closeOnBackdrop}
      className={classNames('dialog', height === 'tall' && 'dialog-tall')}
    >
      {isOpen && (
        <>
          {children}
          <Toasts />
        </>
      )}
    </dialog>
  )
}
