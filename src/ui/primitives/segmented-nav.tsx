// Links between the two to four screens of an area, as a segmented control.
import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'

const SEGMENT =
  'relative flex min-h-9.5 flex-auto items-center justify-center rounded-seg px-2.75 text-14 font-medium text-text-2 after:absolute after:-inset-y-0.75 after:inset-x-0 ' +
  'aria-[current=page]:bg-segment aria-[current=page]:font-semibold aria-[current=page]:text-text aria-[current=page]:shadow-1'

type SegmentedNavProps = { label: string; items: readonly { to: string; label: string; more?: ReactNode }[] }

export function SegmentedNav({ label, items }: SegmentedNavProps) {
  return (
    <nav aria-label={label} className="my-1.5 flex min-h-11 min-w-0 flex-wrap rounded-md bg-segments p-0.75">
      {items.map(({ to, label: text, more }) => (
        <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }} className={SEGMENT}>
          {text}
          {more}
        </Link>
      ))}
    </nav>
  )
}
