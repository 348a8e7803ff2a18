// A row for each origin, which opens to its campaigns: leads, what was spent, and the cost of each lead, visit and
// sale.
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { formatNumber } from '#domain/count.ts'
import {
  costTitle,
  type Figures,
  formatCost,
  formatMoney,
  NO_CAMPAIGN,
  type OriginLine,
  originLabel,
} from '#domain/origins/costs.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { type Column, Table } from '#ui/primitives/table.tsx'
import type { Origin, OriginFigure } from './data.ts'
import { SpendField } from './spend-field.tsx'

export type LineRow = OriginLine & {
  /** Null: the row has no campaigns to show. */
  isOpen: boolean | null
  /**
   * `own`: the row has an amount, which can be entered. `sum`: it shows the sum of its campaigns. `whole`: the amount
   * of the whole origin counts instead. `none`: it is for leads without a campaign.
   */
  spend: 'own' | 'sum' | 'whole' | 'none'
}

export const keyOf = ({ origin, campaign }: Pick<OriginLine, 'origin' | 'campaign'>) =>
  JSON.stringify([origin, campaign])
export const nameOf = ({ origin, campaign, name }: OriginLine) =>
  campaign === null ? originLabel(origin) : campaign === '' ? NO_CAMPAIGN : name

type LinesProps = {
  origins: readonly Origin[]
  month: string
  /** For example 'novembro'. */
  monthText: string
  /** True: amounts cannot be edited, because they are a team's or a gerente's part. */
  isFixed: boolean
  chosen: OriginLine | null
  onChoose: (line: OriginLine) => void
  onOpen: (figure: OriginFigure) => void
}

export function OriginLines({ origins, month, monthText, isFixed, chosen, onChoose, onOpen }: LinesProps) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const toggle = (origin: string) => {
    const next = new Set(opened)
    if (!next.delete(origin)) next.add(origin)
    setOpened(next)
  }
  const parts = { month, monthText, isFixed, onChoose, onOpen, toggle }
  return (
    <Table
      label="Custo por origem"
      columns={columnsOf(parts)}
      rows={rowsOf(origins, opened)}
      keyOf={keyOf}
      current={(row) => chosen !== null && keyOf(row) === keyOf(chosen)}
    />
  )
}

function rowsOf(origins: readonly Origin[], opened: ReadonlySet<string>): LineRow[] {
  return origins.flatMap((origin): LineRow[] => {
    const { campaigns, figures } = origin
    const hasCampaigns = campaigns.some(({ campaign }) => campaign !== '')
    const isOpen = opened.has(origin.origin)
    const hasParts = campaigns.some((line) => line.figures.cents !== null)
    const head: LineRow = { ...origin, isOpen: hasCampaigns ? isOpen : null, spend: hasParts ? 'sum' : 'own' }
    if (!hasCampaigns || !isOpen) return [head]
    return [
      head,
      ...campaigns.map((line): LineRow => ({
        ...line,
        isOpen: null,
        spend: line.campaign === '' ? 'none' : figures.isWhole ? 'whole' : 'own',
      })),
    ]
  })
}

type Parts = Pick<LinesProps, 'month' | 'monthText' | 'isFixed' | 'onChoose' | 'onOpen'> & {
  toggle: (origin: string) => void
}

const COUNTS = [
  ['Leads', 'leads'],
  ['Respondidos', 'answered'],
  ['Visitas', 'visits'],
  ['Fechados', 'sales'],
] as const
const COSTS = [
  ['Por lead', 'perLead', 'paidLeads', ['lead', 'leads']],
  ['Por resposta', 'perAnswer', 'paidAnswered', ['lead respondido', 'leads respondidos']],
  ['Por visita', 'perVisit', 'paidVisits', ['visita feita', 'visitas feitas']],
  ['Por venda', 'perSale', 'paidSales', ['venda', 'vendas']],
] as const satisfies readonly (readonly [string, keyof Figures, keyof Figures, readonly [string, string]])[]

