// Durable writes in order: changed by pure rules, each in one transaction, and told to every tab and the service worker.
import { log } from '#api/log.ts'
import { type Entries, UNNUMBERED } from '#domain/outbox/queue.ts'
import type { Entry } from '#domain/outbox/command.ts'
import { readDevice, writeDevice, type PortalDatabase } from './database.ts'

/** Under which the browser is asked to come back and send it. */
export const SYNC_TAG = 'outbox'

export type Outbox = {
  entries: Entries
  /** False while the device has no room for them: they are lost with this tab. */
  isKept: boolean
  /** What was done since is shown and may not be on the device yet; Infinity: all is. */
  writingSinceMs: number
}

/** What becomes of the list; run more than once where the device asks for it. */
type Rule = (entries: Entries) => Entries

/** Numbers of what the device could not keep: behind all that it did. */
const FIRST_UNKEPT = 2 ** 40

/** What the device should hold and could not; null: removed. Laid over what it holds. */
const unsaved = new Map<number, Entry | null>()
/** As the device last had it. */
let seen: Entries | null = null
/** Changes on their way there, shown already, and when they were made. */
const running = new Map<Rule, number>()
const listeners = new Set<(outbox: Outbox) => void>()
let channel: BroadcastChannel | null = null

/** Everything that waits, of every account on this device. */
export async function listOutbox(): Promise<Entries> {
  try {
    return withUnsaved(await readDevice((db) => db.getAll('outbox')))
  } catch (cause) {
    log.warn('outbox.read-failed', cause)
    return withUnsaved(seen ?? [])
  }
}

/**
 * Changes the list by a rule, made at `madeAtMs`. Whoever watches sees the change at once; it is on the device when this
 * resolves, or, where that cannot be, in memory. Never raises.
 */
export async function changeOutbox(
  rule: Rule,
  madeAtMs = Date.now(),
): Promise<{ before: Entries; after: Entries }> {
  running.set(rule, madeAtMs)
  if (seen) show(seen)
  const change = await writeDevice((db) => changeOnDevice(db, rule)).catch((cause: unknown) => {
    log.error('outbox.write-failed', cause)
    return changeInMemory(rule)
  })
  running.delete(rule)
  show(change.after)
  if (change.before !== change.after) talk().postMessage(null)
  return change
}

/** Calls back now and at each change, in this tab or another; answers the stop. */
export function watchOutbox(listener: (outbox: Outbox) => void): () => void {
  listeners.add(listener)
  talk()
  void refresh()
  return () => void listeners.delete(listener)
}

async function refresh() {
  show(await listOutbox())
}

function show(entries: Entries) {
  seen = entries
  if (listeners.size === 0) return
  let shown = entries
  for (const rule of running.keys()) shown = numbered(shown, rule(shown), (shown.at(-1)?.seq ?? 0) + 1)
  const writingSinceMs = Math.min(Infinity, ...running.values())
  for (const listener of listeners) listener({ entries: shown, isKept: unsaved.size === 0, writingSinceMs })
}

function talk(): BroadcastChannel {
  if (!channel) {
    channel = new BroadcastChannel('outbox')
    channel.addEventListener('message', () => void refresh())
  }
  return channel
}

async function changeOnDevice(db: PortalDatabase, rule: Rule) {
  const transaction = db.transaction('outbox', 'readwrite', { durability: 'strict' })
  const { store } = transaction
  const stored = await store.getAll()
  const before = withUnsaved(stored)
  const changed = rule(before)
  const stays = new Set(changed)
  const known = new Set(stored)
  for (const entry of stored) {
    if (!stays.has(entry) && !changed.some(({ seq }) => seq === entry.seq)) await store.delete(entry.seq)
  }
  const after: Entry[] = []
  for (const entry of changed) {
    if (known.has(entry)) after.push(entry)
    else after.push(await put(store, entry))
  }
  await transaction.done
  unsaved.clear()
  return { before, after: before === changed && stored === before ? before : after }
}

type Store = { put: (value: Entry) => Promise<number>; add: (value: Entry) => Promise<number> }

async function put(store: Store, entry: Entry): Promise<Entry> {
  if (entry.seq !== UNNUMBERED) {
    await store.put(entry)
    return entry
  }
  const { seq: _, ...fresh } = entry
  return { ...entry, seq: await store.add(fresh as Entry) }
}

function changeInMemory(rule: Rule) {
  const before = withUnsaved(seen ?? [])
  const lastUnsaved = Math.max(FIRST_UNKEPT, ...unsaved.keys())
  const after = numbered(before, rule(before), lastUnsaved + 1)
  for (const entry of after) if (!before.includes(entry)) unsaved.set(entry.seq, entry)
  for (const { seq } of before) if (!after.some((entry) => entry.seq === seq)) unsaved.set(seq, null)
  return { before, after }
}

function numbered(before: Entries, after: Entries, next: number): Entries {
  if (before === after) return before
  return after.map((entry) => (entry.seq === UNNUMBERED ? { ...entry, seq: next } : entry))
}

function withUnsaved(stored: Entries): Entries {
  if (unsaved.size === 0) return stored
  const rest = stored.filter(({ seq }) => !unsaved.has(seq))
  const laid = [...unsaved.values()].filter((entry) => entry !== null)
  return [...rest, ...laid].toSorted((a, b) => a.seq - b.seq)
}
