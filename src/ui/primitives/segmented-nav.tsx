// Links between the two to four screens of an area, as a segmented control.
import type { CSSProperties, ReactNode } from 'react'
import { Link } from '@tanstack/react-router'

const SEGMENT =
  'relative flex min-h-9.5 flex-auto items-center justify-center rounded-seg px-2 font-medium whitespace-nowrap text-text-2 after:absolute after:-inset-y-0.75 after:inset-x-0 ' +
  'aria-[current=page]:bg-segment aria-[current=page]:font-semibold aria-[current=page]:text-text aria-[current=page]:shadow-1'

/** Keeps the links in one row at any width and text size. Its neighbours shrink first, then its letters. */
const ONE_ROW: CSSProperties = { flex: '0 1 17.5rem', containerType: 'inline-size' }
const FITTING: CSSProperties = { fontSize: 'min(var(--text-14), 5.1cqi)' }

type SegmentedNavProps = { label: string; items: readonly { to: string; label: string; more?: ReactNode }[] }

export function SegmentedNav({ label, items }: SegmentedNavProps) {
  return (
    <nav
      aria-label={label}
      style={ONE_ROW}
      className="my-1.5 flex min-h-11 min-w-0 rounded-md bg-segments p-0.75"
    >
      {items.map(({ to, label: text, more }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: true, includeSearch: false }}
          style={FITTING}
          className={SEGMENT}
        >
          {text}
          {more}
        </Link>
      ))}
    </nav>
  )
}
