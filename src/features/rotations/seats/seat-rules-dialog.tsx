// The dialog with a broker's rules in a rotation: on or off, weight, daily limit, shifts.
import { useState } from 'react'
import { displayName } from '#domain/broker.ts'
import { countOf } from '#domain/count.ts'
import type { SeatRules } from '#domain/rotation/rotation.ts'
import { shiftsFault } from '#domain/rotation/editing.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { Switch } from '#ui/forms/switch.tsx'
import { ChoiceField } from '../choice-field.tsx'
import { RULES_OF } from '../texts.ts'
import { ShiftFields } from './shift-fields.tsx'
import { withStanding } from '../number-choices.ts'

const SHIFTS_FAULT = {
  none: 'Adicione ao menos um horário.',
  days: 'Escolha ao menos um dia em cada horário.',
  hours: 'O início e o fim de um horário são iguais.',
}

const WEIGHTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
const CAPS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50]
const NONE = ''

type SeatRulesProps = {
  /** The rules of the broker's seat; null while the dialog is closed. */
  seat: SeatRules | null
  onClose: () => void
  onApply: (seat: SeatRules) => void
}

export function SeatRulesDialog({ seat, ...form }: SeatRulesProps) {
  // The closing animation still shows this seat, so that its text does not vanish at once.
  const [last, setLast] = useState(seat)
  if (seat && seat !== last) setLast(seat)
  if (!last) return null
  return (
    <Dialog
      isOpen={seat !== null}
      onClose={form.onClose}
      title={`${RULES_OF} ${displayName(last.instanceName)}`}
    >
      <RulesForm {...form} seat={last} />
    </Dialog>
  )
}

function RulesForm({ seat, onClose, onApply }: SeatRulesProps & { seat: SeatRules }) {
  const [rules, setRules] = useState(seat)
  const [isTried, setTried] = useState(false)
  const fault = shiftsFault(rules.shifts)
  const change = (part: Partial<SeatRules>) => setRules((before) => ({ ...before, ...part }))
  const apply = () => {
    setTried(true)
    if (fault === null) onApply(rules)
  }
  return (
    <div className="flex flex-col gap-4 px-3">
      <div className="-mx-4">
        <Switch
          label="Recebe leads desta roleta"
          hint="Desativado, guarda o lugar na fila sem receber."
          isOn={rules.isActive}
          onChange={(isActive) => change({ isActive })}
        />
      </div>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-3">
        <ChoiceField
          label="Peso"
          choices={withStanding(WEIGHTS, rules.weight).map((weight) => ({
            value: String(weight),
            label: String(weight),
          }))}
          value={String(rules.weight)}
          onChange={(value) => change({ weight: Number(value) })}
        />
        <ChoiceField
          label="Limite por dia"
          choices={[
            { value: NONE, label: 'Sem limite' },
            ...withStanding(CAPS, rules.dailyCap).map((cap) => ({
              value: String(cap),
              label: countOf(cap, 'lead', 'leads'),
            })),
          ]}
          value={rules.dailyCap === null ? NONE : String(rules.dailyCap)}
          onChange={(value) => change({ dailyCap: value === NONE ? null : Number(value) })}
        />
      </div>
      <p className="-mt-2 text-13 text-text-3">Com peso 2, recebe o dobro de quem tem peso 1.</p>
      <ShiftFields shifts={rules.shifts} onChange={(shifts) => change({ shifts })} />
      <p role="alert" className="text-13 text-danger empty:hidden">
        {isTried && fault !== null ? SHIFTS_FAULT[fault] : null}
      </p>
      <FormActions onCancel={onClose}>
        <Button onClick={apply}>Aplicar</Button>
      </FormActions>
      <p className="-mt-2 text-13 text-text-3">Vale quando você salvar a roleta.</p>
    </div>
  )
}
