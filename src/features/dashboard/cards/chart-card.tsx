// The frame of a chart. It also shows that there is nothing to draw.
import type { ReactNode } from 'react'

type ChartCardProps = {
  title: string
  /** Explains what the chart's numbers count. */
  hint?: ReactNode
  isEmpty: boolean
  children: ReactNode
}

export function ChartCard({ title, hint, isEmpty, children }: ChartCardProps) {
  return (
    <section className="flex min-w-0 flex-col gap-3.5 rounded-lg bg-surface px-4 pt-4.5 pb-4 shadow-card lg:px-5">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 className="text-15 font-semibold tracking-name">{title}</h2>
        {!isEmpty && hint && <p className="text-13 text-text-3">{hint}</p>}
      </div>
      {isEmpty ? (
        <p className="flex min-h-46 items-center justify-center text-14 text-text-3">
          Nenhum dados disponível
        </p>
      ) : (
        children
      )}
    </section>
  )
}
