// 'Agora': who waits for a first answer, the longest over the target first, and how fast today's leads were taken up.
import { useQuery } from '@tanstack/react-query'
import { Timer, UserRoundCheck } from 'lucide-react'
import { displayName } from '#domain/broker.ts'
import { formatHour } from '#domain/format.ts'
import { formatValue } from '#domain/lead-fields.ts'
import { spanWords } from '#domain/lead-path.ts'
import { leadTitle } from '#domain/lead.ts'
import { sourceLabel } from '#domain/lead-source.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { State } from '#ui/feedback/state.tsx'
import { useNow } from '#ui/now.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { type Column, Table } from '#ui/primitives/table.tsx'
import { type BrokerLine, type Clocks, clocksQuery, type WaitingLead } from './now-data.ts'
import {
  AT_RISK,
  BY_BROKER,
  gapText,
  NOBODY_AT_RISK,
  NOW_FAILED,
  NOW_LEADS,
  riskText,
  seeLead,
  withinText,
} from './now-texts.ts'

type NowSectionProps = {
  /** Opens the lead's conversation, where it can be handed over. */
  onLead: (lead: { id: number; instanceName: string | null }) => void
}

export function NowSection({ onLead }: NowSectionProps) {
  const read = useQuery(clocksQuery())
  // What the server counts by is the server's clock.
  const nowMs = useNow() + (read.data ? read.data.at - read.dataUpdatedAt : 0)
  if (!read.data)
    return read.error ? (
      <FailedRead of={read} title={NOW_FAILED} />
    ) : (
      <Skeleton className="h-72 rounded-card!" />
    )
  const { risk, brokers, target } = read.data
  return (
    <div className="flex flex-col gap-3 lg:gap-4">
      {read.error && <FailedRead of={read} shownFrom={formatHour(read.data.at)} />}
      <Means clocks={read.data} />
      <section aria-labelledby="now-risk" className="rounded-card bg-surface shadow-card">
        <h2 id="now-risk" className="flex flex-wrap items-baseline gap-x-3 px-5 pt-4 text-16 font-semibold">
          {AT_RISK}
          <span className="text-14 font-regular text-text-3">{riskText(risk, target, nowMs)}</span>
        </h2>
        {risk.length === 0 ? (
          <State kind="empty" icon={UserRoundCheck} title={NOBODY_AT_RISK} hint={NOW_LEADS(brokers)} />
        ) : (
          <Table
            label={AT_RISK}
            columns={riskColumns(target, nowMs)}
            rows={risk}
            keyOf={({ id }) => id}
            open={{
              run: ({ id, broker }) => onLead({ id, instanceName: broker }),
              name: (lead) => seeLead(leadTitle(lead)),
            }}
          />
        )}
      </section>
      {brokers.length > 0 && (
        <section aria-labelledby="now-brokers" className="rounded-card bg-surface shadow-card">
          <h2 id="now-brokers" className="px-5 pt-4 text-16 font-semibold">
            {BY_BROKER}
          </h2>
          <Table label={BY_BROKER} columns={BROKER_COLUMNS} rows={brokers} keyOf={({ broker }) => broker} />
        </section>
      )}
    </div>
  )
}

function Means({ clocks: { means, target } }: { clocks: Clocks }) {
  const figures = [
    ['Média de hoje, até a resposta', means.wait],
    ['Até oferecer', means.offered],
    ['Até aceitar', means.accepted],
    ['Até responder', means.response],
  ] as const
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-card bg-border shadow-card lg:grid-cols-4">
      {figures.map(([label, value], index) => (
        <div key={label} className="bg-surface px-5 py-4">
          <dt className="text-13 text-text-2">{label}</dt>
          <dd className="text-20 font-semibold tabular-nums">
            {value === null ? '–' : spanWords(value)}
            {index === 0 && (
              <span className="block text-13 font-regular text-text-2">
                {withinText(means.within, means.answered, target)}
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const secondsSince = (ms: number, nowMs: number) => Math.max(0, Math.floor((nowMs - ms) / 1000))

/** Red from twice the target, always with the number. */
function toneOf(waitedSeconds: number, target: number) {
  if (waitedSeconds >= 2 * target) return 'danger' as const
  return waitedSeconds >= target ? ('warning' as const) : ('neutral' as const)
}

function riskColumns(target: number, nowMs: number): Column<WaitingLead>[] {
  return [
    {
      title: 'Lead',
      place: 'head',
      cell: (lead) => (
        <span className="font-semibold">
          {leadTitle(lead)}
          <span className="block text-13 font-regular text-text-3">
            {[lead.development, sourceLabel(lead.source)].filter(Boolean).join(' · ')}
          </span>
        </span>
      ),
    },
    { title: 'Corretor', cell: ({ broker }) => (broker === null ? '–' : displayName(broker)) },
    { title: 'Recebido', isNumber: true, cell: ({ receivedAtMs }) => formatHour(receivedAtMs) },
    {
      title: 'Oferecido',
      isNumber: true,
      cell: ({ receivedAtMs, offeredAtMs }) => gapText(receivedAtMs, offeredAtMs),
    },
    {
      title: 'Aceito',
      isNumber: true,
      cell: ({ receivedAtMs, offeredAtMs, acceptedAtMs }) =>
        gapText(offeredAtMs ?? receivedAtMs, acceptedAtMs),
    },
    {
      title: 'Espera',
      place: 'mark',
      isNumber: true,
      cell: ({ receivedAtMs }) => {
        const waited = secondsSince(receivedAtMs, nowMs)
        return (
          <Badge tone={toneOf(waited, target)}>
            <Icon of={Timer} size={16} className="mr-1" />
            {spanWords(waited)}
          </Badge>
        )
      },
    },
  ]
}

const BROKER_COLUMNS: Column<BrokerLine>[] = [
  { title: 'Corretor', place: 'head', cell: ({ broker }) => displayName(broker) },
  { title: 'Esperando 1ª resposta', isNumber: true, cell: ({ waiting }) => waiting },
  { title: 'Recebidos', isNumber: true, cell: ({ received }) => received },
  { title: 'Respondidos', isNumber: true, cell: ({ answered }) => answered },
  {
    title: 'Mediana',
    isNumber: true,
    cell: ({ median }) => (median === null ? '–' : spanWords(median)),
  },
  {
    title: 'Em até 5 min',
    isNumber: true,
    cell: ({ withinFive, answered }) =>
      answered === 0 ? '–' : `${Math.round((100 * withinFive) / answered)}%`,
  },
  { title: 'Fechados', isNumber: true, cell: ({ won }) => won },
  { title: 'Valor', isNumber: true, cell: ({ value }) => (value === 0 ? '–' : formatValue(value)) },
]
