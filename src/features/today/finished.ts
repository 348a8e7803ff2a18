// Finds the actions that were finished today: on the server, and on this device if the server does not have them yet.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import * as v from 'valibot'
import { boardQuery } from '#data/board/leads.ts'
import type { Board } from '#data/board/rows.ts'
import { type Pending, usePending } from '#data/pending.ts'
import { calendarDay } from '#domain/format.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { layOverLeads, withAdditions } from '#domain/outbox/overlay.ts'
import { useDeviceNow, useNow } from '#ui/now.ts'

const DoneRow = v.object({
  id: v.number(),
  /** The kind 'text' is a scheduled message that was sent. */
  kind: v.picklist(['call', 'message', 'visit', 'task', 'text']),
  due: v.number(),
  at: v.number(),
  note: v.string(),
  missed: v.optional(v.boolean(), false),
})

export type Done = {
  key: string
  kind: v.InferOutput<typeof DoneRow>['kind']
  dueAtMs: number
  atMs: number
  note: string
  /** True for a visit to which the lead did not come. */
  isMissed: boolean
}

export type Finished = { lead: Lead; done: Done }

/** The finished actions by the lead's id. */
export type DoneHere = ReadonlyMap<number, readonly Done[]>

function fromRow(row: unknown): Done[] {
  const { success, output } = v.safeParse(DoneRow, row)
  if (!success) return []
  const { id, kind, due, at, note, missed } = output
  return [{ key: `${kind} ${id}`, kind, dueAtMs: due * 1000, atMs: at * 1000, note, isMissed: missed }]
}

/**
 * `aheadMs` tells how far the device's clock is ahead of the server's; the device stamps its entries with its own
 * clock.
 */
export function doneHere(
  board: Pick<Board, 'leads' | 'askedAtMs'>,
  { entries }: Pick<Pending, 'entries'>,
  { instanceName, aheadMs }: { instanceName: string; aheadMs: number },
): DoneHere {
  const unseen = entries.filter(({ appliedAtMs }) => appliedAtMs === null || appliedAtMs >= board.askedAtMs)
  const known = withAdditions(board.leads, unseen, instanceName)
  const found = new Map<number, Done[]>()
  const carried = new Map<number, Lead>()
  for (const entry of unseen) {
    const { command, createdAtMs, id: operationId } = entry
    const lead = carried.get(command.lead.id) ?? known.get(command.lead.id)
    if (!lead) continue
    const after = layOverLeads(new Map([[lead.id, lead]]), [entry], { calmSinceMs: 0 }).get(lead.id) ?? lead
    carried.set(lead.id, after)
    const isEnd =
      (command.kind === 'action.finish' && command.given.outcome === 'done') ||
      command.kind === 'visit.outcome'
    const over = isEnd && lead.next.find((action) => !after.next.includes(action))
    if (!over) continue
    const { kind, dueAtMs, note } = over
    const isMissed = command.kind === 'visit.outcome' && command.given.outcome === 'missed'
    const done = { key: operationId, kind, dueAtMs, atMs: createdAtMs - aheadMs, note, isMissed }
    found.set(lead.id, [...(found.get(lead.id) ?? []), done])
  }
  return found
}

const NONE: DoneHere = new Map()

export function useDoneHere(instanceName: string): DoneHere {
  const { data: board } = useQuery({ ...boardQuery(instanceName), enabled: false })
  const pending = usePending()
  const aheadMs = useDeviceNow() - useNow()
  return useMemo(
    () => (board ? doneHere(board, pending, { instanceName, aheadMs }) : NONE),
    [board, pending, instanceName, aheadMs],
  )
}

/** Returns the actions that were finished today, without those that were undone or that the server refused. */
export function finishedOf(leads: ReadonlyMap<number, Lead>, here: DoneHere, nowMs: number): Finished[] {
  const today = calendarDay(nowMs)
  const finished: Finished[] = []
  for (const lead of leads.values()) {
    const own = here.get(lead.id)
    if (!lead.done && !own) continue
    for (const done of [...(lead.done ?? []).flatMap(fromRow), ...(own ?? [])])
      if (calendarDay(done.atMs) === today && !isUndone(lead, done)) finished.push({ lead, done })
  }
  return finished
}

function isUndone({ next, lastMessage }: Lead, { kind, dueAtMs, note }: Done): boolean {
  if (kind === 'text') return lastMessage?.direction === 'outgoing' && lastMessage.delivery === 'failed'
  return next.some((action) => action.kind === kind && action.dueAtMs === dueAtMs && action.note === note)
}

/**
 * Tells where the action stands on the timeline: at the hour it was due or, if it was due on another day, when it was
 * finished.
 */
export function placeOf({ dueAtMs, atMs }: Done): number {
  return calendarDay(dueAtMs) === calendarDay(atMs) ? dueAtMs : atMs
}
