// Typed text that is not sent or saved yet, by key. It is stored at every input, so that a reload loses nothing.
import { log } from '#api/log.ts'
import { readDevice, writeDevice } from './database.ts'
import { currentOwner, forgetOnExit } from './owner.ts'

/** A text that sorts after all keys. */
const END = '\uffff'

/** Text that was typed since the app was opened. It is available even if the device cannot store it. */
const typed = new Map<string, string>()
/** The last `isKept` promise of leaveDraft, by draft. */
const leaving = new Map<string, Promise<unknown>>()
forgetOnExit(() => [typed, leaving].forEach((map) => map.clear()))

/** Returns the draft's text; '' if there is none. `key` must never change its form: 'conversation:7', 'notes:7'. */
export async function readDraft(key: string): Promise<string> {
  const owner = currentOwner()
  if (owner === null) return ''
  const known = typed.get(nameOf(owner, key))
  if (known !== undefined) return known
  try {
    const stored = await readDevice((db) => db.get('drafts', [owner, key]))
    return typed.get(nameOf(owner, key)) ?? stored?.text ?? ''
  } catch (cause) {
    log.warn('draft.read-failed', cause)
    return ''
  }
}

/** Returns the drafts whose key begins with `prefix`, by the rest of the key. */
export async function listDrafts(prefix: string): Promise<Map<string, string>> {
  const owner = currentOwner()
  const found = new Map<string, string>()
  if (owner === null) return found
  const add = (key: string, text: string) =>
    key.startsWith(prefix) && found.set(key.slice(prefix.length), text)
  try {
    const stored = await readDevice((db) =>
      db.getAll('drafts', IDBKeyRange.bound([owner, prefix], [owner, prefix + END])),
    )
    for (const { place, text } of stored) add(place, text)
  } catch (cause) {
    log.warn('draft.read-failed', cause)
  }
  const owned = nameOf(owner, '')
  for (const [name, text] of typed) if (name.startsWith(owned)) add(name.slice(owned.length), text)
  return found
}

/** Stores a draft; '' deletes it. */
export async function writeDraft(key: string, text: string): Promise<void> {
  const owner = currentOwner()
  if (owner === null) return
  typed.set(nameOf(owner, key), text)
  try {
    await writeDevice<unknown>((db) =>
      text === '' ? db.delete('drafts', [owner, key]) : db.put('drafts', { owner, place: key, text }),
    )
  } catch (cause) {
    log.warn('draft.write-failed', cause)
  }
}

/**
 * Hides the draft at once. When `isKept` resolves, its text is stored elsewhere, so it is deleted from the device. Text
 * that the user typed meanwhile stays. Never throws.
 */
export async function leaveDraft(key: string, isKept: Promise<unknown>): Promise<void> {
  const owner = currentOwner()
  if (owner === null) return
  const name = nameOf(owner, key)
  typed.set(name, '')
  leaving.set(name, isKept)
  try {
    await isKept
  } catch {
    return
  }
  // A later text of the same draft may not be stored elsewhere yet; then the draft stays.
  const isLast = leaving.get(name) === isKept && typed.get(name) === ''
  if (isLast && currentOwner() === owner) await writeDraft(key, '')
}

/** Appends text to a draft. An open editor of the draft shows it at once. */
export async function addToDraft(key: string, text: string): Promise<void> {
  const left = await readDraft(key)
  const next = left === '' ? text : `${left.trimEnd()}\n${text}`
  await writeDraft(key, next)
  for (const show of shown.get(key) ?? []) show(next)
}

const shown = new Map<string, Set<(text: string) => void>>()

/** Calls `show` when other code appends to the draft. Returns the function that stops it. */
export function watchDraft(key: string, show: (text: string) => void): () => void {
  const watchers = shown.get(key) ?? new Set()
  shown.set(key, watchers.add(show))
  return () => void watchers.delete(show)
}

function nameOf(owner: string, key: string): string {
  return `${owner} ${key}`
}
