// The broker's reaction to a message: set, changed or removed through the outbox.
import type { Lead } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'
import { leadRef, perform } from '#data/operation.ts'

/** Shown at once; choosing the own reaction again removes it. Throws PortalError if it could not be stored. */
export async function react(lead: Lead, { id, ownReaction }: Message, emoji: string): Promise<void> {
  const given = { messageId: id, emoji: ownReaction === emoji ? '' : emoji }
  await perform({ kind: 'message.react', lead: leadRef(lead), given })
}
