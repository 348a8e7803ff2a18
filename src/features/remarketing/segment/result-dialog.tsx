// The result of a campaign to a segment: the persons who got it compared with those drawn to get nothing.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatNumber } from '#domain/count.ts'
import { formatDate, formatDateTime } from '#domain/format.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Badge } from '#ui/primitives/badge.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { contacts } from '../texts.ts'
import { resultQuery, type SegmentList, type SegmentMeasure, type SegmentSend } from './segment-data.ts'

const MEASURE: Readonly<Record<string, { label: string; hint?: string }>> = {
  answered: { label: 'Responderam' },
  visits: { label: 'Marcaram visita' },
  won: { label: 'Fecharam' },
  sales: { label: 'Leads fechados', hint: 'Por lead: uma pessoa pode ter vários.' },
}
const VERDICT = {
  more: { words: 'Trouxe a mais', tone: 'success' },
  less: { words: 'Trouxe a menos', tone: 'warning' },
  open: { words: 'Não dá para dizer', tone: 'neutral' },
} as const

type ResultDialogProps = {
  /** Null: closed. */
  send: SegmentSend | null
  onClose: () => void
  onList: (list: SegmentList) => void
}

export function ResultDialog({ send, onClose, onList }: ResultDialogProps) {
  // The last campaign is kept, so that the text stays during the closing animation.
  const [last, setLast] = useState(send)
  if (send && send !== last) setLast(send)
  return (
    <Dialog
      isOpen={send !== null}
      onClose={onClose}
      width="wide"
      title={last?.name ?? 'Campanha por segmento'}
      subtitle={last && formatDateTime(Date.parse(last.assignedAt))}
    >
      {last && (
        <div className="flex flex-col gap-3 px-3 pb-1">
          <p className="line-clamp-4 rounded-tab bg-surface-2 px-3.5 py-3 text-15 leading-message whitespace-pre-wrap wrap-anywhere">
            {last.message}
          </p>
          <p className="text-14 text-text-2">
            {`${contacts(last.receiving)} para receber, ${formatNumber(last.heldOut)} de fora por sorteio. Todos contam, também quem não foi alcançado.`}
          </p>
          <Result send={last} onList={onList} />
        </div>
      )}
    </Dialog>
  )
}

function Result({ send, onList }: { send: SegmentSend; onList: ResultDialogProps['onList'] }) {
  const read = useQuery(resultQuery(send.id))
  const { data } = read
  if (send.heldOut === 0)
    return (
      <p className="text-14">Sem grupo de comparação, não há como saber o que viria de qualquer jeito.</p>
    )
  if (!data) return read.error ? <FailedRead of={read} isRow /> : <Skeleton className="h-40 rounded-lg!" />
  if (data.days === null)
    return (
      <p className="text-14">{`O resultado aparece em ${formatDate(Date.parse(send.shownAt))}, 14 dias depois do sorteio.`}</p>
    )
  const isFew = data.measures.every(({ range }) => range === undefined)
  return (
    <>
      <ul aria-label="Resultado" className="flex flex-col gap-2">
        {data.measures.map((measure) => (
          <Measure key={measure.measure} measure={measure} send={send} onList={onList} />
        ))}
      </ul>
      <p className="text-13 leading-snug text-text-3">
        {isFew
          ? 'Menos de 30 pessoas em um dos grupos: só as contagens.'
          : data.days < 30
            ? `Até 14 dias depois do sorteio. O veredito sai em ${formatDate(Date.parse(send.judgedAt))}: quem julga duas vezes acha efeito onde não há.`
            : 'Até 30 dias depois do sorteio. O intervalo, de 95%, é por pessoa.'}
      </p>
    </>
  )
}

type MeasureProps = { measure: SegmentMeasure; send: SegmentSend; onList: ResultDialogProps['onList'] }

function Measure({ measure, send, onList }: MeasureProps) {
  const { label, hint } = MEASURE[measure.measure] ?? { label: measure.measure }
  const list = (arm: 'campaign' | 'holdout', title: string) => () =>
    onList({ sendId: send.id, measure: measure.measure, arm, title })
  return (
    <li className="rounded-tab px-3.5 py-3 shadow-line">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-15 font-semibold">{label}</h3>
        {measure.verdict && (
          <Badge tone={VERDICT[measure.verdict].tone}>{VERDICT[measure.verdict].words}</Badge>
        )}
      </div>
      <dl className="mt-1 grid grid-cols-2 gap-x-4 text-14">
        <Arm
          name="Receberam"
          pair={measure.campaign}
          rate={measure.rates?.[0]}
          onOpen={list('campaign', `${label}, dos que recebem`)}
        />
        <Arm
          name="De fora"
          pair={measure.holdout}
          rate={measure.rates?.[1]}
          onOpen={list('holdout', `${label}, dos que ficaram de fora`)}
        />
      </dl>
      {measure.range && measure.difference !== undefined && (
        <p className="mt-1.5 text-13 text-text-2 tabular-nums">
          {`Diferença: ${points(measure.difference)} pontos, entre ${points(measure.range[0])} e ${points(measure.range[1])}`}
        </p>
      )}
      {hint && <p className="mt-1 text-13 text-text-3">{hint}</p>}
    </li>
  )
}

type ArmProps = {
  name: string
  pair: readonly [number, number]
  rate: number | undefined
  onOpen: () => void
}

function Arm({ name, pair: [hits, of], rate, onOpen }: ArmProps) {
  const shown = `${formatNumber(hits)} de ${formatNumber(of)}`
  return (
    <div>
      <dt className="text-13 text-text-3">{name}</dt>
      <dd className="tabular-nums">
        <button
          type="button"
          aria-label={`${name}: ${shown}. Ver leads`}
          onClick={onOpen}
          className="min-h-11 underline decoration-border-strong decoration-dotted underline-offset-4 pointer-fine:min-h-9"
        >
          {shown}
        </button>
        {rate !== undefined && <span className="text-text-2">{` · ${rate.toLocaleString('pt-BR')}%`}</span>}
      </dd>
    </div>
  )
}

const points = (value: number) =>
  value.toLocaleString('pt-BR', { signDisplay: 'exceptZero', maximumFractionDigits: 1 })
