// Stores unsent attachments with their captions like drafts, so that a reload loses neither.
import { log } from '#api/log.ts'
import { readDevice, writeDevice } from './database.ts'
import { currentOwner } from './owner.ts'
import type { OutgoingFile, Standing } from './stores.ts'

export type DraftFilesKey = { owner: string | null; contactId: number }
export type DraftFile = Standing & { file: OutgoingFile }

const keyOf = (contactId: number, operationId: string) => `files:${contactId}:${operationId}`
/** Sorts after all operation ids. */
const END = '\uffff'

let last: Promise<unknown> = Promise.resolve()
/**
 * Runs work one after another, so that a deleted file is not written back, and only one file is in memory. A failure
 * is logged and resolves with `otherwise`.
 */
function oneAtATime<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
  const done = last.then(work).catch((cause: unknown) => {
    log.warn('kept-file.failed', cause)
    return otherwise
  })
  last = done
  return done
}

/** Stores an attachment. Resolves with false if the device could not. */
export function keepFile({ owner, contactId }: DraftFilesKey, stored: DraftFile): Promise<boolean> {
  if (owner === null) return Promise.resolve(false)
  const { turn, isTried } = stored
  const { file: blob, ...facts } = stored.file
  return oneAtATime(async () => {
    const file = { ...facts, bytes: await blob.arrayBuffer(), type: blob.type, turn, isTried }
    const key = keyOf(contactId, facts.operationId)
    // The owner may have signed out meanwhile; then nothing may be written after the data was deleted.
    if (currentOwner() !== owner) return false
    await writeDevice<unknown>((db) => db.put('drafts', { owner, place: key, text: facts.caption, file }))
    return true
  }, false)
}

export function dropFile({ owner, contactId }: DraftFilesKey, operationId: string): Promise<void> {
  if (owner === null) return Promise.resolve()
  const key: [string, string] = [owner, keyOf(contactId, operationId)]
  return oneAtATime(() => writeDevice((db) => db.delete('drafts', key)), undefined)
}

/** Reads the attachments in the order in which they were added. */
export function readFiles({ owner, contactId }: DraftFilesKey): Promise<DraftFile[]> {
  if (owner === null) return Promise.resolve([])
  const all = IDBKeyRange.bound([owner, keyOf(contactId, '')], [owner, keyOf(contactId, END)])
  return oneAtATime(async () => {
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
