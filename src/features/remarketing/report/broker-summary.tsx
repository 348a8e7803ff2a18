// 'Resumo por Corretor': a table with one row per broker.
import { useMutation, useQuery } from '@tanstack/react-query'
import { noteExport } from '#data/audit.ts'
import { type CampaignStats, statsQuery } from './reports-data.ts'
import { displayName } from '#domain/broker.ts'
import { sendRatio } from '#domain/campaign.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { download } from '#ui/download.ts'
import { ProgressBar } from '#ui/feedback/progress-bar.tsx'
import { type Column, Table } from '#ui/primitives/table.tsx'
import { EXPORT_FAILED } from '#ui/texts.ts'
import { toast } from '#ui/feedback/toast.ts'
import { count, FIGURE, percent } from '../texts.ts'
import { CSV_TYPE, fileName, summaryCsv } from './report-files.ts'
import { ReportSection } from './report-section.tsx'

const SUMMARY = 'Resumo por Corretor'

const COLUMNS: readonly Column<CampaignStats>[] = [
  {
    title: 'Corretor',
    place: 'head',
    cell: ({ instanceName }) => (
      <span className="flex items-center gap-2.5 font-medium">
        <Avatar name={displayName(instanceName)} size={32} />
        {displayName(instanceName)}
      </span>
    ),
  },
  { title: 'Total de Campanhas', isNumber: true, cell: ({ campaignCount }) => count(campaignCount) },
  { title: 'Total de Contatos', isNumber: true, cell: ({ recipientCount }) => count(recipientCount) },
  { title: 'Mensagens Enviadas', isNumber: true, cell: ({ sentCount }) => count(sentCount) },
  { title: FIGURE.delivered, isNumber: true, cell: ({ outcomes }) => count(outcomes.delivered) },
  { title: FIGURE.read, isNumber: true, cell: ({ outcomes }) => count(outcomes.read) },
  { title: FIGURE.answered, isNumber: true, cell: ({ outcomes }) => count(outcomes.answered) },
  { title: FIGURE.optedOut, isNumber: true, cell: ({ outcomes }) => count(outcomes.optedOut) },
  {
    title: 'Taxa de Envio',
    width: 'xl:w-64',
    cell: (stats) => (
      <span className="inline-flex items-center gap-3 tabular-nums">
        <span aria-hidden className="hidden xl:block">
          <ProgressBar label="" ratio={sendRatio(stats)} size="thin" />
        </span>
        {percent(sendRatio(stats))}
      </span>
    ),
  },
]

const NOBODY: readonly CampaignStats[] = []

export function BrokerSummary() {
  const stats = useQuery(statsQuery())
  const { data = NOBODY } = stats
  const { mutate: save, isPending: isExporting } = useMutation({
    mutationFn: async (rows: readonly CampaignStats[]) => {
      await noteExport('campaign-summary', rows.length)
      download(fileName('resumo'), summaryCsv(rows), CSV_TYPE)
    },
    onError: () => toast(EXPORT_FAILED, 'error'),
  })
  return (
    <ReportSection
      title={SUMMARY}
      read={stats}
      isEmpty={data.length === 0}
      onExport={() => save(data)}
      isExporting={isExporting}
    >
      <Table label={SUMMARY} columns={COLUMNS} rows={data} keyOf={({ brokerId }) => brokerId} />
    </ReportSection>
  )
}
