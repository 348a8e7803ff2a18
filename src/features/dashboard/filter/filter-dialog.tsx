// 'Filtro Personalizado': the form that chooses a period, developments, and brokers who work on them.
import { countOf } from '#domain/count.ts'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { developmentBrokersQuery, developmentsQuery } from './choices-data.ts'
import { displayName } from '#domain/broker.ts'
import type { DaySpan } from '#domain/dashboard/period.ts'
import { Button } from '#ui/primitives/button.tsx'
import { type ChipChoice, ToggleChips } from '#ui/primitives/chips.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import '#ui/primitives/overlay/dialog-foot.css'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { CANCEL, ONLINE_ONLY } from '#ui/texts.ts'
import {
  DEFAULT_FILTER,
  type Draft,
  draftFault,
  type Filter,
  fromDraft,
  toDraft,
  withoutAll,
} from './filter-state.ts'
import { PeriodField } from './period-field.tsx'
import { BROKERS, DEVELOPMENTS } from '../texts.ts'

/** Tells in words what the filter restricts. Returns '' if it restricts nothing. */
function chosenText(developmentCount: number, brokerCount: number): string {
  return [
    ...(developmentCount > 0 ? [countOf(developmentCount, 'empreendimento', 'empreendimentos')] : []),
    ...(brokerCount > 0 ? [countOf(brokerCount, 'corretor', 'corretores')] : []),
  ].join(' · ')
}

type FormProps = {
  filter: Filter
  /** The days of the current filter, which a custom period starts with. */
  span: DaySpan
  onApply: (filter: Filter) => void
  onClose: () => void
}

export function FilterDialog({ isOpen, ...form }: FormProps & { isOpen: boolean }) {
  return (
    <Dialog isOpen={isOpen} onClose={form.onClose} title="Filtro Personalizado" width="wide">
      <FilterForm {...form} />
    </Dialog>
  )
}

function FilterForm({ filter, span, onApply, onClose }: FormProps) {
  const [draft, setDraft] = useState<Draft>(() => toDraft(filter, span))
  const isOnline = useIsOnline()
  const developments = useQuery(developmentsQuery())
  const brokers = useQuery({
    ...developmentBrokersQuery(draft.developments),
    placeholderData: keepPreviousData,
  })
  const developmentChoices = developments.data?.map(({ name, leadCount }) => ({
    value: name,
    label: name,
    count: leadCount,
  }))
  const brokerChoices = brokers.data?.map((value) => ({ value, label: displayName(value) }))
  const wanted = chosenOf(draft, { developments: developmentChoices, brokers: brokerChoices })
  const fault = draftFault(draft)
  const isReady = isOnline && fault === null && !brokers.isPlaceholderData
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  return (
    <form
      noValidate
      className="flex flex-col gap-4 px-3 pt-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) onApply(fromDraft(wanted))
      }}
    >
      <PeriodField name={draft.name} span={draft.span} fault={fault} onChange={change} />
      <Choosing
        label={DEVELOPMENTS}
        query={developments}
        choices={developmentChoices}
        none="Nenhum empreendimento"
        chosen={draft.developments}
        onChange={(chosen) => change({ developments: chosen })}
      />
      <Choosing
        label={BROKERS}
        query={brokers}
        choices={brokerChoices}
        none="Nenhum corretor"
        chosen={draft.brokers}
        onChange={(chosen) => change({ brokers: chosen })}
      />
      <Footer>
        <Button variant="ghost" onClick={() => setDraft(toDraft(DEFAULT_FILTER, span))}>
          Limpar Filtros
        </Button>
        <output className="grow text-13 text-text-3">
          {chosenText(wanted.developments.length, wanted.brokers.length)}
        </output>
        <span className="ml-auto flex gap-2.5">
          <Button variant="line" onClick={onClose}>
            {CANCEL}
          </Button>
          <Button type="submit" disabled={!isReady} title={isOnline ? undefined : ONLINE_ONLY}>
            Aplicar Filtro
          </Button>
        </span>
      </Footer>
    </form>
  )
}

type Known = { developments: readonly ChipChoice[] | undefined; brokers: readonly ChipChoice[] | undefined }

/** Removes developments and brokers that no longer exist. If all are chosen, the filter does not restrict them. */
function chosenOf(draft: Draft, known: Known): Draft {
  const those = (chosen: readonly string[], choices: readonly ChipChoice[] | undefined) => {
    if (!choices) return chosen
    const all = choices.map(({ value }) => value)
    return withoutAll(
      chosen.filter((value) => all.includes(value)),
      all,
    )
  }
  return {
    ...draft,
    developments: those(draft.developments, known.developments),
    brokers: those(draft.brokers, known.brokers),
  }
}

type ChoosingProps = {
  label: string
  query: Pick<UseQueryResult, 'error' | 'errorUpdateCount' | 'refetch'>
  choices: readonly ChipChoice[] | undefined
  none: string
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

function Choosing({ label, query, choices, none, chosen, onChange }: ChoosingProps) {
  if (choices && choices.length > 0)
    return <ToggleChips label={label} choices={choices} chosen={chosen} onChange={onChange} />
  return (
    <section aria-label={label}>
      <h3 className="flex min-h-11 items-center text-14 font-semibold">{label}</h3>
      {choices ? (
        <p className="text-14 text-text-3">{none}</p>
      ) : query.error ? (
        <FailedRead of={query} isRow />
      ) : (
        <div className="flex flex-wrap gap-2">
          {['w-36', 'w-44', 'w-32', 'w-40'].map((width) => (
            <Skeleton key={width} className={`h-9 ${width}`} />
          ))}
        </div>
      )}
    </section>
  )
}

/** The buttons stay visible at the bottom while the choices scroll above them. */
function Footer({ children }: { children: ReactNode }) {
  return (
    <div className="dialog-foot -mx-5 flex flex-wrap items-center gap-x-3 gap-y-2 px-5 md:-mx-7 md:px-7">
      {children}
    </div>
  )
}
