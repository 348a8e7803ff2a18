// What goes out of a conversation: texts, files, and messages that failed and are sent again or taken back.
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { upload } from '#api/upload.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { Card, Message } from '#domain/message/message.ts'
import { discarded, retried } from '#domain/outbox/queue.ts'
import type { OutgoingFile } from '#offline/stores.ts'
import { keys } from '../keys.ts'
import { MessageRow, toMessage } from './row.ts'
import type { Conversation } from './messages.ts'
import { leadRef, newOperationId, perform, record } from '../operation.ts'
import { queryClient } from '../query-client.ts'

const Answer = v.object({ message: MessageRow })

export type OutgoingText = { text: string; quotedMessageId: number | null }

/** Stands in the conversation at once; resolves when it is written down. Raises PortalError where it could not be. */
export async function sendText(lead: Lead, words: OutgoingText): Promise<void> {
  await perform({ kind: 'message.send', lead: leadRef(lead), ...words })
}

/** A place or a contact's card, which waits like a text. Raises PortalError where it could not be written down. */
export async function sendCard(lead: Lead, card: Card): Promise<void> {
  const text =
    card.kind === 'contact' ? card.contacts.map(({ name }) => name).join(', ') : (card.place.name ?? '')
  await perform({ kind: 'message.send', lead: leadRef(lead), text, quotedMessageId: null, card })
}

type Way = { onProgress: (ratio: number) => void; signal: AbortSignal }

/** Files never wait: without a signal they stay with who attached them. Raises PortalError, and the signal's reason. */
export async function sendFile(lead: Lead, { file, ...message }: OutgoingFile, way: Way): Promise<Message> {
  const body = new FormData()
  body.append('message', JSON.stringify({ ...leadOf(lead), ...message }))
  body.append('file', file, message.fileName)
  return show(lead.id, await upload({ path: '/api/messages/media', body, ...way }))
}

/** The file of a message to another lead; like any file it does not wait for a signal. Raises PortalError. */
export async function forwardFile(to: Lead, { id }: Message): Promise<void> {
  const body = { ...leadOf(to), messageId: id, operationId: newOperationId() }
  show(to.id, await portal('/api/messages/forward', { method: 'POST', body }))
}

/** Once more, because the person wishes so: what failed, or what nobody knows of. Raises PortalError. */
export async function sendAgain(contactId: number, { id }: Message): Promise<void> {
  if (id < 0) {
    await record((entries, stamp) => retried(entries, -id, { stamp }))
    return
  }
  const body = { operationId: newOperationId() }
  show(contactId, await portal(`/api/messages/${id}/retry`, { method: 'POST', body }))
}

/** What has not left is gone. Raises PortalError `message.not-queued`. */
export async function takeBack(contactId: number, { id }: Message): Promise<void> {
  if (id < 0) {
    await record((entries) => discarded(entries, -id))
    return
  }
  await portal(`/api/messages/${id}`, { method: 'DELETE' })
  await queryClient.invalidateQueries({ queryKey: keys.conversation(contactId) })
}

/** As the server finds the lead, whatever became of its id. */
function leadOf({ id, number, instanceName }: Lead) {
  return { contactId: id, number, brokerName: instanceName }
}

/** The message stands in the conversation before the next live event says so. */
function show(contactId: number, answer: unknown): Message {
  const message = toMessage(v.parse(Answer, answer).message)
  queryClient.setQueryData<Conversation>(
    keys.conversation(contactId),
    (known) =>
      known && { ...known, messages: [...known.messages.filter(({ id }) => id !== message.id), message] },
  )
  return message
}
