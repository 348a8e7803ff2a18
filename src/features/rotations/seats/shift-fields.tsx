// Edits when a broker takes leads: at any time, or on certain days and hours.
import { Plus, Trash2 } from 'lucide-react'
import { useId } from 'react'
import type { Shift } from '#domain/rotation/rotation.ts'
import { fromClock, NEW_SHIFT, toClock } from '#domain/rotation/editing.ts'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { Segments } from '#ui/primitives/tabs.tsx'
import { WEEKDAYS } from '../texts.ts'

const WEEKDAY_NAMES = [
  'Segunda-feira',
  'Terça-feira',
  'Quarta-feira',
  'Quinta-feira',
  'Sexta-feira',
  'Sábado',
  'Domingo',
] as const

type Shifts = readonly Shift[] | null
type ShiftFieldsProps = { shifts: Shifts; onChange: (shifts: Shifts) => void }

const MODES = [
  { value: 'any', label: 'A qualquer hora' },
  { value: 'shifts', label: 'Só em horários' },
] as const

export function ShiftFields({ shifts, onChange }: ShiftFieldsProps) {
  return (
    <div className="flex flex-col gap-3">
      <Segments
        label="Plantão"
        items={MODES}
        value={shifts === null ? 'any' : 'shifts'}
        onChoose={(mode) => onChange(mode === 'any' ? null : [NEW_SHIFT])}
      />
      {shifts?.map((shift, index) => (
        <ShiftRow
          // Shifts have no id of their own, so their index is the key.
          key={index}
          place={index + 1}
          shift={shift}
          onChange={(changed) => onChange(shifts.with(index, changed))}
          onRemove={shifts.length > 1 ? () => onChange(shifts.toSpliced(index, 1)) : undefined}
        />
      ))}
      {shifts !== null && (
        <span>
          <Button
            variant="ghost"
            size="small"
            icon={Plus}
            onClick={() => onChange([...shifts, { ...NEW_SHIFT, days: [] }])}
          >
            Adicionar horário
          </Button>
        </span>
      )}
    </div>
  )
}

type ShiftRowProps = {
  place: number
  shift: Shift
  onChange: (shift: Shift) => void
  onRemove: (() => void) | undefined
}

function ShiftRow({ place, shift, onChange, onRemove }: ShiftRowProps) {
  const { days, from, to } = shift
  const toggle = (day: number) =>
    onChange({
      ...shift,
      days: days.includes(day)
        ? days.filter((each) => each !== day)
        : [...days, day].toSorted((one, other) => one - other),
    })
  return (
    <fieldset className="flex flex-col gap-2.5 rounded-md bg-surface-2 p-3">
      <legend className="sr-only">{`Horário ${place}`}</legend>
      {/* If the seven days do not fit in one row, the five weekdays fill the first row. */}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(2.5rem,1fr))] gap-1">
        {WEEKDAYS.map((weekday, index) => (
          <button
            key={weekday}
            type="button"
            aria-pressed={days.includes(index + 1)}
            title={WEEKDAY_NAMES[index]}
            onClick={() => toggle(index + 1)}
            className="min-h-11 rounded-ctl bg-surface text-14 font-medium text-text-2 shadow-line transition-colors aria-pressed:bg-primary-soft aria-pressed:text-on-primary-soft aria-pressed:shadow-chosen pointer-fine:min-h-9"
          >
            {weekday}
          </button>
        ))}
      </div>
      <div className="flex flex-wrap items-end gap-2">
        <TimeField
          label="Das"
          minutes={from}
          onChange={(text) => onChange({ ...shift, from: fromClock(text, 'from') ?? from })}
        />
        <TimeField
          label="Às"
          minutes={to}
          onChange={(text) => onChange({ ...shift, to: fromClock(text, 'to') ?? to })}
        />
        {onRemove && <IconButton icon={Trash2} label={`Remover horário ${place}`} onClick={onRemove} />}
      </div>
      {to < from && <p className="text-13 text-text-3">Passa da meia-noite e termina no dia seguinte.</p>}
    </fieldset>
  )
}

type TimeFieldProps = { label: string; minutes: number; onChange: (text: string) => void }

function TimeField({ label, minutes, onChange }: TimeFieldProps) {
  const id = useId()
  return (
    <span className="flex min-w-24 grow items-center gap-2 text-14">
      <label htmlFor={id} className="text-text-2">
        {label}
      </label>
      <input
        id={id}
        type="time"
        required
        value={toClock(minutes)}
        onChange={({ target }) => onChange(target.value)}
        className="min-h-11 min-w-0 grow rounded-ctl bg-surface px-3 text-16 tabular-nums shadow-input outline-none focus-visible:shadow-input-focus lg:text-14"
      />
    </span>
  )
}
