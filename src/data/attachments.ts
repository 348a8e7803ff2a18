// Files attached in a conversation and not sent yet: kept while the app is open, sent one after the other. INTERACTIONS 8; PRODUCT.md 4.4.
import { useCallback, useSyncExternalStore } from 'react'
import { log } from '#api/log.ts'
import { PortalError } from '#domain/errors.ts'
import type { Lead } from '#domain/lead.ts'
import { currentOwner } from '#offline/owner.ts'
import { keys } from './keys.ts'
import { prepareFile, prepareVoice, type Refused } from './prepare-file.ts'
import { queryClient } from './query-client.ts'
import { type OutgoingFile, sendFile } from './sending.ts'

export type Attachment = {
  file: OutgoingFile
  /** Of a picture, a video or a voice message: its own bytes, to look at or listen to. */
  previewUrl: string | null
  /** The person wishes it sent. */
  isWanted: boolean
  /** From 0 to 1 while it goes up; null while it does not. */
  ratio: number | null
  /** Why it did not go, in Portuguese. */
  problem: string | null
}

type Attachments = {
  list: readonly Attachment[]
  /** How many are still being made ready. */
  preparing: number
  /** Why some were not taken. */
  refused: Refused | null
}

/** What a conversation takes at once. */
const MOST_FILES = 10
const UNSENT = 'Não foi enviada.'
const NONE: Attachments = { list: [], preparing: 0, refused: null }

/** By person and conversation: on a device of several, nobody sees another's. */
const places = new Map<string, Attachments>()
const uploads = new Map<string, AbortController>()
const sendingPlaces = new Set<string>()
const listeners = new Set<() => void>()

const placeOf = (contactId: number) => `${currentOwner()} ${contactId}`
const listAt = (place: string) => places.get(place)?.list ?? []

function change(place: string, part: (known: Attachments) => Partial<Attachments>) {
  const known = places.get(place) ?? NONE
  places.set(place, { ...known, ...part(known) })
  for (const listener of listeners) listener()
}

function changeOne(place: string, operationId: string, part: Partial<Attachment>) {
  change(place, ({ list }) => ({
    list: list.map((each) => (each.file.operationId === operationId ? { ...each, ...part } : each)),
  }))
}

function takeAway(place: string, operationId: string) {
  change(place, ({ list }) => ({ list: list.filter(({ file }) => file.operationId !== operationId) }))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Of the person signed in. */
export function attachmentsOf(contactId: number): Attachments {
  return places.get(placeOf(contactId)) ?? NONE
}

export function useAttachments(contactId: number): Attachments {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => attachmentsOf(contactId), [contactId]),
  )
}

/** Whether a file of this person is in memory alone, in whatever conversation. */
export function hasAttached(): boolean {
  const owned = `${currentOwner()} `
  return [...places].some(([place, { list }]) => list.length > 0 && place.startsWith(owned))
}

export function useHasAttached(): boolean {
  return useSyncExternalStore(subscribe, hasAttached)
}

/** Takes what may be sent and keeps why others were not. */
export async function attachFiles(contactId: number, chosen: readonly File[]): Promise<void> {
  const place = placeOf(contactId)
  const { list, preparing } = places.get(place) ?? NONE
  const files = chosen.slice(0, Math.max(0, MOST_FILES - list.length - preparing))
  change(place, ({ preparing: before }) => ({ preparing: before + files.length, refused: null }))
  // One after the other, so that a weak phone never holds ten large pictures at once.
  for (const file of files) {
    const ready = await prepareFile(file)
    change(place, ({ list: known, preparing: before }) => ({
      preparing: before - 1,
      ...(typeof ready === 'string' ? { refused: ready } : { list: [...known, toAttachment(ready)] }),
    }))
  }
}

export function attachVoice(contactId: number, { file, seconds }: { file: Blob; seconds: number }) {
  const voice = toAttachment(prepareVoice(file, seconds))
  change(placeOf(contactId), ({ list }) => ({ list: [...list, voice] }))
}

function toAttachment(file: OutgoingFile): Attachment {
  const isSeen = file.kind !== 'document' && file.kind !== 'audio'
  const previewUrl = isSeen ? URL.createObjectURL(file.file) : null
  return { file, previewUrl, isWanted: false, ratio: null, problem: null }
}

/** One that is on its way is stopped first. */
export function detachFile(contactId: number, { file, previewUrl }: Attachment) {
  uploads.get(file.operationId)?.abort()
  takeAway(placeOf(contactId), file.operationId)
  if (previewUrl !== null) URL.revokeObjectURL(previewUrl)
}

/** It stays attached. */
export function stopUpload({ file }: Attachment) {
  uploads.get(file.operationId)?.abort()
}

export function forgetRefused(contactId: number) {
  change(placeOf(contactId), () => ({ refused: null }))
}

type Words = { caption: string; quotedMessageId: number | null }

/**
 * Sends what is attached, in order; what stands with the files goes along with the first of them. What does not go stays;
 * without a signal what comes after it waits too, so that nothing overtakes it.
 */
export async function sendAttached(lead: Lead, { caption, quotedMessageId }: Words): Promise<void> {
  const place = placeOf(lead.id)
  const first = listAt(place).find(({ ratio }) => ratio === null)
  change(place, ({ list }) => ({
    list: list.map((each) => {
      // Words that an earlier try already gave it stay with it.
      const words = {
        caption: caption || each.file.caption,
        quotedMessageId: quotedMessageId ?? each.file.quotedMessageId,
      }
      return { ...each, isWanted: true, file: each === first ? { ...each.file, ...words } : each.file }
    }),
  }))
  if (sendingPlaces.has(place)) return
  sendingPlaces.add(place)
  try {
    const next = () => listAt(place).find(({ isWanted }) => isWanted)
    for (let wanted = next(); wanted; wanted = next()) {
      if (!(await sendOne(lead, place, wanted))) {
        change(place, ({ list }) => ({ list: list.map((each) => ({ ...each, isWanted: false })) }))
      }
    }
  } finally {
    sendingPlaces.delete(place)
  }
}

/** False: those after it should not be tried now. */
async function sendOne(lead: Lead, place: string, { file, previewUrl }: Attachment): Promise<boolean> {
  const { operationId, fileName } = file
  const controller = new AbortController()
  uploads.set(operationId, controller)
  changeOne(place, operationId, { ratio: 0, problem: null })
  const onProgress = (ratio: number) => changeOne(place, operationId, { ratio })
  try {
    const { id } = await sendFile(lead, file, { onProgress, signal: controller.signal })
    takeAway(place, operationId)
    // What is looked at is here already; what is listened to waits to be asked for.
    if (previewUrl !== null && file.kind !== 'voice') {
      queryClient.setQueryData(keys.media(id), { url: previewUrl, mimeType: file.file.type, fileName })
    }
    return true
  } catch (error) {
    const isStopped = controller.signal.aborted
    const isRefused = error instanceof PortalError && error.status >= 400 && error.status < 500
    const words = error instanceof PortalError ? error.message : UNSENT
    changeOne(place, operationId, { ratio: null, isWanted: false, problem: isStopped ? null : words })
    if (!isStopped) log.warn('attachment.send-failed', error)
    return isStopped || isRefused
  } finally {
    uploads.delete(operationId)
  }
}

/** The conversation has them: the answer to their upload was lost on the way. */
export function settleAttached(contactId: number, operationIds: ReadonlySet<string | null>) {
  const place = placeOf(contactId)
  for (const { file, ratio } of listAt(place)) {
    if (ratio === null && operationIds.has(file.operationId)) takeAway(place, file.operationId)
  }
}
