// 'Leads e respostas': a chart of how many leads arrived in each step of the period, and how many a person answered.
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { countOf, formatNumber } from '#domain/count.ts'
import { formatSpan, writeSpan } from '#domain/dashboard/period.ts'
import { trendLabels } from '#domain/dashboard/trend.ts'
import { Chart } from '#ui/charts/chart.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { type LeadFilter, type Trend, trendQuery } from '../data.ts'
import { openLeads } from '../texts.ts'
import { ChartCard } from './chart-card.tsx'

const STEP = { day: 'dia', week: 'semana', month: 'mês', year: 'ano' } satisfies Record<Trend['step'], string>
const titleOf = (step: Trend['step']) => `Leads e respostas por ${STEP[step]}`
const inLeads = (count: number) => countOf(count, 'lead', 'leads')
const answered = (count: number) => countOf(count, 'respondido', 'respondidos')

const HEIGHT_PX = 156
/**
 * The least width of a column in pixels, more under a finger. If the columns do not fit, the chart scrolls sideways.
 */
const columnPx = () => (matchMedia('(pointer: coarse)').matches ? 44 : 26)

type TrendCardProps = {
  filter: LeadFilter
  /** Opens the list of the leads that arrived on these days. */
  onOpen: (days: string) => void
}

export function TrendCard({ filter, onOpen }: TrendCardProps) {
  const read = useQuery(trendQuery(filter))
  const { data } = read
  if (!data)
    return (
      <ChartCard title="Leads e respostas" isEmpty={false}>
        {read.error ? <FailedRead of={read} isRow /> : <Skeleton className="h-50" />}
      </ChartCard>
    )
  const points = data.points.map((point) => ({
    key: writeSpan(point),
    label: formatSpan(point),
    size: point.leads,
    part: point.answered,
    caption: point.leads === 0 ? '' : formatNumber(point.leads),
    count: inLeads(point.leads),
    share: answered(point.answered),
  }))
  const title = titleOf(data.step)
  return (
    <ChartCard title={title} hint={<Legend />} isEmpty={data.points.every(({ leads }) => leads === 0)}>
      <Newest>
        <div style={{ minWidth: points.length * columnPx() }}>
          <Chart
            kind="parted"
            height={HEIGHT_PX}
            points={points}
            onChoose={onOpen}
            heads={{ name: title, part: 'Período', count: 'Leads', share: 'Respondidos' }}
          />
          <Steps
            label={title}
            steps={trendLabels(data).map((lines, index) => ({ lines, point: points[index] }))}
            onOpen={onOpen}
          />
        </div>
      </Newest>
    </ChartCard>
  )
}

const Legend = () => (
  <span className="flex flex-wrap items-center gap-x-4">
    <span className="flex items-center gap-1.5">
      <span aria-hidden className="size-2.5 rounded-[3px] bg-primary" />
      respondidos por uma pessoa
    </span>
    <span className="flex items-center gap-1.5">
      <span aria-hidden className="size-2.5 rounded-[3px] bg-chart-rest" />
      os outros
    </span>
  </span>
)

/** A scroll area that starts at its right end, where the newest columns are. */
function Newest({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (ref.current) ref.current.scrollLeft = ref.current.scrollWidth
  }, [])
  return (
    // `relative` keeps texts for screen readers inside the scroll area; otherwise they would widen the page.
    <div ref={ref} className="relative -mx-1 overflow-x-auto px-1">
      {children}
    </div>
  )
}

type Labelled = {
  lines: readonly [string, string]
  point: { key: string; label: string; count: string; share: string } | undefined
}

/**
 * The buttons under the columns, which open each column's leads. Tab reaches the row once, arrow keys move inside it.
 */
function Steps({
  label,
  steps,
  onOpen,
}: {
  label: string
  steps: readonly Labelled[]
  onOpen: (days: string) => void
}) {
  const [at, setAt] = useState(steps.length - 1)
  const walk = (event: KeyboardEvent<HTMLDivElement>) => {
    const by = { ArrowRight: 1, ArrowLeft: -1, Home: -steps.length, End: steps.length }[event.key]
    if (by === undefined) return
    event.preventDefault()
    const next = Math.min(Math.max(0, at + by), steps.length - 1)
    setAt(next)
    event.currentTarget.querySelectorAll('button')[next]?.focus()
  }
  return (
    // The buttons inside take the focus.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div role="toolbar" aria-label={label} onKeyDown={walk} className="flex">
      {steps.map(
        ({ lines: [first, second], point }, index) =>
          point && (
            <button
              key={point.key}
              type="button"
              tabIndex={index === Math.min(at, steps.length - 1) ? 0 : -1}
              onFocus={() => setAt(index)}
              onClick={() => onOpen(point.key)}
              className="flex min-h-11 min-w-0 flex-1 flex-col items-center rounded-sm pt-1 text-12 leading-tight text-text-3 tabular-nums hover:bg-surface-2"
            >
              <span className="sr-only">{openLeads(point.label, `${point.count}, ${point.share}`)}</span>
              <span aria-hidden>{first}</span>
              <span aria-hidden className="text-text-2">
                {second}
              </span>
            </button>
          ),
      )}
    </div>
  )
}
