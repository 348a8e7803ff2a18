// Files attached and not sent yet, each with its caption: kept like any draft, so that a reload takes neither.
import { log } from '#api/log.ts'
import { readDevice, writeDevice } from './database.ts'
import { currentOwner } from './owner.ts'
import type { OutgoingFile, Standing } from './stores.ts'

export type DraftFilesKey = { owner: string | null; contactId: number }
export type DraftFile = Standing & { file: OutgoingFile }

const keyOf = (contactId: number, operationId: string) => `files:${contactId}:${operationId}`
/** Behind every operation id. */
const END = '\uffff'

/** One after the other: what was sent or taken away never comes back, and one file at a time is in memory. */
let last: Promise<unknown> = Promise.resolve()
function withSendLock<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
  const done = last.then(work).catch((cause: unknown) => {
    log.warn('kept-file.failed', cause)
    return otherwise
  })
  last = done
  return done
}

/** False: the device did not take it. */
export function keepFile({ owner, contactId }: DraftFilesKey, stored: DraftFile): Promise<boolean> {
  if (owner === null) return Promise.resolve(false)
  const { turn, isTried } = stored
  const { file: blob, ...facts } = stored.file
  return withSendLock(async () => {
    const file = { ...facts, bytes: await blob.arrayBuffer(), type: blob.type, turn, isTried }
    const key = keyOf(contactId, facts.operationId)
    // What was read while its owner left is not written behind the wiping.
    if (currentOwner() !== owner) return false
    await writeDevice<unknown>((db) => db.put('drafts', { owner, place: key, text: facts.caption, file }))
    return true
  }, false)
}

export function dropFile({ owner, contactId }: DraftFilesKey, operationId: string): Promise<void> {
  if (owner === null) return Promise.resolve()
  const key: [string, string] = [owner, keyOf(contactId, operationId)]
  return withSendLock(() => writeDevice((db) => db.delete('drafts', key)), undefined)
}

/** In their order. */
export function readFiles({ owner, contactId }: DraftFilesKey): Promise<DraftFile[]> {
  if (owner === null) return Promise.resolve([])
  const all = IDBKeyRange.bound([owner, keyOf(contactId, '')], [owner, keyOf(contactId, END)])
  return withSendLock(async () => {
    const records = await readDevice((db) => db.getAll('drafts', all))
    return records
      .flatMap(({ file }) => file ?? [])
      .toSorted((one, other) => one.turn - other.turn)
      .map(({ bytes, type, turn, isTried, ...facts }) => ({
        file: { ...facts, file: new Blob([bytes], { type }) },
        turn,
        isTried,
      }))
  }, [])
}
