// One quiet line on a card while something done to it is not on the server.
import { CircleAlert, Clock3, GitCompareArrows } from 'lucide-react'
import type { Lead } from '#domain/lead.ts'
import { classNames } from '#ui/primitives/class-names.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { RETRY } from '#ui/texts.ts'
import type { CardActions, Density } from './card-actions.ts'
import { RESOLVE, WAITING } from '../texts.ts'

type Waiting = NonNullable<Lead['waiting']>

const SIGN = {
  queue: { icon: Clock3, className: 'text-text-2', action: null },
  conflict: { icon: GitCompareArrows, className: 'text-on-warning-soft', action: RESOLVE },
  refused: { icon: CircleAlert, className: 'text-danger', action: RETRY },
} satisfies Record<Waiting, unknown>

type SyncStatusProps = Pick<CardActions, 'onPending'> & { lead: Lead; waiting: Waiting; density: Density }

export function SyncStatus({ lead, waiting, density, onPending }: SyncStatusProps) {
  const { icon, className, action } = SIGN[waiting]
  return (
    <p
      className={classNames(
        'mt-2.25 flex flex-wrap items-center gap-x-1.5 text-13 font-medium',
        density === 'roomy' ? 'col-span-2 col-start-2' : 'col-span-3',
        className,
      )}
    >
      <Icon of={icon} size={16} />
      <span>{WAITING[waiting]}</span>
      {action && onPending && (
        <button
          type="button"
          tabIndex={-1}
          onClick={() => onPending(lead.id)}
          className="-my-3 ml-auto min-h-11 rounded-md px-0.5 font-semibold text-primary"
        >
          {action}
        </button>
      )}
    </p>
  )
}
