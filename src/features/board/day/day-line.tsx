// The line at a card's lower left, which opens the lead's next step or its pending changes.
import type { CSSProperties } from 'react'
import { useAnswerTarget } from '#data/answer-target.ts'
import { useCounted } from '#data/broker-day.ts'
import { useNow } from '#ui/now.ts'
import { RETRY } from '#ui/texts.ts'
import type { CardLineProps } from '../ground/card-actions.ts'
import { GLYPHS } from './glyphs.ts'
import { type Line, lineOf } from './line-view.ts'

/** The line is one element, because the page holds many cards at once. */
export function DayLine(props: CardLineProps) {
  const nowMs = useNow()
  const targetMs = useAnswerTarget()
  const counted = useCounted()
  const { lead, density, onNext } = props
  if (lead.waiting) return <SyncLine {...props} />
  const { words, ...style } = lineOf(lead, { nowMs, targetMs, counted: counted.get(lead.id) }, density)
  return (
    <button type="button" tabIndex={-1} onClick={() => onNext?.(lead.id)} {...looksOf(style, density)}>
      {words}
    </button>
  )
}

/** The line of a card with changes that the server does not have yet. */
export function SyncLine({ lead, density, onPending }: CardLineProps) {
  const nowMs = useNow()
  const { waiting } = lead
  const action = waiting !== 'queue' && (waiting === 'conflict' ? 'Resolver' : RETRY)
  const { words, ...style } = lineOf(lead, { nowMs }, density)
  return (
    <>
      <span {...looksOf(style, density)}>{words}</span>
      {action && onPending && (
        <button
          type="button"
          tabIndex={-1}
          onClick={() => onPending(lead.id)}
          className="min-h-11 rounded-md px-0.5 font-semibold text-primary"
        >
          {action}
        </button>
      )}
    </>
  )
}

const looksOf = ({ glyph, tone }: Omit<Line, 'words'>, density: CardLineProps['density']) => ({
  'data-glyph': glyph,
  'data-tone': tone,
  'data-density': density,
  className: 'day-line',
  style: {
    '--glyph': GLYPHS[glyph],
    // The clip leaves presses above and below the words to the card.
    clipPath: density === 'roomy' ? 'inset(10px 0)' : undefined,
  } as CSSProperties,
})
