// Links between the screens of an area, as pills.
import { Link, useLocation } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Icon } from './icon.tsx'

type NavItem = {
  to: string
  label: string
  icon?: LucideIcon
  /** True if the link is also highlighted on screens below its address. */
  hasScreensBelow?: boolean
  /** Also highlighted at these addresses. */
  alsoAt?: readonly string[]
}

type NavProps = { label: string; items: readonly NavItem[] }

const PILL =
  'flex min-h-11 shrink-0 items-center gap-2 rounded-ctl px-3.5 text-14 font-medium text-text-2 transition-colors min-[40rem]:max-lg:px-2 lg:min-h-9.5 lg:px-3 min-[76rem]:px-3.5 ' +
  'hover:bg-surface-2 aria-[current=page]:bg-primary-soft aria-[current=page]:font-semibold aria-[current=page]:text-on-primary-soft'

/** Links in a bar. If they do not fit, it scrolls to the present screen's link. */
export function TopNav({ label, items }: NavProps) {
  const bar = useRef<HTMLElement>(null)
  const shown = useLocation({
    select: ({ pathname }) =>
      items.findIndex(
        ({ to, alsoAt, hasScreensBelow }) =>
          pathname === to || alsoAt?.includes(pathname) || (hasScreensBelow && pathname.startsWith(`${to}/`)),
      ),
  })
  useEffect(() => {
    bar.current?.children[shown]?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [shown])
  return (
    <nav
      ref={bar}
      aria-label={label}
      className="scrollbar-none flex min-w-0 items-center gap-1 overflow-x-auto p-1"
    >
      {items.map(({ to, label: text, icon, hasScreensBelow = false }, index) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: !hasScreensBelow, includeSearch: false }}
          aria-current={index === shown ? 'page' : undefined}
          className={PILL}
        >
          {icon && <Icon of={icon} size={18} className="min-[40rem]:max-lg:hidden" />}
          {text}
        </Link>
      ))}
    </nav>
  )
}
