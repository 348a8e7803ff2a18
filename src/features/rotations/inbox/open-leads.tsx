// Leads without a broker: each one's routing state and age, and its history on a press.
import { useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { type ComponentType, type ReactNode, useState } from 'react'
import { type OpenRoutingCase, openRoutingCasesQuery } from '#data/board/lead-history.ts'
import { displayName } from '#domain/broker.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import { formatDateTime, formatRelative, formatHour } from '#domain/format.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { State } from '#ui/feedback/state.tsx'
import { useNow } from '#ui/now.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { type Column, Table } from '#ui/primitives/table.tsx'
import { CompleteLead } from './complete-lead.tsx'
import { OPEN_LEADS } from '../texts.ts'

const historyLabel = (name: string) => `Ver o caminho de ${name}`

const STATE: Record<OpenRoutingCase['state'], string> = {
  waiting: 'Aguardando corretor',
  offered: 'Oferecido',
  pool: 'No bolsão',
  inbox: 'Com o administrador',
}

const TONE = { waiting: 'warning', offered: 'info', pool: 'primary', inbox: 'neutral' } as const

const COLUMNS: readonly Column<OpenRoutingCase>[] = [
  {
    title: 'Lead',
    place: 'head',
    cell: (lead) => (
      <span className="block py-1.5 font-medium wrap-anywhere max-[40rem]:py-0">
        {leadTitle(lead)}
        {lead.number === null && lead.email !== null && (
          <span className="block text-13 font-normal text-text-3">Só e-mail</span>
        )}
      </span>
    ),
  },
  {
    title: 'Onde está',
    place: 'mark',
    cell: ({ state }) => <Badge tone={TONE[state]}>{STATE[state]}</Badge>,
  },
  {
    title: 'Corretor',
    isPlain: true,
    cell: ({ state, holder, nextAtMs }) =>
      state === 'offered' && holder !== null ? (
        <>
          {displayName(holder)}
          {nextAtMs !== null && (
            <span className="text-text-3 tabular-nums"> {`até ${formatHour(nextAtMs)}`}</span>
          )}
        </>
      ) : (
        <span className="text-text-3 max-[40rem]:hidden">–</span>
      ),
  },
  {
    title: 'Empreendimento',
    isPlain: true,
    cell: ({ development }) => development ?? <span className="text-text-3">Sem empreendimento</span>,
  },
  { title: 'Chegou', isPlain: true, cell: ({ arrivedAtMs }) => <Arrived atMs={arrivedAtMs} /> },
]

/** The history dialog's props; a component of another feature. */
export type HistoryProps = {
  /** The lead; null: closed. */
  lead: { contactId: number; name: string; more: ReactNode } | null
  onClose: () => void
}

export type OpenLeadsProps = {
  history: ComponentType<HistoryProps>
  /** A link to where the lead is answered and transferred; of another feature. */
  wayOn: (lead: OpenRoutingCase) => ReactNode
  /** A link to leads without a broker that are not in the list. */
  others: ReactNode
}

export function OpenLeads({ history: LeadHistory, wayOn, others }: OpenLeadsProps) {
  const read = useQuery(openRoutingCasesQuery())
  const { data: cases } = read
  const [opened, setOpened] = useState<HistoryProps['lead']>(null)
  const close = () => setOpened(null)
  if (!cases) return read.error ? <FailedRead of={read} /> : <Skeleton className="h-60 rounded-lg!" />
  return (
    <>
      <p className="max-w-3xl pb-3 text-14 leading-body text-text-2">
        {
          'Os que chegaram pela captação ou pelo número central e ainda não têm corretor. Os que ficaram de um corretor removido não estão aqui.'
        }{' '}
        {others}
      </p>
      {cases.length === 0 ? (
        <State
          kind="empty"
          icon={Inbox}
          title="Nenhum lead esperando."
          hint="Aparecem aqui os que estão sendo oferecidos, os do bolsão e os que nenhuma roleta recebe."
        />
      ) : (
        <div className="overflow-hidden rounded-lg bg-surface shadow-card">
          <Table
            label={OPEN_LEADS}
            columns={COLUMNS}
            rows={cases}
            keyOf={({ id }) => id}
            open={{
              run: (lead) =>
                setOpened({
                  contactId: lead.contactId,
                  name: leadTitle(lead),
                  more: moreOf(lead, wayOn, close),
                }),
              name: (lead) => historyLabel(leadTitle(lead)),
            }}
          />
        </div>
      )}
      <LeadHistory lead={opened} onClose={close} />
    </>
  )
}

/** Actions for a lead in its history dialog. */
function moreOf(lead: OpenRoutingCase, wayOn: OpenLeadsProps['wayOn'], onDone: () => void): ReactNode {
  const { contactId, number, email } = lead
  if (number !== null || email === null) return wayOn(lead)
  return <CompleteLead contactId={contactId} email={email} onDone={onDone} />
}

function Arrived({ atMs }: { atMs: number }) {
  const nowMs = useNow()
  return (
    <time dateTime={new Date(atMs).toISOString()} title={formatDateTime(atMs)} className="tabular-nums">
      {formatRelative(atMs, nowMs)}
    </time>
  )
}
