// The dialog that lists the leads behind a figure.
import { useQuery } from '@tanstack/react-query'
import type { LeadFilter } from './data.ts'
import { figureCountQuery } from './figure-leads-data.ts'
import { stageNamesQuery } from './filter/choices-data.ts'
import { statusLabel, weekdayName } from '#domain/dashboard/chart-parts.ts'
import { lossLabel } from '#domain/lead/fields.ts'
import { sourceLabel } from '#domain/lead/source.ts'
import { type Figure, formatResponseTime, type LeadRow } from '#domain/dashboard/dashboard.ts'
import { countOf } from '#domain/count.ts'
import { formatSpan, readSpan } from '#domain/dashboard/period.ts'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { LeadTable } from './lead-table.tsx'
import { NO_FILTERED_LEADS, NO_LEADS } from './texts.ts'

const FIGURE_NAME = {
  total: 'Todos os leads',
  answered: 'Leads respondidos',
  unanswered: 'Leads sem resposta',
  won: 'Leads fechados',
  'within-five-minutes': 'Respondidos em até 5 min',
  'answered-after': 'Respondidos depois de',
  contacted: 'Leads chamados',
  'contacted-within-five-minutes': 'Chamados em até 5 min',
  'contacted-after': 'Chamados depois de',
  status: 'Status',
  source: 'Origem',
  campaign: 'Campanha',
  weekday: 'Dia da semana',
  days: 'Leads que chegaram',
  'open-value': 'Valor em aberto',
  'won-value': 'Ganho no período',
  lost: 'Perdidos no período',
} satisfies Record<Figure['kind'], string>
/** For example 'Status: Novo Lead', 'Respondidos depois de 5h 9min'. */
function figureTitle(figure: Figure, stageNames: ReadonlyMap<string, string>): string {
  const name = FIGURE_NAME[figure.kind]
  if (figure.kind === 'answered-after' || figure.kind === 'contacted-after')
    return `${name} ${formatResponseTime(Number(figure.value) / 3600)}`
  const label = partLabel(figure, stageNames)
  return label === null ? name : `${name}: ${label}`
}

const NO_NAMES: ReadonlyMap<string, string> = new Map()

type FigureDialogProps = {
  /** Null while the dialog is closed. */
  figure: Figure | null
  filter: LeadFilter
  isFiltered: boolean
  onClose: () => void
  onLead: (lead: LeadRow) => void
}

export function FigureDialog({ figure, filter, isFiltered, onClose, onLead }: FigureDialogProps) {
  const { data: stageNames = NO_NAMES } = useQuery(stageNamesQuery())
  const title = figure ? figureTitle(figure, stageNames) : ''
  return (
    <Dialog
      isOpen={figure !== null}
      onClose={onClose}
      hasAddress
      width="widest"
      title={title}
      subtitle={figure && <Counted figure={figure} filter={filter} />}
    >
      {figure && (
        <div className="-mx-2">
          <LeadTable
            key={JSON.stringify(figure)}
            label={title}
            figure={figure}
            filter={filter}
            emptyText={isFiltered ? NO_FILTERED_LEADS : NO_LEADS}
            onOpen={onLead}
          />
        </div>
      )}
    </Dialog>
  )
}

function Counted({ figure, filter }: { figure: Figure; filter: LeadFilter }) {
  const { data: count } = useQuery(figureCountQuery(figure, filter))
  const days = (figure.kind === 'days' && readSpan(figure.value)) || filter.span
  const span = figure.kind === 'open-value' ? 'de qualquer data' : formatSpan(days)
  return <>{count === undefined ? span : `${countOf(count, 'lead', 'leads')} · ${span}`}</>
}

/** Returns the part's label in the chart; null for a figure without a chart. */
function partLabel(figure: Figure, stageNames: ReadonlyMap<string, string>): string | null {
  switch (figure.kind) {
    case 'status':
      return statusLabel(figure.value, stageNames)
    case 'open-value':
      return figure.value === null ? null : statusLabel(figure.value, stageNames)
    case 'lost':
      return figure.value === null ? null : lossLabel(figure.value)
    case 'source':
      return sourceLabel(figure.value)
    case 'campaign':
      return figure.value
    case 'weekday':
      return weekdayName(figure.value)
    default:
      return null
  }
}
