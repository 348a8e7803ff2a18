// Sends attachments, one after another and each once. A failed one stays in the composer, with caption and error.
import { log } from '#api/log.ts'
import { PortalError } from '#domain/errors.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { AttachmentKind } from '#domain/message/media.ts'
import type { DraftFilesKey } from '#offline/draft-files.ts'
import {
  type Attachment,
  change,
  changeOne,
  keep,
  listAt,
  nameOf,
  filesKey,
  takeAway,
  UNSENT,
} from './draft-attachments.ts'
import { keys } from '../keys.ts'
import type { Conversation } from './messages.ts'
import { queryClient } from '../query-client.ts'
import { sendFile } from './sending.ts'

type Words = { caption: string; quotedMessageId: number | null }

const uploads = new Map<string, AbortController>()
const sending = new Set<string>()

/** True if nobody has tried to send the attachment, so that the typed text goes with it. */
export function isFresh({ isWanted, ratio, isTried }: Attachment): boolean {
  return !isWanted && ratio === null && !isTried
}

/** Returns the attachment that gets the typed text as its caption; undefined if none can. */
export function captionTaker(list: readonly Attachment[]): Attachment | undefined {
  return list.find((each) => isFresh(each) && takesCaption(each.file.kind))
}

/** False for audio, whose text becomes a message of its own. */
function takesCaption(kind: AttachmentKind): boolean {
  return kind === 'image' || kind === 'video' || kind === 'document'
}

/**
 * Sends all attachments in order. The first that can have a caption gets the text, otherwise the first that was never
 * tried. Offline, later messages wait, so that none overtakes them. `isKept` resolves once the device has stored the
 * text with its file, `isSent` once sending has ended. Neither rejects.
 */
export function sendDraftAttachments(
  lead: Lead,
  words: Words,
): { isKept: Promise<void>; isSent: Promise<void> } {
  const key = filesKey(lead.id)
  const carrier = captionTaker(listAt(key)) ?? listAt(key).find(isFresh)
  change(key, ({ list }) => ({ list: list.map((each) => ({ ...each, isWanted: true })) }))
  let isKept = Promise.resolve()
  if (carrier && (words.caption !== '' || words.quotedMessageId !== null)) {
    const worded = { file: { ...carrier.file, ...words }, isTried: true, isKept: false }
    changeOne(key, carrier.file.operationId, worded)
    isKept = keep(key, { ...carrier, ...worded })
  }
  return { isKept, isSent: sendWanted(lead, key) }
}

/** Sends the failed attachments again. Those added since wait until the user presses send. */
export async function retryDraftAttachment(lead: Lead): Promise<void> {
  const key = filesKey(lead.id)
  change(key, ({ list }) => ({
    list: list.map((each) => (each.problem === null ? each : { ...each, isWanted: true })),
  }))
  await sendWanted(lead, key)
}

async function sendWanted(lead: Lead, key: DraftFilesKey) {
  if (sending.has(nameOf(key))) return
  sending.add(nameOf(key))
  try {
    const next = () => listAt(key).find(({ isWanted }) => isWanted)
    for (let wanted = next(); wanted; wanted = next()) await sendOne(lead, key, wanted)
  } finally {
    sending.delete(nameOf(key))
  }
}

async function sendOne(lead: Lead, key: DraftFilesKey, { file, previewUrl }: Attachment) {
  const { operationId, fileName } = file
  const controller = new AbortController()
  uploads.set(operationId, controller)
  changeOne(key, operationId, { ratio: 0, problem: null })
  const onProgress = (ratio: number) => changeOne(key, operationId, { ratio })
  try {
    const { id } = await sendFile(lead, file, { onProgress, signal: controller.signal })
    takeAway(key, operationId)
    // The preview serves as the sent message's media. Voice messages are fetched when played.
    if (previewUrl !== null && file.kind !== 'voice') {
      queryClient.setQueryData(keys.media(id), { url: previewUrl, mimeType: file.file.type, fileName })
    }
  } catch (error) {
    // The server has the message; only its response was lost.
    if (isThere(lead.id, operationId)) return takeAway(key, operationId)
    const isStopped = controller.signal.aborted
    changeOne(key, operationId, { ratio: null, isWanted: false })
    if (isStopped) return
    log.warn('attachment.send-failed', error)
    fail(key, operationId, error)
  } finally {
    uploads.delete(operationId)
  }
}

const isThere = (contactId: number, operationId: string) =>
  queryClient
    .getQueryData<Conversation>(keys.conversation(contactId))
    ?.messages.some((message) => message.operationId === operationId)

/** Records a failure. A refusal stops only this file; a network failure also stops those after it. */
function fail(key: DraftFilesKey, operationId: string, error: unknown) {
  const problem = error instanceof PortalError ? error.message : UNSENT
  const isCut = isCutOff(error)
  const failed = listAt(key).filter(
    ({ file, isWanted }) => file.operationId === operationId || (isCut && isWanted),
  )
  for (const each of failed) {
    const tried = { isTried: true, isKept: each.isKept && each.isTried }
    changeOne(key, each.file.operationId, { ...tried, isWanted: false, problem, isCutOff: isCut })
    if (!tried.isKept) void keep(key, { ...each, ...tried })
  }
}

const isCutOff = (error: unknown) =>
  !(error instanceof PortalError && error.status >= 400 && error.status < 500)

/** Aborts an upload; the file stays attached. */
export function stopUpload({ file }: Attachment) {
  uploads.get(file.operationId)?.abort()
}
