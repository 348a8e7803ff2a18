// A section of the day with its title, count and rows, and a button for the end of a row.
import type { ReactNode } from 'react'

type SectionProps = {
  title: string
  count: number
  /** A text at the right end of the title's line. */
  side?: string
  /** Shown in the section's card, above its rows. */
  above?: ReactNode
  className?: string
  children: ReactNode
}

export function Section({ title, count, side, above, className = '', children }: SectionProps) {
  return (
    <section>
      <div className="flex min-h-9 items-center gap-2 px-1 text-15">
        <h2 className="font-semibold">{title}</h2>
        <span className="text-text-3 tabular-nums">{count}</span>
        {side && <span className="ml-auto text-13 text-text-3">{side}</span>}
      </div>
      <div className="overflow-hidden rounded-card bg-surface shadow-card">
        {above}
        <ul className={`divide-y divide-border py-1 ${className}`}>{children}</ul>
      </div>
    </section>
  )
}

type RowDeedProps = { onPress: () => void; children: string }

export function RowDeed({ onPress, children }: RowDeedProps) {
  return (
    <button
      type="button"
      onClick={onPress}
      className="min-h-11 shrink-0 rounded-md px-2 text-14 font-semibold text-primary"
    >
      {children}
    </button>
  )
}
