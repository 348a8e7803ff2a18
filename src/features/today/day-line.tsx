// The day's timeline: finished and past actions, the current time, and what is still to come.
import { formatHour } from '#domain/format.ts'
import { DoneRow, DueRow, ScheduledRow } from './task-row.tsx'
import type { TaskActions } from './today-actions.ts'
import type { dayLine, OfDay } from './today-view.ts'

type DayLineProps = TaskActions & {
  line: ReturnType<typeof dayLine>
  /** How many rows are shown at most. */
  most: number
  nowMs: number
}

export function DayLine({ line: { before, after }, most, nowMs, ...actions }: DayLineProps) {
  const rowOf = (one: OfDay) => rowFor(one, nowMs, actions)
  return (
    <>
      {before.slice(0, most).map(rowOf)}
      <li aria-hidden className="timeline-now px-3">
        {formatHour(nowMs)}
      </li>
      {after.slice(0, Math.max(0, most - before.length)).map(rowOf)}
    </>
  )
}

/** Returns the row for each kind of entry: a finished one, a scheduled message or an action. */
export function rowFor(one: OfDay, nowMs: number, actions: TaskActions) {
  const key = keyOf(one)
  if ('done' in one) return <DoneRow key={key} finished={one} onOpen={actions.onOpen} />
  if ('action' in one) return <DueRow key={key} task={one} {...actions} />
  return <ScheduledRow key={key} scheduled={one} nowMs={nowMs} onOpen={actions.onOpen} />
}

export function keyOf(one: OfDay): string {
  if ('done' in one) return `${one.lead.id} ${one.done.key}`
  const { id, operationId } = 'action' in one ? one.action : one.text
  return `${one.lead.id} ${'action' in one ? 'action' : 'later'} ${id ?? operationId}`
}
