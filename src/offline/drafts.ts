// Text that was typed and not yet sent or saved, by key; written at every input, so that any reload is harmless.
import { log } from '#api/log.ts'
import { readDevice, writeDevice } from './database.ts'
import { currentOwner, forgetOnExit } from './owner.ts'

/** What was typed since the app was opened: right even where the device keeps nothing. */
const typed = new Map<string, string>()
/** What left each last. */
const leaving = new Map<string, Promise<unknown>>()
forgetOnExit(() => [typed, leaving].forEach((map) => map.clear()))

/** '' where nothing was left. `key` names it for good: 'conversation:7', 'notes:7'. */
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

/** '' takes it away. */
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
 * Nothing is shown of it any more, and the device lets go of it once `isKept` resolves: what it says is kept elsewhere then. What is
 * typed meanwhile stays. Raises nothing.
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
  // What left after it may not be kept yet.
  const isLast = leaving.get(name) === isKept && typed.get(name) === ''
  if (isLast && currentOwner() === owner) await writeDraft(key, '')
}

/** Below what stands there already; whoever shows that draft has it at once. */
export async function addToDraft(key: string, text: string): Promise<void> {
  const left = await readDraft(key)
  const next = left === '' ? text : `${left.trimEnd()}\n${text}`
  await writeDraft(key, next)
  for (const show of shown.get(key) ?? []) show(next)
}

const shown = new Map<string, Set<(text: string) => void>>()

/** Until what is answered is called, `show` hears of what others add to that draft. */
export function watchDraft(key: string, show: (text: string) => void): () => void {
  const watchers = shown.get(key) ?? new Set()
  shown.set(key, watchers.add(show))
  return () => void watchers.delete(show)
}

function nameOf(owner: string, key: string): string {
  return `${owner} ${key}`
}
