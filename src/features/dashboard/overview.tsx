// Shows the figures, charts and leads of a period, with or without a filter.
import { countOf, formatNumber } from '#domain/count.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LeadFilter } from './data.ts'
import { stageNamesQuery } from './filter/choices-data.ts'
import { sourceParts, statusParts } from '#domain/dashboard/chart-parts.ts'
import type { Dashboard, Figure } from '#domain/dashboard/dashboard.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Collapsible } from '#ui/primitives/collapsible.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { CampaignCard } from './cards/campaign-card.tsx'
import { CostCard } from './cards/cost-card.tsx'
import { DonutCard } from './cards/donut-card.tsx'
import { KpiCards } from './cards/kpi-cards.tsx'
import { LeadTable } from './lead-table.tsx'
import { ResponseStrip } from './cards/response-strip.tsx'
import { choiceText, NO_FILTERED_LEADS, NO_LEADS } from './texts.ts'
import { TrendCard } from './cards/trend-card.tsx'
import { ValueCard } from './cards/value-card.tsx'
import { WeekdayCard } from './cards/weekday-card.tsx'

const inDays = (days: number) => (days === 1 ? 'em 1 dia' : `em ${formatNumber(days)} dias`)

const TOTAL: Figure = { kind: 'total' }
const NO_NAMES: ReadonlyMap<string, string> = new Map()

type OverviewProps = {
  dashboard: Dashboard
  /** The filter with the days that the response told. */
  filter: LeadFilter
  isFiltered: boolean
  onOpen: (figure: Figure) => void
}

export function Overview({ dashboard, filter, isFiltered, onOpen }: OverviewProps) {
  const { data: stageNames = NO_NAMES } = useQuery(stageNamesQuery())
  const { kpi, dayCount } = dashboard
  const scope = isFiltered
    ? { leads: choiceText(filter.developments.length, filter.brokers.length), days: inDays(dayCount) }
    : { leads: 'em todos os empreendimentos', days: `nos últimos ${dayCount} dias` }
  return (
    <div className="flex flex-col gap-3 lg:gap-4">
      <KpiCards dashboard={dashboard} scope={scope} onOpen={onOpen} />
      <TrendCard filter={filter} onOpen={(value) => onOpen({ kind: 'days', value })} />
      <ResponseStrip filter={filter} onOpen={onOpen} />
      <ValueCard filter={filter} stageNames={stageNames} onOpen={onOpen} />
      <div className="grid gap-3 lg:grid-cols-2 lg:gap-4">
        <DonutCard
          title="Distribuição por Status"
          partName="Status"
          parts={statusParts(dashboard.statuses, stageNames)}
          onOpen={(value) => onOpen({ kind: 'status', value })}
        />
        <DonutCard
          title="Origem do Lead"
          partName="Origem"
          parts={sourceParts(dashboard.sources)}
          onOpen={(value) => onOpen({ kind: 'source', value })}
        />
        <WeekdayCard days={dashboard.days} onOpen={(value) => onOpen({ kind: 'weekday', value })} />
        <CampaignCard
          campaigns={dashboard.campaigns}
          onOpen={(value) => onOpen({ kind: 'campaign', value })}
        />
      </div>
      <CostCard filter={filter} />
      <Details filter={filter} isFiltered={isFiltered} leadCount={kpi.leadCount} />
    </div>
  )
}

type DetailsProps = { filter: LeadFilter; isFiltered: boolean; leadCount: number }

/** The folded list of the period's leads. It reads them when the user opens it for the first time. */
function Details({ filter, isFiltered, leadCount }: DetailsProps) {
  const [hasOpened, setOpened] = useState(false)
  const title = isFiltered ? 'Detalhamento de Leads Filtrados' : 'Detalhamento de Leads'
  return (
    <Collapsible
      title={title}
      badge={
        <Badge tone="neutral">
          {isFiltered
            ? `${countOf(leadCount, 'lead', 'leads')} ${leadCount === 1 ? 'filtrado' : 'filtrados'}`
            : `${countOf(leadCount, 'lead', 'leads')} no período`}
        </Badge>
      }
      onToggle={(isOpen) => isOpen && setOpened(true)}
    >
      {hasOpened && (
        <LeadTable
          label={title}
          figure={TOTAL}
          filter={filter}
          emptyText={isFiltered ? NO_FILTERED_LEADS : NO_LEADS}
        />
      )}
    </Collapsible>
  )
}

/** Grey placeholders in the sizes of the later content, so that nothing moves when it arrives. */
export function OverviewSkeleton() {
  return (
    <div className="flex flex-col gap-3 lg:gap-4">
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9.5rem),1fr))] gap-3 min-[40rem]:grid-cols-2 min-[48rem]:grid-cols-4 lg:gap-4">
        {['leads', 'response', 'days', 'conversion'].map((name) => (
          <Skeleton key={name} className="h-31 rounded-lg!" />
        ))}
      </div>
      <Skeleton className="h-68 rounded-lg!" />
      <Skeleton className="h-46 rounded-lg!" />
      <div className="grid gap-3 lg:grid-cols-2 lg:gap-4">
        {['status', 'source', 'weekday', 'campaign'].map((name) => (
          <Skeleton key={name} className="h-63 rounded-lg!" />
        ))}
      </div>
    </div>
  )
}
