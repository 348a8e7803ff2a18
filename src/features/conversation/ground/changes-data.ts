// Reacts to a sent message, edits it or deletes it for all, through the outbox.
import type { Lead } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'
import { leadRef, perform } from '#data/operation.ts'

/**
 * The reaction is shown at once. Choosing the own reaction again removes it. Throws PortalError if the device cannot
 * store it.
 */
export async function react(lead: Lead, { id, ownReaction }: Message, emoji: string): Promise<void> {
  const given = { messageId: id, emoji: ownReaction === emoji ? '' : emoji }
  await perform({ kind: 'message.react', lead: leadRef(lead), given })
}

/**
 * The new text is shown at once as pending. The server refuses it once WhatsApp's time limit for edits is over. Throws
 * PortalError if the device cannot store it.
 */
export async function editText(lead: Lead, { id: messageId }: Message, text: string): Promise<void> {
  await perform({ kind: 'message.edit', lead: leadRef(lead), given: { messageId, text } })
}

/** Deletes a message for all, pending and refused under the same rules as editText. */
export async function deleteForAll(lead: Lead, { id: messageId }: Message): Promise<void> {
  await perform({ kind: 'message.delete', lead: leadRef(lead), given: { messageId } })
}
