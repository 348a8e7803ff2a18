// A board's leads, as the server sends them and as the app uses them, and how a pull changes the board.
import * as v from 'valibot'
import type { Lead } from '#domain/lead/lead.ts'
import { messageSummary } from '#domain/message/message.ts'
import type { Stage } from '#domain/stage.ts'
import { DeliveryValue, deliveryOf, Kind } from '../messages/kind.ts'
import { StageRow, toStage } from './stages.ts'

export type Board = {
  /** The position in the server's changes up to which the board was pulled. */
  cursor: string
  leads: ReadonlyMap<number, Lead>
  stages: readonly Stage[]
  /** How many leads of each stage are stored on the device but not yet in memory; empty once all are. */
  missing: ReadonlyMap<string, number>
  /** When the pull began. The board contains all that the server had then. 0 if the board was read from the device. */
  askedAtMs: number
}

const NextRow = v.object({
  id: v.number(),
  op: v.nullable(v.string()),
  kind: v.picklist(['call', 'message', 'visit', 'task']),
  due: v.number(),
  note: v.string(),
})

const LaterRow = v.object({
  id: v.number(),
  op: v.nullable(v.string()),
  due: v.number(),
  silent: v.boolean(),
  why: v.optional(v.string()),
})

export const LeadRow = v.object({
  id: v.number(),
  name: v.nullable(v.string()),
  number: v.nullable(v.string()),
  notes: v.nullable(v.string()),
  status: v.string(),
  profile_pic_url: v.nullable(v.string()),
  instanceName: v.string(),
  unread_count: v.number(),
  /** Missing if the server is older than the app. */
  marked_unread: v.nullish(v.boolean()),
  created_at: v.string(),
  last_message: v.nullable(
    v.object({
      /** Missing if the server is older than the app, and for a form's text. */
      id: v.optional(v.number()),
      body: v.string(),
      timestamp: v.number(),
      type: v.picklist(['incoming', 'outgoing']),
      kind: Kind,
      delivery: DeliveryValue,
    }),
  ),
  waiting_since: v.nullable(v.number()),
  next: v.nullable(v.array(NextRow)),
  /** Missing if the server is older than the app. */
  later: v.nullish(v.array(LaterRow)),
  /** Actions that were finished today, which only 'Hoje' reads. Missing if the server is older than the app. */
  done: v.nullish(v.array(v.unknown())),
  /** The answer target of the lead's rotation. Missing if the server is older than the app. */
  target: v.nullish(v.number()),
  source: v.string(),
  empreendimento: v.nullable(v.string()),
  /** Missing if the server is older than the app. */
  interests: v.nullish(v.array(v.string())),
  remarketing_sent_at: v.nullable(v.string()),
  /** Missing if the server is older than the app. */
  last_author: v.nullish(v.string()),
  /** Missing if the server is older than the app. */
  last_op: v.nullish(v.string()),
  opted_out: v.boolean(),
})

export const BoardDelta = v.object({
  cursor: v.string(),
  /** The agency's answer target in seconds. Missing if the server is older than the app. */
  target: v.optional(v.number()),
  reset: v.boolean(),
  leads: v.array(LeadRow),
  removed: v.array(v.number()),
  stages: v.array(StageRow),
})

export type LeadRow = v.InferOutput<typeof LeadRow>
export type BoardDelta = v.InferOutput<typeof BoardDelta>

const NONE: ReadonlyMap<string, number> = new Map()

export function toLead(row: LeadRow): Lead {
  const { last_message: last } = row
  return {
    id: row.id,
    name: row.name,
    number: row.number,
    notes: row.notes,
    stageSlug: row.status,
    pictureUrl: row.profile_pic_url,
    instanceName: row.instanceName,
    unreadCount: row.unread_count,
    ...(row.marked_unread && { isMarkedUnread: true }),
    lastMessage: last && {
      id: last.id,
      body: messageSummary(last),
      sentAtSeconds: last.timestamp,
      direction: last.type,
      delivery: deliveryOf(last),
      ...(row.last_op && { operation: row.last_op }),
      ...(row.last_author === 'agent' && last.type === 'outgoing' && { byAssistant: true }),
    },
    createdAtMs: Date.parse(row.created_at),
    waitingSinceMs: row.waiting_since && row.waiting_since * 1000,
    next: toNext(row.next),
    ...(row.later && { later: toLater(row.later) }),
    ...(row.done && { done: row.done }),
    ...(row.target && { targetMs: row.target * 1000 }),
    source: row.source,
    development: row.empreendimento,
    interests: row.interests,
    remarketingSentAtMs: row.remarketing_sent_at === null ? null : Date.parse(row.remarketing_sent_at),
    isOptedOut: row.opted_out,
    waiting: null,
  }
}

export function toNext(rows: LeadRow['next']): Lead['next'] {
  return (rows ?? []).map(({ due, op, ...action }) => ({ ...action, operationId: op, dueAtMs: due * 1000 }))
}

export function toLater(rows: LeadRow['later']): NonNullable<Lead['later']> {
  return (rows ?? []).map(({ id, op, due, silent, why = null }) => ({
    id,
    operationId: op,
    dueAtMs: due * 1000,
    unlessAnswered: silent,
    why,
    text: null,
  }))
}

/** Returns the board after a pull. Unchanged leads stay the same objects, so that their cards do not render again. */
export function applyBoardDelta(board: Board | undefined, delta: BoardDelta, askedAtMs = 0): Board {
  const isWhole = delta.reset || !board
  const stages = delta.stages.map(toStage).toSorted((a, b) => a.position - b.position)
  if (!isWhole && delta.leads.length === 0 && delta.removed.length === 0) {
    return { cursor: delta.cursor, leads: board.leads, stages, missing: NONE, askedAtMs }
  }
  const leads = new Map(isWhole ? [] : board.leads)
  for (const row of delta.leads) leads.set(row.id, toLead(row))
  for (const id of delta.removed) leads.delete(id)
  return { cursor: delta.cursor, leads, stages, missing: NONE, askedAtMs }
}
