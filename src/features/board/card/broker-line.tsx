// The left line of a card on a board of several brokers: the lead's broker, or its outbox entry.
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
      // The picture is taller than the line, whose overflow is hidden, so padding makes space for it.
      className="relative -my-0.5 min-w-0 flex-[1_1_0] truncate py-0.5 pl-6.25 text-12"
    >
      {name}
    </span>
  )
}
