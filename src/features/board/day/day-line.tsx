// The left line of a card, which opens the next step; or, where something of the lead waits for the person, the way to that.
import type { CSSProperties } from 'react'
import { brokerLabel } from '#domain/broker.ts'
import { useNow } from '#ui/now.ts'
import { classNames } from '#ui/primitives/class-names.ts'
import { RETRY } from '#ui/texts.ts'
import type { CardLineProps } from '../card/card-actions.ts'
import { RESOLVE } from '../texts.ts'
import { GLYPHS } from './glyphs.ts'
import { type Line, lineOf } from './line-view.ts'

const TONES: Record<Line['tone'], string> = {
  plain: 'text-text-2',
  quiet: 'font-regular text-text-3 group-data-fresh:text-text-2',
  late: 'line-late',
  problem: 'text-danger',
}

const LINE = {
  roomy: 'min-h-11 text-13',
  compact: 'min-h-8 text-12',
}

export function DayLine(props: CardLineProps) {
  const nowMs = useNow()
  const { lead, density, onNext } = props
  if (lead.waiting) return <SyncLine {...props} />
  return (
    <div className="min-w-0 grow">
      <button
        type="button"
        tabIndex={-1}
        onClick={() => onNext?.(lead.id)}
        className={classNames('max-w-full min-w-0 text-left', LINE[density])}
      >
        <Words line={lineOf(lead, nowMs, density)} />
      </button>
      <span className="sr-only">{brokerLabel(lead.instanceName)}</span>
    </div>
  )
}

/** Of what was done to the lead here and is not on the server. */
export function SyncLine({ lead, density, onPending }: CardLineProps) {
  const nowMs = useNow()
  const action = { conflict: RESOLVE, refused: RETRY, queue: null }[lead.waiting ?? 'queue']
  return (
    <span className={classNames('flex min-w-0 grow items-center gap-2', LINE[density])}>
      <Words line={lineOf(lead, nowMs)} />
      {action && onPending && (
        <button
          type="button"
          tabIndex={-1}
          onClick={() => onPending(lead.id)}
          className="ml-auto min-h-11 rounded-md px-0.5 font-semibold text-primary"
        >
          {action}
        </button>
      )}
    </span>
  )
}

function Words({ line: { glyph, words, tone } }: { line: Line }) {
  return (
    <span
      data-glyph={glyph}
      style={{ '--glyph': GLYPHS[glyph] } as CSSProperties}
      className={classNames('flex min-w-0 items-center gap-1.5 font-medium', TONES[tone])}
    >
      <span className="truncate">{words}</span>
    </span>
  )
}
