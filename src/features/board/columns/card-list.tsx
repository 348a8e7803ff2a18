// A list of cards. It renders the first few at once, and the others once the windowing code is loaded.
import { useState } from 'react'
import { useArrival } from '#ui/arrival.ts'
import { lazily } from '#ui/lazily.ts'
import { useNow } from '#ui/now.ts'
import { classNames } from '#ui/primitives/class-names.ts'
import { LeadCard } from '../card/lead-card.tsx'
import { type CardListProps, MEASURE } from './list-shape.ts'
import { useSteadyWhilePressed } from './use-steady-list.ts'

export const windowed = lazily(async () => (await import('./windowed-cards.tsx')).WindowedCards)

/** Eight cards fill a tall phone. */
const FIRST = 8

export function CardList(props: CardListProps) {
  const [wasHere] = useState(windowed.isHere)
  const hasArrived = useArrival(windowed.load)
  // The list does not switch while a finger or the mouse presses it, because the pressed card would be replaced.
  const isHere = useSteadyWhilePressed(wasHere || hasArrived, props.scroller)
  return isHere ? <windowed.Component {...props} /> : <FirstCards {...props} />
}

function FirstCards({
  leads,
  density,
  label,
  hasTabStop = true,
  draggedId,
  stageOf,
  ...rest
}: CardListProps) {
  const { scroller: _, place: __, onLeave: ___, ref: ____, ...actions } = rest
  const nowMs = useNow()
  const { gap, height, className } = MEASURE[density]
  return (
    <div
      role="feed"
      aria-label={label}
      className={classNames('flex flex-col', className)}
      style={{ minHeight: leads.length * (height + gap) }}
    >
      {leads.slice(0, FIRST).map((lead, index) => (
        <LeadCard
          key={lead.id}
          lead={lead}
          density={density}
          nowMs={nowMs}
          position={index + 1}
          total={leads.length}
          isTabStop={hasTabStop && index === 0}
          isDragged={lead.id === draggedId}
          stage={stageOf?.(lead)}
          {...actions}
        />
      ))}
    </div>
  )
}
