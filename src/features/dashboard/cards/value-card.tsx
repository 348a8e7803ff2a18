// Shows the value of leads: open by stage, won in the period, and why others were lost.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { statusLabel } from '#domain/dashboard/chart-parts.ts'
import type { Figure, Worth } from '#domain/dashboard/dashboard.ts'
import { countOf, formatNumber } from '#domain/count.ts'
import { formatTotal, lossLabel } from '#domain/lead/fields.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { type LeadFilter, valueQuery } from '../data.ts'
import { openLeads } from '../texts.ts'

type ValueCardProps = {
  filter: LeadFilter
  stageNames: ReadonlyMap<string, string>
  onOpen: (figure: Figure) => void
}

const inLeads = ({ leads }: Worth) => countOf(leads, 'lead', 'leads')

export function ValueCard({ filter, stageNames, onOpen }: ValueCardProps) {
  const read = useQuery(valueQuery(filter))
  const { data } = read
  if (!data) {
    return (
      <section aria-label="Valor e perdas" className="rounded-lg bg-surface p-4 shadow-card lg:p-5">
        {read.error ? <FailedRead of={read} isRow /> : <Skeleton className="h-40" />}
      </section>
    )
  }
  const { open, won, lost } = data
  const total = sumOf(open)
  const allLost = sumOf(lost)
  const mostCents = Math.max(...open.map(({ cents }) => cents), 1)
  const mostLost = Math.max(...lost.map(({ leads }) => leads), 1)
  return (
    <section
      aria-label="Valor e perdas"
      className="grid gap-x-8 rounded-lg bg-surface px-4 py-2 shadow-card md:grid-cols-2 lg:px-5"
    >
      <div className="min-w-0">
        <Part
          title="Valor em aberto"
          value={formatTotal(total.cents)}
          hint={openHint(total)}
          onOpen={total.leads > 0 ? () => onOpen({ kind: 'open-value', value: null }) : undefined}
        >
          {open.map(({ stage, ...worth }) => (
            <Bar
              key={stage}
              name={statusLabel(stage, stageNames)}
              value={formatTotal(worth.cents)}
              hint={inLeads(worth)}
              ratio={worth.cents / mostCents}
              onOpen={() => onOpen({ kind: 'open-value', value: stage })}
            />
          ))}
        </Part>
        <Part
          title="Ganho no período"
          value={formatTotal(won.cents)}
          hint={inLeads(won)}
          onOpen={won.leads > 0 ? () => onOpen({ kind: 'won-value' }) : undefined}
        />
      </div>
      <Part
        title="Perdidos no período"
        value={formatNumber(allLost.leads)}
        hint={lostHint(allLost)}
        onOpen={allLost.leads > 0 ? () => onOpen({ kind: 'lost', value: null }) : undefined}
      >
        {lost.map(({ reason, ...worth }) => (
          <Bar
            key={reason}
            name={lossLabel(reason)}
            value={formatNumber(worth.leads)}
            hint={worth.cents > 0 ? formatTotal(worth.cents) : ''}
            ratio={worth.leads / mostLost}
            onOpen={() => onOpen({ kind: 'lost', value: reason })}
          />
        ))}
      </Part>
    </section>
  )
}

const sumOf = (parts: readonly Worth[]): Worth => ({
  leads: parts.reduce((total, { leads }) => total + leads, 0),
  cents: parts.reduce((total, { cents }) => total + cents, 0),
})
const openHint = (total: Worth) =>
  total.leads === 0 ? 'Nenhum lead em aberto tem valor.' : `de ${inLeads(total)} com valor, de qualquer data`
const lostHint = ({ leads, cents }: Worth) =>
  leads === 0
    ? 'Nenhum lead perdido.'
    : cents > 0
      ? `${formatTotal(cents)} em leads perdidos`
      : 'sem valor informado'

type PartProps = {
  title: string
  value: string
  hint: string
  onOpen?: (() => void) | undefined
  children?: ReactNode
}

function Part({ title, value, hint, onOpen, children }: PartProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="min-w-0 py-3">
      <div className="relative">
        <h2 id={id} className="text-13 font-medium text-text-2">
          {title}
        </h2>
        <p className="text-20 font-semibold tabular-nums">{value}</p>
        <p className="text-13 text-text-3">{hint}</p>
        {onOpen && (
          <button
            type="button"
            aria-label={openLeads(title, value)}
            onClick={onOpen}
            className="absolute -inset-x-2 -inset-y-1 rounded-md hover:bg-text/4"
          />
        )}
      </div>
      {children && <ul className="pt-2">{children}</ul>}
    </section>
  )
}

type BarProps = { name: string; value: string; hint: string; ratio: number; onOpen: () => void }

function Bar({ name, value, hint, ratio, onOpen }: BarProps) {
  return (
    <li className="relative -mx-2 rounded-md px-2 py-1.5 hover:bg-surface-2 pointer-coarse:py-2">
      <p className="flex flex-wrap items-baseline gap-x-2 text-14">
        <span className="min-w-0 grow truncate">{name}</span>
        <span className="text-13 text-text-3">{hint}</span>
        <span className="font-semibold tabular-nums">{value}</span>
      </p>
      <div aria-hidden className="mt-1 h-1.5 rounded-full bg-surface-3">
        <div className="h-full rounded-full bg-primary" style={{ width: `${Math.max(2, ratio * 100)}%` }} />
      </div>
      <button
        type="button"
        aria-label={openLeads(name, value)}
        onClick={onOpen}
        className="absolute inset-0 rounded-md"
      />
    </li>
  )
}
