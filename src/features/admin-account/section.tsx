// One section of Conta: its title, a description, and its actions.
import { type ReactNode, useId } from 'react'

type SectionProps = { title: string; hint: string; action?: ReactNode; children?: ReactNode }

export function Section({ title, hint, action, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="rounded-lg bg-surface p-5 shadow-card lg:p-6">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-60 grow basis-0">
          <h2 id={id} className="text-17 font-semibold">
            {title}
          </h2>
          <p className="mt-1 text-14 leading-body text-text-2">{hint}</p>
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}
