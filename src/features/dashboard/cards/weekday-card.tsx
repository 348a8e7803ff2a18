// 'Leads por Dia da Semana': one column per day, the highest highlighted.
import { formatNumber } from '#domain/count.ts'
import { dayBarHeight, weekdayParts } from '#domain/dashboard/chart-parts.ts'
import { type DayCount, formatPercent } from '#domain/dashboard/dashboard.ts'
import { Chart } from '#ui/charts/chart.tsx'
import { ChartCard } from './chart-card.tsx'
import { openLeads } from '../texts.ts'

const WEEKDAY_CHART = 'Leads por Dia da Semana'

const HEIGHT_PX = 156

type WeekdayCardProps = { days: readonly DayCount[]; onOpen: (dayNumber: string) => void }

export function WeekdayCard({ days, onOpen }: WeekdayCardProps) {
  const parts = weekdayParts(days)
  const most = Math.max(...parts.map(({ count }) => count))
  const points = parts.map((part) => ({
    key: part.value,
    label: part.label,
    size: dayBarHeight(part, most),
    caption: formatNumber(part.count),
    count: formatNumber(part.count),
    share: formatPercent(part.share * 100),
    isHighest: part.count === most,
  }))
  return (
    <ChartCard title={WEEKDAY_CHART} isEmpty={parts.length === 0}>
      <div>
        <Chart
          kind="columns"
          height={HEIGHT_PX}
          points={points}
          onChoose={onOpen}
          heads={{ name: WEEKDAY_CHART, part: 'Dia', count: 'Leads' }}
        />
        <ul className="flex">
          {parts.map(({ value, label, short, count }) => (
            <li key={value} className="flex min-w-0 flex-1">
              <button
                type="button"
                onClick={() => onOpen(value)}
                className="min-h-11 min-w-0 grow truncate rounded-sm text-13 text-text-3 hover:bg-surface-2 pointer-fine:min-h-7.5"
              >
                <span className="sr-only">{openLeads(label, formatNumber(count))}</span>
                <span aria-hidden>{short}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </ChartCard>
  )
}
