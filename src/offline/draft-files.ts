// Unsent attachments with their captions, stored like drafts so that a reload loses neither.
import { log } from '#api/log.ts'
import { readDevice, writeDevice } from './database.ts'
import { currentOwner } from './owner.ts'
import type { OutgoingFile, Standing } from './stores.ts'

export type DraftFilesKey = { owner: string | null; contactId: number }
export type DraftFile = Standing & { file: OutgoingFile }

const keyOf = (contactId: number, operationId: string) => `files:${contactId}:${operationId}`
/** Sorts after every operation id. */
const END = '\uffff'

/** Runs work in sequence, so that a deleted file is not written back, and only one file is in memory. */
let last: Promise<unknown> = Promise.resolve()
function withSendLock<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
  const done = last.then(work).catch((cause: unknown) => {
    log.warn('kept-file.failed', cause)
    return otherwise
  })
  last = done
  return done
}

/** False if the device could not store it. */
export function keepFile({ owner, contactId }: DraftFilesKey, stored: DraftFile): Promise<boolean> {
  if (owner === null) return Promise.resolve(false)
  const { turn, isTried } = stored
  const { file: blob, ...facts } = stored.file
  return withSendLock(async () => {
    const file = { ...facts, bytes: await blob.arrayBuffer(), type: blob.type, turn, isTried }
    const key = keyOf(contactId, facts.operationId)
    // If the owner signed out during the read, nothing is written after the wipe.
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

/** In order of attachment. */
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
