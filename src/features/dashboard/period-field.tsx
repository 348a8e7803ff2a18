// Which days: the four choices, and two dates for one's own. Spec 2.7, 9.
import type { DaySpan, PeriodName } from '#domain/period.ts'
import { TextField } from '#ui/field.tsx'
import { Segments } from '#ui/tabs.tsx'
import { END, PERIOD, PERIODS, SPAN_FAULT, START } from './texts.ts'

type Choice = { name: PeriodName; span: DaySpan }

type PeriodFieldProps = Choice & {
  fault: keyof typeof SPAN_FAULT | null
  onChange: (choice: Choice) => void
}

export function PeriodField({ name, span, fault, onChange }: PeriodFieldProps) {
  return (
    <div className="flex flex-col gap-4">
      <Segments
        label={PERIOD}
        items={PERIODS}
        value={name}
        onChoose={(chosen) => onChange({ name: chosen, span })}
      />
      {name === 'personalizado' && (
        <div className="grid grid-cols-1 gap-3 min-[352px]:grid-cols-2">
          <TextField
            type="date"
            label={START}
            value={span.from}
            max="9999-12-31"
            onChange={({ target }) => onChange({ name, span: { ...span, from: target.value } })}
          />
          <TextField
            type="date"
            label={END}
            value={span.to}
            max="9999-12-31"
            error={fault && SPAN_FAULT[fault]}
            onChange={({ target }) => onChange({ name, span: { ...span, to: target.value } })}
          />
        </div>
      )}
    </div>
  )
}
