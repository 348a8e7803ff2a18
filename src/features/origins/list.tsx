// The dialog with the leads that a figure counts. Each opens its conversation.
import { useInfiniteQuery } from '@tanstack/react-query'
import { UserRoundCheck } from 'lucide-react'
import { useState } from 'react'
import { displayName } from '#domain/broker.ts'
import { countOf } from '#domain/count.ts'
import { formatDateTime } from '#domain/format.ts'
import { formatValue } from '#domain/lead/fields.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import { sourceLabel } from '#domain/lead/source.ts'
import { monthName, originLabel } from '#domain/origins/costs.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { State } from '#ui/feedback/state.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { type Column, Table } from '#ui/primitives/table.tsx'
import { type OriginFigure, type OriginLead, originLeadsQuery, type Question } from './data.ts'

type OnLead = (lead: { id: number; instanceName: string | null }) => void
type ListProps = {
  /** The name of the figure's campaign, '' without one. */
  nameOf: (figure: OriginFigure) => string
  /** Null: closed. */
  figure: OriginFigure | null
  question: Question
  today: string
  onClose: () => void
  onLead: OnLead
}

const TITLE: Readonly<Record<OriginFigure['name'], string>> = {
  leads: 'Leads',
  answered: 'Respondidos',
  visits: 'Com visita feita',
  sales: 'Fechados',
  untold: 'Sem gasto informado',
}

type NameOf = ListProps['nameOf']

function titleOf(figure: OriginFigure, nameOf: NameOf): string {
  const { name, origin, isPaid } = figure
  const of = origin === null ? null : originLabel(origin)
  return [TITLE[name], isPaid ? 'com gasto informado' : null, of, nameOf(figure)].filter(Boolean).join(' · ')
}

export function OriginList({ figure, question, today, nameOf, onClose, onLead }: ListProps) {
  // The last figure is kept, so that the text stays during the closing animation.
  const [last, setLast] = useState(figure)
  if (figure && figure !== last) setLast(figure)
  return (
    <Dialog
      isOpen={figure !== null}
      onClose={onClose}
      hasAddress
      width="widest"
      title={last ? titleOf(last, nameOf) : ''}
      subtitle={last && <Counted figure={last} question={question} today={today} />}
    >
      {last && <Listed figure={last} title={titleOf(last, nameOf)} question={question} onLead={onLead} />}
    </Dialog>
  )
}

function Counted({ figure, question, today }: { figure: OriginFigure; question: Question; today: string }) {
  const { data } = useInfiniteQuery(originLeadsQuery(figure, question))
  const month = `recebidos em ${monthName(question.month, today).toLowerCase()}`
  const count = data?.pages[0]?.count
  return <>{count === undefined ? month : `${countOf(count, 'lead', 'leads')} · ${month}`}</>
}

const COLUMNS: Column<OriginLead>[] = [
  {
    title: 'Lead',
    place: 'head',
    cell: (lead) => (
      <span className="font-semibold">
        {leadTitle(lead)}
        <span className="block text-13 font-regular text-text-3">
          {[sourceLabel(lead.source), lead.campaign].filter(Boolean).join(' · ')}
        </span>
      </span>
    ),
  },
  {
    title: 'Corretor hoje',
    isPlain: true,
    cell: ({ broker }) => (broker === null ? '–' : displayName(broker)),
  },
  { title: 'Recebido em', isNumber: true, cell: ({ at }) => formatDateTime(at) },
]
const VALUE: Column<OriginLead> = {
  title: 'Valor',
  isNumber: true,
  cell: ({ cents }) => (cents ? formatValue(cents) : '–'),
}

type ListedProps = { figure: OriginFigure; title: string; question: Question; onLead: OnLead }

function Listed({ figure, title, question, onLead }: ListedProps) {
  const read = useInfiniteQuery(originLeadsQuery(figure, question))
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
        label={title}
        columns={figure.name === 'sales' ? [...COLUMNS, VALUE] : COLUMNS}
        rows={leads}
        keyOf={({ id }) => id}
        open={{
          run: ({ id, broker }) => onLead({ id, instanceName: broker }),
          name: (lead) => `Abrir a conversa com ${leadTitle(lead)}`,
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
