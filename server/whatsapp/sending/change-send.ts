// Claims, sends and settles the next edit or deletion of an instance, before all messages: a deletion is urgent.
import type { Query } from '#server/db/database.ts'
import { sendChange, type Outcome, type SendingParts } from './outgoing.ts'
import type { Turn } from './reaction-send.ts'
import type { ClaimedChange, QueueStore } from './send-store.ts'

export function createChangeSend(
  parts: Omit<SendingParts, 'storage'>,
  store: QueueStore,
  { whileLeased, settleSurely }: Turn,
) {
  /** 'none' if nothing waits, 'held' if nothing can be sent now. */
  return async (instanceName: string): Promise<'none' | 'held' | 'done'> => {
    const change = await store.claimChange(instanceName)
    if (!change) return 'none'
    const outcome = await whileLeased(instanceName, () => sendChange(parts, instanceName, change))
    await settleSurely(instanceName, change.id, (query) =>
      settle(store, query, { instanceName, change, outcome }),
    )
    const end = outcome.kind === 'sent' ? 'sent' : outcome.reason
    const { kind } = change.change
    parts.log.info('change.settled', { instance: instanceName, messageId: change.id, kind, end })
    return outcome.kind === 'held' ? 'held' : 'done'
  }
}

type End = { instanceName: string; change: ClaimedChange; outcome: Outcome }

function settle(store: QueueStore, query: Query, { instanceName, change, outcome }: End): Promise<void> {
  if (outcome.kind === 'held') return store.holdInstance(query, instanceName, outcome)
  if (outcome.kind === 'sent') return store.changed(query, change, { outcome: 'done', reason: null })
  return store.changed(query, change, {
    outcome: outcome.delivery === 'failed' ? 'refused' : 'unknown',
    reason: outcome.reason,
  })
}
