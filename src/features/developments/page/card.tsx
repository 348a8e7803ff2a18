// A card of a development's page: a heading with actions, and what belongs under it.
import { type ReactNode, useId } from 'react'

type CardProps = { title: string; note?: string | undefined; actions?: ReactNode; children: ReactNode }

export function Card({ title, note, actions, children }: CardProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="rounded-lg bg-surface shadow-card">
      <header className="flex min-h-14 flex-wrap items-center gap-2 px-5 py-2.5">
        <h2 id={id} className="mr-auto text-15 font-semibold">
          {title}
          {note && <span className="ml-1.5 text-14 font-regular text-text-3">{note}</span>}
        </h2>
        {actions}
      </header>
      {children}
    </section>
  )
}
