// The columns of the list of developments.
import { MODE_LABEL } from '#domain/agent/agent.ts'
import { countOf, formatNumber } from '#domain/count.ts'
import { STATE_LABEL } from '#domain/development/development.ts'
import { shortReais } from '#domain/development/price-words.ts'
import { ChevronRight } from 'lucide-react'
import { Badge } from '#ui/primitives/badge.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import type { Column } from '#ui/primitives/table.tsx'
import type { Order, Shown } from './list-filter.ts'
import { Picture } from './picture.tsx'
import { NO_PRICE, priceDay } from './texts.ts'

const STATE_TONE = { lancamento: 'info', em_obras: 'neutral', pronto: 'success' } as const

const NONE = <span className="text-text-3">–</span>

const AVAILABLE: Column<Shown> = {
  title: 'Unidades disponíveis',
  isNumber: true,
  cell: ({ unitsAvailable }) => (unitsAvailable === null ? NONE : formatNumber(unitsAvailable)),
}

type ListParts = {
  /** False if no development has units: then the column of available ones is left out. */
  hasUnits: boolean
  /** Addresses of cover photos by file id. */
  urls: Readonly<Record<string, string>>
  order: Order | undefined
  /** Lists the open leads of a development. */
  onLeads: (row: Shown) => void
  onOrder: (order: Order) => void
}

export function columnsOf({ hasUnits, urls, order, onLeads, onOrder }: ListParts): readonly Column<Shown>[] {
  const sort = (by: Order) => ({ isOn: order === by, run: () => onOrder(by) })
  return [
    {
      title: 'Empreendimento',
      place: 'head',
      cell: ({ name, district, media }) => (
        <span className="flex min-h-16 items-center gap-3.5 py-1">
          <Picture url={urls[media.find(({ kind }) => kind === 'foto')?.id ?? '']} className="h-12 w-16" />
          <span className="min-w-0">
            <span className="block text-15 font-semibold">{name}</span>
            {district !== null && <span className="block text-13 text-text-3">{district}</span>}
          </span>
        </span>
      ),
    },
    {
      title: 'Estado',
      place: 'mark',
      cell: ({ state }) =>
        state === null ? NONE : <Badge tone={STATE_TONE[state]}>{STATE_LABEL[state]}</Badge>,
    },
    {
      title: 'A partir de',
      isNumber: true,
      sort: sort('preco'),
      cell: ({ price }) => (
        <>
          <span className="block font-semibold">{price === null ? '–' : shortReais(price.cents)}</span>
          <span
            className={`block text-13 whitespace-nowrap ${price?.isExpired ? 'text-warning' : 'text-text-3'}`}
          >
            {price === null ? NO_PRICE : priceDay(price)}
          </span>
        </>
      ),
    },
    { title: 'Plantas', isNumber: true, sort: sort('plantas'), cell: ({ plans }) => plans.length },
    ...(hasUnits ? [{ ...AVAILABLE, sort: sort('unidades') }] : []),
    {
      title: 'Leads abertos',
      isNumber: true,
      sort: sort('leads'),
      cell: (row) => <Leads row={row} onLeads={onLeads} />,
    },
    { title: 'Roleta', cell: ({ rotation }) => rotation ?? NONE },
    {
      title: 'Agente',
      cell: ({ agentMode }) => (
        <span className="inline-flex w-full items-center justify-between gap-3 max-[40rem]:w-auto">
          {agentMode === null ? (
            NONE
          ) : (
            <Badge tone={agentMode === 'off' ? 'neutral' : 'primary'}>{MODE_LABEL[agentMode]}</Badge>
          )}
          <Icon of={ChevronRight} size={18} className="text-text-2 max-[60rem]:hidden" />
        </span>
      ),
    },
  ]
}

type LeadsProps = { row: Shown; onLeads: (row: Shown) => void }

function Leads({ row, onLeads }: LeadsProps) {
  const count = formatNumber(row.openLeads)
  if (row.openLeads === 0) return count
  return (
    <button
      type="button"
      aria-label={`${countOf(row.openLeads, 'lead aberto', 'leads abertos')} de ${row.name}. Ver leads`}
      onClick={() => onLeads(row)}
      // `z-1` lifts this button above the row's own press area.
      className="relative z-1 -my-2 min-h-11 min-w-8 text-right underline decoration-border-strong decoration-dotted underline-offset-4"
    >
      {count}
    </button>
  )
}
