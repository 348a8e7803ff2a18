// The heading row and the rows of the table 'Plantas e preços'.
import { EllipsisVertical, GripVertical } from 'lucide-react'
import type { ClipboardEvent, KeyboardEvent } from 'react'
import { CELLS, type Cell, type PlanTexts, readDay } from '#domain/development/edit.ts'
import { dayText } from '#domain/development/price-words.ts'
import { IconButton } from '#ui/primitives/button.tsx'
import { classNames } from '#ui/primitives/class-names.ts'
import { Picture } from '../picture.tsx'
import { stepByKey, useOrdered } from './order.tsx'
import { SheetCell } from './sheet-cell.tsx'
import type { DevelopmentDraft } from './use-development-draft.ts'
import type { Place } from './use-sheet.ts'

const HEAD: Record<Cell, { title: string; placeholder: string; look: string }> = {
  name: { title: 'Planta', placeholder: '2 quartos', look: 'w-full min-w-36' },
  area: { title: 'Área', placeholder: '62 m²', look: 'w-24 text-right' },
  price: { title: 'A partir de', placeholder: 'R$ 412.000', look: 'w-32 text-right' },
  validUntil: { title: 'Vale até', placeholder: '30/11/2026', look: 'w-30 text-right' },
  unitsLeft: { title: 'Unidades', placeholder: '–', look: 'w-20 text-right' },
}

export const PlanHeads = () => (
  <thead>
    <tr>
      <th className="w-11">
        <span className="sr-only">Ordem</span>
      </th>
      <th className="w-11">
        <span className="sr-only">Desenho</span>
      </th>
      {CELLS.map((cell) => (
        <th
          key={cell}
          scope="col"
          className={classNames(
            'px-1.5 pb-1.5 text-12 font-medium text-text-3',
            cell === 'name' ? 'text-left' : 'text-right',
          )}
        >
          {HEAD[cell].title}
        </th>
      ))}
      <th className="w-11">
        <span className="sr-only">Mais</span>
      </th>
    </tr>
  </thead>
)

type PlanRowProps = {
  plan: PlanTexts
  /** The address of the plan's small drawing. */
  drawing: string | undefined
  row: number
  draft: DevelopmentDraft
  today: string
  isOff: boolean
  onKey: (event: KeyboardEvent, at: Place<Cell>) => void
  onPaste: (event: ClipboardEvent, at: Place<Cell>) => void
  onOpen: () => void
}

export function PlanRow({ plan, drawing, row, draft, today, isOff, onKey, onPaste, onOpen }: PlanRowProps) {
  const { ref, style, listeners, isAimedAt } = useOrdered(plan.key, isOff)
  const name = plan.name || `Linha ${row + 1}`
  const faultOf = (cell: Cell) => draft.faults.get(`${plan.key}.${cell}`)
  const isExpired = (readDay(plan.validUntil) ?? today) < today
  const tidy = () => {
    const day = readDay(plan.validUntil)
    if (day !== null && dayText(day) !== plan.validUntil)
      draft.changePlan(plan.key, { validUntil: dayText(day) })
  }
  return (
    <tr
      ref={ref}
      style={style}
      className={classNames('bg-surface border-t border-border', isAimedAt && 'bg-primary-soft!')}
    >
      <td className="pl-2" {...listeners}>
        <IconButton
          icon={GripVertical}
          label={`Ordenar ${name}: setas para cima e para baixo`}
          variant="quietSmall"
          disabled={isOff}
          onKeyDown={(event) =>
            stepByKey(event, {
              rows: draft.edit.plans,
              at: row,
              nameOf: (one) => one.name || 'Planta',
              onOrder: (plans) => draft.change({ plans }),
            })
          }
        />
      </td>
      <td className="py-1.5 pl-1">
        <Picture url={drawing} className="h-8 w-11 shadow-line [img&]:bg-white" />
      </td>
      {CELLS.map((cell) => (
        <td key={cell} className={classNames('px-1.5 py-1.5 align-top', cell !== 'name' && 'w-px')}>
          <SheetCell
            id={`${plan.key}.${cell}`}
            place={{ row, cell }}
            label={`${HEAD[cell].title}, ${name}`}
            value={plan[cell]}
            fault={faultOf(cell)}
            isOff={isOff}
            placeholder={HEAD[cell].placeholder}
            inputMode={cell === 'unitsLeft' ? 'numeric' : undefined}
            onValue={(value) => draft.changePlan(plan.key, { [cell]: value })}
            onBlur={cell === 'validUntil' ? tidy : undefined}
            onKey={onKey}
            onPaste={onPaste}
            className={classNames(
              HEAD[cell].look,
              cell === 'validUntil' &&
                isExpired &&
                faultOf(cell) === undefined &&
                'text-warning inset-ring inset-ring-warning',
            )}
          />
        </td>
      ))}
      <td className="pr-2">
        <IconButton icon={EllipsisVertical} label={`Mais de ${name}`} variant="quietSmall" onClick={onOpen} />
      </td>
    </tr>
  )
}
