// 'Distribuição por Status' and 'Origem do Lead': a donut with a legend, whose rows open the leads.
import { formatNumber } from '#domain/count.ts'
import { type Part, sliceCaption } from '#domain/dashboard/chart-parts.ts'
import { formatPercent } from '#domain/dashboard/dashboard.ts'
import { Chart } from '#ui/charts/chart.tsx'
import { partGround } from '#ui/charts/chart-inks.ts'
import { ChartCard } from './chart-card.tsx'
import { openLeads } from '../texts.ts'

/** The chart library leaves a small margin around the donut. */
const SIZE_PX = 196

type DonutCardProps = {
  title: string
  /** What a part of the donut is called, for example 'Status'. */
  partName: string
  parts: readonly Part[]
  onOpen: (value: string) => void
}

export function DonutCard({ title, partName, parts, onOpen }: DonutCardProps) {
  const total = parts.reduce((sum, { count }) => sum + count, 0)
  const points = parts.map((part) => ({
    key: part.value,
    label: part.label,
    size: part.count,
    caption: sliceCaption(part),
    count: formatNumber(part.count),
    share: formatPercent(part.share * 100),
  }))
  return (
    <ChartCard title={title} isEmpty={parts.length === 0}>
      <div className="flex grow flex-col items-center gap-4 md:flex-row lg:gap-7">
        <div className="relative w-49 shrink-0">
          <Chart
            kind="donut"
            height={SIZE_PX}
            points={points}
            onChoose={onOpen}
            heads={{ name: title, part: partName, count: 'Leads' }}
          />
          <p className="pointer-events-none absolute inset-0 flex flex-col items-center justify-center">
            <span className="text-20 leading-tight font-semibold tracking-heading tabular-nums">
              {formatNumber(total)}
            </span>
            <span className="text-13 text-text-3">leads</span>
          </p>
        </div>
        <ul className="w-full min-w-0 grow">
          {points.map(({ key, label, count, share }, index) => (
            <li key={key}>
              <button
                type="button"
                onClick={() => onOpen(key)}
                className="-mx-2 flex min-h-11 w-[calc(100%+16px)] items-center gap-2.5 rounded-sm px-2 text-left text-14 hover:bg-surface-2 pointer-fine:min-h-7.5"
              >
                <span className="sr-only">{openLeads(label, `${count}, ${share}`)}</span>
                <span
                  aria-hidden
                  className={`size-2.5 shrink-0 rounded-[3px] ${partGround(index, points.length)}`}
                />
                <span aria-hidden className="min-w-0 grow wrap-anywhere">
                  {label}
                </span>
                <span aria-hidden className="font-medium tabular-nums">
                  {count}
                </span>
                <span aria-hidden className="w-12 text-right text-text-3 tabular-nums">
                  {share}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </ChartCard>
  )
}
