// What a broker does to a sent message, through the outbox: reacts, edits it, deletes it for all.
import type { Lead } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'
import { leadRef, perform } from '#data/operation.ts'

/** Shown at once; choosing the own reaction again removes it. Throws PortalError if it could not be stored. */
export async function react(lead: Lead, { id, ownReaction }: Message, emoji: string): Promise<void> {
  const given = { messageId: id, emoji: ownReaction === emoji ? '' : emoji }
  await perform({ kind: 'message.react', lead: leadRef(lead), given })
}

/** Shown at once as waiting; the server refuses it after WhatsApp's time. Throws PortalError if it could not be stored. */
export async function editText(lead: Lead, { id: messageId }: Message, text: string): Promise<void> {
  await perform({ kind: 'message.edit', lead: leadRef(lead), given: { messageId, text } })
}

/** Deletes a message for all; like editText. */
export async function deleteForAll(lead: Lead, { id: messageId }: Message): Promise<void> {
  await perform({ kind: 'message.delete', lead: leadRef(lead), given: { messageId } })
}
