// The spend in other currencies, which no other figure includes.
import { formatNumber } from '#domain/count.ts'
import { formatCost, formatMoney, originLabel } from '#domain/origins/costs.ts'
import { type Column, Table } from '#ui/primitives/table.tsx'
import type { ForeignLine } from './data.ts'
import { keyOf, nameOf } from './lines.tsx'

const COLUMNS: Column<ForeignLine>[] = [
  {
    title: 'Em outra moeda',
    place: 'head',
    cell: (line) => (
      <span className="font-medium">
        {nameOf(line)}
        {line.campaign !== null && (
          <span className="block text-12 font-regular text-text-3">{originLabel(line.origin)}</span>
        )}
      </span>
    ),
  },
  { title: 'Leads', isNumber: true, cell: ({ figures }) => formatNumber(figures.paidLeads) },
  {
    title: 'Gasto',
    isNumber: true,
    cell: ({ figures, currency }) => formatMoney(figures.cents ?? 0, currency),
  },
  ...(
    [
      ['Por lead', 'perLead'],
      ['Por visita', 'perVisit'],
      ['Por venda', 'perSale'],
    ] as const
  ).map(([title, cost]): Column<ForeignLine> => ({
    title,
    isNumber: true,
    cell: ({ figures, currency }) => formatCost(figures[cost], currency),
  })),
]

export function ForeignSpend({ lines }: { lines: readonly ForeignLine[] }) {
  return (
    <section
      aria-label="Gasto em outras moedas"
      className="overflow-hidden rounded-card bg-surface shadow-card"
    >
      <Table
        label="Gasto em outras moedas"
        columns={COLUMNS}
        rows={lines}
        keyOf={(line) => `${line.currency} ${keyOf(line)}`}
      />
      <p className="border-t border-border px-5 py-2.5 text-13 text-text-3">
        Estes valores não entram nas contas em reais.
      </p>
    </section>
  )
}
