// Four cards with the figures of a period, each compared with the previous period. A press opens the leads.
import { countOf, formatNumber } from '#domain/count.ts'
import { BadgeCheck, CalendarDays, type LucideIcon, Timer, Users } from 'lucide-react'
import {
  type Change,
  type Dashboard,
  type Figure,
  type Kpi,
  pointChange,
  relativeChange,
  wonCount,
  formatPercent,
  formatOneDecimal,
  formatResponseTime,
} from '#domain/dashboard/dashboard.ts'
import { dayAt, isMostlyOver } from '#domain/dashboard/period.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { useNow } from '#ui/now.ts'
import { openLeads } from '../texts.ts'

const kpiText = {
  leads: ({ leadCount }: Kpi) => formatNumber(leadCount),
  response: ({ responseHours }: Kpi) => formatResponseTime(responseHours),
  perDay: ({ leadsPerDay }: Kpi) => formatOneDecimal(leadsPerDay),
  conversion: ({ conversion }: Kpi) => formatPercent(conversion),
}

const TREND = { up: 'a mais', down: 'a menos' }
const changeSpoken = ({ direction, text }: Change, before: string) =>
  direction === 'same'
    ? `Igual ao período anterior, que teve ${before}`
    : `${text} ${TREND[direction]} que no período anterior, que teve ${before}`

const SIGN = { up: '+', down: '−', same: '' }
const changeText = ({ direction, text }: Change) => SIGN[direction] + text

type KpiCardsProps = {
  dashboard: Dashboard
  /** Texts for screen readers: which leads are counted, and over which days. */
  scope: { leads: string; days: string }
  onOpen: (figure: Figure) => void
}

export function KpiCards({ dashboard: { kpi, previous, span }, scope, onOpen }: KpiCardsProps) {
  const today = dayAt(useNow())
  const isComparable = span !== null && isMostlyOver(span, today)
  const compare = (change: (before: Kpi) => Change | null, text: (kpi: Kpi) => string) =>
    previous && { change: isComparable ? change(previous) : null, before: text(previous) }
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9.5rem),1fr))] gap-3 min-[40rem]:grid-cols-2 min-[48rem]:grid-cols-4 lg:gap-4">
      <Card
        icon={Users}
        name="Total Leads"
        value={kpiText.leads(kpi)}
        hint={scope.leads}
        comparison={compare((before) => relativeChange(kpi.leadCount, before.leadCount), kpiText.leads)}
        onOpen={() => onOpen({ kind: 'total' })}
      />
      <Card
        icon={Timer}
        name="Tempo médio de resposta"
        value={kpiText.response(kpi)}
        hint={
          kpi.responseHours === null
            ? 'nenhum lead respondido'
            : 'da primeira mensagem à resposta, só de quem a teve'
        }
        comparison={compare(
          (before) => relativeChange(kpi.responseHours, before.responseHours),
          kpiText.response,
        )}
        isLessBetter
        onOpen={() => onOpen({ kind: 'answered' })}
      />
      <Card
        icon={CalendarDays}
        name="Média de leads por dia"
        value={kpiText.perDay(kpi)}
        hint={scope.days}
        comparison={compare((before) => relativeChange(kpi.leadsPerDay, before.leadsPerDay), kpiText.perDay)}
        onOpen={() => onOpen({ kind: 'total' })}
      />
      <Card
        icon={BadgeCheck}
        name="Taxa de conversão"
        value={kpiText.conversion(kpi)}
        hint={`${formatNumber(wonCount(kpi))} de ${countOf(kpi.leadCount, 'fechado', 'fechados')}`}
        comparison={compare((before) => pointChange(kpi.conversion, before.conversion), kpiText.conversion)}
        onOpen={() => onOpen({ kind: 'won' })}
      />
    </div>
  )
}

type Comparison = { change: Change | null; before: string }

type CardProps = {
  icon: LucideIcon
  name: string
  value: string
  hint: string
  /** Null for a period without a start, because no period comes before it. */
  comparison: Comparison | null
  isLessBetter?: boolean
  onOpen: () => void
}

function Card({ icon, name, value, hint, comparison, isLessBetter = false, onOpen }: CardProps) {
  return (
    <section className="relative flex min-w-0 flex-col gap-1 rounded-lg bg-surface p-4 shadow-card hover:bg-surface-2 lg:px-5">
      <h2 className="flex items-center gap-2 text-13 font-medium text-text-2">
        <Icon of={icon} size={16} className="text-text-3" />
        {name}
      </h2>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 pt-1.5">
        <span className="text-26 leading-tight font-semibold tracking-title tabular-nums lg:text-32">
          {value}
        </span>
        {comparison && <Compared {...comparison} isLessBetter={isLessBetter} />}
      </p>
      <p className="text-13 text-text-3">{hint}</p>
      <button
        type="button"
        aria-label={openLeads(name, value)}
        onClick={onOpen}
        className="absolute inset-0 rounded-lg"
      />
    </section>
  )
}

function Compared({ change, before, isLessBetter }: Comparison & { isLessBetter: boolean }) {
  if (!change) return <Badge tone="neutral">{`antes ${before}`}</Badge>
  const isBetter = change.direction === (isLessBetter ? 'down' : 'up')
  const tone = change.direction === 'same' ? 'neutral' : isBetter ? 'success' : 'danger'
  return (
    <Badge tone={tone}>
      <span aria-hidden title={changeSpoken(change, before)} className="relative z-1">
        {changeText(change)}
      </span>
      <span className="sr-only">{changeSpoken(change, before)}</span>
    </Badge>
  )
}
