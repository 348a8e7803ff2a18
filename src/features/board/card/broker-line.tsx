// The line at a card's lower left on a board of several brokers: the lead's broker, or its pending change.
import { displayName } from '#domain/broker.ts'
import { initialOf } from '#ui/primitives/avatar.tsx'
import { hueOf } from '#ui/primitives/hue.ts'
import { SyncLine } from '../day/day-line.tsx'
import type { CardLineProps } from '../ground/card-actions.ts'

export function BrokerLine(props: CardLineProps) {
  const { lead } = props
  if (lead.waiting) return <SyncLine {...props} />
  const name = displayName(lead.instanceName)
  return (
    <span
      aria-hidden
      data-initial={initialOf(name)}
      data-hue={hueOf(name)}
      // The padding makes room for the broker's picture, which is taller than the line and would be cut off.
      className="relative -my-0.5 min-w-0 flex-[1_1_0] truncate py-0.5 pl-6.25 text-12"
    >
      {name}
    </span>
  )
}
