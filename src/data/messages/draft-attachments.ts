// What is attached in each conversation at this moment, and how it stands with it; kept on the device until it goes.
import { useCallback, useSyncExternalStore } from 'react'
import { isOnline, watchConnectivity } from '#offline/connectivity.ts'
import { dropFile, type DraftFilesKey, keepFile } from '#offline/draft-files.ts'
import { currentOwner, forgetOnExit } from '#offline/owner.ts'
import type { OutgoingFile, Standing } from '#offline/stores.ts'
import type { Refused } from './prepare-file.ts'

export type Attachment = Standing & {
  file: OutgoingFile
  /** Of a picture, a video or a voice message: its own bytes, to look at or listen to. */
  previewUrl: string | null
  /** The device has it as it is, caption included. */
  isKept: boolean
  /** The person wishes it sent. */
  isWanted: boolean
  /** From 0 to 1 while it goes up; null while it does not. */
  ratio: number | null
  /** Why it did not go, in Portuguese. */
  problem: string | null
  /** The way was the problem: with a better signal it may go. */
  isCutOff: boolean
}

type Attachments = {
  list: readonly Attachment[]
  /** How many are still being made ready. */
  preparing: number
  /** Why some were not taken. */
  refused: Refused | null
}

/** True of whatever has not gone, with a signal or without. */
export const UNSENT = 'Não foi enviado. Toque no anexo para tentar de novo.'
const NONE: Attachments = { list: [], preparing: 0, refused: null }

/** By person and conversation: on a device of several, nobody sees another's. */
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

/** Where the device does not take it, it is in memory alone. */
export async function keep(key: DraftFilesKey, { file, turn, isTried }: Attachment): Promise<void> {
  if (!(await keepFile(key, { file, turn, isTried }))) return
  // It may have been given a caption meanwhile.
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

/** That there was no signal is said no longer than it is so. */
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

/** Of the person signed in. */
export function attachmentsOf(contactId: number): Attachments {
  return attachedAt(filesKey(contactId))
}

export function useAttachments(contactId: number): Attachments {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => attachmentsOf(contactId), [contactId]),
  )
}

/** Whether leaving the page would take something: a file of this person that is not kept, or one on its way. */
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
