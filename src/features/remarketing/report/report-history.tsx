// 'Histórico de Campanhas' of all brokers. Each campaign opens its results.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { noteExport } from '#data/audit.ts'
import { readWholeHistory, reportQuery } from './reports-data.ts'
import { displayName } from '#domain/broker.ts'
import type { Campaign } from '#domain/campaign.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { download } from '#ui/download.ts'
import { type Column, Table } from '#ui/primitives/table.tsx'
import { EXPORT_FAILED } from '#ui/texts.ts'
import { toast } from '#ui/feedback/toast.ts'
import { CampaignChip, StageName } from '../campaign-words.tsx'
import { ResultsDialog } from '../online-dialogs.ts'
import { count, FIGURE, HISTORY, momentOf, MORE, resultsOf, sentTotal } from '../texts.ts'
import { CSV_TYPE, fileName, historyCsv } from './report-files.ts'
import { ReportSection } from './report-section.tsx'

const COLUMNS: readonly Column<Campaign>[] = [
  {
    title: 'Data',
    place: 'head',
    cell: (campaign) => (
      <span className="whitespace-nowrap text-text-2 tabular-nums">{momentOf(campaign)}</span>
    ),
  },
  {
    title: 'Corretor',
    isPlain: true,
    cell: ({ instanceName }) => (
      <span className="flex items-center gap-2.5">
        <Avatar name={displayName(instanceName)} size={32} />
        {displayName(instanceName)}
      </span>
    ),
  },
  { title: 'Kanban', isPlain: true, cell: (campaign) => <StageName campaign={campaign} /> },
  { title: 'Status', place: 'mark', cell: ({ status }) => <CampaignChip status={status} /> },
  {
    title: 'Contatos',
    isNumber: true,
    cell: ({ sentCount, recipientCount }) => (
      <span className="whitespace-nowrap">{sentTotal(sentCount, recipientCount)}</span>
    ),
  },
  { title: FIGURE.delivered, isNumber: true, cell: ({ outcomes }) => count(outcomes.delivered) },
  { title: FIGURE.read, isNumber: true, cell: ({ outcomes }) => count(outcomes.read) },
  { title: FIGURE.answered, isNumber: true, cell: ({ outcomes }) => count(outcomes.answered) },
  {
    title: FIGURE.optedOut,
    isNumber: true,
    width: 'min-w-24',
    cell: ({ outcomes }) => count(outcomes.optedOut),
  },
  {
    title: 'Mensagem',
    place: 'words',
    width: 'w-1/3',
    cell: ({ message }) => <span className="line-clamp-1 text-text-2 wrap-anywhere">{message}</span>,
  },
]

const NONE: readonly Campaign[] = []

export function ReportHistory() {
  const [pages, setPages] = useState(1)
  const [openedId, setOpenedId] = useState<number | null>(null)
  const report = useQuery(reportQuery(pages))
  const { data, isFetching } = report
  const campaigns = data?.campaigns ?? NONE
  const { mutate: save, isPending: isExporting } = useMutation({
    mutationFn: async () => {
      const rows = await readWholeHistory()
      await noteExport('campaigns', rows.length)
      download(fileName('campanhas'), historyCsv(rows), CSV_TYPE)
    },
    onError: () => toast(EXPORT_FAILED, 'error'),
  })
  return (
    <ReportSection
      title={HISTORY}
      read={report}
      isEmpty={campaigns.length === 0}
      onExport={() => save()}
      isExporting={isExporting}
    >
      <Table
        label={HISTORY}
        columns={COLUMNS}
        rows={campaigns}
        keyOf={({ id }) => id}
        open={{ run: ({ id }) => setOpenedId(id), name: (campaign) => resultsOf(momentOf(campaign)) }}
      />
      {data?.hasMore && (
        <div className="flex justify-center py-3">
          <Button variant="line" busy={isFetching && MORE} onClick={() => setPages(pages + 1)}>
            {MORE}
          </Button>
        </div>
      )}
      <ResultsDialog
        campaign={campaigns.find(({ id }) => id === openedId) ?? null}
        onClose={() => setOpenedId(null)}
      />
    </ReportSection>
  )
}
