// The log of conversions: each event with its state and Meta's message. Unsure events wait here for a decision.
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { formatDateTime } from '#domain/format.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { ask } from '#ui/feedback/ask.ts'
import { toast } from '#ui/feedback/toast.ts'
import { useNow } from '#ui/now.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { type Column, Table } from '#ui/primitives/table.tsx'
import {
  type Conversion,
  type ConversionState,
  conversionsQuery,
  decideConversion,
  replayConversions,
  STATES,
} from './data.ts'
import { detailOf, replayedText, STATE, STEP, TONE, WAY } from './texts.ts'

const CHANGE_FAILED = 'Não foi possível mudar. Tente de novo.'

export function ConversionLog() {
  const [state, setState] = useState<ConversionState | null>(null)
  const read = useInfiniteQuery(conversionsQuery(state))
  const nowMs = useNow()
  const rows = read.data?.pages.flat()
  return (
    <section aria-label="Registro das conversões" className="border-t border-border">
      <div className="flex flex-wrap items-center justify-between gap-2 px-4 py-3 lg:px-5">
        <h3 className="grow text-14 font-semibold">Registro</h3>
        {rows && rows.length > 0 && (state === 'refused' || state === 'unsure') && <ReplayAll of={state} />}
        <select
          aria-label="Estado"
          value={state ?? ''}
          onChange={({ target: { value } }) => setState(STATES.find((one) => one === value) ?? null)}
          className="min-h-11 rounded-ctl bg-surface px-3 text-16 shadow-line outline-none focus-visible:shadow-input-focus lg:min-h-9 lg:text-14"
        >
          <option value="">Todas</option>
          {STATES.map((one) => (
            <option key={one} value={one}>
              {STATE[one]}
            </option>
          ))}
        </select>
      </div>
      {!rows && <FailedRead of={read} isRow />}
      {rows?.length === 0 && <p className="px-4 pb-4 text-14 text-text-2 lg:px-5">Nenhuma neste estado.</p>}
      {rows && rows.length > 0 && (
        <Table
          label="Registro das conversões"
          columns={columnsOf(nowMs)}
          rows={rows}
          keyOf={({ id }) => id}
        />
      )}
      {read.hasNextPage && (
        <div className="px-5 py-3">
          <Button
            variant="line"
            busy={read.isFetchingNextPage && 'Carregando...'}
            onClick={() => void read.fetchNextPage()}
          >
            Carregar mais
          </Button>
        </div>
      )}
    </section>
  )
}

const QUESTION = {
  refused: 'Enviar de novo todas as recusadas?',
  unsure: 'Enviar de novo todas as sem certeza?',
}
const CONSEQUENCE = {
  refused: 'Até 500 vão outra vez, com os nomes de evento de agora. As de mais de 7 dias ficam.',
  unsure:
    'Até 500 vão outra vez. A Meta não reconhece repetidas nos anúncios de WhatsApp: as que ela já recebeu contam duas vezes.',
}

function ReplayAll({ of: state }: { of: 'refused' | 'unsure' }) {
  const isOnline = useIsOnline()
  const { mutate, isPending } = useMutation({
    ...replayConversions(),
    onSuccess: (replayed) => toast(replayedText(replayed), 'success'),
    onError: ({ message }) => toast(message || CHANGE_FAILED, 'error'),
  })
  return (
    <Button
      variant="line"
      size="small"
      disabled={!isOnline || isPending}
      onClick={() =>
        ask({
          question: QUESTION[state],
          consequence: CONSEQUENCE[state],
          action: { label: 'Enviar todas', run: () => mutate(state), tone: 'primary' },
        })
      }
    >
      Enviar todas de novo
    </Button>
  )
}

const titleOf = ({ leadName, leadNumber }: Conversion) =>
  leadTitle({ name: leadName, number: leadNumber, email: null })

const columnsOf = (nowMs: number): Column<Conversion>[] => [
  {
    title: 'Lead',
    place: 'head',
    cell: (conversion) => (
      <span className="font-medium">
        {titleOf(conversion)}
        <span className="block text-12 font-regular text-text-3">
          {`${STEP[conversion.step]} · ${WAY[conversion.target].name.toLowerCase()}`}
        </span>
      </span>
    ),
  },
  { title: 'Quando', isPlain: true, cell: ({ happenedAt }) => formatDateTime(happenedAt) },
  {
    title: 'Estado',
    place: 'mark',
    cell: ({ state }) => <Badge tone={TONE[state]}>{STATE[state]}</Badge>,
  },
  {
    title: 'Resposta',
    place: 'words',
    cell: (conversion) => (
      <span className="block max-w-90 py-1 text-13 text-text-2 wrap-anywhere">
        {detailOf(conversion, nowMs)}
      </span>
    ),
  },
  { title: 'Decisão', isPlain: true, cell: (conversion) => <Decision of={conversion} /> },
]

function Decision({ of: conversion }: { of: Conversion }) {
  const isOnline = useIsOnline()
  const { mutate, isPending } = useMutation({
    ...decideConversion(),
    onError: ({ message }) => toast(message || CHANGE_FAILED, 'error'),
  })
  const { id, state } = conversion
  if (state !== 'unsure' && state !== 'refused') return null
  const decide = (decision: 'again' | 'sent', label: string) => (
    <Button
      variant="line"
      size="small"
      aria-label={`${label}: ${titleOf(conversion)}`}
      disabled={!isOnline || isPending}
      onClick={() => mutate({ id, decision })}
    >
      {label}
    </Button>
  )
  return (
    <span className="flex flex-wrap gap-1.5 py-1">
      {decide('again', 'Enviar de novo')}
      {state === 'unsure' && decide('sent', 'Considerar enviada')}
    </span>
  )
}
