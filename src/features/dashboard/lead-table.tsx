// A table of leads, loaded page by page, with the columns NOME, DATA, HORA, STATUS and EMPREENDIMENTO.
import { formatResponseTime } from '#domain/dashboard/dashboard.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useIsOnline } from '#data/connectivity.ts'
import type { LeadFilter } from './data.ts'
import { figureLeadsQuery } from './figure-leads-data.ts'
import { stageNamesQuery } from './filter/choices-data.ts'
import { useStageHues } from '#data/board/stage-hues.ts'
import { statusLabel } from '#domain/dashboard/chart-parts.ts'
import type { Figure, LeadRow } from '#domain/dashboard/dashboard.ts'
import { countOf } from '#domain/count.ts'
import { formatDate, formatDateTime, formatHour } from '#domain/format.ts'
import { displayName } from '#domain/broker.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import { formatPhone } from '#domain/phone/phone.ts'
import { Button } from '#ui/primitives/button.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { hueOf } from '#ui/primitives/hue.ts'
import { useNow } from '#ui/now.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { type Column, Table } from '#ui/primitives/table.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { COLUMN, NO_VALUE } from './texts.ts'

const openConversation = (name: string) => `Abrir conversa com ${name}`

const waitsFor = (hours: number) => `espera há ${formatResponseTime(hours)}`

/** Tells how long a lead waited for its response; for a lead without one, how long it has been waiting. */
const answeredIn = (hours: number) => `em ${formatResponseTime(hours)}`

const SKELETONS = 5
const HOUR_MS = 3_600_000
const NO_NAMES: ReadonlyMap<string, string> = new Map()

type LeadTableProps = {
  label: string
  figure: Figure
  filter: LeadFilter
  emptyText: string
  /** Opens a lead's conversation. If given, the table also shows the lead's broker, number and response time. */
  onOpen?: ((lead: LeadRow) => void) | undefined
}

export function LeadTable({ label, figure, filter, emptyText, onOpen }: LeadTableProps) {
  const read = useInfiniteQuery(figureLeadsQuery(figure, filter))
  const { data, isFetchingNextPage, hasNextPage, fetchNextPage } = read
  const { data: stageNames = NO_NAMES } = useQuery(stageNamesQuery())
  const isOnline = useIsOnline()
  if (!data) {
    if (read.error) return <FailedRead of={read} />
    return (
      <div className="flex flex-col gap-2 p-5">
        {Array.from({ length: SKELETONS }, (_, index) => (
          <Skeleton key={index} className="h-10" />
        ))}
      </div>
    )
  }
  const leads = data.pages.flatMap((page) => page.leads)
  if (leads.length === 0) return <p className="px-5 py-8 text-center text-text-2">{emptyText}</p>
  return (
    <>
      <Table
        label={label}
        columns={onOpen ? [...columnsWith(stageNames), ...MORE_COLUMNS] : columnsWith(stageNames)}
        rows={leads}
        keyOf={(lead) => lead.id}
        {...(onOpen && { open: { run: onOpen, name: (lead: LeadRow) => openConversation(leadTitle(lead)) } })}
      />
      <FailedRead
        of={{ ...read, refetch: hasNextPage ? fetchNextPage : read.refetch }}
        shownFrom={formatDateTime(read.dataUpdatedAt)}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 md:px-5">
        <output className="text-13 text-text-3">
          {hasNextPage
            ? `Mostrando ${countOf(leads.length, 'lead', 'leads')} - clique para carregar mais`
            : `Mostrando ${countOf(leads.length, 'lead', 'leads')}`}
        </output>
        {hasNextPage && (
          <Button
            variant="line"
            disabled={!isOnline}
            title={isOnline ? undefined : ONLINE_ONLY}
            busy={isFetchingNextPage && 'Carregando...'}
            onClick={() => void fetchNextPage()}
          >
            Carregar mais leads
          </Button>
        )}
      </div>
    </>
  )
}

const columnsWith = (stageNames: ReadonlyMap<string, string>): Column<LeadRow>[] => [
  {
    title: COLUMN.name,
    cell: (lead) => <span className="font-medium wrap-anywhere">{leadTitle(lead)}</span>,
    place: 'head',
    width: 'min-w-40',
  },
  { title: COLUMN.date, cell: ({ createdAtMs }) => formatDate(createdAtMs), isPlain: true },
  { title: COLUMN.hour, cell: ({ createdAtMs }) => formatHour(createdAtMs), isPlain: true },
  {
    title: COLUMN.status,
    cell: ({ statusSlug }) => <Status slug={statusSlug} label={statusLabel(statusSlug, stageNames)} />,
    place: 'mark',
  },
  { title: COLUMN.development, cell: ({ development }) => development ?? NO_VALUE, place: 'words' },
]

const MORE_COLUMNS: readonly Column<LeadRow>[] = [
  {
    title: COLUMN.broker,
    isPlain: true,
    cell: ({ instanceName }) => (instanceName === null ? NO_VALUE : displayName(instanceName)),
  },
  {
    title: COLUMN.number,
    isPlain: true,
    cell: ({ number }) => (
      <span className="whitespace-nowrap tabular-nums">
        {number === null ? NO_VALUE : formatPhone(number)}
      </span>
    ),
  },
  { title: COLUMN.response, isPlain: true, cell: (lead) => <Answer lead={lead} /> },
]

function Answer({ lead: { responseHours, waitingSinceMs } }: { lead: LeadRow }) {
  const nowMs = useNow()
  if (waitingSinceMs !== null)
    return (
      <span className="font-medium whitespace-nowrap text-warning tabular-nums">
        {waitsFor(Math.max(0, nowMs - waitingSinceMs) / HOUR_MS)}
      </span>
    )
  if (responseHours === null) return NO_VALUE
  return <span className="whitespace-nowrap tabular-nums">{answeredIn(responseHours)}</span>
}

function Status({ slug, label }: { slug: string; label: string }) {
  const hues = useStageHues()
  return (
    <span
      data-hue={hueOf(slug, hues.get(slug))}
      className="inline-flex min-h-6 items-center gap-1.5 rounded-full bg-hue-bg px-2.5 text-12 font-medium whitespace-nowrap text-hue-fg"
    >
      <span aria-hidden className="size-2 rounded-full bg-hue-dot" />
      {label}
    </span>
  )
}
