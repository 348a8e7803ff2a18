// Outgoing messages: texts, files, and failed messages that are sent again or deleted.
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

/** Shown in the conversation at once; resolves once the outbox has stored it. Throws PortalError if it could not. */
export async function sendText(lead: Lead, words: OutgoingText): Promise<void> {
  await perform({ kind: 'message.send', lead: leadRef(lead), ...words })
}

/** Sends a location or a contact card through the outbox, like a text. Throws PortalError if it could not be stored. */
export async function sendCard(lead: Lead, card: Card): Promise<void> {
  const text =
    card.kind === 'contact' ? card.contacts.map(({ name }) => name).join(', ') : (card.place.name ?? '')
  await perform({ kind: 'message.send', lead: leadRef(lead), text, quotedMessageId: null, card })
}

type Way = { onProgress: (ratio: number) => void; signal: AbortSignal }

/**
 * Files do not go through the outbox: offline they stay with the caller. Throws PortalError, or the signal's reason.
 */
export async function sendFile(lead: Lead, { file, ...message }: OutgoingFile, way: Way): Promise<Message> {
  const body = new FormData()
  body.append('message', JSON.stringify({ ...leadOf(lead), ...message }))
  body.append('file', file, message.fileName)
  return show(lead.id, await upload({ path: '/api/messages/media', body, ...way }))
}

/** Forwards a message's file to another lead; it needs a connection, like any file. Throws PortalError. */
export async function forwardFile(to: Lead, { id }: Message): Promise<void> {
  const body = { ...leadOf(to), messageId: id, operationId: newOperationId() }
  show(to.id, await portal('/api/messages/forward', { method: 'POST', body }))
}

/** Sends a failed message, or one with an unknown result, again at the user's request. Throws PortalError. */
export async function sendAgain(contactId: number, { id }: Message): Promise<void> {
  if (id < 0) {
    await record((entries, stamp) => retryEntry(entries, seqOf(id), { stamp }))
    return
  }
  const body = { operationId: newOperationId() }
  show(contactId, await portal(`/api/messages/${id}/retry`, { method: 'POST', body }))
}

/** Deletes a message that has not been sent. Throws PortalError `message.not-queued`. */
export async function takeBack(contactId: number, { id }: Message): Promise<void> {
  if (id < 0) {
    await record((entries) => discardMessage(entries, seqOf(id), nthOf(id)))
    return
  }
  await portal(`/api/messages/${id}`, { method: 'DELETE' })
  await queryClient.invalidateQueries({ queryKey: keys.conversation(contactId) })
}

/** The server finds the lead by these even if its id has changed. */
function leadOf({ id, number, instanceName }: Lead) {
  return { contactId: id, number, brokerName: instanceName }
}

/** Adds the message to the conversation before the next live event does. */
function show(contactId: number, answer: unknown): Message {
  const message = toMessage(v.parse(Answer, answer).message)
  queryClient.setQueryData<Conversation>(
    keys.conversation(contactId),
    (known) =>
      known && { ...known, messages: [...known.messages.filter(({ id }) => id !== message.id), message] },
  )
  return message
}
