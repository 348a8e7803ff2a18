// 'Roleta': the leads that rotations distributed, by period, development and broker, with an export.
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { Download, Shuffle } from 'lucide-react'
import { useState } from 'react'
import { noteExport } from '#data/audit.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { distributedLeadsQuery } from './filter/choices-data.ts'
import { formatNumber } from '#domain/count.ts'
import type { DaySpan } from '#domain/dashboard/period.ts'
import { Button } from '#ui/primitives/button.tsx'
import { ToggleChips } from '#ui/primitives/chips.tsx'
import { download } from '#ui/download.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { State } from '#ui/feedback/state.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Table } from '#ui/primitives/table.tsx'
import { EXPORT_FAILED, EXPORTING, ONLINE_ONLY } from '#ui/texts.ts'
import { toast } from '#ui/feedback/toast.ts'
import { type Draft, draftFault, type Filter, fromDraft, toDraft } from './filter/filter-state.ts'
import { PeriodField } from './filter/period-field.tsx'
import { ROTATION_CELLS, rotationCsv, rotationView } from './rotation-view.ts'
import { BROKERS, DEVELOPMENTS, LOADING_DATA, mostText, NO_VALUE } from './texts.ts'

const newestOf = (shown: number, total: number) =>
  `Mostrando os ${formatNumber(shown)} mais recentes de ${formatNumber(total)}. Escolha um período menor para ver todos.`

const DISTRIBUTED = 'Leads distribuídos'

type RotationSectionProps = { filter: Filter; span: DaySpan; onFilter: (filter: Filter) => void }

export function RotationSection({ filter, span, onFilter }: RotationSectionProps) {
  const read = useQuery({
    ...distributedLeadsQuery(span),
    placeholderData: keepPreviousData,
  })
  const { data, isPlaceholderData } = read
  const [draft, setDraft] = useState<Draft>(() => toDraft(filter, span))
  const change = (part: Partial<Draft>) => {
    const next = { ...draft, developments: filter.developments, brokers: filter.brokers, ...part }
    setDraft(next)
    if (draftFault(next) === null) onFilter(fromDraft(next))
  }
  const view = rotationView(data?.leads ?? [], filter)
  return (
    <div className="flex flex-col gap-4">
      <section className="flex flex-col gap-4 rounded-lg bg-surface p-4 shadow-card lg:px-5">
        <div className="flex flex-wrap items-end gap-4">
          <div className="min-w-0 grow md:max-w-140">
            <PeriodField name={draft.name} span={draft.span} fault={draftFault(draft)} onChange={change} />
          </div>
          <span className="flex grow *:grow md:ml-auto md:grow-0">
            <ExportButton rows={isPlaceholderData ? [] : view.rows} span={span} />
          </span>
        </div>
        {view.developments.length > 0 && (
          <ToggleChips
            heading="h2"
            label={DEVELOPMENTS.toUpperCase()}
            choices={view.developments}
            chosen={filter.developments}
            onChange={(developments) => change({ developments })}
          />
        )}
        {view.brokers.length > 0 && (
          <ToggleChips
            heading="h2"
            label={BROKERS.toUpperCase()}
            choices={view.brokers}
            chosen={filter.brokers}
            onChange={(brokers) => change({ brokers })}
          />
        )}
      </section>
      {data ? (
        <Distribution view={view} loadedCount={data.leads.length} total={data.total} />
      ) : read.error ? (
        <FailedRead of={read} />
      ) : (
        <div className="flex flex-col gap-3">
          <output className="text-13 text-text-3">{LOADING_DATA}</output>
          <Skeleton className="h-80 rounded-lg!" />
        </div>
      )}
    </div>
  )
}

/** Exports the shown rows as a file. The button is disabled if there are no rows. */
function ExportButton({ rows, span }: { rows: RotationRows; span: DaySpan }) {
  const isOnline = useIsOnline()
  const { mutate, isPending } = useMutation({
    mutationFn: async (taken: { rows: RotationRows; span: DaySpan }) => {
      await noteExport('roleta', taken.rows.length)
      download(fileName(taken.span), rotationCsv(taken.rows), 'text/csv')
    },
    onError: () => toast(EXPORT_FAILED, 'error'),
  })
  return (
    <Button
      variant="line"
      icon={Download}
      disabled={rows.length === 0 || !isOnline}
      title={isOnline ? undefined : ONLINE_ONLY}
      busy={isPending && EXPORTING}
      onClick={() => mutate({ rows, span })}
    >
      EXPORTAR PERÍODO SELECIONADO
    </Button>
  )
}

type RotationRows = ReturnType<typeof rotationView>['rows']
type DistributionProps = { view: ReturnType<typeof rotationView>; loadedCount: number; total: number }

function Distribution({ view: { rows, brokerCount, most }, loadedCount, total }: DistributionProps) {
  return (
    <>
      <div className="grid grid-cols-2 gap-3 md:grid-cols-3 lg:gap-4">
        <Card name={DISTRIBUTED} value={formatNumber(rows.length)} />
        <Card name="Corretores com leads" value={formatNumber(brokerCount)} />
        <Card name="Mais leads" value={most ? mostText(most) : NO_VALUE} />
      </div>
      <section className="rounded-lg bg-surface shadow-card">
        <header className="px-4 pt-4 pb-2 lg:px-5">
          <h2 className="text-15 font-semibold tracking-name">{DISTRIBUTED}</h2>
          <p className="text-13 text-text-3">
            Leads que as roletas entregaram, cada um com o corretor que o recebeu por último.
          </p>
          {loadedCount < total && <p className="pt-1 text-13 text-text-2">{newestOf(loadedCount, total)}</p>}
        </header>
        {rows.length > 0 ? (
          <Table label={DISTRIBUTED} columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />
        ) : (
          <State
            kind="empty"
            icon={Shuffle}
            title="Nenhum lead distribuído no período"
            hint="Escolha outro período, outros empreendimentos ou outros corretores."
          />
        )}
      </section>
    </>
  )
}

const PLACES = ['head', 'mark', 'words', 'rest', 'rest'] as const
const COLUMNS = ROTATION_CELLS.map(({ title, text }, index) => ({
  title,
  cell: text,
  place: PLACES[index] ?? 'rest',
  isPlain: true,
}))

function Card({ name, value }: { name: string; value: string }) {
  return (
    <section className="min-w-0 rounded-lg bg-surface p-4 shadow-card last:col-span-2 md:last:col-span-1 lg:px-5">
      <h2 className="text-13 font-medium text-text-2">{name}</h2>
      <p className="pt-1.5 text-24 leading-tight font-semibold tracking-title wrap-anywhere tabular-nums">
        {value}
      </p>
    </section>
  )
}

const fileName = ({ from, to }: DaySpan) => `leads-distribuidos-${from}-a-${to}.csv`
