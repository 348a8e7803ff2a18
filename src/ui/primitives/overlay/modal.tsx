// The native dialog over the page. It traps the focus and closes by Escape, Back, a press outside, or, as a sheet, by a
// pull down.
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from 'react'
import { classNames } from '../class-names.ts'
import { Toasts } from '#ui/feedback/toasts.tsx'
import { useBackCloses } from './use-back-closes.ts'

export type ModalProps = {
  isOpen: boolean
  onClose: () => void
  /** The id of the dialog's heading. */
  labelledBy: string
  /** 'tall' takes 80 % of the window's height, whatever the content. */
  height?: 'fit' | 'tall'
  /**
   * In wide windows: 'normal' for text, 'wide' for choices, 'widest' for a table, 'full' for a sheet. 'side' is a
   * drawer on the right.
   */
  width?: 'normal' | 'wide' | 'widest' | 'full' | 'side'
  /** True if closing would lose input, so `onClose` asks first. */
  hasUnsaved?: boolean
  /** True if the address tells whether the dialog is open, so it needs no history entry of its own for Back. */
  hasAddress?: boolean
  /** True if the dialog is shown beside the page instead of over it. Then the page stays usable. */
  isDocked?: boolean
  children: ReactNode
}

const WIDTH = {
  normal: null,
  wide: 'dialog-wide',
  widest: 'dialog-widest',
  full: 'dialog-full',
  side: 'dialog-side',
}

export function Modal({
  isOpen,
  onClose,
  labelledBy,
  height = 'fit',
  width = 'normal',
  hasUnsaved = false,
  hasAddress = false,
  isDocked = false,
  children,
}: ModalProps) {
  const ref = useRef<HTMLDialogElement>(null)
  useBackCloses(isOpen && !hasAddress, onClose, hasUnsaved)
  usePulls(ref, { isOpen, onClose, hasUnsaved })
  // Closes the dialog before React removes it, because only closing it returns the focus.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!isOpen || !dialog) return undefined
    if (isDocked) dialog.show()
    else dialog.showModal()
    // Focuses the dialog itself. The browser would focus the first button, and so scroll a long text.
    if (height === 'tall') dialog.focus()
    return () => dialog.close()
  }, [isOpen, height, isDocked])

  const pressed = useRef<EventTarget>(null)
  const notePress = (event: MouseEvent) => {
    pressed.current = event.target
    // Pressing outside must not take the focus from the dialog's fields.
    if (event.target === ref.current) event.preventDefault()
  }
  // Two clicks do not close: one that ends a text selection begun inside, and the second of the double click that
  // opened the dialog.
  const closeOnBackdrop = ({ target, detail }: MouseEvent) => {
    if (!isDocked && target === ref.current && target === pressed.current && detail < 2) onClose()
  }
  // Escape closes a docked dialog only by this code, because browsers do it for modal ones. An open menu closes first.
  const closeDocked = (event: KeyboardEvent) => {
    if (!isDocked || event.key !== 'Escape' || event.defaultPrevented) return
    if (document.querySelector(':popover-open')) return
    event.preventDefault()
    onClose()
  }
  const askFirst = (event: SyntheticEvent) => {
    if (!hasUnsaved || event.target !== ref.current) return
    event.preventDefault()
    onClose()
  }
  // Reports that Escape closed the dialog. The caller knows of all other closes.
  const notifyClosed = () => {
    if (!isOpen || ref.current?.open !== false) return
    // A second Escape closes the dialog even if the first was cancelled, so it is opened again.
    if (hasUnsaved) ref.current.showModal()
    onClose()
  }

  return (
    // Escape does for a keyboard what a press outside does for a pointer.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={ref}
      tabIndex={-1}
      aria-labelledby={labelledBy}
      onCancel={askFirst}
      onClose={notifyClosed}
      onMouseDown={notePress}
      onKeyDown={closeDocked}
      onClick={closeOnBackdrop}
      className={classNames(
        isDocked ? 'dialog-dock' : 'dialog',
        height === 'tall' && !isDocked && 'dialog-tall',
        WIDTH[width],
      )}
    >
      {isOpen && (
        <>
          {children}
          {!isDocked && <Toasts isInDialog />}
        </>
      )}
    </dialog>
  )
}

type Pulled = { isOpen: boolean; onClose: () => void; hasUnsaved: boolean }

/** Loads the code for pulling sheets once one is open. */
function usePulls(sheet: RefObject<HTMLElement | null>, { isOpen, onClose, hasUnsaved }: Pulled) {
  const close = useEffectEvent(onClose)
  const isUnwilling = useEffectEvent(() => hasUnsaved)
  useEffect(() => {
    if (!isOpen) return undefined
    let stop: (() => void) | undefined
    let isWanted = true
    const follow = async () => {
      const { followPulls } = await import('./sheet-pull.ts')
      if (!sheet.current || !isWanted) return
      stop = followPulls(sheet.current, { hasUnsaved: () => isUnwilling(), onClose: () => close() })
    }
    // If the code cannot be loaded, there are three other ways to close.
    follow().catch(() => undefined)
    return () => {
      isWanted = false
      stop?.()
    }
  }, [isOpen, sheet])
}
