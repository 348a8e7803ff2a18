// The filter chips above the board: all, unread, waiting for an answer, late.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useAnswerTarget } from '#data/answer-target.ts'
import { dayQuery } from '#data/broker-day.ts'
import { isDayOffered } from '#data/day-offer.ts'
import { countOf, formatNumber } from '#domain/count.ts'
import { MINUTE_MS } from '#domain/format.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { announce } from '#ui/feedback/toast.ts'
import { now, useNow } from '#ui/now.ts'
import { type Column, findColumn } from '../ground/board-view.ts'
import {
  countMeant,
  createFilterView,
  FILTER_WORDS,
  type Filter,
  filterNamed,
  stageWith,
} from './filter-view.ts'

const CHIPS: readonly { filter: Filter; label: string }[] = [
  { filter: 'all', label: 'Todos' },
  { filter: 'unread', label: 'Não lidas' },
  { filter: 'waiting', label: 'Sem resposta' },
  { filter: 'late', label: 'Atrasadas' },
]

export type FiltersProps = {
  /** All leads, regardless of the filter. */
  columns: readonly Column[]
  /** The active filter, as written in the page's address; undefined if all leads are shown. */
  filter: string | undefined
  /** Called with the chosen filter, and with a stage that has matches. */
  onFilter: (filter: string | undefined, stageSlug?: string) => void
  /** Reports the current minute, by which the board tells which leads are late. */
  onMinute: (atMs: number) => void
  stageSlug: string | undefined
}

export function Filters({ columns, filter: word, onFilter, onMinute, stageSlug }: FiltersProps) {
  const filter = filterNamed(word)
  const nowMs = useNow()
  // Deferred until after the paint, because a board may have ten thousand leads to count.
  const counted = useDeferredValue(columns)
  const counts = useMemo(() => countMeant(counted, nowMs), [counted, nowMs])
  useCounting(counted, nowMs)
  const minute = Math.floor(nowMs / MINUTE_MS)
  // Each minute the 'late' filter is applied again, because more leads may have become late.
  useEffect(() => {
    if (filter === 'late') onMinute(minute * MINUTE_MS)
  }, [filter, minute, onMinute])
  const nearest = (chosen: Filter) =>
    stageWith(createFilterView()(columns, chosen, { nowMs }), findColumn(columns, stageSlug)) ?? undefined
  // A link that names a filter without a stage opens a stage with matches, once.
  const isNew = useRef(true)
  useEffect(() => {
    if (!isNew.current || !counts) return
    isNew.current = false
    if (filter !== 'all' && stageSlug === undefined) onFilter(word, nearest(filter))
  })
  const choose = (chosen: Filter, label: string) => {
    onFilter(chosen === 'all' ? undefined : FILTER_WORDS[chosen], nearest(chosen))
    if (counts && chosen !== 'all')
      announce(`Filtro ${label}: ${countOf(counts[chosen], 'contato', 'contatos')}.`)
  }
  const clearByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || filter === 'all') return
    event.preventDefault()
    onFilter(undefined)
  }
  return (
    // The buttons inside take the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <fieldset
      onKeyDown={clearByKey}
      className="scrollbar-none flex min-w-0 gap-2 overflow-x-auto px-4 pb-1.5 lg:px-8"
    >
      <legend className="sr-only">Filtrar</legend>
      {CHIPS.map(({ filter: value, label }) => {
        const count = counts?.[value]
        const isOn = value === filter
        if (value === 'late' && !count && !isOn) return null
        return (
          <button
            key={value}
            type="button"
            aria-pressed={isOn}
            onClick={() => choose(isOn ? 'all' : value, label)}
            className="filter-chip"
          >
            {label}
            {value !== 'all' && (
              <span className="tabular-nums opacity-80">
                {count === undefined ? '–' : formatNumber(count)}
              </span>
            )}
          </button>
        )
      })}
      {isDayOffered(nowMs) && (
        <Link to="/broker/hoje" className="filter-chip">
          Bom dia · Ver Hoje
        </Link>
      )}
    </fieldset>
  )
}

const COUNTED_EACH_MS = 5 * MINUTE_MS

/**
 * Asks the server how long leads have waited within the shifts of their rotations, which only the server knows. Asks
 * only while a lead has waited past its target by the clock, and not in the first minute, while the board loads. Until
 * then, and offline, the agency's own hours count.
 */
function useCounting(columns: readonly Column[], nowMs: number) {
  const agencyMs = useAnswerTarget()
  const [openedMs] = useState(now)
  const isLate = ({ waitingSinceMs, targetMs = agencyMs }: Lead) =>
    waitingSinceMs !== null && nowMs - waitingSinceMs >= targetMs
  const late = columns.find(({ leads }) => leads.some(isLate))?.leads.find(isLate)
  useQuery({
    ...dayQuery(late?.instanceName ?? ''),
    enabled: late !== undefined && nowMs - openedMs >= MINUTE_MS,
    refetchInterval: COUNTED_EACH_MS,
  })
}
