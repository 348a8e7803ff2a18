// The dialog with further details of a plan: rooms, upper limits and its drawing. It can also remove the plan.
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { DETAILS, type Detail } from '#domain/development/edit.ts'
import { TextField } from '#ui/forms/field.tsx'
import { SelectField } from '#ui/forms/select-field.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import type { PlanTexts } from '#domain/development/edit.ts'
import type { DevelopmentDraft } from './use-development-draft.ts'

const LABEL: Record<Detail, string> = {
  bedrooms: 'Quartos',
  suites: 'Suítes',
  parking: 'Vagas',
  areaTo: 'Área até',
  priceTo: 'Preço até',
}

type PlanDialogProps = {
  /** Null while the dialog is closed. */
  plan: PlanTexts | null
  draft: DevelopmentDraft
  isOff: boolean
  onClose: () => void
}

export function PlanDialog({ plan, draft, isOff, onClose }: PlanDialogProps) {
  // The closing animation still shows this plan, so that its text does not vanish at once.
  const [last, setLast] = useState(plan)
  if (plan && plan !== last) setLast(plan)
  if (!last) return null
  const drawings = draft.edit.media.filter(({ kind }) => kind === 'planta')
  const remove = () => {
    onClose()
    draft.change({ plans: draft.edit.plans.filter(({ key }) => key !== last.key) })
  }
  return (
    <Dialog isOpen={plan !== null} onClose={onClose} title={last.name || 'Planta'}>
      <div className="flex flex-col gap-4 px-3">
        <div className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-3">
          {DETAILS.map((detail) => (
            <TextField
              key={detail}
              label={LABEL[detail]}
              value={last[detail]}
              readOnly={isOff}
              autoComplete="off"
              error={draft.faults.get(`${last.key}.${detail}`)}
              onChange={({ target }) => draft.changePlan(last.key, { [detail]: target.value })}
            />
          ))}
        </div>
        {drawings.length > 0 && (
          <SelectField
            label="Desenho"
            value={last.drawingId ?? ''}
            disabled={isOff}
            onChange={({ target }) =>
              draft.changePlan(last.key, { drawingId: target.value === '' ? null : Number(target.value) })
            }
          >
            <option value="">Nenhum</option>
            {drawings.map(({ id, title, fileName }) => (
              <option key={id} value={id}>
                {title ?? fileName}
              </option>
            ))}
          </SelectField>
        )}
        <div className="flex flex-wrap justify-between gap-2">
          <Button variant="dangerLine" icon={Trash2} disabled={isOff} onClick={remove}>
            Tirar planta
          </Button>
          <Button onClick={onClose}>Pronto</Button>
        </div>
        <p className="text-13 text-text-3">Vale quando você salvar o empreendimento.</p>
      </div>
    </Dialog>
  )
}
