// '/resultado': shows what each broker made of the leads of a period, compared with the days before. The address stores
// the filters.
import { useQuery } from '@tanstack/react-query'
import { UsersRound } from 'lucide-react'
import { useState } from 'react'
import { toCsv } from '#domain/csv.ts'
import { dayAt } from '#domain/dashboard/period.ts'
import { type Line, orderLines } from '#domain/dashboard/results/lines.ts'
import { spanTitle, toTable } from '#domain/dashboard/results/table.ts'
import { formatDateTime } from '#domain/format.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { State } from '#ui/feedback/state.tsx'
import { download } from '#ui/download.ts'
import { useNow } from '#ui/now.ts'
import { usePageTitle } from '#ui/primitives/page-title.ts'
import { PANEL, type Section, SECTION_NAME } from '../sections.tsx'
import { ResultsBar } from './bar.tsx'
import { type Results, resultsQuery } from './data.ts'
import { ResultsFilter } from './filter-dialog.tsx'
import { Lines } from './lines.tsx'
import { ResultList } from './list.tsx'
import { Losses } from './losses.tsx'
import { readResults, type ResultsState, writeResults } from './state.ts'
import { Summary } from './summary.tsx'

type Search = Record<string, unknown>
type ResultsScreenProps = {
  /** The address's search parameters. */
  search: Search
  /** Changes the address. If `isReplacing`, the browser's history gets no new entry. */
  onSearch: (search: Search, isReplacing: boolean) => void
  /** Goes back to the page before a list was opened. If the app has no such page, it shows these search parameters. */
  onBack: (search: Search) => void
  onSection: (section: Section) => void
  /** True: only the tabs that a gerente may see. */
  isOfTeam: boolean
  onLead: (lead: { id: number; instanceName: string | null }) => void
}

const TITLE = SECTION_NAME.results

export function ResultsScreen({ search, onSearch, onBack, onSection, isOfTeam, onLead }: ResultsScreenProps) {
  usePageTitle(TITLE)
  const today = dayAt(useNow())
  const state = readResults(search, today)
  const { question, isCompared, order, figure } = state
  const read = useQuery(resultsQuery(question, isCompared))
  const [isChoosing, setChoosing] = useState(false)
  const go = (next: Partial<ResultsState>, isReplacing = true) =>
    onSearch(writeResults({ ...state, ...next }, today), isReplacing)
  const results = read.data
  const lines = results ? orderLines(results, order) : []
  return (
    <>
      <h1 className="sr-only print:not-sr-only print:pb-3 print:text-20 print:font-semibold">
        {TITLE}
        <span className="hidden print:inline"> · {spanTitle(question.span, today)}</span>
      </h1>
      <ResultsBar
        state={state}
        results={results}
        today={today}
        onSection={onSection}
        isOfTeam={isOfTeam}
        onState={go}
        onFilter={() => setChoosing(true)}
        onSave={() => results && save(results, lines, { span: question.span, today })}
      />
      <div id={PANEL} role="tabpanel" aria-label={TITLE} className="flex flex-col gap-3 lg:gap-3.5">
        {results && read.error && <FailedRead of={read} shownFrom={formatDateTime(Date.parse(results.at))} />}
        <Body
          read={read}
          lines={lines}
          state={state}
          onOrder={(chosen) => go({ order: chosen })}
          onOpen={(opened) => go({ figure: opened }, false)}
        />
      </div>
      <ResultsFilter
        isOpen={isChoosing}
        question={question}
        sources={results?.sources ?? []}
        today={today}
        onApply={(applied) => {
          setChoosing(false)
          go({ question: applied, figure: null })
        }}
        onClose={() => setChoosing(false)}
      />
      <ResultList
        figure={figure}
        question={question}
        today={today}
        onClose={() => onBack(writeResults({ ...state, figure: null }, today))}
        onLead={onLead}
      />
    </>
  )
}

type BodyProps = {
  read: ReturnType<typeof useQuery<Results>>
  lines: readonly Line[]
  state: ResultsState
  onOrder: (order: ResultsState['order']) => void
  onOpen: (figure: NonNullable<ResultsState['figure']>) => void
}

function Body({ read, lines, state: { question, order }, onOrder, onOpen }: BodyProps) {
  const { data: results } = read
  if (!results)
    return read.error ? (
      <FailedRead of={read} title="Não foi possível carregar o resultado." />
    ) : (
      <>
        <Skeleton className="h-22 rounded-card!" />
        <Skeleton className="h-96 rounded-card!" />
      </>
    )
  const { total, brokers, before, days, target } = results
  if (brokers.length === 0 && isEmpty(total))
    return <State kind="empty" icon={UsersRound} title="Nenhum lead neste período." />
  const lengths = { days, daysBefore: before?.days ?? days }
  return (
    <>
      <Summary total={total} lengths={lengths} onOpen={onOpen} />
      <section aria-label="Por corretor" className="overflow-hidden rounded-card bg-surface shadow-card">
        <Lines
          lines={lines}
          target={target}
          lengths={lengths}
          days={question.days}
          order={order}
          onOrder={onOrder}
          onOpen={onOpen}
        />
        <p className="border-t border-border px-5 py-2.5 text-13 text-text-3">{definitions(question.days)}</p>
      </section>
      <Losses figures={total.now} onOpen={onOpen} />
    </>
  )
}

const isEmpty = ({ now, before }: Line) =>
  [now, before].every(
    (figures) =>
      !figures || figures.received + figures.booked + figures.held + figures.won + figures.lost === 0,
  )

const definitions = (days: number) =>
  `Cada número abre a sua lista. Recebido: chegou, ou foi passado ao corretor sem resposta, no período; quem passou por dois conta para os dois, e uma pessoa conta uma vez no total. Mediana e meta contam quem ainda espera. Fechado: fechou no período, mesmo que tenha chegado antes. Conversão: dos recebidos há ${days} dias ou mais, os que fecharam em até ${days} dias. p. = pontos.`

function save({ target, before }: Results, lines: readonly Line[], { span, today }: SaveProps) {
  const names = { now: spanTitle(span, today), before: before && spanTitle(before, today) }
  const { header, rows } = toTable(lines, target, names)
  download(`resultado-${span.from}-${span.to}.csv`, toCsv(header, rows), 'text/csv;charset=utf-8')
}
type SaveProps = { span: ResultsState['question']['span']; today: string }
