// Sends a list of leads to the portal. It stores the requests on the device first, so that sending continues after a
// reload.
import { PortalError } from '#domain/errors.ts'
import { portal } from '#api/client.ts'
import { log } from '#api/log.ts'
import { readDevice, writeDevice } from '#offline/database.ts'
import { currentOwner } from '#offline/owner.ts'
import { keysOf } from '#offline/stores.ts'

export type Sending = {
  /** The import's id, chosen on this device. */
  id: string
  /** The body of the first request. */
  begin: Readonly<Record<string, unknown>>
  /** The bodies of the further requests, each with its number of rows. */
  parts: readonly { body: string; rows: number }[]
}

/** The prefix of the stored requests. They are stored among the drafts, so that 'Sair' deletes them. */
const PLACE = 'import:'
const headPlace = (id: string) => `${PLACE}${id}`
const partPlace = (id: string, n: number) => `${PLACE}${id}:${String(n).padStart(6, '0')}`

type Head = { begin: Sending['begin']; parts: readonly number[] }

const FIRST_WAIT_MS = 2_000
const MAX_WAIT_MS = 30_000

/** How many rows this tab has sent, by import. */
const sent = new Map<string, number>()
const listeners = new Set<() => void>()

export const sentRows = (id: string): number | undefined => sent.get(id)

export function watchSending(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function note(id: string, rows: number | null) {
  if (rows === null) sent.delete(id)
  else sent.set(id, rows)
  for (const listener of listeners) listener()
}

/**
 * Resolves once all rows have arrived. Throws PortalError if the portal refuses the list; other failures are retried.
 */
export async function send(sending: Sending): Promise<void> {
  const owner = currentOwner()
  const isKept = owner !== null && (await keep(owner, sending))
  await sendParts(sending.id, {
    ...sending,
    bodyOf: async (n) => sending.parts[n]?.body,
    owner: isKept ? owner : null,
  })
}

/** Continues sending after a reload. Never throws. */
export async function goOnSending(): Promise<void> {
  const owner = currentOwner()
  if (owner === null) return
  try {
    for (const [id, { begin, parts }] of await keptHeads(owner)) {
      if (sent.has(id)) continue
      const known = parts.map((rows) => ({ rows }))
      await sendParts(id, { begin, parts: known, bodyOf: (n) => readPart(owner, id, n), owner })
    }
  } catch (cause) {
    log.warn('import.not-sent', cause)
  }
}

type Told = {
  begin: Sending['begin']
  parts: readonly { rows: number }[]
  bodyOf: (n: number) => Promise<string | undefined>
  /** The user under whom the device stores the requests; null if it cannot store them. */
  owner: string | null
}

/**
 * Sends the requests under a lock, one tab at a time. The portal takes each row once, so a second tab would send in
 * vain.
 */
async function sendParts(id: string, { begin, parts, bodyOf, owner }: Told): Promise<void> {
  note(id, 0)
  try {
    await inTurn(id, async () => {
      await untilAnswered(() => portal('/api/imports', { method: 'POST', body: { id, ...begin } }), owner)
      let rows = 0
      for (const [n, part] of parts.entries()) {
        const body = await bodyOf(n)
        if (body !== undefined)
          await untilAnswered(
            () => portal(`/api/imports/${id}/rows`, { method: 'POST', body: JSON.parse(body) }),
            owner,
          )
        rows += part.rows
        note(id, rows)
        if (owner !== null) await forget(owner, partPlace(id, n))
      }
    })
    if (owner !== null) await forgetAll(owner, id)
  } catch (error) {
    // The portal refused the import, or it was deleted meanwhile, so a retry would be refused as well.
    if (owner !== null && isRefusal(error)) await forgetAll(owner, id)
    throw error
  } finally {
    note(id, null)
  }
}

const inTurn = (id: string, work: () => Promise<void>): Promise<void> => {
  // Browsers offer no locks on pages over plain http, although the types say otherwise.
  const locks: LockManager | undefined = navigator.locks
  return locks ? locks.request(`import ${id}`, work) : work()
}

/** Retries while the portal is unreachable or busy; stops if the user signs out. */
async function untilAnswered<T>(ask: () => Promise<T>, owner: string | null): Promise<T> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(MAX_WAIT_MS, waitMs * 2)) {
    try {
      return await ask()
    } catch (error) {
      if (owner === null || isRefusal(error) || isSignedOut(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, waitMs))
      if (currentOwner() !== owner) throw error
    }
  }
}

const isSignedOut = (error: unknown) => error instanceof PortalError && error.status === 401

/**
 * True if the portal refused the request. A lost session and a busy or failing portal do not count, because a retry may
 * succeed.
 */
const isRefusal = (error: unknown): error is PortalError =>
  error instanceof PortalError &&
  error.status >= 400 &&
  error.status < 500 &&
  ![401, 408, 429].includes(error.status) &&
  !error.code.startsWith('network.')

async function keep(owner: string, { id, begin, parts }: Sending): Promise<boolean> {
  const head: Head = { begin, parts: parts.map(({ rows }) => rows) }
  try {
    await writeDevice(async (db) => {
      const { store, done } = db.transaction('drafts', 'readwrite')
      for (const [n, { body }] of parts.entries())
        void store.put({ owner, place: partPlace(id, n), text: body })
      void store.put({ owner, place: headPlace(id), text: JSON.stringify(head) })
      await done
    })
    return true
  } catch (cause) {
    log.warn('import.not-kept', cause)
    return false
  }
}

async function keptHeads(owner: string): Promise<[string, Head][]> {
  const kept = await readDevice((db) => db.getAllKeys('drafts', keysOf(owner)))
  const ids = kept.flatMap(([, place]) => /^import:([0-9a-f-]{36})$/.exec(place)?.[1] ?? [])
  const heads: [string, Head][] = []
  for (const id of ids) {
    const draft = await readDevice((db) => db.get('drafts', [owner, headPlace(id)]))
    if (draft) heads.push([id, JSON.parse(draft.text) as Head])
  }
  return heads
}

async function readPart(owner: string, id: string, n: number): Promise<string | undefined> {
  return (await readDevice((db) => db.get('drafts', [owner, partPlace(id, n)])))?.text
}

const forget = (owner: string, place: string) =>
  writeDevice((db) => db.delete('drafts', [owner, place])).catch((cause: unknown) =>
    log.warn('import.not-forgotten', cause),
  )

const forgetAll = (owner: string, id: string) =>
  writeDevice((db) =>
    db.delete('drafts', IDBKeyRange.bound([owner, headPlace(id)], [owner, `${headPlace(id)}:~`])),
  ).catch((cause: unknown) => log.warn('import.not-forgotten', cause))
