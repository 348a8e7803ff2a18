// The native dialog over the page: focus kept inside, closed by Escape, Back, a press beside it and, as a sheet, by a pull.
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
  /** Id of its heading. */
  labelledBy: string
  /** 'tall' takes 80 % of the window, whatever is in it. */
  height?: 'fit' | 'tall'
  /** On wide windows: for words, for choices, for a table, for a sheet; 'side' is a drawer along the right. */
  width?: 'normal' | 'wide' | 'widest' | 'full' | 'side'
  /** Something in it would be lost: `onClose` asks before it closes. */
  hasUnsaved?: boolean
  /** The page's address says that it is open, so that Back closes it already. */
  hasAddress?: boolean
  /** Stands in the page beside what else is there, which stays in use, instead of over it. */
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
  // Closed while it still stands in the page, or nobody would get the focus back.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!isOpen || !dialog) return undefined
    if (isDocked) dialog.show()
    else dialog.showModal()
    // What is there to read is not left for its first button.
    if (height === 'tall') dialog.focus()
    return () => dialog.close()
  }, [isOpen, height, isDocked])

  const pressed = useRef<EventTarget>(null)
  const notePress = (event: MouseEvent) => {
    pressed.current = event.target
    // A press beside the dialog takes the focus from nothing in it.
    if (event.target === ref.current) event.preventDefault()
  }
  // Not where text was selected beyond the edge, nor by the second click of those that opened it.
  const closeOnBackdrop = ({ target, detail }: MouseEvent) => {
    if (!isDocked && target === ref.current && target === pressed.current && detail < 2) onClose()
  }
  // A browser closes by Escape only what stands over the page: this is not, and a menu over it goes first.
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
  // Closing by Escape is told here; what was closed from outside is known there.
  const notifyClosed = () => {
    if (!isOpen || ref.current?.open !== false) return
    // A browser closes on a second Escape whatever is said to it.
    if (hasUnsaved) ref.current.showModal()
    onClose()
  }

  return (
    // Escape does for a keyboard what a press beside the dialog does for a pointer.
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

/** What follows a pointer comes once a sheet stands open: until then nobody can pull it. */
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
    // Without it there are still three other ways out.
    follow().catch(() => undefined)
    return () => {
      isWanted = false
      stop?.()
    }
  }, [isOpen, sheet])
}
