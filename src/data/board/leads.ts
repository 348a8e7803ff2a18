// Leads of an instance, pulled as what changed since the last pull.
import { type QueryClient, queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import { log } from '#api/log.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { layOverLeads, withAdditions } from '#domain/outbox/overlay.ts'
import type { Stage } from '#domain/stage.ts'
import { readBoard, saveBoard } from '#offline/board-store.ts'
import { readFirstScreen, type StoredBoard } from '#offline/first-screen.ts'
import { currentOwner } from '#offline/owner.ts'
import type { BoardKey } from '#offline/stores.ts'
import { applyBoardDelta, type Board, BoardDelta } from './rows.ts'
import { keys } from '../keys.ts'
import { afterPaint } from '../after-paint.ts'
import { noteTarget } from '../answer-target.ts'
import { forgetShown, type Pending, usePending } from '../pending.ts'

/** Live events bring every change; this is for a line that is dead and does not know it. */
const REFRESH_MS = 5 * 60_000

/** Everything on a broker's board; read again at each live event and when the app comes back to the front. */
export function boardQuery(instanceName: string) {
  return queryOptions({
    queryKey: keys.board(instanceName),
    queryFn: ({ client, signal }) => pullBoard({ client, instanceName }, signal),
    refetchInterval: REFRESH_MS,
    // applyBoardDelta keeps what did not change; comparing ten thousand leads again would cost a frame.
    structuralSharing: false,
  })
}

type ShownBoard = { client: QueryClient; instanceName: string }

/**
 * Shows what the device has of the board, then asks for what changed since. While that is on its way the rest is read
 * from the device.
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
  // What is kept must not come after a failure, or the failure would be forgotten.
  await Promise.allSettled([asking, reading])
  const [answer, isComplete] = await Promise.all([asking, reading])
  // The device lost the rest meanwhile: all of it is asked for.
  const delta = isComplete ? answer : await askForChanges(place.instanceName, null, signal)
  noteTarget(delta.target)
  const before = shown()
  const board = applyBoardDelta(isComplete ? before : undefined, delta, askedAtMs)
  // What was done here is let go of once its outcome is on the device, too.
  void keep(key, delta, { board, base: isComplete ? base : null }).then(() =>
    forgetShown(place.instanceName, askedAtMs),
  )
  // Of a board that came whole nobody says who left it.
  const gone = delta.reset
    ? [...(before?.leads.keys() ?? [])].filter((id) => !board.leads.has(id))
    : delta.removed
  // Rarely wanted, so that it is fetched then.
  if (gone.length > 0)
    void import('./forget-leads.ts').then((forgetting) => forgetting.forgetLeads(place, gone))
  return board
}

/** Once the first screen is painted: a slow phone would otherwise read before it shows. */
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

/** Answers whether there was anything. */
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

/** No screen waits for it: a device that keeps nothing still shows what the server says. */
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
  /** How the last pull ended; where it failed, what is shown is from before. */
  pull: Pick<UseQueryResult, 'error' | 'errorUpdateCount' | 'refetch'>
  /** When the server last answered. */
  updatedAtMs: number
}

/** The board as a screen shows it: what the server has, with what waits here done already. */
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

/** Where the server's sequence stood for what is shown; undefined before anything is. Causes no reading of its own. */
export function useBoardCursor(instanceName: string): string | undefined {
  return useQuery({ ...boardQuery(instanceName), select: cursorOf, enabled: false }).data
}

/** What stands around the board: its stages, and when the server last answered. Causes no reading of its own. */
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

/** The board with what waits here done already; with the leads added here where it is the board of one broker. */
export function layOverBoard(board: Board, { entries, calmSinceMs }: Pending, instanceName?: string): Board {
  const unseen = entries.filter(({ appliedAtMs }) => appliedAtMs === null || appliedAtMs >= board.askedAtMs)
  const known = instanceName === undefined ? board.leads : withAdditions(board.leads, unseen, instanceName)
  const closed = board.stages.filter(({ kind }) => kind !== 'open').map(({ slug }) => slug)
  const leads = layOverLeads(known, unseen, { calmSinceMs, closedSlugs: new Set(closed) })
  return leads === board.leads ? board : { ...board, leads }
}
