// The user's pending changes, as screens apply them to the server's data.
import { useMemo, useSyncExternalStore } from 'react'
import { type Entry, isOfConversation, isShown } from '#domain/outbox/command.ts'
import type { Entries } from '#domain/outbox/queue.ts'
import { isOnline, watchConnectivity } from '#offline/connectivity.ts'
import { changeOutbox, watchOutbox } from '#offline/outbox.ts'
import { forgetOnExit } from '#offline/owner.ts'
import { drain } from '#offline/when-to-send.ts'
import { keys } from './keys.ts'
import { queryClient } from './query-client.ts'
import { useSession } from './session.ts'

export type Pending = {
  entries: Entries
  /** Newer changes are not marked as pending, because most are sent within a moment, and some may not be stored yet. */
  calmSinceMs: number
}

const CALM_MS = 1_500

/** Live events make screens refetch after a sent change; this refetch is for a stream that died unnoticed. */
const SEEN_WITHIN_MS = 5_000
/** By this time the screens of this tab have refetched too. */
const LINGERS_MS = 5 * 60_000

/** Server ids of leads that this device added, by local id. */
const names = new Map<number, number>()
forgetOnExit(() => names.clear())

/** Returns a lead's present id. A lead that this device added has a local id until the server assigns one. */
export const idByNow = (id: number): number => names.get(id) ?? id

let pending: Pending = { entries: [], calmSinceMs: 0 }
let writingSinceMs = Infinity
let stopWatching: (() => void) | null = null
let calmTimer: ReturnType<typeof setTimeout> | undefined
let seenTimer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
forgetOnExit(() => show([]))

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  stopWatching ??= watch()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    stopWatching?.()
    stopWatching = null
  }
}

function watch(): () => void {
  const stops = [
    watchOutbox((outbox) => {
      ;({ writingSinceMs } = outbox)
      take(outbox.entries)
    }),
    watchConnectivity(() => show(pending.entries)),
    () => clearTimeout(calmTimer),
    () => clearTimeout(seenTimer),
  ]
  return () => stops.forEach((stop) => stop())
}

/** Takes over the stored list. An entry that another tab removed stays until this tab's board contains its result. */
function take(entries: Entries) {
  const here = new Set(entries.map(({ seq }) => seq))
  const sinceMs = Date.now() - LINGERS_MS
  const gone = pending.entries.filter(
    ({ seq, appliedAtMs, command }) =>
      (appliedAtMs ?? 0) > sinceMs && !isOfConversation(command) && !here.has(seq),
  )
  show([...gone, ...entries])
  clearTimeout(seenTimer)
  const applied = entries.filter(({ state }) => state === 'applied')
  if (applied.length > 0) seenTimer = setTimeout(() => applied.forEach(readAgain), SEEN_WITHIN_MS)
}

function readAgain({ command }: Entry) {
  const { lead } = command
  if (lead.instanceName !== null)
    void queryClient.invalidateQueries({ queryKey: keys.board(lead.instanceName) }, { cancelRefetch: false })
  if (isOfConversation(command))
    void queryClient.invalidateQueries({ queryKey: keys.conversation(lead.id) }, { cancelRefetch: false })
}

function show(entries: Entries) {
  clearTimeout(calmTimer)
  const nowMs = Date.now()
  // Offline all entries are marked as pending at once, but only those that are stored and so survive a reload.
  const calmSinceMs = Math.min(isOnline() ? nowMs - CALM_MS : nowMs, writingSinceMs - 1)
  pending = { entries, calmSinceMs }
  for (const { command, leadId } of entries)
    if (command.kind === 'lead.add' && leadId !== undefined) names.set(command.lead.id, leadId)
  if (entries.some((entry) => isShown(entry) && entry.createdAtMs > calmSinceMs))
    calmTimer = setTimeout(() => show(pending.entries), CALM_MS)
  for (const listener of listeners) listener()
}

/** Returns all entries of the signed-in user that screens apply to the server's data. */
export function usePending(): Pending {
  const session = useSession()
  const all = useSyncExternalStore(subscribe, () => pending)
  const userId = 'user' in session ? session.user.id : null
  return useMemo(
    () => ({ ...all, entries: all.entries.filter((entry) => entry.userId === userId) }),
    [all, userId],
  )
}

/** Returns the entries that the user sees: pending ones, and those that need a decision. */
export function useWaiting(): Entries {
  const { entries } = usePending()
  return useMemo(() => entries.filter(isShown), [entries])
}

/** Removes entries whose result a board contains, because the server had them by `askedAtMs`. */
export function forgetShown(instanceName: string, askedAtMs: number) {
  forget(
    ({ command, appliedAtMs }) =>
      !isOfConversation(command) &&
      (command.lead.instanceName ?? instanceName) === instanceName &&
      (appliedAtMs ?? Infinity) < askedAtMs,
  )
}

/** Removes entries whose result is on screen. */
export function forget(isOver: (entry: Entry) => boolean) {
  if (pending.entries.some(isOver)) void changeOutbox((entries) => entries.filter((entry) => !isOver(entry)))
}

/** Sends all entries now, regardless of retry delays. */
export async function sendNow(): Promise<void> {
  await drain('request')
}
