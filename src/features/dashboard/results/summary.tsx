// Shows five figures of everybody together, each compared with the days before.
import { formatNumber } from '#domain/count.ts'
import {
  compareCents,
  compareCounts,
  type Compared,
  compareMedians,
  comparePercents,
  type Lengths,
} from '#domain/dashboard/results/compare.ts'
import {
  answeredShare,
  FEW,
  heldShare,
  medianText,
  medianTitle,
  percentText,
  type Share,
  wonText,
} from '#domain/dashboard/results/figures.ts'
import type { Line } from '#domain/dashboard/results/lines.ts'
import { spanWords } from '#domain/lead/path.ts'
import type { ResultFigure } from './data.ts'
import type { OpenFigure } from './lines.tsx'

const TONE = { better: 'text-success', worse: 'text-warning', even: 'text-text-3' }

type SummaryProps = { total: Line; lengths: Lengths; onOpen: OpenFigure }

export function Summary({ total, lengths, onOpen }: SummaryProps) {
  return (
    <section
      aria-label="Total"
      className="grid grid-cols-2 overflow-hidden rounded-card bg-surface shadow-card md:grid-cols-5"
    >
      {figuresOf(total, lengths).map(({ title, name, count, shown, hint, below }) => (
        <div
          key={title}
          className="relative min-w-0 border-border px-4 py-3 max-md:border-b max-md:last:col-span-2 max-md:last:border-b-0 lg:px-5 md:not-first:border-l"
        >
          <h2 className="text-13 font-medium text-text-2">{title}</h2>
          <p className="pt-0.5 text-20 font-semibold tracking-name tabular-nums" title={hint}>
            {shown}
          </p>
          {below && <p className={`text-13 ${TONE[below.tone]}`}>{below.text}</p>}
          {count > 0 && (
            <button
              type="button"
              aria-label={`${title}: ${shown}. Ver leads`}
              title={hint}
              onClick={() => onOpen({ name, broker: null, team: null, part: null })}
              className="absolute inset-1 rounded-md hover:bg-text/4"
            />
          )}
        </div>
      ))}
    </section>
  )
}

type Shown = {
  title: string
  name: ResultFigure['name']
  count: number
  shown: string
  hint?: string
  below: Compared | null
}

function figuresOf({ now, before }: Line, lengths: Lengths): Shown[] {
  return [
    {
      title: 'Recebidos',
      name: 'received',
      count: now.received,
      shown: formatNumber(now.received),
      below: before && compareCounts(now.received, before.received, lengths),
    },
    {
      title: 'Respondidos',
      name: 'answered',
      count: now.answered,
      shown: formatNumber(now.answered),
      below: rateBelow(answeredShare(now), before && answeredShare(before)),
    },
    {
      title: 'Mediana até a resposta',
      name: 'received',
      count: now.received,
      shown: medianText(now),
      hint: medianTitle(now),
      below:
        before === null || before.median === null || before.received < FEW
          ? null
          : { text: `eram ${spanWords(before.median)}`, tone: compareMedians(now, before)?.tone ?? 'even' },
    },
    {
      title: 'Visitas feitas',
      name: 'held',
      count: now.held,
      shown:
        now.held + now.missed === 0
          ? '0'
          : `${formatNumber(now.held)} de ${formatNumber(now.held + now.missed)}`,
      below: rateBelow(heldShare(now), before && heldShare(before)),
    },
    {
      title: 'Fechados',
      name: 'won',
      count: now.won,
      shown: formatNumber(now.won),
      below: before
        ? {
            ...compareCents(now, before, lengths),
            text: `${wonText(now)} · ${compareCents(now, before, lengths).text}`,
          }
        : { text: wonText(now), tone: 'even' },
    },
  ]
}

/** For example '97% · eram 94%'. Null if fewer than five leads count, because such a percentage tells little. */
function rateBelow(now: Share, before: Share | null): Compared | null {
  if (now.percent === null || now.of < FEW) return null
  const text = percentText(now.percent)
  if (!before || before.percent === null || before.of < FEW) return { text, tone: 'even' }
  return {
    text: `${text} · eram ${percentText(before.percent)}`,
    tone: comparePercents(now, before)?.tone ?? 'even',
  }
}
