// A section of a page as a card: title, description, actions and rows.
import { type ReactNode, useId } from 'react'

type CardProps = { title: string; note?: ReactNode; action?: ReactNode; children: ReactNode }

export function Card({ title, note, action, children }: CardProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="overflow-hidden rounded-lg bg-surface shadow-card">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3 lg:px-5">
        <h2 id={id} className="text-15 font-semibold wrap-anywhere">
          {title}
        </h2>
        {note !== undefined && <p className="text-14 text-text-3">{note}</p>}
        <span className="ml-auto flex flex-wrap items-center gap-2">{action}</span>
      </div>
      {children}
    </section>
  )
}
