// Leads of an instance, pulled as what changed since the last pull. Spec 3, 2.9; PRODUCT.md 4.8.
import { queryOptions, useQuery } from '@tanstack/react-query'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import type { Lead } from '#domain/lead.ts'
import { messageSummary } from '#domain/message.ts'
import type { Stage } from '#domain/stage.ts'
import { keys } from './keys.ts'
import { DeliveryValue, deliveryOf, Kind } from './message-row.ts'
import { StageRow, toStage } from './stages.ts'

/** Live events bring every change; this is for a line that is dead and does not know it. */
const REFRESH_MS = 5 * 60_000

export type Board = {
  /** Where the server's change sequence stood at the last pull. */
  cursor: string
  leads: ReadonlyMap<number, Lead>
  stages: readonly Stage[]
  /** How many leads of a stage, by its slug, are kept on the device but not yet read; empty once all are. */
  missing: ReadonlyMap<string, number>
}

const LeadRow = v.object({
  id: v.number(),
  name: v.nullable(v.string()),
  number: v.nullable(v.string()),
  notes: v.nullable(v.string()),
  status: v.string(),
  profile_pic_url: v.nullable(v.string()),
  instanceName: v.string(),
  unread_count: v.number(),
  created_at: v.string(),
  last_message: v.nullable(
    v.object({
      body: v.string(),
      timestamp: v.number(),
      type: v.picklist(['incoming', 'outgoing']),
      kind: Kind,
      delivery: DeliveryValue,
    }),
  ),
  remarketing_sent_at: v.nullable(v.string()),
})

const BoardDelta = v.object({
  cursor: v.string(),
  reset: v.boolean(),
  leads: v.array(LeadRow),
  removed: v.array(v.number()),
  stages: v.array(StageRow),
})

const NONE: ReadonlyMap<string, number> = new Map()

export type BoardDelta = v.InferOutput<typeof BoardDelta>

function toLead(row: v.InferOutput<typeof LeadRow>): Lead {
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
    lastMessage: last && {
      body: messageSummary(last),
      sentAtSeconds: last.timestamp,
      direction: last.type,
      delivery: deliveryOf(last),
    },
    createdAtMs: Date.parse(row.created_at),
    remarketingSentAtMs: row.remarketing_sent_at === null ? null : Date.parse(row.remarketing_sent_at),
    waiting: null,
  }
}

/** The board after a pull. Leads that did not change stay the same objects, so that their cards are not drawn again. */
export function applyBoardDelta(board: Board | undefined, delta: BoardDelta): Board {
  const isWhole = delta.reset || !board
  const stages = delta.stages.map(toStage).toSorted((a, b) => a.position - b.position)
  if (!isWhole && delta.leads.length === 0 && delta.removed.length === 0) {
    return { cursor: delta.cursor, leads: board.leads, stages, missing: NONE }
  }
  const leads = new Map(isWhole ? [] : board.leads)
  for (const row of delta.leads) leads.set(row.id, toLead(row))
  for (const id of delta.removed) leads.delete(id)
  return { cursor: delta.cursor, leads, stages, missing: NONE }
}

/** Everything on a broker's board; read again at each live event and when the app comes back to the front. */
export function boardQuery(instanceName: string) {
  return queryOptions({
    queryKey: keys.board(instanceName),
    queryFn: async ({ client, queryKey, signal }) => {
      const cursor = client.getQueryData<Board>(queryKey)?.cursor ?? null
      const args = { p_instance: instanceName, p_cursor: cursor }
      const delta = v.parse(BoardDelta, await rpc('sync_board', args, signal))
      // Looked up now: a move may have been laid over the board meanwhile.
      return applyBoardDelta(client.getQueryData<Board>(queryKey), delta)
    },
    refetchInterval: REFRESH_MS,
    // The merge above already keeps what did not change; comparing ten thousand leads again would cost a frame.
    structuralSharing: false,
  })
}

export type BoardHandle = {
  board: Board | undefined
  /** The last pull failed; what is shown is from before. */
  isError: boolean
  /** When the server last answered. */
  updatedAtMs: number
  retry: () => void
}

/** The board as a screen shows it. */
export function useBoard(instanceName: string): BoardHandle {
  const { data: board, isError, dataUpdatedAt: updatedAtMs, refetch } = useQuery(boardQuery(instanceName))
  return { board, isError, updatedAtMs, retry: () => void refetch() }
}
