// The left line of a card where leads of several brokers stand together: whose lead it is, or what of it waits for the person.
import { displayName } from '#domain/broker.ts'
import { initialOf } from '#ui/primitives/avatar.tsx'
import { hueOf } from '#ui/primitives/hue.ts'
import { SyncLine } from '../day/day-line.tsx'
import type { CardLineProps } from './card-actions.ts'

export function BrokerLine(props: CardLineProps) {
  const { lead } = props
  if (lead.waiting) return <SyncLine {...props} />
  const name = displayName(lead.instanceName)
  return (
    <span
      aria-hidden
      data-initial={initialOf(name)}
      data-hue={hueOf(name)}
      // The picture is taller than the line, which must not cut it.
      className="relative -my-0.5 min-w-0 flex-[1_1_0] truncate py-0.5 pl-6.25 text-12"
    >
      {name}
    </span>
  )
}