function columnsOf(parts: Parts): Column<LineRow>[] {
  return [
    {
      title: 'Origem e campanha',
      place: 'head',
      width: 'min-w-44',
      cell: (row) => <Name row={row} parts={parts} />,
    },
    ...COUNTS.map(([title, name]): Column<LineRow> => ({
      title,
      isNumber: true,
      cell: (row) => <Count row={row} title={title} name={name} onOpen={parts.onOpen} />,
    })),
    { title: 'Gasto', isNumber: true, cell: (row) => <Spend row={row} parts={parts} /> },
    ...COSTS.map(([title, cost, count, words]): Column<LineRow> => ({
      title,
      isNumber: true,
      cell: ({ figures }) => (
        <span className="whitespace-nowrap text-text" title={costTitle(figures.cents, figures[count], words)}>
          {formatCost(figures[cost])}
        </span>
      ),
    })),
  ]
}

function Name({ row, parts }: { row: LineRow; parts: Parts }) {
  if (row.isOpen === null)
    return (
      <span className={row.campaign === null ? 'pl-6.5 font-medium' : 'block max-w-64 pl-9 leading-snug'}>
        {nameOf(row)}
      </span>
    )
  return (
    <button
      type="button"
      aria-expanded={row.isOpen}
      onClick={() => parts.toggle(row.origin)}
      className="-ml-2 inline-flex min-h-11 items-center gap-2 rounded-md pr-2 pl-2 text-left font-medium hover:bg-text/4 lg:min-h-9"
    >
      <Icon of={row.isOpen ? ChevronDown : ChevronRight} size={18} className="text-text-3" />
      {nameOf(row)}
    </button>
  )
}

type CountProps = { row: LineRow; title: string; name: (typeof COUNTS)[number][1]; onOpen: Parts['onOpen'] }

function Count({ row, title, name, onOpen }: CountProps) {
  const shown = formatNumber(row.figures[name])
  if (row.figures[name] === 0) return <span className="text-text">{shown}</span>
  return (
    <button
      type="button"
      aria-label={`${title}: ${nameOf(row)}: ${shown}. Ver leads`}
      onClick={() => onOpen({ name, origin: row.origin, campaign: row.campaign, isPaid: false })}
      className="-my-2 min-h-11 min-w-8 text-left text-text underline min-[40rem]:text-right pointer-coarse:min-w-11 decoration-border-strong decoration-dotted underline-offset-4 lg:min-h-9"
    >
      {shown}
    </button>
  )
}

function Spend({ row, parts }: { row: LineRow; parts: Parts }) {
  const [isOpened, setOpened] = useState(false)
  const { cents } = row.figures
  if (row.spend === 'whole') return <span className="text-13 text-text-3">no total</span>
  if (row.spend === 'none' || ((parts.isFixed || row.spend === 'sum') && cents === null))
    return <span>–</span>
  if (parts.isFixed || row.spend === 'sum')
    return <span className="whitespace-nowrap text-text">{formatMoney(cents ?? 0)}</span>
  if (cents === null && !isOpened)
    return (
      <button
        type="button"
        aria-label={`Sem gasto informado: ${nameOf(row)}. Informar`}
        onClick={() => {
          setOpened(true)
          parts.onChoose(row)
        }}
        className="min-h-11 rounded-ctl bg-warning-soft px-2.5 text-13 font-semibold whitespace-nowrap text-on-warning-soft lg:min-h-9"
      >
        Sem gasto informado
      </button>
    )
  return (
    <SpendField
      line={{ origin: row.origin, campaign: row.campaign === null ? '' : row.name }}
      month={parts.month}
      cents={cents}
      label={`Gasto de ${nameOf(row)} em ${parts.monthText}`}
      isOpened={isOpened}
      onFocus={() => parts.onChoose(row)}
    />
  )
}
