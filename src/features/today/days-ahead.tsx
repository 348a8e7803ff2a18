// 'Depois de hoje': shows how much is due on each of seven days, and the list of the selected day.
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { useDrag } from '@use-gesture/react'
import { countOf, formatNumber } from '#domain/count.ts'
import type { Board } from '#data/board/rows.ts'
import { isLifted } from '#ui/motion/one-touch.ts'
import { daysAhead } from './after-today.ts'
import { rowFor } from './day-line.tsx'
import { Section } from './section.tsx'
import type { TaskActions } from './today-actions.ts'
import { SWIPE } from './use-swipe-row.ts'

/** How far a finger must swipe, in pixels, to change the week. */
const SWEEP = 60
const MAX_WEEKS = 8

type DaysAheadProps = TaskActions & { leads: Board['leads']; nowMs: number }

export function DaysAhead({ leads, nowMs, ...actions }: DaysAheadProps) {
  const [weeks, setWeeks] = useState(0)
  // Undefined until the user selects a day; null after the user has closed the day's list.
  const [chosen, setChosen] = useState<number | null>()
  const days = useMemo(() => daysAhead(leads, nowMs, weeks), [leads, nowMs, weeks])
  const firstMarked = days.findIndex(({ marked }) => marked.length > 0)
  const shown = chosen === undefined ? firstMarked : (chosen ?? -1)
  const strip = useRef<HTMLDivElement>(null)
  const turnTo = (week: number, day?: number) => {
    if (week < 0 || week >= MAX_WEEKS) return
    setWeeks(week)
    setChosen(day)
  }
  const bind = useDrag(({ movement: [x], last, tap, canceled, event }) => {
    if (!last || tap || canceled || !isLifted(event) || Math.abs(x) < SWEEP) return
    turnTo(weeks + (x < 0 ? 1 : -1))
  }, SWIPE)
  const step = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    const next = Math.max(shown, 0) + by
    const day = (next + days.length) % days.length
    const week = weeks + (next < 0 ? -1 : next >= days.length ? 1 : 0)
    if (week < 0 || week >= MAX_WEEKS) return
    turnTo(week, day)
    strip.current?.querySelectorAll<HTMLElement>('[role=radio]')[day]?.focus()
  }
  const count = days.reduce((sum, { marked }) => sum + marked.length, 0)
  const list = days[shown]?.marked ?? []
  return (
    <Section
      title="Depois de hoje"
      count={count}
      side="7 dias"
      className={list.length > 0 ? 'timeline' : ''}
      above={
        <div
          {...bind()}
          ref={strip}
          role="radiogroup"
          tabIndex={-1}
          aria-label="Depois de hoje"
          onKeyDown={step}
          className="days-ahead"
        >
          {days.map(({ label, marked }, day) => (
            // A second tap closes the list, which an `input` of type 'radio' would not allow.
            <button
              key={label}
              type="button"
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
              role="radio"
              aria-checked={day === shown}
              aria-label={`${label}: ${countOf(marked.length, 'marcado', 'marcados')}`}
              tabIndex={day === Math.max(shown, 0) ? 0 : -1}
              onClick={() => setChosen(day === shown ? null : day)}
              className="day-ahead"
            >
              <span>{label}</span>
              <span className="day-ahead-count">{marked.length > 0 ? formatNumber(marked.length) : '–'}</span>
            </button>
          ))}
        </div>
      }
    >
      {count === 0 && (
        <li className="px-3.5 py-2 text-14 text-text-2">
          {`Nada marcado ${weeks === 0 ? 'nos próximos' : 'nestes'} 7 dias.`}
        </li>
      )}
      {list.map((one) => rowFor(one, nowMs, actions))}
    </Section>
  )
}
