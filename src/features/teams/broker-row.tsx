// A broker's row in a team: a handle to move the broker by drag or keys, how many leads, and a menu that moves the
// broker too.
import { useDraggable } from '@dnd-kit/core'
import { EllipsisVertical, GripVertical } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { displayName } from '#domain/broker.ts'
import { countOf } from '#domain/count.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { IconButton } from '#ui/primitives/button.tsx'
import { classNames } from '#ui/primitives/class-names.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import type { Spot } from '#ui/primitives/overlay/action-menu.tsx'
import type { TeamBroker } from './data.ts'

type BrokerRowProps = {
  broker: TeamBroker
  isOff: boolean
  /** True while the user moves this broker with the keyboard. */
  isCarried: boolean
  onKey: (event: KeyboardEvent) => void
  onLeave: () => void
  onMenu: (spot: Spot) => void
}

/** Returns the id of a broker's handle, which gets the focus after a move. */
export const handleId = (broker: TeamBroker) => `equipe-${broker.id}`

export function BrokerRow({ broker, isOff, isCarried, onKey, onLeave, onMenu }: BrokerRowProps) {
  const { listeners, setNodeRef, isDragging } = useDraggable({ id: broker.id, disabled: isOff })
  const name = displayName(broker.instanceName)
  return (
    <li
      ref={setNodeRef}
      {...listeners}
      className={classNames(
        'flex min-h-12 touch-manipulation items-center gap-2.5 border-t border-border px-2 select-none pointer-coarse:min-h-14',
        isDragging && '*:invisible',
        !isOff && 'cursor-grab',
        isCarried && 'rounded-md outline-2 -outline-offset-2 outline-primary',
      )}
    >
      <button
        type="button"
        id={handleId(broker)}
        aria-label={`Mover ${name} de equipe`}
        aria-pressed={isCarried}
        disabled={isOff}
        onKeyDown={onKey}
        onBlur={onLeave}
        className="inline-flex h-9 w-6 shrink-0 cursor-[inherit] items-center justify-center rounded-sm text-text-3 disabled:opacity-40 pointer-coarse:h-11"
      >
        <Icon of={GripVertical} size={16} />
      </button>
      <Face broker={broker} />
      <IconButton
        icon={EllipsisVertical}
        variant="quietSmall"
        label={`Mais opções de ${name}`}
        disabled={isOff}
        onClick={({ currentTarget }) => onMenu(spotBelow(currentTarget))}
      />
    </li>
  )
}

/** The copy of the row that follows the pointer during a drag. */
export function CarriedRow({ broker }: { broker: TeamBroker }) {
  return (
    <div className="flex min-h-12 rotate-[-1.5deg] cursor-grabbing items-center gap-2.5 rounded-md bg-surface px-2 shadow-lift">
      <span className="inline-flex w-6 justify-center text-text-3">
        <Icon of={GripVertical} size={16} />
      </span>
      <Face broker={broker} />
      <span className="w-8" />
    </div>
  )
}

function Face({ broker: { instanceName, isLinked, leads } }: { broker: TeamBroker }) {
  const name = displayName(instanceName)
  return (
    <>
      <Avatar name={name} size={32} dot={isLinked ? 'on' : 'off'} />
      <span className="min-w-0 grow truncate font-medium">
        {name}
        <span className="sr-only">{isLinked ? ', WhatsApp conectado' : ', WhatsApp desconectado'}</span>
      </span>
      <span className="shrink-0 text-13 text-text-3 tabular-nums">{countOf(leads, 'lead', 'leads')}</span>
    </>
  )
}

export function spotBelow(element: Element): Spot {
  const { right, bottom } = element.getBoundingClientRect()
  return { x: right, y: bottom + 6 }
}
