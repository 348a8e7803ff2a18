// The native dialog over the page: it traps the focus, and closes by Escape, Back, a press outside or, as a sheet, a
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
  /** The id of its heading. */
  labelledBy: string
  /** 'tall' takes 80 % of the window, regardless of its content. */
  height?: 'fit' | 'tall'
  /** On wide windows: for text, for choices, for a table, for a sheet; 'side' is a drawer on the right. */
  width?: 'normal' | 'wide' | 'widest' | 'full' | 'side'
  /** Closing would lose input, so `onClose` asks first. */
  hasUnsaved?: boolean
  /** The address contains its state, so Back closes it without an extra history entry. */
  hasAddress?: boolean
  /** Shown beside the page, which stays usable, instead of over it. */
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
  // The dialog closes before React removes it, because only closing returns the focus.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!isOpen || !dialog) return undefined
    if (isDocked) dialog.show()
    else dialog.showModal()
    // Focus goes to the dialog itself, so that a long text does not scroll to its first button.
    if (height === 'tall') dialog.focus()
    return () => dialog.close()
  }, [isOpen, height, isDocked])

  const pressed = useRef<EventTarget>(null)
  const notePress = (event: MouseEvent) => {
    pressed.current = event.target
    // A press outside must not take the focus from the dialog's fields.
    if (event.target === ref.current) event.preventDefault()
  }
  // Ignores a text selection that ends outside, and the second click of the double click that opened the dialog.
  const closeOnBackdrop = ({ target, detail }: MouseEvent) => {
    if (!isDocked && target === ref.current && target === pressed.current && detail < 2) onClose()
  }
  // Browsers close only modal dialogs on Escape, and this one is docked; an open menu closes first.
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
  // Reports a close by Escape; the owner knows of other closes.
  const notifyClosed = () => {
    if (!isOpen || ref.current?.open !== false) return
    // Browsers close on a second Escape even if the first was cancelled.
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

/** Loads the code of pulls once a sheet is open. */
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
    // Without it there are still three other ways to close.
    follow().catch(() => undefined)
    return () => {
      isWanted = false
      stop?.()
    }
  }, [isOpen, sheet])
}
