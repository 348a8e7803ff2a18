// 'Campanhas por segmento' in the report. Each campaign opens its result.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDate, formatDateTime } from '#domain/format.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { type Column, Table } from '#ui/primitives/table.tsx'
import { count, MORE } from '../texts.ts'
import { LeadsDialog, type OpenLead } from './leads-dialog.tsx'
import { ResultDialog } from './result-dialog.tsx'
import { type SegmentList, type SegmentSend, sendsQuery } from './segment-data.ts'

const TITLE = 'Campanhas por segmento'

const nameOf = ({ name }: SegmentSend) => name ?? 'Sem nome'

function Comparison({ send }: { send: SegmentSend }) {
  if (send.heldOut === 0) return <span className="text-text-3">Sem comparação</span>
  if (send.days === 30) return <Badge tone="success">Resultado pronto</Badge>
  if (send.days === 14)
    return <Badge tone="info">{`Julgado em ${formatDate(Date.parse(send.judgedAt))}`}</Badge>
  return <Badge tone="neutral">{`Aparece em ${formatDate(Date.parse(send.shownAt))}`}</Badge>
}

const COLUMNS: readonly Column<SegmentSend>[] = [
  {
    title: 'Data',
    place: 'head',
    cell: ({ assignedAt }) => (
      <span className="text-text-2 tabular-nums">{formatDateTime(Date.parse(assignedAt))}</span>
    ),
  },
  { title: 'Segmento', isPlain: true, cell: nameOf },
  { title: 'Comparação', place: 'mark', cell: (send) => <Comparison send={send} /> },
  {
    title: 'Enviadas',
    isNumber: true,
    cell: ({ sent, receiving }) => `${count(sent)} / ${count(receiving)}`,
  },
  { title: 'De fora, por sorteio', isNumber: true, cell: ({ heldOut }) => count(heldOut) },
  {
    title: 'Mensagem',
    place: 'words',
    width: 'w-1/3',
    cell: ({ message }) => <span className="line-clamp-1 text-text-2 wrap-anywhere">{message}</span>,
  },
]

export function SegmentSends({ onLead }: { onLead: OpenLead }) {
  const [pages, setPages] = useState(1)
  const [openedId, setOpenedId] = useState<number | null>(null)
  const [list, setList] = useState<SegmentList | null>(null)
  const read = useQuery(sendsQuery(pages))
  const { data, isFetching } = read
  // The report shows this card only if there is a campaign to a segment.
  if (data ? data.sends.length === 0 : !read.error) return null
  return (
    <section aria-label={TITLE} className="overflow-hidden rounded-lg bg-surface shadow-card">
      <h2 className="px-5 py-3.5 text-16 font-semibold">{TITLE}</h2>
      <div className="px-5 pb-2 empty:hidden">
        <FailedRead of={read} shownFrom={data && formatDateTime(read.dataUpdatedAt)} isRow />
      </div>
      {data && (
        <Table
          label={TITLE}
          columns={COLUMNS}
          rows={data.sends}
          keyOf={({ id }) => id}
          open={{
            run: ({ id }) => setOpenedId(id),
            name: ({ assignedAt }) =>
              `Ver o que trouxe a campanha de ${formatDateTime(Date.parse(assignedAt))}`,
          }}
        />
      )}
      {data?.hasMore && (
        <div className="flex justify-center py-3">
          <Button variant="line" busy={isFetching && MORE} onClick={() => setPages(pages + 1)}>
            {MORE}
          </Button>
        </div>
      )}
      <ResultDialog
        send={data?.sends.find(({ id }) => id === openedId) ?? null}
        onClose={() => setOpenedId(null)}
        onList={(next) => {
          setOpenedId(null)
          setList(next)
        }}
      />
      <LeadsDialog list={list} onClose={() => setList(null)} onLead={onLead} />
    </section>
  )
}
