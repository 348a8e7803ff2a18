// The list of leads behind a figure in a broker's row. Each opens its conversation.
import { useQuery } from '@tanstack/react-query'
import { UserRoundCheck } from 'lucide-react'
import { useState } from 'react'
import { formatHour } from '#domain/format.ts'
import { formatValue } from '#domain/lead/fields.ts'
import { spanWords } from '#domain/lead/path.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { State } from '#ui/feedback/state.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { type Column, Table } from '#ui/primitives/table.tsx'
import { type BrokerFigure, clockLeadsQuery, type ListedLead } from './data.ts'
import { LEAD_COLUMN } from './lead-cell.tsx'
import { figureOf, seeLead } from '../texts.ts'

export type OpenFigure = { broker: string; figure: BrokerFigure }

type NowListProps = {
  /** Null while the list is closed. */
  of: OpenFigure | null
  onClose: () => void
  onLead: (lead: { id: number; instanceName: string | null }) => void
}

export function NowList({ of, onClose, onLead }: NowListProps) {
  // The closing animation still shows this list, so that its text does not vanish at once.
  const [last, setLast] = useState(of)
  if (of && of !== last) setLast(of)
  return (
    <Dialog
      isOpen={of !== null}
      onClose={onClose}
      width="widest"
      title={last ? figureOf(last.figure, last.broker) : ''}
    >
      {last && <Listed {...last} onLead={onLead} />}
    </Dialog>
  )
}

function Listed({ broker, figure, onLead }: OpenFigure & Pick<NowListProps, 'onLead'>) {
  const read = useQuery(clockLeadsQuery(broker, figure))
  if (!read.data)
    return read.error ? (
      <FailedRead of={read} title="Não foi possível carregar esta lista." />
    ) : (
      <Skeleton className="m-5 h-40 rounded-md!" />
    )
  if (read.data.length === 0)
    return <State kind="empty" icon={UserRoundCheck} title="Ninguém nesta lista agora." />
  return (
    <div className="-mx-2">
      <Table
        label={figureOf(figure, broker)}
        columns={figure === 'booked' || figure === 'held' ? VISIT_COLUMNS : COLUMNS}
        rows={read.data}
        // The key contains the visit's time, because a lead may have two visits on one day.
        keyOf={({ id, visitAt }) => `${id} ${visitAt}`}
        open={{
          run: ({ id, broker: instanceName }) => onLead({ id, instanceName }),
          name: (lead) => seeLead(leadTitle(lead)),
        }}
      />
    </div>
  )
}

const VALUE: Column<ListedLead> = {
  title: 'Valor',
  isNumber: true,
  cell: ({ value }) => (value ? formatValue(value) : '–'),
}
const COLUMNS: Column<ListedLead>[] = [
  LEAD_COLUMN,
  { title: 'Recebido', isNumber: true, cell: ({ receivedAt }) => formatHour(receivedAt) },
  {
    title: 'Respondido',
    isNumber: true,
    cell: ({ receivedAt, answeredAt }) =>
      answeredAt === null ? '–' : `em ${spanWords(Math.round((answeredAt - receivedAt) / 1000))}`,
  },
  VALUE,
]
const VISIT_COLUMNS: Column<ListedLead>[] = [
  LEAD_COLUMN,
  {
    title: 'Visita',
    isNumber: true,
    cell: ({ visitAt }) => (visitAt === null ? '–' : formatHour(visitAt)),
  },
  VALUE,
]
