// The results' filter: period, developments, sources, within how many days conversion counts, and whether waits count
// only opening hours.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type DaySpan,
  FIRST_DAY,
  isFar,
  LAST_DAY,
  SPAN_FAULT_TEXT,
  spanFault,
} from '#domain/dashboard/period.ts'
import { sourceLabel } from '#domain/lead/source.ts'
import { TextField } from '#ui/forms/field.tsx'
import { SelectField } from '#ui/forms/select-field.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { ToggleChips } from '#ui/primitives/chips.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import '#ui/primitives/overlay/dialog-foot.css'
import { CANCEL } from '#ui/texts.ts'
import { developmentsQuery } from '../filter/choices-data.ts'
import { withoutAll } from '../filter/filter-state.ts'
import { DEVELOPMENTS } from '../texts.ts'
import type { Question } from './data.ts'
import { AGES, lastDays, monthBefore, thisMonth } from './state.ts'

type FormProps = {
  question: Question
  sources: readonly string[]
  today: string
  onApply: (question: Question) => void
  onClose: () => void
}

export function ResultsFilter({ isOpen, ...form }: FormProps & { isOpen: boolean }) {
  return (
    <Dialog isOpen={isOpen} onClose={form.onClose} title="Período e filtros" width="wide">
      <FilterForm {...form} />
    </Dialog>
  )
}

function FilterForm({ question, sources, today, onApply, onClose }: FormProps) {
  const [draft, setDraft] = useState(question)
  const developments = useQuery(developmentsQuery())
  const change = (part: Partial<Question>) => setDraft({ ...draft, ...part })
  const names = developments.data?.map(({ name }) => name) ?? []
  const isReady = spanFault(draft.span) === null
  const apply = () =>
    onApply({
      ...draft,
      developments: withoutAll(draft.developments, names),
      sources: withoutAll(draft.sources, sources),
    })
  return (
    <form
      noValidate
      className="flex flex-col gap-4 px-3 pt-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) apply()
      }}
    >
      <PeriodChoice span={draft.span} today={today} onChange={(span) => change({ span })} />
      {names.length > 0 && (
        <ToggleChips
          label={DEVELOPMENTS}
          choices={names.map((value) => ({ value, label: value }))}
          chosen={draft.developments}
          onChange={(chosen) => change({ developments: chosen })}
        />
      )}
      {sources.length > 0 && (
        <ToggleChips
          label="Origens"
          choices={sources.map((value) => ({ value, label: sourceLabel(value) }))}
          chosen={draft.sources}
          onChange={(chosen) => change({ sources: chosen })}
        />
      )}
      <Reckoning question={draft} onChange={change} />
      <div className="dialog-foot -mx-5 flex flex-wrap items-center gap-x-3 gap-y-2 px-5 md:-mx-7 md:px-7">
        <Button
          variant="ghost"
          onClick={() =>
            setDraft({
              span: thisMonth(today),
              team: question.team,
              developments: [],
              sources: [],
              days: 30,
              clock: 'all',
            })
          }
        >
          Limpar
        </Button>
        <span className="ml-auto flex gap-2.5">
          <Button variant="line" onClick={onClose}>
            {CANCEL}
          </Button>
          <Button type="submit" disabled={!isReady}>
            Aplicar
          </Button>
        </span>
      </div>
    </form>
  )
}

type ReckoningProps = { question: Question; onChange: (part: Partial<Question>) => void }

function Reckoning({ question: { days, clock }, onChange }: ReckoningProps) {
  return (
    <div className="grid gap-3 md:grid-cols-2">
      <SelectField
        label="Conversão"
        value={days}
        onChange={({ target }) => onChange({ days: Number(target.value) })}
      >
        {AGES.map((age) => (
          <option key={age} value={age}>{`Fechados em até ${age} dias`}</option>
        ))}
      </SelectField>
      <SelectField
        label="Tempo até a resposta"
        value={clock}
        onChange={({ target }) => onChange({ clock: target.value === 'open' ? 'open' : 'all' })}
      >
        <option value="all">Relógio corrido</option>
        <option value="open">Só segunda a sábado, das 8h às 20h</option>
      </SelectField>
    </div>
  )
}

type PeriodChoiceProps = { span: DaySpan; today: string; onChange: (span: DaySpan) => void }

function PeriodChoice({ span, today, onChange }: PeriodChoiceProps) {
  const fault = spanFault(span)
  const presets = [
    ['Hoje', lastDays(today, 1)],
    ['7 dias', lastDays(today, 7)],
    ['30 dias', lastDays(today, 30)],
    ['Este mês', thisMonth(today)],
    ['Mês passado', monthBefore(today)],
  ] as const
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="pb-2 text-14 font-semibold">Período</legend>
      <div className="flex flex-wrap gap-2">
        {presets.map(([label, preset]) => (
          <button
            key={label}
            type="button"
            aria-pressed={preset.from === span.from && preset.to === span.to}
            onClick={() => onChange(preset)}
            className="min-h-11 rounded-ctl bg-surface px-3 text-14 font-medium text-text-2 shadow-line hover:bg-surface-2 aria-pressed:bg-primary-soft aria-pressed:text-on-primary-soft aria-pressed:shadow-chosen pointer-fine:min-h-9"
          >
            {label}
          </button>
        ))}
      </div>
      <div className="grid grid-cols-1 gap-3 min-[352px]:grid-cols-2">
        <TextField
          type="date"
          label="Data Início"
          value={span.from}
          min={FIRST_DAY}
          max={LAST_DAY}
          error={isFar(span.from) && SPAN_FAULT_TEXT.far}
          onChange={({ target }) => onChange({ ...span, from: target.value })}
        />
        <TextField
          type="date"
          label="Data Fim"
          value={span.to}
          min={FIRST_DAY}
          max={LAST_DAY}
          error={fault !== null && !isFar(span.from) && SPAN_FAULT_TEXT[fault]}
          onChange={({ target }) => onChange({ ...span, to: target.value })}
        />
      </div>
    </fieldset>
  )
}
