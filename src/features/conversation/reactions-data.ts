// The broker's own reaction to a line: one, changed or taken back, which waits for the network like a text.
import type { Lead } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'
import { leadRef, perform } from '#data/operation.ts'

/** Shown at once; the own reaction chosen again goes away. Raises PortalError where it could not be written down. */
export async function react(lead: Lead, { id, ownReaction }: Message, emoji: string): Promise<void> {
  const given = { messageId: id, emoji: ownReaction === emoji ? '' : emoji }
  await perform({ kind: 'message.react', lead: leadRef(lead), given })
}
