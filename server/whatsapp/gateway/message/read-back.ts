// Turns a message from a gateway's store, which also has its later states, into events.
import type { Incoming, IncomingMessage } from '#server/delivery.ts'
import { epochSeconds, type Fields } from './field.ts'

/** Marks messages as read back. `laterOf` returns what happened to a message afterwards. */
export function readBack(
  events: readonly Incoming[] | null,
  laterOf: (message: IncomingMessage) => Incoming[],
): Incoming[] {
  return (events ?? []).flatMap((event) =>
    event.event === 'message' ? [{ ...event, isReadBack: true as const }, ...laterOf(event)] : [event],
  )
}

/** True for a message from before `fromSeconds`. The portal reads the phone's history only from then on. */
export const isBefore = (fromSeconds: number, { messageTimestamp }: Fields): boolean =>
  (epochSeconds(messageTimestamp) ?? fromSeconds) < fromSeconds

/** The store shows an edited message with its new content, at the time of the change. */
export const editSeen = (message: IncomingMessage, readAtMs: number): Incoming => ({
  event: 'edit',
  messageId: message.messageId,
  body: message.body,
  atMs: message.sentAtSeconds * 1000,
  readAtMs,
  jid: message.chat.remoteJid,
})
