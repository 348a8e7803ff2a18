// 'Filtros Aplicados': the active filter, with buttons to change and remove it.
import { SlidersHorizontal, X } from 'lucide-react'
import type { LeadFilter } from '../data.ts'
import { formatSpan } from '#domain/dashboard/period.ts'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { choiceText } from '../texts.ts'

const APPLIED = 'Filtros Aplicados'

type AppliedFilterProps = { filter: LeadFilter; onEdit: () => void; onClose: () => void }

export function AppliedFilter({ filter, onEdit, onClose }: AppliedFilterProps) {
  return (
    <section
      aria-label={APPLIED}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg bg-primary-soft py-2 pr-2 pl-4 text-on-primary-soft lg:pl-5"
    >
      <Icon of={SlidersHorizontal} size={18} />
      <div className="min-w-0 grow basis-56">
        <h2 className="text-14 font-semibold">{APPLIED}</h2>
        <p className="text-14">
          {`${formatSpan(filter.span)} · ${choiceText(filter.developments.length, filter.brokers.length)}`}
        </p>
      </div>
      <div className="ml-auto flex items-center gap-1">
        <Button variant="line" onClick={onEdit}>
          Editar Filtro
        </Button>
        <IconButton icon={X} label="Fechar filtro" variant="quiet" onClick={onClose} />
      </div>
    </section>
  )
}
