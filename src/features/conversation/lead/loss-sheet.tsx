// Asks for the reason of a loss, after the lead was moved already.
import { type SyntheticEvent, useState } from 'react'
import { saveFields } from './data.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import { LOSS_REASONS, type LossReason } from '#domain/lead/fields.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { FIELDS_FAILED } from './texts.ts'

const isIn = (name: string, stage: string) => `${name} já está em ${stage}.`

const WHY_LOST = 'Por que arquivar?'

const REASONS = Object.entries(LOSS_REASONS) as [LossReason, string][]

type LossSheetProps = {
  /** The lead whose loss reason is asked for; undefined while the sheet is closed. */
  lead: Lead | undefined
  stageName: string
  onClose: () => void
}

export function LossSheet({ lead, stageName, onClose }: LossSheetProps) {
  // The closing animation still shows this lead, so that the text does not vanish at once.
  const [last, setLast] = useState(lead)
  if (lead && lead !== last) setLast(lead)
  if (!last) return null
  return (
    <Dialog
      isOpen={lead !== undefined}
      onClose={onClose}
      title={WHY_LOST}
      subtitle={isIn(leadTitle(last), stageName)}
    >
      <Reasons key={last.id} lead={last} onClose={onClose} />
    </Dialog>
  )
}

function Reasons({ lead, onClose }: { lead: Lead; onClose: () => void }) {
  const [chosen, setChosen] = useState<LossReason | null>(null)
  const save = (event: SyntheticEvent) => {
    event.preventDefault()
    if (chosen === null) return
    onClose()
    saveFields(lead, { loss_reason: chosen }, {}).catch(() => toast(FIELDS_FAILED, 'error'))
  }
  return (
    <form onSubmit={save}>
      <fieldset>
        <legend className="sr-only">{WHY_LOST}</legend>
        {REASONS.map(([reason, label]) => (
          <label
            key={reason}
            className="relative flex min-h-14 cursor-pointer items-center rounded-lg px-4 text-16 has-checked:bg-primary-soft has-checked:font-semibold has-checked:text-on-primary-soft has-focus-visible:shadow-focus"
          >
            <input
              type="radio"
              name="loss"
              className="sr-only"
              checked={chosen === reason}
              onChange={() => setChosen(reason)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <div className="flex gap-2.5 px-3 pt-4 *:grow">
        <Button variant="line" onClick={onClose}>
          Pular
        </Button>
        <Button type="submit" disabled={chosen === null}>
          Salvar motivo
        </Button>
      </div>
    </form>
  )
}
