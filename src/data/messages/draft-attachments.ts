// The attachments in each conversation's composer, with their progress. The device stores them until they are sent.
import { useCallback, useSyncExternalStore } from 'react'
import { isOnline, watchConnectivity } from '#offline/connectivity.ts'
import { dropFile, type DraftFilesKey, keepFile } from '#offline/draft-files.ts'
import { currentOwner, forgetOnExit } from '#offline/owner.ts'
import type { OutgoingFile, Standing } from '#offline/stores.ts'
import type { Refused } from './prepare-file.ts'

export type Attachment = Standing & {
  file: OutgoingFile
  /**
   * The address of an object URL that shows a preview of the picture, video or voice message. Null if there is none.
   */
  previewUrl: string | null
  /** True if the device has stored the attachment as it is now, caption included. */
  isKept: boolean
  /** True if the user has pressed send. */
  isWanted: boolean
  /** Upload progress from 0 to 1; null while there is no upload. */
  ratio: number | null
  /** Why sending failed, in Portuguese; null if it did not. */
  problem: string | null
  /** True if the network failed, so a retry may succeed with a better signal. */
  isCutOff: boolean
}

type Attachments = {
  list: readonly Attachment[]
  /** How many files are still being scaled down or checked. */
  preparing: number
  /** Why the last chosen files were refused; null if they were not. */
  refused: Refused | null
}

/** This text is true both online and offline. */
export const UNSENT = 'Não foi enviado. Toque no anexo para tentar de novo.'
const NONE: Attachments = { list: [], preparing: 0, refused: null }

/** Attachments by user and conversation, so that users of one device do not see each other's files. */
const attached = new Map<string, Attachments>()
const listeners = new Set<() => void>()
forgetOnExit(() => {
  for (const { list } of attached.values()) list.forEach(forgetPreview)
  attached.clear()
  notify()
})

export function forgetPreview({ previewUrl }: Attachment) {
  if (previewUrl !== null) URL.revokeObjectURL(previewUrl)
}

export const nameOf = ({ owner, contactId }: DraftFilesKey) => `${owner} ${contactId}`
export const filesKey = (contactId: number): DraftFilesKey => ({ owner: currentOwner(), contactId })
export const attachedAt = (key: DraftFilesKey): Attachments => attached.get(nameOf(key)) ?? NONE
export const listAt = (key: DraftFilesKey) => attachedAt(key).list

export function change(key: DraftFilesKey, part: (known: Attachments) => Partial<Attachments>) {
  const known = attachedAt(key)
  attached.set(nameOf(key), { ...known, ...part(known) })
  notify()
}

export function changeOne(key: DraftFilesKey, operationId: string, part: Partial<Attachment>) {
  change(key, ({ list }) => ({
    list: list.map((each) => (each.file.operationId === operationId ? { ...each, ...part } : each)),
  }))
}

/** Stores an attachment on the device. If that fails, it stays in memory only. */
export async function keep(key: DraftFilesKey, { file, turn, isTried }: Attachment): Promise<void> {
  if (!(await keepFile(key, { file, turn, isTried }))) return
  // The attachment may have changed while it was being stored; then it is not stored in its present form.
  const isSame = listAt(key).some((each) => each.file === file && each.isTried === isTried)
  if (isSame) changeOne(key, file.operationId, { isKept: true })
}

export function takeAway(key: DraftFilesKey, operationId: string) {
  change(key, ({ list }) => ({ list: list.filter(({ file }) => file.operationId !== operationId) }))
  void dropFile(key, operationId)
}

function notify() {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  inviteAgain()
  const stop = watchConnectivity(inviteAgain)
  return () => {
    stop()
    listeners.delete(listener)
  }
}

/** Replaces the text 'no network' of failed attachments once the device is online again. */
function inviteAgain() {
  if (!isOnline()) return
  for (const [name, known] of attached) {
    if (!known.list.some(({ isCutOff }) => isCutOff)) continue
    const list = known.list.map((each) =>
      each.isCutOff ? { ...each, isCutOff: false, problem: each.problem && UNSENT } : each,
    )
    attached.set(name, { ...known, list })
    notify()
  }
}

/** Returns the signed-in user's attachments in a conversation. */
export function attachmentsOf(contactId: number): Attachments {
  return attachedAt(filesKey(contactId))
}

export function useAttachments(contactId: number): Attachments {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => attachmentsOf(contactId), [contactId]),
  )
}

/** True if leaving the page would lose a file: one that is not stored, or that is uploading. */
export function mayLoseFiles(): boolean {
  const owned = `${currentOwner()} `
  return [...attached].some(
    ([name, { list }]) =>
      name.startsWith(owned) && list.some(({ isKept, ratio }) => !isKept || ratio !== null),
  )
}

export function useMayLoseFiles(): boolean {
  return useSyncExternalStore(subscribe, mayLoseFiles)
}
