// The left line of a card: opens the next step or, if the lead has outbox entries, shows those.
import type { CSSProperties } from 'react'
import { useAnswerTarget } from '#data/answer-target.ts'
import { useCounted } from '#data/broker-day.ts'
import { useNow } from '#ui/now.ts'
import { RETRY } from '#ui/texts.ts'
import type { CardLineProps } from '../ground/card-actions.ts'
import { GLYPHS } from './glyphs.ts'
import { type Line, lineOf } from './line-view.ts'

/** One element per card, because a board keeps many cards in the page. */
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

/** The line for changes that are not on the server yet. */
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
    // Above and below the words a press is the card's.
    clipPath: density === 'roomy' ? 'inset(10px 0)' : undefined,
  } as CSSProperties,
})
