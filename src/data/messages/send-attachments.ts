// Sends what is attached, one after the other and each once; what does not go stays, with its words, and says why.
import { log } from '#api/log.ts'
import { PortalError } from '#domain/errors.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { AttachmentKind } from '#domain/message/media.ts'
import type { FilesPlace } from '#offline/draft-files.ts'
import {
  type Attachment,
  change,
  changeOne,
  keep,
  listAt,
  nameOf,
  placeOf,
  takeAway,
  UNSENT,
} from './draft-attachments.ts'
import { keys } from '../keys.ts'
import type { Conversation } from './messages.ts'
import { queryClient } from '../query-client.ts'
import { sendFile } from './sending.ts'

type Words = { caption: string; quotedMessageId: number | null }

const uploads = new Map<string, AbortController>()
const sendingPlaces = new Set<string>()

/** What is written now goes along with it. */
export function isFresh({ isWanted, ratio, isTried }: Attachment): boolean {
  return !isWanted && ratio === null && !isTried
}

/** The one that words are the caption of. */
export function captionTaker(list: readonly Attachment[]): Attachment | undefined {
  return list.find((each) => isFresh(each) && takesCaption(each.file.kind))
}

/** Sound has none: words go as a message of their own then. */
function takesCaption(kind: AttachmentKind): boolean {
  return kind === 'image' || kind === 'video' || kind === 'document'
}

/**
 * Sends all of it, in order; what stands with the files goes along with the one that takes a caption, else with the first
 * that was never tried. Without a signal what comes after it waits too, so that nothing overtakes it.
 */
export async function sendDraftAttachments(lead: Lead, words: Words): Promise<void> {
  const place = placeOf(lead.id)
  const carrier = captionTaker(listAt(place)) ?? listAt(place).find(isFresh)
  change(place, ({ list }) => ({ list: list.map((each) => ({ ...each, isWanted: true })) }))
  if (carrier && (words.caption !== '' || words.quotedMessageId !== null)) {
    const worded = { file: { ...carrier.file, ...words }, isTried: true, isKept: false }
    changeOne(place, carrier.file.operationId, worded)
    void keep(place, { ...carrier, ...worded })
  }
  await sendWanted(lead, place)
}

/** Once more those that did not go; what was attached since waits for its own press. */
export async function retryDraftAttachment(lead: Lead): Promise<void> {
  const place = placeOf(lead.id)
  change(place, ({ list }) => ({
    list: list.map((each) => (each.problem === null ? each : { ...each, isWanted: true })),
  }))
  await sendWanted(lead, place)
}

async function sendWanted(lead: Lead, place: FilesPlace) {
  if (sendingPlaces.has(nameOf(place))) return
  sendingPlaces.add(nameOf(place))
  try {
    const next = () => listAt(place).find(({ isWanted }) => isWanted)
    for (let wanted = next(); wanted; wanted = next()) await sendOne(lead, place, wanted)
  } finally {
    sendingPlaces.delete(nameOf(place))
  }
}

async function sendOne(lead: Lead, place: FilesPlace, { file, previewUrl }: Attachment) {
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
  } catch (error) {
    // Its answer alone was lost.
    if (isThere(lead.id, operationId)) return takeAway(place, operationId)
    const isStopped = controller.signal.aborted
    changeOne(place, operationId, { ratio: null, isWanted: false })
    if (isStopped) return
    log.warn('attachment.send-failed', error)
    fail(place, operationId, error)
  } finally {
    uploads.delete(operationId)
  }
}

const isThere = (contactId: number, operationId: string) =>
  queryClient
    .getQueryData<Conversation>(keys.conversation(contactId))
    ?.messages.some((message) => message.operationId === operationId)

/** What is refused stands alone with that; what the way keeps from going, keeps those after it, too. */
function fail(place: FilesPlace, operationId: string, error: unknown) {
  const problem = error instanceof PortalError ? error.message : UNSENT
  const isCut = isCutOff(error)
  const failed = listAt(place).filter(
    ({ file, isWanted }) => file.operationId === operationId || (isCut && isWanted),
  )
  for (const each of failed) {
    const tried = { isTried: true, isKept: each.isKept && each.isTried }
    changeOne(place, each.file.operationId, { ...tried, isWanted: false, problem, isCutOff: isCut })
    if (!tried.isKept) void keep(place, { ...each, ...tried })
  }
}

const isCutOff = (error: unknown) =>
  !(error instanceof PortalError && error.status >= 400 && error.status < 500)

/** It stays attached. */
export function stopUpload({ file }: Attachment) {
  uploads.get(file.operationId)?.abort()
}
