// Text that was typed and not yet sent or saved, by place; written at every input, so that any reload is harmless.
import { log } from '#api/log.ts'
import { readDevice, writeDevice } from './database.ts'
import { currentOwner, forgetOnExit } from './owner.ts'

/** What was typed since the app was opened: right even where the device keeps nothing. */
const typed = new Map<string, string>()
forgetOnExit(() => typed.clear())

/** '' where nothing was left. `place` names it for good: 'conversation:7', 'notes:7'. */
export async function readDraft(place: string): Promise<string> {
  const owner = currentOwner()
  if (owner === null) return ''
  const known = typed.get(nameOf(owner, place))
  if (known !== undefined) return known
  try {
    const stored = await readDevice((db) => db.get('drafts', [owner, place]))
    return typed.get(nameOf(owner, place)) ?? stored?.text ?? ''
  } catch (cause) {
    log.warn('draft.read-failed', cause)
    return ''
  }
}

/** '' takes it away. */
export async function writeDraft(place: string, text: string): Promise<void> {
  const owner = currentOwner()
  if (owner === null) return
  typed.set(nameOf(owner, place), text)
  try {
    await writeDevice<unknown>((db) =>
      text === '' ? db.delete('drafts', [owner, place]) : db.put('drafts', { owner, place, text }),
    )
  } catch (cause) {
    log.warn('draft.write-failed', cause)
  }
}

/** Below what stands there already; whoever shows that place has it at once. */
export async function addToDraft(place: string, text: string): Promise<void> {
  const left = await readDraft(place)
  const next = left === '' ? text : `${left.trimEnd()}\n${text}`
  await writeDraft(place, next)
  for (const show of shown.get(place) ?? []) show(next)
}

const shown = new Map<string, Set<(text: string) => void>>()

/** Until what is answered is called, `show` hears of what others add to that place. */
export function watchDraft(place: string, show: (text: string) => void): () => void {
  const watchers = shown.get(place) ?? new Set()
  shown.set(place, watchers.add(show))
  return () => void watchers.delete(show)
}

function nameOf(owner: string, place: string): string {
  return `${owner} ${place}`
}
