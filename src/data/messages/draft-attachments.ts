// The attachments in each conversation's composer and their progress, stored on the device until they are sent.
import { useCallback, useSyncExternalStore } from 'react'
import { isOnline, watchConnectivity } from '#offline/connectivity.ts'
import { dropFile, type DraftFilesKey, keepFile } from '#offline/draft-files.ts'
import { currentOwner, forgetOnExit } from '#offline/owner.ts'
import type { OutgoingFile, Standing } from '#offline/stores.ts'
import type { Refused } from './prepare-file.ts'

export type Attachment = Standing & {
  file: OutgoingFile
  /** An object URL of a picture, a video or a voice message, for the preview. */
  previewUrl: string | null
  /** The device has stored it in its current form, caption included. */
  isKept: boolean
  /** The user pressed send. */
  isWanted: boolean
  /** Upload progress from 0 to 1; null while it is not uploading. */
  ratio: number | null
  /** Why it was not sent, in Portuguese. */
  problem: string | null
  /** The network was the problem: with a better signal it may succeed. */
  isCutOff: boolean
}

type Attachments = {
  list: readonly Attachment[]
  /** How many files are still being prepared. */
  preparing: number
  /** Why some files were refused. */
  refused: Refused | null
}

/** Correct for every unsent attachment, online or offline. */
export const UNSENT = 'Não foi enviado. Toque no anexo para tentar de novo.'
const NONE: Attachments = { list: [], preparing: 0, refused: null }

/** By user and conversation, so that users of one device do not see each other's files. */
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

/** If the device cannot store it, it stays in memory only. */
export async function keep(key: DraftFilesKey, { file, turn, isTried }: Attachment): Promise<void> {
  if (!(await keepFile(key, { file, turn, isTried }))) return
  // The draft's caption may have changed meanwhile.
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

/** Back online, it removes the message that there is no network. */
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

/** The attachments of the signed-in user. */
export function attachmentsOf(contactId: number): Attachments {
  return attachedAt(filesKey(contactId))
}

export function useAttachments(contactId: number): Attachments {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => attachmentsOf(contactId), [contactId]),
  )
}

/** Whether leaving the page would lose something: a file that is not stored, or an upload. */
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
