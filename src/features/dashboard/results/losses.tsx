// Shows why leads were lost in the period, and which of its visits were not held. Both open their lists.
import { countOf, formatNumber } from '#domain/count.ts'
import type { Figures } from '#domain/dashboard/results/figures.ts'
import { lossLabel } from '#domain/lead/fields.ts'
import type { OpenFigure } from './lines.tsx'

type LossesProps = { figures: Figures; onOpen: OpenFigure }

export function Losses({ figures: { losses, lost, held, missed, untold }, onOpen }: LossesProps) {
  const most = Math.max(...losses.map(({ leads }) => leads), 1)
  const visits = [
    ['held', 'Feitas', held],
    ['missed', 'Com falta', missed],
    ['untold', 'Passaram sem resultado', untold],
  ] as const
  return (
    <div className="grid gap-3 md:grid-cols-2 lg:gap-4">
      <Card
        title="Perdidos por motivo"
        hint={lost === 0 ? 'Nenhum lead perdido.' : countOf(lost, 'lead', 'leads')}
      >
        {losses.map(({ reason, leads, percent }) => (
          <Row
            key={reason}
            name={lossLabel(reason)}
            count={leads}
            hint={percent === null ? '' : `${percent}%`}
            ratio={leads / most}
            onOpen={() => onOpen({ name: 'lost', broker: null, team: null, part: reason })}
          />
        ))}
      </Card>
      <Card title="Visitas do período" hint="Pelo dia da visita; canceladas não contam.">
        {visits.map(([name, label, count]) => (
          <Row
            key={name}
            name={label}
            count={count}
            hint=""
            ratio={count / Math.max(held, missed, untold, 1)}
            onOpen={count > 0 ? () => onOpen({ name, broker: null, team: null, part: null }) : undefined}
          />
        ))}
      </Card>
    </div>
  )
}

function Card({ title, hint, children }: { title: string; hint: string; children: React.ReactNode }) {
  return (
    <section aria-label={title} className="min-w-0 rounded-card bg-surface px-5 py-4 shadow-card">
      <h2 className="text-16 font-semibold">{title}</h2>
      <p className="text-13 text-text-3">{hint}</p>
      <ul className="pt-2">{children}</ul>
    </section>
  )
}

type RowProps = { name: string; count: number; hint: string; ratio: number; onOpen: (() => void) | undefined }

function Row({ name, count, hint, ratio, onOpen }: RowProps) {
  return (
    <li className="relative flex min-h-11 items-center gap-x-3 lg:min-h-9">
      <span className="min-w-0 grow text-14">{name}</span>
      <span aria-hidden className="h-1.5 w-24 shrink-0 overflow-hidden max-lg:w-14 rounded-full bg-surface-3">
        <span className="block h-full rounded-full bg-primary" style={{ width: `${100 * ratio}%` }} />
      </span>
      <span className="w-9 shrink-0 text-right text-13 text-text-3 tabular-nums">{hint}</span>
      <span className="min-w-9 text-right font-semibold tabular-nums">{formatNumber(count)}</span>
      {onOpen && (
        <button
          type="button"
          aria-label={`${name}: ${count}. Ver leads`}
          onClick={onOpen}
          className="absolute -inset-x-2 inset-y-0 rounded-md hover:bg-text/4"
        />
      )}
    </li>
  )
}
