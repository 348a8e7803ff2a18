// The row of chips over the board: everybody, who is unread, who waits for an answer, who is late.
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useMemo } from 'react'
import { isDayOffered } from '#data/morning.ts'
import { countOf, MINUTE_MS } from '#domain/format.ts'
import { announce } from '#ui/feedback/toast.ts'
import { useNow } from '#ui/now.ts'
import { type Column, findColumn } from '../board-view.ts'
import { countMeant, createFilterView, type Filter, stageWith } from './filter-view.ts'

const CHIPS: readonly { filter: Filter; label: string }[] = [
  { filter: 'all', label: 'Todos' },
  { filter: 'unread', label: 'Não lidas' },
  { filter: 'waiting', label: 'Sem resposta' },
  { filter: 'late', label: 'Atrasadas' },
]

export type FiltersProps = {
  /** All leads, whatever is chosen. */
  columns: readonly Column[]
  filter: Filter
  /** `atMs`: at what time it is late. */
  onFilter: (filter: Filter, atMs?: number) => void
  stageSlug: string | undefined
  onStage: (slug: string) => void
}

export function Filters({ columns, filter, onFilter, stageSlug, onStage }: FiltersProps) {
  const nowMs = useNow()
  const counts = useMemo(() => countMeant(columns, nowMs), [columns, nowMs])
  const minute = Math.floor(nowMs / MINUTE_MS)
  // Who becomes late while the late ones are shown comes to them.
  useEffect(() => {
    if (filter === 'late') onFilter('late', minute * MINUTE_MS)
  }, [filter, minute, onFilter])
  const choose = (chosen: Filter, label: string) => {
    onFilter(chosen)
    if (counts && chosen !== 'all')
      announce(`Filtro ${label}: ${countOf(counts[chosen], 'contato', 'contatos')}.`)
    const shown = findColumn(columns, stageSlug)
    const slug = stageWith(createFilterView()(columns, chosen, nowMs), shown)
    if (slug !== null && slug !== columns[shown]?.stage.slug) onStage(slug)
  }
  const clearByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || filter === 'all') return
    event.preventDefault()
    onFilter('all')
  }
  return (
    // Its buttons take the focus.
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
                {count === undefined ? '–' : count.toLocaleString('pt-BR')}
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
