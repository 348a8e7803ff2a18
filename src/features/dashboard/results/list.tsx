// The list of leads that a figure of the results counts. Each opens its conversation.
import { useInfiniteQuery } from '@tanstack/react-query'
import { UserRoundCheck } from 'lucide-react'
import { useState } from 'react'
import { countOf } from '#domain/count.ts'
import { spanTitle } from '#domain/dashboard/results/table.ts'
import { formatDateTime } from '#domain/format.ts'
import { formatValue, lossLabel } from '#domain/lead/fields.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import { spanWords } from '#domain/lead/path.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { State } from '#ui/feedback/state.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { type Column, Table } from '#ui/primitives/table.tsx'
import { LEAD_COLUMN } from '../now/lead-cell.tsx'
import { seeLead } from '../texts.ts'
import { type Question, type ResultFigure, type ResultLead, resultLeadsQuery } from './data.ts'
import { listTitle, nameOf } from './texts.ts'

type ListProps = {
  /** Null while the list is closed. */
  figure: ResultFigure | null
  question: Question
  today: string
  onClose: () => void
  onLead: (lead: { id: number; instanceName: string | null }) => void
}

export function ResultList({ figure, question, today, onClose, onLead }: ListProps) {
  // The closing animation still shows this list, so that its text does not vanish at once.
  const [last, setLast] = useState(figure)
  if (figure && figure !== last) setLast(figure)
  return (
    <Dialog
      isOpen={figure !== null}
      onClose={onClose}
      hasAddress
      width="widest"
      title={last ? listTitle(last) : ''}
      subtitle={last && <Counted figure={last} question={question} today={today} />}
    >
      {last && <Listed figure={last} question={question} onLead={onLead} />}
    </Dialog>
  )
}

function Counted({ figure, question, today }: { figure: ResultFigure; question: Question; today: string }) {
  const { data } = useInfiniteQuery(resultLeadsQuery(figure, question))
  const span = figure.name === 'waiting' ? 'de qualquer data' : spanTitle(question.span, today)
  const [one, many] =
    figure.name === 'booked' || figure.name in VISITS
      ? (['visita', 'visitas'] as const)
      : (['lead', 'leads'] as const)
  const count = data?.pages[0]?.count
  return <>{count === undefined ? span : `${countOf(count, one, many)} · ${span}`}</>
}

const VISITS = { held: true, missed: true, untold: true }

type ListedProps = { figure: ResultFigure; question: Question; onLead: ListProps['onLead'] }

function Listed({ figure, question, onLead }: ListedProps) {
  const read = useInfiniteQuery(resultLeadsQuery(figure, question))
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = read
  if (!data)
    return read.error ? (
      <FailedRead of={read} title="Não foi possível carregar esta lista." />
    ) : (
      <Skeleton className="m-5 h-40 rounded-md!" />
    )
  const leads = data.pages.flatMap((page) => page.leads)
  if (leads.length === 0)
    return <State kind="empty" icon={UserRoundCheck} title="Ninguém nesta lista agora." />
  return (
    <div className="-mx-2">
      <Table
        label={listTitle(figure)}
        columns={[LEAD_COLUMN, ...columnsOf(figure)]}
        rows={leads}
        // A lead may have two visits, or come to the same broker twice, so the key contains time and part too.
        keyOf={({ id, at, part }) => `${id} ${at} ${part}`}
        open={{
          run: ({ id, broker }) => onLead({ id, instanceName: broker }),
          name: (lead) => seeLead(leadTitle(lead)),
        }}
      />
      {hasNextPage && (
        <div className="px-5 py-3">
          <Button
            variant="line"
            busy={isFetchingNextPage && 'Carregando...'}
            onClick={() => void fetchNextPage()}
          >
            Carregar mais
          </Button>
        </div>
      )}
    </div>
  )
}

const WHEN: Partial<Record<ResultFigure['name'], string>> = {
  booked: 'Marcada em',
  held: 'Visita',
  missed: 'Visita',
  untold: 'Visita',
  won: 'Fechou em',
  lost: 'Perdido em',
  waiting: 'Espera desde',
}

function columnsOf({ name }: ResultFigure): Column<ResultLead>[] {
  const plain = { isNumber: true } as const
  const columns: Column<ResultLead>[] = [
    { title: 'Corretor hoje', isPlain: true, cell: ({ broker }) => (broker === null ? '–' : nameOf(broker)) },
    { ...plain, title: WHEN[name] ?? 'Recebido em', cell: ({ at }) => formatDateTime(at) },
  ]
  if (name === 'received' || name === 'answered' || name === 'inTime')
    columns.push({ ...plain, title: 'Resposta', cell: waitText })
  if (name === 'waiting')
    columns.push({
      ...plain,
      title: 'Espera',
      cell: ({ seconds }) => (seconds === null ? '–' : spanWords(seconds)),
    })
  if (name === 'won')
    columns.push({ ...plain, title: 'Valor', cell: ({ cents }) => (cents ? formatValue(cents) : '–') })
  if (name === 'lost')
    columns.push({ title: 'Motivo', isPlain: true, cell: ({ part }) => lossLabel(part ?? 'none') })
  return columns
}

/**
 * Tells how long the lead waited. Without an answer, the wait lasted until a hand-over or an opt-out, or it still
 * lasts.
 */
function waitText({ seconds, isAnswered }: ResultLead): string {
  if (seconds === null) return '–'
  return isAnswered ? `em ${spanWords(seconds)}` : `sem, em ${spanWords(seconds)}`
}
