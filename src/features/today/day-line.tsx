// The line of the day: what is done and behind, the hour that it is, and what is still to come.
import { Fragment } from 'react'
import { formatHour } from '#domain/format.ts'
import { DoneRow, DueRow, ScheduledRow } from './task-row.tsx'
import type { TaskActions } from './today-actions.ts'
import type { dayLine, OfDay } from './today-view.ts'

type DayLineProps = TaskActions & {
  line: ReturnType<typeof dayLine>
  /** So many rows of it at most. */
  most: number
  nowMs: number
}

export function DayLine({ line: { before, after }, most, nowMs, ...actions }: DayLineProps) {
  const rowOf = (one: OfDay) => <Fragment key={keyOf(one)}>{rowFor(one, nowMs, actions)}</Fragment>
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

function rowFor(one: OfDay, nowMs: number, actions: TaskActions) {
  if ('done' in one) return <DoneRow finished={one} onOpen={actions.onOpen} />
  if ('action' in one) return <DueRow task={one} {...actions} />
  return <ScheduledRow scheduled={one} nowMs={nowMs} onOpen={actions.onOpen} />
}

function keyOf(one: OfDay): string {
  if ('done' in one) return `${one.lead.id} ${one.done.key}`
  const { id, operationId } = 'action' in one ? one.action : one.text
  return `${one.lead.id} ${'action' in one ? 'action' : 'later'} ${id ?? operationId}`
}
