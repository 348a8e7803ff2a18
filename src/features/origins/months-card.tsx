// The spend of one origin or campaign in three months, each with who entered it.
import { useQuery } from '@tanstack/react-query'
import { formatDate } from '#domain/format.ts'
import { monthName, type OriginLine, originLabel } from '#domain/origins/costs.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { type SpendMonth, spendMonthsQuery } from './data.ts'
import { nameOf } from './lines.tsx'
import { SpendField } from './spend-field.tsx'

export function MonthsCard({ line, month, today }: { line: OriginLine; month: string; today: string }) {
  const written = { origin: line.origin, campaign: line.campaign === null ? '' : line.name }
  const read = useQuery(spendMonthsQuery(written, month))
  const name = nameOf(line)
  return (
    <section
      aria-label={`Gasto de ${name} por mês`}
      className="rounded-card bg-surface px-5 py-4 shadow-card"
    >
      <h2 className="text-15 font-semibold">{name}</h2>
      <p className="text-13 text-text-3">
        {line.campaign === null ? 'Gasto por mês' : `${originLabel(line.origin)} · gasto por mês`}
      </p>
      {!read.data &&
        (read.error ? <FailedRead of={read} isRow /> : <Skeleton className="mt-3 h-32 rounded-md!" />)}
      <ul className="flex flex-col gap-1.5 pt-2.5">
        {read.data?.map((one) => (
          <li key={one.month} className="flex items-center justify-between gap-3">
            <span className="text-14 font-medium">
              {monthName(one.month, today)}
              <span className="block text-12 font-regular text-text-3">{toldText(one)}</span>
            </span>
            <SpendField
              line={written}
              month={one.month}
              cents={one.cents}
              label={`${name} em ${monthName(one.month, today).toLowerCase()}`}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

function toldText({ cents, how, by, at }: SpendMonth): string {
  if (cents === null || at === null) return 'sem gasto informado'
  const when = formatDate(Date.parse(at))
  return how === 'file'
    ? `importado de CSV em ${when}`
    : `digitado em ${when}${by === null ? '' : ` por ${by}`}`
}
