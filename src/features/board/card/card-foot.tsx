// The foot of a card: whose lead it is, and its buttons, each one tap away.
import type { ReactNode } from 'react'
import { brokerLabel, displayName } from '#domain/broker.ts'
import type { Lead } from '#domain/lead.ts'
import { initialOf } from '#ui/primitives/avatar.tsx'
import { IconButton } from '#ui/primitives/button.tsx'
import { classNames } from '#ui/primitives/class-names.ts'
import { hueOf } from '#ui/primitives/hue.ts'
import type { CardActions, Density } from './card-actions.ts'
import { MOVE, NOTES } from '../texts.ts'

const VARIANTS = {
  roomy: {
    foot: 'col-span-2 col-start-2 min-h-11 text-13 max-[350px]:col-span-3 max-[350px]:col-start-1',
    button: 'quiet',
  },
  compact: { foot: 'col-span-3 mt-1 min-h-8.5 text-12', button: 'quietSmall' },
} as const

type CardFootProps = CardActions & {
  lead: Lead
  density: Density
  children: ReactNode
}

export function CardFoot({ lead, density, children, ...actions }: CardFootProps) {
  const buttons = <Buttons lead={lead} density={density} {...actions} />
  return (
    <footer
      className={classNames(
        'flex flex-wrap items-center justify-end gap-x-0.5 text-text-3 group-data-fresh:text-text-2',
        VARIANTS[density].foot,
      )}
    >
      <BrokerSign lead={lead} density={density} />
      {children}
      {/* Where large text leaves no room, they go below together. */}
      {density === 'roomy' ? <span className="flex items-center gap-x-0.5">{buttons}</span> : buttons}
    </footer>
  )
}

function Buttons({ lead, density, onNotes, onMoveSheet }: Omit<CardFootProps, 'children'>) {
  const { button } = VARIANTS[density]
  return (
    <>
      <IconButton icon="note" label={NOTES} variant={button} tabIndex={-1} onClick={() => onNotes(lead.id)} />
      <IconButton
        icon="move"
        label={MOVE}
        variant={button}
        tabIndex={-1}
        onClick={() => onMoveSheet(lead.id)}
      />
    </>
  )
}

const SIGN = 'relative min-w-0 flex-[1_1_0] truncate'

function BrokerSign({ lead, density }: { lead: Lead; density: Density }) {
  if (density === 'roomy') {
    return (
      <span data-glyph="person" className={`${SIGN} pl-4.75`}>
        {brokerLabel(lead.instanceName)}
      </span>
    )
  }
  // With a picture he is called as in the list of brokers beside.
  const name = displayName(lead.instanceName)
  return (
    <span
      data-initial={initialOf(name)}
      data-hue={hueOf(name)}
      // His picture is taller than the line, which must not cut it.
      className={`${SIGN} -my-0.5 py-0.5 pl-6.25`}
    >
      {name}
    </span>
  )
}
