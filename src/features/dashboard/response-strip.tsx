// How fast leads were answered beyond the mean, and who was not. PRODUCT.md 4.7.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type LeadFilter, responseTimesQuery } from '#data/dashboard.ts'
import { type Figure, formatPercent, formatResponseTime } from '#domain/dashboard.ts'
import { FailedRead } from '#ui/failed-read.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import {
  MEDIAN,
  MEDIAN_HINT,
  NO_VALUE,
  openLeads,
  P90,
  P90_HINT,
  RESPONSE_DETAIL,
  UNANSWERED,
  UNANSWERED_HINT,
  WITHIN_FIVE,
  withinHint,
} from './texts.ts'

type ResponseStripProps = { filter: LeadFilter; onOpen: (figure: Figure) => void }

export function ResponseStrip({ filter, onOpen }: ResponseStripProps) {
  const read = useQuery(responseTimesQuery(filter))
  const { data: times } = read
  if (!times && read.error) {
    return (
      <Strip>
        <div className="col-span-full">
          <FailedRead of={read} isRow />
        </div>
      </Strip>
    )
  }
  if (!times) {
    return (
      <Strip>
        <Skeleton className="col-span-full h-16" />
      </Strip>
    )
  }
  const within = times.withinFiveMinutes === null ? NO_VALUE : formatPercent(times.withinFiveMinutes)
  const unanswered = times.unansweredCount.toLocaleString('pt-BR')
  return (
    <Strip>
      <Item name={MEDIAN} value={formatResponseTime(times.medianHours)} hint={MEDIAN_HINT} />
      <Item name={P90} value={formatResponseTime(times.p90Hours)} hint={P90_HINT} />
      <Item
        name={WITHIN_FIVE}
        value={within}
        hint={withinHint(times.withinFiveMinutesCount, times.answeredCount + times.unansweredCount)}
        onOpen={() => onOpen({ kind: 'within-five-minutes' })}
      />
      <Item
        name={UNANSWERED}
        value={unanswered}
        hint={UNANSWERED_HINT}
        onOpen={() => onOpen({ kind: 'unanswered' })}
      />
    </Strip>
  )
}

function Strip({ children }: { children: ReactNode }) {
  return (
    <section
      aria-label={RESPONSE_DETAIL}
      className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9.5rem),1fr))] gap-x-3 rounded-lg bg-surface px-4 py-1.5 shadow-card lg:grid-cols-4 lg:gap-4 lg:px-5"
    >
      {children}
    </section>
  )
}

type ItemProps = { name: string; value: string; hint: string; onOpen?: () => void }

function Item({ name, value, hint, onOpen }: ItemProps) {
  return (
    <div className="relative -mx-2 min-w-0 rounded-md px-2 py-2 has-[button]:hover:bg-surface-2">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-13 font-medium text-text-2">{name}</span>
        <span className="text-16 font-semibold tabular-nums">{value}</span>
      </p>
      <p className="text-13 text-text-3">{hint}</p>
      {onOpen && (
        <button
          type="button"
          aria-label={openLeads(name, value)}
          onClick={onOpen}
          className="absolute inset-0 rounded-md"
        />
      )}
    </div>
  )
}
