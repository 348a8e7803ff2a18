// The outbox: the ordered list of lasting writes. Pure rules change it, each in one transaction, and all tabs and the
// service worker are told.
import { log } from '#api/log.ts'
import { type Entries, UNNUMBERED } from '#domain/outbox/queue.ts'
import type { Entry } from '#domain/outbox/command.ts'
import { readDevice, writeDevice, type PortalDatabase } from './database.ts'

/** The tag of the browser's Background Sync. */
export const SYNC_TAG = 'outbox'

export type Outbox = {
  entries: Entries
  /** False if the device could not store some entries, so closing this tab loses them. */
  isKept: boolean
  /** Entries changed since this time may not be stored yet. Infinity: all are stored. */
  writingSinceMs: number
}

/** Computes the new list. It may run twice, because a transaction may be repeated. */
type Rule = (entries: Entries) => Entries

/** Entries that are not stored get numbers from here on, which are higher than those of all stored ones. */
const FIRST_UNKEPT = 2 ** 40

/**
 * Entries that the device should have stored but could not. Null stands for an entry that it could not remove. They
 * override the stored list.
 */
const unsaved = new Map<number, Entry | null>()
/** The list as it was last stored; null if it has not been read yet. */
let seen: Entries | null = null
/** Rules that are being stored, with the time at which each was made. Watchers see their results already. */
const running = new Map<Rule, number>()
const listeners = new Set<(outbox: Outbox) => void>()
let channel: BroadcastChannel | null = null

/** Returns all entries of all accounts on this device. */
export async function listOutbox(): Promise<Entries> {
  try {
    return withUnsaved(await readDevice((db) => db.getAll('outbox')))
  } catch (cause) {
    log.warn('outbox.read-failed', cause)
    return withUnsaved(seen ?? [])
  }
}

/**
 * Changes the list by a rule that was made at `madeAtMs`. Watchers see the result at once. Resolves once the device has
 * stored it, or once it is in memory if storing fails. Never throws.
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

/** Calls the listener now and at each change, in this tab or another. Returns the function that stops it. */
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
