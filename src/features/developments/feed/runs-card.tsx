// Lists the last readings of the feed, and why one was refused.
import { CircleAlert, CircleCheck, CircleDot, ShieldAlert, type LucideIcon } from 'lucide-react'
import { countOf } from '#domain/count.ts'
import { formatDateTime } from '#domain/format.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Card } from '#ui/primitives/card.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import type { FeedRun, WaitingRun } from './feed-data.ts'

type RefusedCardProps = { run: WaitingRun; onSeeGone: () => void; onApply: () => void }

/** For example 'Leitura de 21/11 recusada'. */
export function RefusedCard({ run, onSeeGone, onApply }: RefusedCardProps) {
  return (
    <section role="alert" className="flex gap-3.5 rounded-lg bg-surface px-4 py-4 shadow-card lg:px-5">
      <span className="inline-flex size-10 shrink-0 items-center justify-center rounded-md bg-danger-soft text-on-danger-soft">
        <Icon of={ShieldAlert} />
      </span>
      <div>
        <h2 className="text-15 font-semibold">
          Leitura de {formatDateTime(Date.parse(run.started_at)).slice(0, 5)} recusada
        </h2>
        <p className="mt-1 text-13 leading-normal text-text-2">{run.fault}</p>
        {run.gone > 0 && (
          <div className="mt-3 flex flex-wrap gap-2">
            <Button size="small" variant="soft" onClick={onSeeGone}>
              {run.gone === 1 ? 'Ver o que sumiu' : `Ver os ${run.gone}`}
            </Button>
            <Button size="small" variant="line" onClick={onApply}>
              Aplicar mesmo assim…
            </Button>
          </div>
        )}
      </div>
    </section>
  )
}

const SIGN: Record<FeedRun['state'], { icon: LucideIcon; className: string }> = {
  reading: { icon: CircleDot, className: 'text-primary' },
  waiting: { icon: CircleDot, className: 'text-primary' },
  applied: { icon: CircleCheck, className: 'text-success' },
  same: { icon: CircleCheck, className: 'text-success' },
  replaced: { icon: CircleDot, className: 'text-text-3' },
  refused: { icon: ShieldAlert, className: 'text-danger' },
  failed: { icon: CircleAlert, className: 'text-warning' },
}

function runText({ state, fault, added, changed, gone, applied, total }: FeedRun): string {
  switch (state) {
    case 'reading':
      return 'Lendo…'
    case 'waiting':
      return `${countOf(added + gone + Math.max(0, changed - applied), 'mudança esperando', 'mudanças esperando')} você`
    case 'applied':
      return countOf(applied, 'mudança aplicada', 'mudanças aplicadas')
    case 'same':
      return 'Sem mudanças'
    case 'replaced':
      return `${countOf(total, 'imóvel', 'imóveis')}, trocada por outra leitura`
    case 'refused':
      return total === 0 ? 'Recusada: veio sem imóveis' : 'Recusada: metade sumiria'
    case 'failed':
      return (fault ?? 'Não deu certo').replace(' Nada mudou.', '')
  }
}

export function RunsCard({ runs }: { runs: readonly FeedRun[] }) {
  if (runs.length === 0) return null
  return (
    <Card title="Últimas leituras">
      <ul>
        {runs.map((run) => (
          <li
            key={run.id}
            className="flex min-h-13 items-center gap-3 border-t border-border px-4 py-2 lg:px-5"
          >
            <span className={SIGN[run.state].className}>
              <Icon of={SIGN[run.state].icon} size={18} />
            </span>
            <span className="min-w-0">
              <span className="block text-14 font-medium wrap-anywhere">{runText(run)}</span>
              <span className="block text-13 text-text-3 tabular-nums">
                {formatDateTime(Date.parse(run.started_at))}
                {run.source === 'file' ? ' · arquivo' : ''}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
