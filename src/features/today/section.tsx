// A part of the day: its name, its count and its rows.
import type { ReactNode } from 'react'

type SectionProps = {
  title: string
  count: number
  /** Stands at the end of the line of the title. */
  side?: string
  /** Stands in the card over the rows. */
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
