// Actions for an item: a menu at the pointer, on phones a sheet.
import type { LucideIcon } from 'lucide-react'
import { Fragment, type ReactNode, type ToggleEvent, useEffect, useRef } from 'react'
import { classNames } from '../class-names.ts'
import { Dialog } from './dialog.tsx'
import { Icon } from '../icon.tsx'
import { useMedia, WIDE } from '#ui/media.ts'
import { moveMenuFocus } from './menu-keys.ts'

export type Action = {
  label: string
  icon: LucideIcon
  isDanger?: boolean
  /** Shown, but cannot be chosen. */
  isDisabled?: boolean
  /** True if a line separates the action from those above. */
  isApart?: boolean
  run: () => void
}

/** The menu's upper left corner in px. With `isAbove`, its lower left corner. */
export type Spot = { x: number; y: number; isAbove?: boolean }

type ActionMenuProps = {
  isOpen: boolean
  onClose: () => void
  /** The title of the sheet, and the label of the menu. */
  title: string
  spot: Spot
  actions: readonly Action[]
  /** Shown above the actions. */
  head?: ReactNode
}

export function ActionMenu(props: ActionMenuProps) {
  const { isOpen, onClose, title, actions, head } = props
  const isWide = useMedia(WIDE)
  if (isWide) return isOpen && <SpotMenu {...props} />
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <Items {...{ title, actions, head }} onDone={onClose} />
    </Dialog>
  )
}

/** The menu keeps at least this distance from the window's edges, in px. */
const MARGIN = 8

/** A native popover, because it closes on a press outside, and on Escape without closing the dialog around it. */
function SpotMenu({ onClose, title, spot, actions, head }: ActionMenuProps) {
  const menu = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = menu.current
    const before = document.activeElement
    if (!element) return undefined
    element.showPopover()
    const { clientWidth, clientHeight } = document.documentElement
    // If the window is lower than the menu, the menu scrolls.
    element.style.maxHeight = `${clientHeight - 2 * MARGIN}px`
    const { width, height } = element.getBoundingClientRect()
    const fits = (at: number, size: number, room: number) =>
      Math.max(MARGIN, at + size + MARGIN > room ? at - size : at)
    const top = spot.isAbove ? Math.max(MARGIN, spot.y - height - MARGIN) : fits(spot.y, height, clientHeight)
    element.style.left = `${fits(spot.x, width, clientWidth)}px`
    element.style.top = `${top}px`
    element.querySelector<HTMLElement>('[role^="menuitem"]')?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [spot])
  const follow = ({ newState }: ToggleEvent<HTMLDivElement>) => {
    if (newState === 'closed') onClose()
  }
  return (
    <div
      ref={menu}
      popover="auto"
      onToggle={follow}
      className="fixed inset-auto m-0 w-60 overflow-y-auto overscroll-y-contain rounded-lg bg-surface p-1.5 text-text shadow-3"
    >
      <Items {...{ title, actions, head }} onDone={onClose} />
    </div>
  )
}

type ItemsProps = Pick<ActionMenuProps, 'title' | 'actions' | 'head'> & { onDone: () => void }

function Items({ title, actions, head, onDone }: ItemsProps) {
  return (
    // The menu's items take the focus.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div role="menu" aria-label={title} onKeyDown={(event) => moveMenuFocus(event, '[role^="menuitem"]')}>
      {head}
      {actions.map(({ label, icon, isDanger = false, isDisabled = false, isApart = false, run }) => (
        <Fragment key={label}>
          {isApart && <hr className="my-1.5 border-border" />}
          <button
            type="button"
            role="menuitem"
            aria-disabled={isDisabled || undefined}
            onClick={() => {
              if (isDisabled) return
              onDone()
              run()
            }}
            className={classNames(
              'flex min-h-14 w-full items-center gap-3 rounded-md px-4 text-left text-16 transition-colors hover:bg-surface-2 md:min-h-10 md:px-3 md:text-14 pointer-coarse:min-h-11',
              isDanger && 'text-danger',
              isDisabled && 'text-text-3',
            )}
          >
            <Icon of={icon} className={isDanger ? '' : 'text-text-2'} />
            <span className="min-w-0 grow wrap-anywhere">{label}</span>
          </button>
        </Fragment>
      ))}
    </div>
  )
}
