// The events sent to one address, with its answers. Each can be sent again; one that blocks later events can be
// skipped.
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { countOf } from '#domain/count.ts'
import { formatDateTime, formatHour } from '#domain/format.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import { ask } from '#ui/feedback/ask.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { SelectField } from '#ui/forms/select-field.tsx'
import { useNow } from '#ui/now.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { type Column, Table } from '#ui/primitives/table.tsx'
import { LOADING } from '#ui/texts.ts'
import { Card } from '#ui/primitives/card.tsx'
import { type Hook, replayEvents, type SentEvent, sentEventsQuery, skipEvent } from './data.ts'
import { HookActions } from './hook-actions.tsx'
import { answerOf, CHANGE_FAILED, eventLabel, REPLAY, replayed } from './texts.ts'

/** For example '182 ms', '10 s'. */
const tookText = (tookMs: number | null) =>
  tookMs === null ? '–' : tookMs < 1000 ? `${tookMs} ms` : `${Math.round(tookMs / 1000)} s`

const SKIP = 'Pular'

const KEPT = 'últimas entregas'

const KEPT_FOR = `${KEPT} · guardadas por 30 dias`

const waitingText = (count: number) => countOf(count, 'aviso espera', 'avisos esperam')

const DAY_MS = 86_400_000

export function Deliveries({ hook }: { hook: Hook }) {
  const [type, setType] = useState('')
  const read = useInfiniteQuery(sentEventsQuery(hook.id, type))
  const nowMs = useNow()
  const events = read.data?.pages.flat()
  return (
    <Card
      title={hook.name}
      note={hook.waiting === 0 ? KEPT_FOR : waitingText(hook.waiting)}
      action={<HookActions hook={hook} />}
    >
      {hook.events.length > 1 && (type !== '' || (events && events.length > 0)) && (
        <div className="max-w-80 px-4 pb-3 lg:px-5">
          <SelectField label="Aviso" value={type} onChange={({ target }) => setType(target.value)}>
            <option value="">Todos</option>
            {hook.events.map((event) => (
              <option key={event} value={event}>
                {eventLabel(event)}
              </option>
            ))}
          </SelectField>
        </div>
      )}
      {!events && read.error && <FailedRead of={read} />}
      {!events && !read.error && <Skeleton className="m-4 h-40 rounded-lg!" />}
      {events?.length === 0 && (
        <p className="px-4 pb-4 text-14 text-text-2 lg:px-5">
          {type === '' ? 'Nada foi enviado ainda.' : 'Nada deste aviso nos últimos 30 dias.'}
        </p>
      )}
      {events && events.length > 0 && (
        <Table label={KEPT} columns={columnsOf(hook, nowMs)} rows={events} keyOf={({ id }) => id} />
      )}
      {read.hasNextPage && (
        <div className="flex justify-center py-3">
          <Button
            variant="line"
            busy={read.isFetchingNextPage && LOADING}
            onClick={() => void read.fetchNextPage()}
          >
            Carregar mais
          </Button>
        </div>
      )}
    </Card>
  )
}

/** Returns the event's lead; a dash if it has none, or the lead was deleted. */
const leadOf = ({ leadName, leadNumber, leadEmail }: SentEvent) =>
  (leadName ?? leadNumber ?? leadEmail) === null
    ? '–'
    : leadTitle({ name: leadName, number: leadNumber, email: leadEmail })

const columnsOf = (hook: Hook, nowMs: number): readonly Column<SentEvent>[] => [
  {
    title: 'Quando',
    place: 'mark',
    cell: ({ happenedAtMs }) => (
      <time dateTime={new Date(happenedAtMs).toISOString()} className="whitespace-nowrap tabular-nums">
        {nowMs - happenedAtMs < DAY_MS ? formatHour(happenedAtMs) : formatDateTime(happenedAtMs)}
      </time>
    ),
  },
  {
    title: 'Aviso',
    place: 'head',
    cell: ({ type, messageId }) => (
      <span className="block py-1.5 font-mono text-13">
        {type}
        <span className="block text-12 text-text-3 wrap-anywhere">{messageId}</span>
      </span>
    ),
  },
  {
    title: 'Lead',
    isPlain: true,
    cell: (event) => <span className="wrap-break-word">{leadOf(event)}</span>,
  },
  {
    title: 'Resposta',
    isPlain: true,
    cell: (event) => {
      const { label, tone } = answerOf(event, hook.state, nowMs)
      return <Badge tone={tone}>{label}</Badge>
    },
  },
  {
    title: 'Tempo',
    isNumber: true,
    cell: ({ tookMs }) => <span className="whitespace-nowrap">{tookText(tookMs)}</span>,
  },
  {
    title: 'Ações',
    isPlain: true,
    isNumber: true,
    cell: (event) => <EventActions hook={hook} event={event} />,
  },
]

function EventActions({ hook: { id, state }, event }: { hook: Hook; event: SentEvent }) {
  const isOnline = useIsOnline()
  const replay = useMutation({
    ...replayEvents(id),
    onSuccess: (count) => toast(replayed(count, state === 'active'), 'success'),
    onError: () => toast(CHANGE_FAILED, 'error'),
  })
  const skip = useMutation({
    ...skipEvent(id),
    onError: ({ message }) => toast(message, 'error'),
  })
  const canSkip = event.state === 'waiting' && event.tries > 0
  return (
    <span className="inline-flex items-center justify-end">
      {canSkip && (
        <Button
          variant="quiet"
          size="small"
          disabled={!isOnline || skip.isPending}
          onClick={() =>
            ask({
              question: 'Pular este aviso?',
              consequence: 'Os avisos seguintes do mesmo lead saem sem ele.',
              action: { label: SKIP, run: () => skip.mutate(event.id) },
            })
          }
        >
          {SKIP}
        </Button>
      )}
      <Button
        variant="quiet"
        size="small"
        disabled={!isOnline || replay.isPending}
        onClick={() => replay.mutate({ eventId: event.id })}
      >
        {REPLAY}
      </Button>
    </span>
  )
}
