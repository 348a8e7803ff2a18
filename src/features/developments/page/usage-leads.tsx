// Lists the leads that 'Onde é usado' counts: the longest wait comes first, visits by their hour.
import { useQuery } from '@tanstack/react-query'
import { displayName } from '#domain/broker.ts'
import { formatDateTime, formatRelative } from '#domain/format.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { useNow } from '#ui/now.ts'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { type Column, Table } from '#ui/primitives/table.tsx'
import { LEAD_LISTS, leadsQuery, type LeadList, type ListedLead } from '../data.ts'

export type OpenLead = (lead: Pick<ListedLead, 'id' | 'instanceName'>) => void

type UsageLeadsProps = {
  id: number
  /** Null while the dialog is closed. */
  list: LeadList | null
  /** How many leads the list has in total; the table shows the first 200. */
  count: number
  onClose: () => void
  onLead: OpenLead
}

export function UsageLeads({ list, onClose, ...rest }: UsageLeadsProps) {
  return (
    <Dialog isOpen={list !== null} onClose={onClose} title={list ? LEAD_LISTS[list] : ''} width="widest">
      {list && <Leads list={list} {...rest} />}
    </Dialog>
  )
}

function Leads({ id, list, count, onLead }: Omit<UsageLeadsProps, 'onClose' | 'list'> & { list: LeadList }) {
  const read = useQuery(leadsQuery(id, list))
  const nowMs = useNow()
  if (!read.data) return read.error ? <FailedRead of={read} /> : <Skeleton className="m-5 h-40" />
  if (read.data.length === 0) return <p className="px-5 py-8 text-center text-text-2">Nenhum lead.</p>
  return (
    <>
      <Table
        label={LEAD_LISTS[list]}
        columns={columnsOf(list, nowMs)}
        rows={read.data}
        keyOf={({ id: lead, visitAt }) => `${lead} ${visitAt}`}
        open={{ run: onLead, name: (lead) => `Abrir conversa com ${leadTitle(lead)}` }}
      />
      {count > read.data.length && (
        <p className="px-5 py-3 text-13 text-text-3">
          Mostrando {read.data.length} de {count}.
        </p>
      )}
    </>
  )
}

function columnsOf(list: LeadList, nowMs: number): Column<ListedLead>[] {
  const since = (text: string | null) => (text === null ? '–' : formatRelative(Date.parse(text), nowMs))
  return [
    {
      title: 'Lead',
      place: 'head',
      cell: (lead) => <span className="font-semibold">{leadTitle(lead)}</span>,
    },
    { title: 'Estágio', cell: ({ stage }) => stage },
    {
      title: 'Corretor',
      cell: ({ instanceName }) => (instanceName === null ? 'Sem corretor' : displayName(instanceName)),
    },
    list === 'visits'
      ? {
          title: 'Visita',
          cell: ({ visitAt }) => (visitAt === null ? '–' : formatDateTime(Date.parse(visitAt))),
        }
      : { title: 'Espera', cell: ({ waitingSince }) => since(waitingSince) },
  ]
}
