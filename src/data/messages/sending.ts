// Sends texts and files, and sends failed messages again or deletes them.
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { upload } from '#api/upload.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { Card, Message } from '#domain/message/message.ts'
import type { ReplyFile } from '#domain/message/quick-reply.ts'
import { discardMessage, retryEntry } from '#domain/outbox/decide.ts'
import { nthOf, seqOf } from '#domain/outbox/message-overlay.ts'
import type { OutgoingFile } from '#offline/stores.ts'
import { keys } from '../keys.ts'
import { MessageRow, toMessage } from './row.ts'
import type { Conversation } from './messages.ts'
import { leadRef, newOperationId, perform, record } from '../operation.ts'
import { queryClient } from '../query-client.ts'

const Answer = v.object({ message: MessageRow })

export type OutgoingText = { text: string; quotedMessageId: number | null; file?: ReplyFile }

/**
 * The conversation shows the message at once. Resolves once the device has stored it. Throws PortalError if it cannot.
 */
export async function sendText(lead: Lead, words: OutgoingText): Promise<void> {
  await perform({ kind: 'message.send', lead: leadRef(lead), ...words })
}

/**
 * Sends a location or a contact card through the outbox, like a text. Throws PortalError if the device cannot store it.
 */
export async function sendCard(lead: Lead, card: Card): Promise<void> {
  const text =
    card.kind === 'contact' ? card.contacts.map(({ name }) => name).join(', ') : (card.place.name ?? '')
  await perform({ kind: 'message.send', lead: leadRef(lead), text, quotedMessageId: null, card })
}

type Way = { onProgress: (ratio: number) => void; signal: AbortSignal }

/**
 * Sends a file at once, because files do not go through the outbox; if that fails, the caller keeps it. Throws
 * PortalError, or the signal's reason.
 */
export async function sendFile(lead: Lead, { file, ...message }: OutgoingFile, way: Way): Promise<Message> {
  const body = new FormData()
  body.append('message', JSON.stringify({ ...leadOf(lead), ...message }))
  body.append('file', file, message.fileName)
  return show(lead.id, await upload({ path: '/api/messages/media', body, ...way }))
}

/** Forwards a message's file to another lead. Like sending any file, it needs a network. Throws PortalError. */
export async function forwardFile(to: Lead, { id }: Message): Promise<void> {
  const body = { ...leadOf(to), messageId: id, operationId: newOperationId() }
  show(to.id, await portal('/api/messages/forward', { method: 'POST', body }))
}

/** Sends a failed or uncertain message again, because the user wants it. Throws PortalError. */
export async function sendAgain(contactId: number, { id }: Message): Promise<void> {
  if (id < 0) {
    await record((entries, stamp) => retryEntry(entries, seqOf(id), { stamp }))
    return
  }
  const body = { operationId: newOperationId() }
  show(contactId, await portal(`/api/messages/${id}/retry`, { method: 'POST', body }))
}

/** Deletes a message that was not sent. Throws PortalError `message.not-queued`. */
export async function takeBack(contactId: number, { id }: Message): Promise<void> {
  if (id < 0) {
    await record((entries) => discardMessage(entries, seqOf(id), nthOf(id)))
    return
  }
  await portal(`/api/messages/${id}`, { method: 'DELETE' })
  await queryClient.invalidateQueries({ queryKey: keys.conversation(contactId) })
}

/** Tells how a request names the lead. With number and broker the server finds it even if its id has changed. */
function leadOf({ id, number, instanceName }: Lead) {
  return { contactId: id, number, brokerName: instanceName }
}

/** Adds a sent message to the conversation at once, before a live event reports it. */
function show(contactId: number, answer: unknown): Message {
  const message = toMessage(v.parse(Answer, answer).message)
  queryClient.setQueryData<Conversation>(
    keys.conversation(contactId),
    (known) =>
      known && { ...known, messages: [...known.messages.filter(({ id }) => id !== message.id), message] },
  )
  return message
}
