// The form that chooses the next step: its kind, time and note. Its button shows the whole choice.
import { type FormEvent, useId, useState } from 'react'
import type { WantedAction } from '#data/deeds.ts'
import type { ActionKind, NextAction } from '#domain/next-action/next-action.ts'
import { ACTION_LABEL, momentWords } from '#domain/next-action/words.ts'
import { fromField, toField } from '#domain/zone.ts'
import { useNow } from '#ui/now.ts'
import { TextField } from '#ui/forms/field.tsx'
import { MomentField } from '#ui/forms/moment-field.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { stepWords } from './texts.ts'
import { timeChoices } from './time-choices.ts'

const KINDS: readonly ActionKind[] = ['call', 'message', 'visit', 'task']
const MAX_NOTE = 200

type StepFormProps = {
  /** The action that the chosen one replaces; null if there is none. */
  before: NextAction | null
  /** Which kind is preselected if the form replaces no action. */
  kind: ActionKind
  /** Opens the booking of a visit. */
  onVisit: () => void
  onSave: (wanted: WantedAction) => void
}

export function StepForm({ before, kind: firstKind, onVisit, onSave }: StepFormProps) {
  const nowMs = useNow()
  const [times] = useState(() => timeChoices(nowMs))
  const [kind, setKind] = useState<ActionKind>(before?.kind ?? firstKind)
  const [dueAtMs, setDue] = useState<number | null>(before?.dueAtMs ?? times[0]?.dueAtMs ?? null)
  const [typed, setTyped] = useState<string | null>(before ? toField(before.dueAtMs) : null)
  const [note, setNote] = useState(before?.note ?? '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (kind === 'visit') onVisit()
    else if (dueAtMs !== null) onSave({ kind, dueAtMs, note: note.trim() })
  }
  const type = (text: string) => {
    setTyped(text)
    setDue(fromField(text))
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4 px-3 pt-2">
      <Chips
        legend="O que fazer"
        choices={KINDS.map((value) => ({
          label: ACTION_LABEL[value],
          isChosen: value === kind,
          choose: () => setKind(value),
        }))}
      />
      {kind === 'visit' ? (
        <Button type="submit" size="large">
          Agendar visita
        </Button>
      ) : (
        <>
          <Chips
            legend="Quando"
            choices={[
              ...times.map(({ dueAtMs: value, label }) => ({
                label,
                isChosen: typed === null && value === dueAtMs,
                choose: () => {
                  setTyped(null)
                  setDue(value)
                },
              })),
              {
                label: 'Outro dia e hora',
                isChosen: typed !== null,
                choose: () => setTyped(dueAtMs === null ? '' : toField(dueAtMs)),
              },
            ]}
          />
          {typed !== null && <MomentField label="Dia e hora" value={typed} onType={type} />}
          <TextField
            label="Anotação"
            placeholder="Opcional"
            value={note}
            maxLength={MAX_NOTE}
            onChange={({ target }) => setNote(target.value)}
          />
          <Button type="submit" size="large" disabled={dueAtMs === null}>
            {stepWords(kind, dueAtMs === null ? '' : momentWords(dueAtMs, nowMs)).trim()}
          </Button>
        </>
      )}
    </form>
  )
}

type ChipsProps = {
  legend: string
  choices: readonly { label: string; isChosen: boolean; choose: () => void }[]
}

function Chips({ legend, choices }: ChipsProps) {
  const name = useId()
  return (
    <fieldset>
      <legend className="pb-2 text-14 font-medium text-text-2">{legend}</legend>
      <div className="flex flex-wrap gap-2">
        {choices.map(({ label, isChosen, choose }) => (
          <label key={label} className="choice">
            <input type="radio" name={name} checked={isChosen} onChange={choose} className="sr-only" />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
