// Shows response times more precisely than by their mean: of leads that wrote, of leads that left a contact, and who
// got no answer.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { type LeadFilter, responseTimesQuery } from '../data.ts'
import {
  type Figure,
  formatPercent,
  formatResponseTime,
  type ResponseLine,
  toSeconds,
} from '#domain/dashboard/dashboard.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { NO_VALUE, openLeads } from '../texts.ts'
import { formatNumber } from '#domain/count.ts'

const unansweredHint = (wrote: number, leftContact: number) =>
  `${formatNumber(wrote)} ${wrote === 1 ? 'escreveu' : 'escreveram'} · ${formatNumber(leftContact)} ${leftContact === 1 ? 'deixou' : 'deixaram'} contato`

const withinHint = (count: number, all: number) => `${formatNumber(count)} de ${formatNumber(all)}`

const MEDIAN = 'Mediana'
const NINETY = '90% respondidos em'
const WITHIN_FIVE = 'Em até 5 min'

type ResponseStripProps = { filter: LeadFilter; onOpen: (figure: Figure) => void }

export function ResponseStrip({ filter, onOpen }: ResponseStripProps) {
  const read = useQuery(responseTimesQuery(filter))
  const { data: times } = read
  if (!times && read.error) {
    return (
      <Strip>
        <FailedRead of={read} isRow />
      </Strip>
    )
  }
  if (!times) {
    return (
      <Strip>
        <Skeleton className="h-40" />
      </Strip>
    )
  }
  const { wrote, leftContact } = times
  const unanswered = wrote.unansweredCount + leftContact.unansweredCount
  return (
    <Strip>
      <Line
        name="Quem escreveu"
        hint="da primeira mensagem à primeira resposta de uma pessoa"
        line={wrote}
        onAll={() => onOpen({ kind: 'answered' })}
        onSlow={(value) => onOpen({ kind: 'answered-after', value })}
        onQuick={() => onOpen({ kind: 'within-five-minutes' })}
      />
      <Line
        name="Quem deixou contato"
        hint="da chegada por formulário, portal ou Meta à primeira mensagem de uma pessoa"
        line={leftContact}
        onAll={() => onOpen({ kind: 'contacted' })}
        onSlow={(value) => onOpen({ kind: 'contacted-after', value })}
        onQuick={() => onOpen({ kind: 'contacted-within-five-minutes' })}
      />
      <div className="border-t border-border pt-1.5 pb-1">
        <Item
          name="Sem resposta"
          value={formatNumber(unanswered)}
          hint={unansweredHint(wrote.unansweredCount, leftContact.unansweredCount)}
          onOpen={() => onOpen({ kind: 'unanswered' })}
        />
      </div>
    </Strip>
  )
}

type LineProps = {
  name: string
  hint: string
  line: ResponseLine
  onAll: () => void
  /** Opens the list of the leads whose response took longer than `seconds`. */
  onSlow: (seconds: string) => void
  onQuick: () => void
}

function Line({ name, hint, line, onAll, onSlow, onQuick }: LineProps) {
  const { answeredCount, unansweredCount, p90Hours, withinFiveMinutes, withinFiveMinutesCount } = line
  const within = withinFiveMinutes === null ? NO_VALUE : formatPercent(withinFiveMinutes)
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9.5rem),1fr))] gap-x-3 border-t border-border py-1.5 first:border-t-0 min-[40rem]:grid-cols-2 min-[48rem]:grid-cols-[1.4fr_1fr_1fr_1fr] lg:gap-x-4"
    >
      <div className="py-2">
        <p id={id} className="text-14 font-semibold">
          {name}
        </p>
        <p className="text-13 leading-snug text-pretty text-text-3">{hint}</p>
      </div>
      <Item
        name={MEDIAN}
        value={formatResponseTime(line.medianHours)}
        hint="só de quem teve resposta: metade esperou menos"
        spoken={`${name}, ${MEDIAN}`}
        onOpen={line.medianHours === null ? undefined : onAll}
      />
      <Item
        name={NINETY}
        value={formatResponseTime(p90Hours)}
        hint="só de quem teve resposta: 10% esperaram mais"
        spoken={`${name}, ${NINETY}`}
        onOpen={p90Hours === null ? undefined : () => onSlow(toSeconds(p90Hours))}
      />
      <Item
        name={WITHIN_FIVE}
        value={within}
        hint={withinHint(withinFiveMinutesCount, answeredCount + unansweredCount)}
        spoken={`${name}, ${WITHIN_FIVE}`}
        onOpen={onQuick}
      />
    </section>
  )
}

function Strip({ children }: { children: ReactNode }) {
  return (
    <section aria-label="Resposta aos leads" className="rounded-lg bg-surface px-4 py-1 shadow-card lg:px-5">
      {children}
    </section>
  )
}

type ItemProps = {
  name: string
  value: string
  hint: string
  /** A longer name for screen readers, where the visible label alone is ambiguous. */
  spoken?: string
  onOpen?: (() => void) | undefined
}

function Item({ name, value, hint, spoken = name, onOpen }: ItemProps) {
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
          aria-label={openLeads(spoken, value)}
          onClick={onOpen}
          className="absolute inset-0 rounded-md"
        />
      )}
    </div>
  )
}
