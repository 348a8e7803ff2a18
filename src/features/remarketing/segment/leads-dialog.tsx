// The dialog with the persons that a number counts. Each is shown as one lead, which opens its conversation.
import { useInfiniteQuery } from '@tanstack/react-query'
import { UserRoundCheck } from 'lucide-react'
import { useState } from 'react'
import { displayName } from '#domain/broker.ts'
import { countOf } from '#domain/count.ts'
import { formatDate } from '#domain/format.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { State } from '#ui/feedback/state.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { type Column, Table } from '#ui/primitives/table.tsx'
import { LOADING } from '#ui/texts.ts'
import { contacts, MORE } from '../texts.ts'
import { type SegmentLead, type SegmentList, segmentLeadsQuery } from './segment-data.ts'

export type OpenLead = (lead: { id: number; instanceName: string | null }) => void
type LeadsDialogProps = {
  /** Null: closed. */
  list: SegmentList | null
  onClose: () => void
  onLead: OpenLead
}

export function LeadsDialog({ list, onClose, onLead }: LeadsDialogProps) {
  // The last list is kept, so that the text stays during the closing animation.
  const [last, setLast] = useState(list)
  if (list && list !== last) setLast(list)
  return (
    <Dialog
      isOpen={list !== null}
      onClose={onClose}
      width="widest"
      title={last?.title ?? ''}
      subtitle={last && <Counted list={last} />}
    >
      {last && <Listed list={last} onLead={onLead} />}
    </Dialog>
  )
}

function Counted({ list }: { list: SegmentList }) {
  const { data } = useInfiniteQuery(segmentLeadsQuery(list))
  const [first] = data?.pages ?? []
  if (!first) return null
  const gone =
    first.gone > 0 ? `, e ${countOf(first.gone, 'pessoa', 'pessoas')} cujos dados saíram do portal` : ''
  return <>{contacts(first.count) + gone}</>
}

const COLUMNS: readonly Column<SegmentLead>[] = [
  {
    title: 'Lead',
    place: 'head',
    cell: (lead) => (
      <span className="font-semibold">
        {leadTitle(lead)}
        {lead.development && (
          <span className="block text-13 font-regular text-text-3">{lead.development}</span>
        )}
      </span>
    ),
  },
  { title: 'Corretor', isPlain: true, cell: ({ broker }) => (broker === null ? '–' : displayName(broker)) },
  { title: 'Última conversa', isNumber: true, cell: ({ talkedAt }) => formatDate(Date.parse(talkedAt)) },
]

function Listed({ list, onLead }: { list: SegmentList; onLead: OpenLead }) {
  const read = useInfiniteQuery(segmentLeadsQuery(list))
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
        label={list.title}
        columns={COLUMNS}
        rows={leads}
        keyOf={({ id }) => id}
        open={{
          run: ({ id, broker }) => onLead({ id, instanceName: broker }),
          name: (lead) => `Ver conversa com ${leadTitle(lead)}`,
        }}
      />
      {hasNextPage && (
        <div className="px-5 py-3">
          <Button variant="line" busy={isFetchingNextPage && LOADING} onClick={() => void fetchNextPage()}>
            {MORE}
          </Button>
        </div>
      )}
    </div>
  )
}
