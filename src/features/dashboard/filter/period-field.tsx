// Chooses a period: one of four presets, or a custom one by two dates.
import {
  type DaySpan,
  FIRST_DAY,
  isFar,
  LAST_DAY,
  type PeriodName,
  SPAN_FAULT_TEXT,
  type SpanFault,
} from '#domain/dashboard/period.ts'
import { TextField } from '#ui/forms/field.tsx'
import { Segments } from '#ui/primitives/tabs.tsx'

const PERIODS = [
  { value: 'hoje', label: 'Hoje' },
  { value: 'ultima-semana', label: 'Última Semana' },
  { value: 'ultimo-mes', label: 'Último Mês' },
  { value: 'personalizado', label: 'Período Personalizado' },
] as const

type Choice = { name: PeriodName; span: DaySpan }

type PeriodFieldProps = Choice & {
  fault: SpanFault | null
  onChange: (choice: Choice) => void
}

export function PeriodField({ name, span, fault, onChange }: PeriodFieldProps) {
  const endFault = fault === 'far' && !isFar(span.to) ? null : fault
  return (
    <div className="flex flex-col gap-4">
      <Segments
        label="Período"
        items={PERIODS}
        value={name}
        onChoose={(chosen) => onChange({ name: chosen, span })}
      />
      {name === 'personalizado' && (
        <div className="grid grid-cols-1 gap-3 min-[352px]:grid-cols-2">
          <TextField
            type="date"
            label="Data Início"
            value={span.from}
            min={FIRST_DAY}
            max={LAST_DAY}
            error={isFar(span.from) && SPAN_FAULT_TEXT.far}
            onChange={({ target }) => onChange({ name, span: { ...span, from: target.value } })}
          />
          <TextField
            type="date"
            label="Data Fim"
            value={span.to}
            min={FIRST_DAY}
            max={LAST_DAY}
            error={endFault && SPAN_FAULT_TEXT[endFault]}
            onChange={({ target }) => onChange({ name, span: { ...span, to: target.value } })}
          />
        </div>
      )}
    </div>
  )
}
