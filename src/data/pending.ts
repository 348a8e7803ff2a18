// What the person did and the server does not have yet, as the screens lay it over what the server has.
import { useMemo, useSyncExternalStore } from 'react'
import { type Entry, isOfConversation, isShown } from '#domain/outbox/command.ts'
import { discarded, type Entries, retried } from '#domain/outbox/queue.ts'
import { isOnline, watchConnectivity } from '#offline/connectivity.ts'
import { changeOutbox, watchOutbox } from '#offline/outbox.ts'
import { forgetOnExit } from '#offline/owner.ts'
import { drain } from '#offline/when-to-send.ts'
import { keys } from './keys.ts'
import { record } from './operation.ts'
import { queryClient } from './query-client.ts'
import { useSession } from './session.ts'

export type Pending = {
  entries: Entries
  /** What was done after this is not called waiting yet: most of it is gone before anyone could read so, or it may not be kept yet. */
  calmSinceMs: number
}

const CALM_MS = 1_500

/** Live events have the screens read again what was done; this is for a line that is dead and does not know it. */
const SEEN_WITHIN_MS = 5_000
/** By then this tab's screens have read again, too. */
const LINGERS_MS = 5 * 60_000

/** What the server calls the leads that were added here, as far as this tab has heard. */
const names = new Map<number, number>()
forgetOnExit(() => names.clear())

/** The id of a lead by now: one that was added here has the device's own until the server names it. */
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

/** What another tab has seen come back from the server already stays here until this one's board has read it, too. */
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
  // Without a network nothing is gone in a moment; but what is called waiting must be there after a reload.
  const calmSinceMs = Math.min(isOnline() ? nowMs - CALM_MS : nowMs, writingSinceMs - 1)
  pending = { entries, calmSinceMs }
  for (const { command, leadId } of entries)
    if (command.kind === 'lead.add' && leadId !== undefined) names.set(command.lead.id, leadId)
  if (entries.some((entry) => isShown(entry) && entry.createdAtMs > calmSinceMs))
    calmTimer = setTimeout(() => show(pending.entries), CALM_MS)
  for (const listener of listeners) listener()
}

/** Everything of the signed-in person that screens must lay over what the server has. */
export function usePending(): Pending {
  const session = useSession()
  const all = useSyncExternalStore(subscribe, () => pending)
  const userId = 'user' in session ? session.user.id : null
  return useMemo(
    () => ({ ...all, entries: all.entries.filter((entry) => entry.userId === userId) }),
    [all, userId],
  )
}

/** What the person is shown: what waits, and what needs a decision. */
export function useWaiting(): Entries {
  const { entries } = usePending()
  return useMemo(() => entries.filter(isShown), [entries])
}

/** A board was read that shows everything the server had at `askedAtMs`. */
export function forgetShown(instanceName: string, askedAtMs: number) {
  forget(
    ({ command, appliedAtMs }) =>
      !isOfConversation(command) &&
      (command.lead.instanceName ?? instanceName) === instanceName &&
      (appliedAtMs ?? Infinity) < askedAtMs,
  )
}

/** What a screen shows by now no longer waits. */
export function forget(isOver: (entry: Entry) => boolean) {
  if (pending.entries.some(isOver)) void changeOutbox((entries) => entries.filter((entry) => !isOver(entry)))
}

/** Tries everything now, whatever it waits for. */
export async function sendNow(): Promise<void> {
  await drain('request')
}

/** Never to be sent; what another device wrote stays. */
export async function discard({ seq }: Entry): Promise<void> {
  await record((entries) => discarded(entries, seq))
}

/** Once more, over what stands there now; with `text`, in these words. */
export async function retry({ seq }: Entry, text?: string): Promise<void> {
  await record((entries, stamp) => retried(entries, seq, { stamp, ...(text !== undefined && { text }) }))
}
