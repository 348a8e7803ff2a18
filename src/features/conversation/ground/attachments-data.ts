// Adds and removes a conversation's attachments, and restores those that the device stored before a reload.
import { type DraftFilesKey, type DraftFile, readFiles } from '#offline/draft-files.ts'
import type { OutgoingFile } from '#offline/stores.ts'
import {
  attachedAt,
  type Attachment,
  change,
  forgetPreview,
  keep,
  listAt,
  nameOf,
  filesKey,
  takeAway,
  UNSENT,
} from '#data/messages/draft-attachments.ts'
import { prepareFile, prepareVoice } from '#data/messages/prepare-file.ts'
import { stopUpload } from '#data/messages/send-attachments.ts'

/** A conversation takes at most this many attachments; further files are left out. */
const MAX_FILES = 10

/** Remembers per conversation that its attachments are being restored, so that the device is read once. */
const restored = new Map<string, Promise<void>>()

/** Restores the attachments stored before the app was closed; newer ones come after them. Never throws. */
export function restoreDraftAttachments(contactId: number): Promise<void> {
  const key = filesKey(contactId)
  const restoring = restored.get(nameOf(key)) ?? restore(key)
  restored.set(nameOf(key), restoring)
  return restoring
}

async function restore(key: DraftFilesKey) {
  const cachedOffline = await readFiles(key)
  const known = new Set(listAt(key).map(({ file }) => file.operationId))
  const left = cachedOffline.filter(({ file }) => !known.has(file.operationId))
  if (left.length === 0) return
  change(key, ({ list }) => ({
    list: [...left.map((each) => ({ ...toAttachment(each), isKept: true })), ...list],
  }))
}

/**
 * Attaches the allowed files, and records why others are refused. Resolves with the number of processed files; those
 * after them exceed the limit.
 */
export async function attachFiles(contactId: number, chosen: readonly File[]): Promise<number> {
  const key = filesKey(contactId)
  const { list, preparing } = attachedAt(key)
  const files = chosen.slice(0, Math.max(0, MAX_FILES - list.length - preparing))
  change(key, ({ preparing: before }) => ({ preparing: before + files.length, refused: null }))
  // In sequence, so that a weak phone never holds ten large pictures in memory.
  for (const file of files) {
    const ready = await prepareFile(file)
    change(key, ({ preparing: before }) => ({
      preparing: before - 1,
      ...(typeof ready === 'string' && { refused: ready }),
    }))
    if (typeof ready !== 'string') add(key, ready)
  }
  return files.length
}

/** Waits until the device has tried to store all attachments of this conversation; false if one is not stored. */
export async function areFilesKept(contactId: number): Promise<boolean> {
  const key = filesKey(contactId)
  await readFiles(key)
  return listAt(key).every(({ isKept }) => isKept)
}

export function attachVoice(contactId: number, { file, seconds }: { file: Blob; seconds: number }) {
  add(filesKey(contactId), prepareVoice(file, seconds))
}

function add(key: DraftFilesKey, file: OutgoingFile) {
  const turn = (listAt(key).at(-1)?.turn ?? 0) + 1
  const added = toAttachment({ file, turn, isTried: false })
  change(key, ({ list }) => ({ list: [...list, added] }))
  void keep(key, added)
}

function toAttachment({ file, turn, isTried }: DraftFile): Attachment {
  const isSeen = file.kind !== 'document' && file.kind !== 'audio'
  return {
    file,
    turn,
    isTried,
    previewUrl: isSeen ? URL.createObjectURL(file.file) : null,
    isKept: false,
    isWanted: false,
    ratio: null,
    problem: isTried ? UNSENT : null,
    isCutOff: false,
  }
}

/** Aborts an upload in progress first. */
export function detachFile(contactId: number, attachment: Attachment) {
  stopUpload(attachment)
  takeAway(filesKey(contactId), attachment.file.operationId)
  forgetPreview(attachment)
}

export function forgetRefused(contactId: number) {
  change(filesKey(contactId), () => ({ refused: null }))
}

/** Removes attachments whose messages have arrived: their upload succeeded, but its response was lost. */
export function settleDraftAttachments(contactId: number, operationIds: ReadonlySet<string | null>) {
  const key = filesKey(contactId)
  for (const { file, ratio } of listAt(key)) {
    if (ratio === null && operationIds.has(file.operationId)) takeAway(key, file.operationId)
  }
}
