// Reads an instance's leads as the changes since the last pull.
import { type QueryClient, queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import { log } from '#api/log.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { Stage } from '#domain/stage.ts'
import { readBoard, saveBoard } from '#offline/board-store.ts'
import { readFirstScreen, type StoredBoard } from '#offline/first-screen.ts'
import { currentOwner } from '#offline/owner.ts'
import type { BoardKey } from '#offline/stores.ts'
import { applyBoardDelta, type Board, BoardDelta } from './rows.ts'
import { keys } from '../keys.ts'
import { afterPaint } from '../after-paint.ts'
import { noteTarget } from '../answer-target.ts'
import { forgetShown, usePending } from '../pending.ts'
import { layOverBoard } from './overlay.ts'

/** Live events report every change; this refetch is for a stream that died unnoticed. */
const REFRESH_MS = 5 * 60_000

/** Reads everything on a broker's board. Refetched at each live event, and when the app becomes visible again. */
export function boardQuery(instanceName: string) {
  return queryOptions({
    queryKey: keys.board(instanceName),
    queryFn: ({ client, signal }) => pullBoard({ client, instanceName }, signal),
    refetchInterval: REFRESH_MS,
    // applyBoardDelta keeps unchanged objects. The library would compare ten thousand leads again, which takes a frame.
    structuralSharing: false,
  })
}

type ShownBoard = { client: QueryClient; instanceName: string }

/**
 * Shows the device's stored board, then requests the changes since. Meanwhile it reads the rest of the stored board.
 */
async function pullBoard(place: ShownBoard, signal: AbortSignal): Promise<Board> {
  const owner = currentOwner()
  const shown = () => place.client.getQueryData<Board>(keys.board(place.instanceName))
  const key = owner === null ? null : { owner, instanceName: place.instanceName }
  if (key && !shown()) await showStored(place, readFirstScreen(key))
  const base = shown()?.cursor ?? null
  const askedAtMs = Date.now()
  const isPartial = (shown()?.missing.size ?? 0) > 0
  const asking = askForChanges(place.instanceName, base, signal)
  const reading = key && isPartial ? showRest(place, key) : !isPartial
  // Waits for both, because showing the stored board after a failed request would clear the error.
  await Promise.allSettled([asking, reading])
  const [answer, isComplete] = await Promise.all([asking, reading])
  // The stored rest was lost meanwhile, so the whole board is requested.
  const delta = isComplete ? answer : await askForChanges(place.instanceName, null, signal)
  noteTarget(delta.target)
  const before = shown()
  const board = applyBoardDelta(isComplete ? before : undefined, delta, askedAtMs)
  // Pending changes are removed only after the device has stored the response that contains them.
  void keep(key, delta, { board, base: isComplete ? base : null }).then(() =>
    forgetShown(place.instanceName, askedAtMs),
  )
  // A complete board does not name the leads that left, so they are found by comparison.
  const gone = delta.reset
    ? [...(before?.leads.keys() ?? [])].filter((id) => !board.leads.has(id))
    : delta.removed
  // Leads seldom leave, so this code loads only when one does.
  if (gone.length > 0)
    void import('./forget-leads.ts').then((forgetting) => forgetting.forgetLeads(place, gone))
  return board
}

/** Reads the rest of the stored board after the first paint, which it would delay on a slow phone. */
async function showRest(place: ShownBoard, key: BoardKey) {
  await afterPaint()
  return showStored(place, readBoard(key))
}

async function askForChanges(
  instanceName: string,
  cursor: string | null,
  signal: AbortSignal,
): Promise<BoardDelta> {
  return v.parse(BoardDelta, await rpc('sync_board', { p_instance: instanceName, p_cursor: cursor }, signal))
}

/** Shows a stored board. Resolves with false if none was stored. */
async function showStored({ client, instanceName }: ShownBoard, reading: Promise<StoredBoard | null>) {
  const stored = await reading.catch((cause: unknown) => {
    log.warn('board.read-failed', cause)
    return null
  })
  if (!stored) return false
  const { cursor, stages, counts, pulledAtMs: updatedAt } = stored.head
  const leads = new Map(stored.leads.map((lead) => [lead.id, lead]))
  const missing = new Map(counts)
  for (const [slug, count] of countByStage(leads)) missing.set(slug, (counts.get(slug) ?? 0) - count)
  for (const [slug, count] of missing) if (count <= 0) missing.delete(slug)
  client.setQueryData<Board>(
    keys.board(instanceName),
    { cursor, leads, stages, missing, askedAtMs: 0 },
    { updatedAt },
  )
  return true
}

/** Stores a pull. The screens do not wait for this, so a device that cannot store still shows the server's data. */
async function keep(
  key: BoardKey | null,
  delta: BoardDelta,
  { board: { cursor, stages, leads }, base }: { board: Board; base: string | null },
) {
  if (!key || currentOwner() !== key.owner) return
  try {
    await saveBoard(key, {
      head: { cursor, stages, counts: countByStage(leads), pulledAtMs: Date.now() },
      base: delta.reset ? null : base,
      changed: delta.leads.flatMap(({ id }) => leads.get(id) ?? []),
      removed: delta.removed,
      whole: leads,
    })
  } catch (cause) {
    log.warn('board.keep-failed', cause)
  }
}

function countByStage(leads: ReadonlyMap<number, Lead>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { stageSlug } of leads.values()) counts.set(stageSlug, (counts.get(stageSlug) ?? 0) + 1)
  return counts
}

export type BoardHandle = {
  board: Board | undefined
  /** The state of the last pull. After a failure, the shown data is older. */
  pull: Pick<UseQueryResult, 'error' | 'errorUpdateCount' | 'refetch'>
  /** When the server last answered. */
  updatedAtMs: number
}

/** Returns the board as a screen shows it: the server's state with pending changes applied. */
export function useBoard(instanceName: string): BoardHandle {
  const pull = useQuery(boardQuery(instanceName))
  const { data, dataUpdatedAt: updatedAtMs } = pull
  const pending = usePending()
  const board = useMemo(
    () => data && layOverBoard(data, pending, instanceName),
    [data, pending, instanceName],
  )
  return { board, pull, updatedAtMs }
}

/**
 * The position in the server's changes up to which the board is read; undefined before the first pull. Reading it
 * fetches nothing.
 */
export function useBoardCursor(instanceName: string): string | undefined {
  return useQuery({ ...boardQuery(instanceName), select: cursorOf, enabled: false }).data
}

/** Returns the board's stages, and when the server last answered. Reading them fetches nothing. */
export function useBoardHead(instanceName: string): { stages: readonly Stage[]; updatedAtMs: number } {
  const { data: stages = NO_STAGES, dataUpdatedAt: updatedAtMs } = useQuery({
    ...boardQuery(instanceName),
    select: stagesOf,
    enabled: false,
  })
  return { stages, updatedAtMs }
}

const NO_STAGES: readonly Stage[] = []
const stagesOf = ({ stages }: Board) => stages
const cursorOf = ({ cursor }: Board) => cursor
