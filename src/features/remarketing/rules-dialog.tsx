// 'Regras de envio': hours and daily limits of campaigns. Brokers can read them, administrators can change them.
import { useMutation, useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { type CampaignSettings, saveSettings, settingsQuery } from '#data/campaign-rules.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { ask } from '#ui/feedback/ask.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Switch } from '#ui/forms/switch.tsx'
import { SAVE, SAVING } from '#ui/texts.ts'
import { toast } from '#ui/feedback/toast.ts'
import { RulesText } from './rules-text.tsx'
import { RULES } from './texts.ts'

const RULE_FIELDS = {
  opensAt: { label: 'Começa às (hora)', min: 0, max: 23 },
  closesAt: { label: 'Para às (hora)', min: 1, max: 24 },
  dailyCap: { label: 'Limite por dia', min: 1, max: 5000 },
  warmUpFrom: { label: 'Limite no 1º dia', min: 1, max: 5000 },
  warmUpDays: { label: 'Dias até o limite', min: 1, max: 90 },
  restDays: { label: 'Dias de descanso', min: 0, max: 365 },
} as const

type RulesDialogProps = { isOpen: boolean; onClose: () => void; mayChange: boolean }

export function RulesDialog({ isOpen, onClose, mayChange }: RulesDialogProps) {
  const [hasUnsaved, setUnsaved] = useState(false)
  const leave = () => {
    setUnsaved(false)
    onClose()
  }
  const close = () => {
    if (!hasUnsaved) return leave()
    ask({
      question: 'Descartar as mudanças?',
      consequence: 'As regras não foram salvas.',
      action: { label: 'Descartar', run: leave },
    })
  }
  return (
    <Dialog isOpen={isOpen} onClose={close} title={RULES} hasUnsaved={hasUnsaved}>
      <Rules mayChange={mayChange} onChanged={setUnsaved} onDone={leave} onCancel={close} />
    </Dialog>
  )
}

type RulesProps = {
  mayChange: boolean
  onChanged: (hasChanged: boolean) => void
  onDone: () => void
  onCancel: () => void
}

function Rules({ mayChange, ...form }: RulesProps) {
  const read = useQuery(settingsQuery())
  const { data: settings } = read
  if (settings)
    return mayChange ? <RulesForm settings={settings} {...form} /> : <RulesText settings={settings} />
  return read.error ? <FailedRead of={read} /> : <Skeleton className="mx-3 h-48 rounded-lg!" />
}

type Fields = Record<keyof typeof RULE_FIELDS, string>
type RulesFormProps = Omit<RulesProps, 'mayChange'> & { settings: CampaignSettings }

function RulesForm({ settings, onChanged, onDone, onCancel }: RulesFormProps) {
  const isOnline = useIsOnline()
  const [fields, setFields] = useState(() => toFields(settings))
  const [sendsOnSundays, setSundays] = useState(settings.sendsOnSundays)
  const [fault, setFault] = useState<string | null>(null)
  const { mutate, isPending, error } = useMutation({
    ...saveSettings(),
    onSuccess: () => toast('Regras de envio salvas', 'success'),
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isPending || !isOnline) return
    const rules = { ...toNumbers(fields), sendsOnSundays }
    const found = faultOf(rules)
    setFault(found)
    if (found === null) mutate(rules, { onSuccess: onDone })
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4 px-3 pt-1">
      <div className="grid grid-cols-2 gap-x-3 gap-y-4">
        {Object.entries(RULE_FIELDS).map(([name, { label, min, max }]) => (
          <TextField
            key={name}
            label={label}
            type="number"
            inputMode="numeric"
            min={min}
            max={max}
            value={fields[name as keyof Fields]}
            onChange={({ target }) => {
              onChanged(true)
              setFields({ ...fields, [name]: target.value })
            }}
          />
        ))}
      </div>
      <div className="-mx-4">
        <Switch
          label="Enviar aos domingos"
          isOn={sendsOnSundays}
          onChange={(isOn) => {
            onChanged(true)
            setSundays(isOn)
          }}
        />
      </div>
      {faultOf({ ...toNumbers(fields), sendsOnSundays }) === null && (
        <section className="-mx-3 rounded-md bg-surface-2 pt-3">
          <h3 className="px-3 pb-2 text-14 font-semibold">O que estas regras fazem</h3>
          <RulesText settings={{ ...settings, ...toNumbers(fields), sendsOnSundays }} />
        </section>
      )}
      <p role="alert" className="text-14 leading-snug text-danger empty:hidden">
        {isOnline ? (fault ?? error?.message) : 'Você precisa de internet para salvar.'}
      </p>
      <FormActions onCancel={onCancel}>
        <Button type="submit" disabled={!isOnline} busy={isPending && SAVING}>
          {SAVE}
        </Button>
      </FormActions>
    </form>
  )
}

function toFields(settings: CampaignSettings): Fields {
  const { opensAt, closesAt, dailyCap, warmUpFrom, warmUpDays, restDays } = settings
  return {
    opensAt: String(opensAt),
    closesAt: String(closesAt),
    dailyCap: String(dailyCap),
    warmUpFrom: String(warmUpFrom),
    warmUpDays: String(warmUpDays),
    restDays: String(restDays),
  }
}

/** Returns the first fault of the typed rules in Portuguese, or null. The server checks the same limits. */
function faultOf(rules: CampaignSettings): string | null {
  const limits = Object.entries(RULE_FIELDS) as [keyof typeof RULE_FIELDS, { min: number; max: number }][]
  const areWithin = limits.every(
    ([name, { min, max }]) => Number.isInteger(rules[name]) && rules[name] >= min && rules[name] <= max,
  )
  if (!areWithin || rules.closesAt <= rules.opensAt)
    return 'Confira os horários e limites: o fim vem depois do começo, e os números são inteiros positivos.'
  return rules.warmUpFrom > rules.dailyCap ? 'O limite no 1º dia não pode passar do limite por dia.' : null
}

function toNumbers(fields: Fields) {
  const number = (text: string) => (text.trim() === '' ? NaN : Number(text))
  return {
    opensAt: number(fields.opensAt),
    closesAt: number(fields.closesAt),
    dailyCap: number(fields.dailyCap),
    warmUpFrom: number(fields.warmUpFrom),
    warmUpDays: number(fields.warmUpDays),
    restDays: number(fields.restDays),
  }
}
