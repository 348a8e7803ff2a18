// Shows how many leads each broker got of a rotation, compared with the weights, and why not more.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Share, sharesQuery } from '../data.ts'
import { displayName } from '#domain/broker.ts'
import { leadsGot } from '#domain/rotation/reasons.ts'
import { Collapsible } from '#ui/primitives/collapsible.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { ProgressBar } from '#ui/feedback/progress-bar.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { leadCount } from '../texts.ts'

export function SharesSection({ id }: { id: number }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Collapsible title="Participação nos últimos 30 dias" onToggle={setOpen}>
      <div className="px-5 pb-5">{isOpen && <Shares id={id} />}</div>
    </Collapsible>
  )
}

function Shares({ id }: { id: number }) {
  const read = useQuery(sharesQuery(id))
  const { data: shares } = read
  if (!shares)
    return read.error ? (
      <FailedRead of={read} title="Não foi possível carregar a participação." isRow />
    ) : (
      <Skeleton className="h-40 rounded-md!" />
    )
  const total = shares.reduce((sum, share) => sum + leadsGot(share.kinds), 0)
  const weights = shares.reduce((sum, { weight }) => sum + weight, 0)
  if (total === 0) return <p className="text-14 text-text-2">Nenhum lead distribuído nos últimos 30 dias.</p>
  return (
    <ul className="flex flex-col gap-4">
      {shares.map((share) => (
        <ShareRow key={share.instanceName} share={share} total={total} weights={weights} />
      ))}
    </ul>
  )
}

type ShareRowProps = { share: Share; total: number; weights: number }

function ShareRow({ share, total, weights }: ShareRowProps) {
  const { instanceName, weight, kinds, why } = share
  const name = displayName(instanceName)
  const got = leadsGot(kinds)
  return (
    <li className="flex flex-col gap-1">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-14">
        <span className="font-semibold">{name}</span>
        <span className="text-text-2 tabular-nums">
          {leadCount(got)} · {percent(got, total)}
          <span className="text-text-3">
            {' '}
            ({weight === 0 ? 'fora da roleta' : `pelo peso ${percent(weight, weights)}`})
          </span>
        </span>
      </p>
      <ProgressBar label={`Participação de ${name}`} ratio={got / total} />
      {why.length > 0 && (
        <ul className="text-13 leading-snug text-text-3">
          {why.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </li>
  )
}

const percent = (part: number, total: number) =>
  (total === 0 ? 0 : part / total).toLocaleString('pt-BR', { style: 'percent', maximumFractionDigits: 1 })
