// Five figures of a month: what was spent, the cost of each lead, visit and sale, and the leads without spend.
import { countOf, formatNumber } from '#domain/count.ts'
import { compareCosts, costTitle, type Figures, formatCost, formatMoney } from '#domain/origins/costs.ts'
import type { OriginFigure } from './data.ts'

const TONE = { better: 'text-success', worse: 'text-warning', even: 'text-text-3' }

type SummaryProps = {
  total: Figures
  before: Figures
  /** `count`: the number of origins. `told`: how many of them have spend. */
  origins: { count: number; told: number }
  /** For example 'outubro'. */
  monthBefore: string
  onOpen: (figure: OriginFigure) => void
}

type Shown = {
  title: string
  shown: string
  hint?: string
  below?: { text: string; tone: keyof typeof TONE } | undefined
  /** The list that a press opens. Undefined: there is nothing to list. */
  opens?: { name: OriginFigure['name']; isPaid: boolean } | undefined
}

export function OriginsSummary({ onOpen, ...props }: SummaryProps) {
  return (
    <section
      aria-label="Total"
      className="grid grid-cols-2 overflow-hidden rounded-card bg-surface shadow-card md:grid-cols-5"
    >
      {figuresOf(props).map(({ title, shown, hint, below, opens }) => (
        <div
          key={title}
          className="relative min-w-0 border-border px-4 py-3 max-md:border-b max-md:last:col-span-2 max-md:last:border-b-0 lg:px-5 md:not-first:border-l"
        >
          <h2 className="text-13 font-medium text-text-2">{title}</h2>
          <p className="pt-0.5 text-20 font-semibold tracking-name tabular-nums" title={hint}>
            {shown}
          </p>
          {below && <p className={`text-13 ${TONE[below.tone]}`}>{below.text}</p>}
          {opens && (
            <button
              type="button"
              aria-label={`${title}: ${shown}. Ver leads`}
              title={hint}
              onClick={() => onOpen({ ...opens, origin: null, campaign: null })}
              className="absolute inset-1 rounded-md hover:bg-text/4"
            />
          )}
        </div>
      ))}
    </section>
  )
}

function figuresOf({ total, before, origins, monthBefore }: Omit<SummaryProps, 'onOpen'>): Shown[] {
  const cost = (
    title: string,
    key: 'perLead' | 'perVisit' | 'perSale',
    of: { name: OriginFigure['name']; count: number; words: readonly [string, string] },
  ): Shown => {
    const tone = compareCosts(total[key], before[key])
    return {
      title,
      shown: formatCost(total[key]),
      hint: costTitle(total.cents, of.count, of.words),
      below: tone ? { text: `${formatCost(before[key])} em ${monthBefore}`, tone } : undefined,
      opens: of.count > 0 ? { name: of.name, isPaid: true } : undefined,
    }
  }
  return [
    {
      title: 'Gasto informado',
      shown: total.cents === null ? '–' : formatMoney(total.cents),
      below: { text: `${origins.told} de ${countOf(origins.count, 'origem', 'origens')}`, tone: 'even' },
    },
    cost('Por lead', 'perLead', { name: 'leads', count: total.paidLeads, words: ['lead', 'leads'] }),
    cost('Por visita feita', 'perVisit', {
      name: 'visits',
      count: total.paidVisits,
      words: ['visita feita', 'visitas feitas'],
    }),
    cost('Por venda', 'perSale', { name: 'sales', count: total.paidSales, words: ['venda', 'vendas'] }),
    {
      title: 'Sem gasto',
      shown: `${formatNumber(total.untold)} ${total.untold === 1 ? 'lead' : 'leads'}`,
      below: { text: 'fora destas contas', tone: 'even' },
      opens: total.untold > 0 ? { name: 'untold', isPaid: false } : undefined,
    },
  ]
}
