// 'Histórico de Campanhas' of a broker. Each campaign opens its results.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { historyQuery } from './report/reports-data.ts'
import type { Campaign } from '#domain/campaign.ts'
import { formatDateTime } from '#domain/format.ts'
import { Button } from '#ui/primitives/button.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { lazily } from '#ui/lazily.ts'
import { type Column, Table } from '#ui/primitives/table.tsx'
import { CampaignChip, StageName } from './campaign-words.tsx'
import { HISTORY, momentOf, MORE, NO_CAMPAIGNS, resultsOf, sentTotal } from './texts.ts'

const SKELETONS = 3
const results = lazily(async () => (await import('./online-dialogs.ts')).ResultsDialog)

const COLUMNS: readonly Column<Campaign>[] = [
  {
    title: 'Data',
    place: 'head',
    width: 'w-44',
    cell: (campaign) => (
      <span className="text-text-3 tabular-nums max-[40rem]:text-13">{momentOf(campaign)}</span>
    ),
  },
  { title: 'Kanban', isPlain: true, width: 'w-44', cell: (campaign) => <StageName campaign={campaign} /> },
  { title: 'Status', place: 'mark', width: 'w-36', cell: ({ status }) => <CampaignChip status={status} /> },
  {
    title: 'Contatos',
    isNumber: true,
    width: 'w-28',
    cell: ({ sentCount, recipientCount }) => sentTotal(sentCount, recipientCount),
  },
  {
    title: 'Mensagem',
    place: 'words',
    cell: ({ message }) => <span className="line-clamp-1 max-[40rem]:text-16 lg:text-text-2">{message}</span>,
  },
]

export function CampaignHistory({ instanceName }: { instanceName: string }) {
  const [pages, setPages] = useState(1)
  const [openedId, setOpenedId] = useState<number | null>(null)
  const history = useQuery(historyQuery(instanceName, pages))
  const { data, isError, isFetching } = history
  return (
    <section aria-labelledby="history-heading" className="pt-6">
      <h2 id="history-heading" className="px-0.5 pb-2.5 text-18 font-semibold">
        {HISTORY}
      </h2>
      <div className="pb-2 empty:hidden">
        <FailedRead
          of={history}
          title="Não foi possível carregar o histórico."
          shownFrom={data && formatDateTime(history.dataUpdatedAt)}
          isRow
        />
      </div>
      {!data && !isError && (
        <div className="flex flex-col gap-2">
          {Array.from({ length: SKELETONS }, (_, index) => (
            <Skeleton key={index} className="h-20 rounded-card!" />
          ))}
        </div>
      )}
      {data && (
        <div className="overflow-hidden rounded-card bg-surface shadow-card">
          {data.campaigns.length === 0 ? (
            <p className="px-4 py-8 text-center text-15 text-text-2">{NO_CAMPAIGNS}</p>
          ) : (
            <Table
              label={HISTORY}
              columns={COLUMNS}
              rows={data.campaigns}
              keyOf={({ id }) => id}
              open={{
                run: ({ id }) => results.open(() => setOpenedId(id)),
                name: (campaign) => resultsOf(momentOf(campaign)),
              }}
            />
          )}
        </div>
      )}
      {data?.hasMore && (
        <div className="flex justify-center pt-3">
          <Button variant="line" busy={isFetching && MORE} onClick={() => setPages(pages + 1)}>
            {MORE}
          </Button>
        </div>
      )}
      {results.isHere() && (
        <results.Component
          campaign={data?.campaigns.find(({ id }) => id === openedId) ?? null}
          onClose={() => setOpenedId(null)}
        />
      )}
    </section>
  )
}
