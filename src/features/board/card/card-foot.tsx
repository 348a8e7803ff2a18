// The foot of a card: one line about the lead (chosen by day/line-view.ts), and its buttons.
import type { Lead } from '#domain/lead/lead.ts'
import { IconButton } from '#ui/primitives/button.tsx'
import { classNames } from '#ui/primitives/class-names.ts'
import type { CardActions, Density } from '../ground/card-actions.ts'

const VARIANTS = {
  roomy: {
    foot: 'col-span-2 col-start-2 min-h-11 max-[23rem]:col-span-3 max-[23rem]:col-start-1',
    button: 'quiet',
  },
  compact: { foot: 'col-span-3 mt-1 min-h-8', button: 'quietSmall' },
} as const

type CardFootProps = CardActions & { lead: Lead; density: Density }

export function CardFoot({ lead, density, Line, onNotes, onMoveSheet, ...doors }: CardFootProps) {
  const { foot, button } = VARIANTS[density]
  return (
    <footer
      className={classNames(
        'flex items-center justify-end gap-x-0.5 text-text-3 group-data-fresh:text-text-2',
        foot,
      )}
    >
      {Line && <Line lead={lead} density={density} {...doors} />}
      <IconButton icon="note" label="Notas" variant={button} tabIndex={-1} onClick={() => onNotes(lead.id)} />
      <IconButton
        icon="move"
        label="Mover para outro estágio"
        variant={button}
        tabIndex={-1}
        onClick={() => onMoveSheet(lead.id)}
      />
    </footer>
  )
}
