// Shows a campaign's figures. Some of them filter the list below.
import type { RecipientFilter } from '../report/reports-data.ts'
import { formatNumber } from '#domain/count.ts'
import type { Campaign } from '#domain/campaign.ts'
import { FilterChips } from '#ui/primitives/chips.tsx'
import { FIGURE } from '../texts.ts'

type OutcomeFiguresProps = {
  campaign: Campaign
  filter: RecipientFilter
  onFilter: (filter: RecipientFilter) => void
}

export function OutcomeFigures({ campaign, filter, onFilter }: OutcomeFiguresProps) {
  const { recipientCount, sentCount, outcomes } = campaign
  const { delivered, read, answered, optedOut, failed, unknown, waiting } = outcomes
  const figures = [
    { label: 'Enviadas', count: sentCount },
    { label: FIGURE.delivered, count: delivered },
    { label: FIGURE.read, count: read },
    { label: FIGURE.answered, count: answered },
    { label: FIGURE.optedOut, count: optedOut },
  ]
  // The cancelled recipients, who are what remains after all other states are subtracted.
  const passed = Math.max(0, recipientCount - sentCount - failed - unknown - waiting)
  const filters: { value: RecipientFilter; label: string; count: number }[] = [
    { value: 'all', label: 'Todos', count: recipientCount },
    { value: 'failed', label: 'Falharam', count: failed },
    { value: 'unknown', label: 'Sem confirmação', count: unknown },
    { value: 'pending', label: 'Na fila', count: waiting },
    { value: 'cancelled', label: 'Ficaram de fora', count: passed },
  ]
  return (
    <>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(6.5rem,1fr))] gap-x-3 gap-y-2">
        {figures.map(({ label, count }) => (
          <div key={label} className="flex flex-col-reverse">
            <dt className="text-12 text-text-3">{label}</dt>
            <dd className="text-20 font-semibold tabular-nums">{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
      <FilterChips
        label="Quais pessoas"
        choices={filters.filter(({ value, count }) => value === 'all' || count > 0)}
        chosen={filter}
        onChoose={onFilter}
      />
    </>
  )
}
