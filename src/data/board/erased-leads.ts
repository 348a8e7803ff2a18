// Deletes outbox entries and drafts of leads that the server has erased meanwhile (LGPD art. 18).
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import { log } from '#api/log.ts'
import { writeDraft } from '#offline/drafts.ts'
import { listDraftKeys } from '#offline/list-drafts.ts'
import { changeOutbox, listOutbox } from '#offline/outbox.ts'
import { currentOwner } from '#offline/owner.ts'

/** A request has at most this many ids, because the server checks no more. */
const MAX_AT_ONCE = 1_000

const Ids = v.array(v.number())
const DRAFT_OF_LEAD = /^(?:conversation|notes|files):(\d+)/

const listeners = new Set<(count: number) => void>()

/** Calls the listener with the number of leads whose data was deleted. Returns the function that stops it. */
export function watchErased(listener: (count: number) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * Asks the server which leads it erased, and deletes their data. Sends no request if the device has no entries and
 * drafts. Never throws; it runs again at the next start.
 */
export async function forgetErased(): Promise<void> {
  const owner = currentOwner()
  if (owner === null) return
  try {
    const keys = await listDraftKeys(owner)
    const held = new Set([...(await waitingFor(owner)), ...keys.flatMap(leadOf)])
    if (held.size === 0) return
    const asked = [...held].slice(0, MAX_AT_ONCE)
    const erased = new Set(v.parse(Ids, await rpc('erased_leads', { p_contacts: asked })))
    // Another user may have signed in while the server answered.
    if (erased.size === 0 || currentOwner() !== owner) return
    await changeOutbox((entries) =>
      entries.filter(({ userId, command }) => userId !== owner || !erased.has(command.lead.id)),
    )
    await forgetDrafts(erased)
    for (const listener of listeners) listener(erased.size)
  } catch (cause) {
    log.warn('erased.not-asked', cause)
  }
}

/** Deletes the typed texts and attachments of these leads. Throws the browser's errors. */
export async function forgetDrafts(leads: ReadonlySet<number>): Promise<void> {
  const owner = currentOwner()
  const keys = owner === null ? [] : await listDraftKeys(owner)
  for (const key of keys) if (leadOf(key).some((id) => leads.has(id))) await writeDraft(key, '')
}

async function waitingFor(owner: string): Promise<number[]> {
  const entries = await listOutbox()
  return entries.flatMap(({ userId, state, command }) =>
    userId === owner && state !== 'applied' ? [command.lead.id] : [],
  )
}

function leadOf(key: string): number[] {
  const id = DRAFT_OF_LEAD.exec(key)?.[1]
  return id === undefined ? [] : [Number(id)]
}
