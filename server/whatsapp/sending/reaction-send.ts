// Claims, sends and settles the next reaction of an instance, after all messages.
import type { Query } from '#server/db/database.ts'
import { sendReaction, type SendingParts } from './outgoing.ts'
import type { QueueStore } from './send-store.ts'

export type Turn = {
  whileLeased: <T>(instanceName: string, work: () => Promise<T>) => Promise<T>
  settleSurely: (
    instanceName: string,
    messageId: number,
    settle: (query: Query) => Promise<void>,
  ) => Promise<void>
}

export function createReactionSend(
  parts: Omit<SendingParts, 'storage'>,
  store: QueueStore,
  { whileLeased, settleSurely }: Turn,
) {
  /** Sends the next reaction of an instance; false without one. */
  return async (instanceName: string): Promise<boolean> => {
    const reaction = await store.claimReaction(instanceName)
    if (!reaction) return false
    const outcome = await whileLeased(instanceName, () => sendReaction(parts, instanceName, reaction))
    await settleSurely(instanceName, reaction.id, (query) =>
      outcome.kind === 'held'
        ? store.holdInstance(query, instanceName, outcome)
        : store.reacted(query, reaction, {
            accepted: outcome.kind === 'sent' ? outcome.accepted : null,
            isRefused: outcome.kind === 'unsent' && outcome.delivery === 'failed',
          }),
    )
    const end = outcome.kind === 'sent' ? 'sent' : outcome.reason
    parts.log.info('reaction.settled', { instance: instanceName, messageId: reaction.id, end })
    return outcome.kind !== 'held'
  }
}
