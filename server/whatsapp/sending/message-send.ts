// Claims, sends and settles the next message of an instance's queue, while it renews the lease.
import type { Clock } from '#server/clock.ts'
import type { Database, Query } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import type { Presence, Sends } from '#server/gateway.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import { sendMessage, type Outcome } from './outgoing.ts'
import { createChangeSend } from './change-send.ts'
import { createReactionSend } from './reaction-send.ts'
import type { ClaimedMessage, QueueStore } from './send-store.ts'

/** How often a lease is renewed: after a third of it. */
const RENEW_EVERY_MS = 10_000
const SETTLE_AGAIN_MS = 1_000

export type SendParts = {
  db: Database
  clock: Clock
  log: Log
  storage: MediaStore
  gateway: Sends
  presence: Presence
  /** Excludes the applying of reports, which may include the message before its send is answered. */
  takeLock: (query: Query, instanceName: string) => Promise<void>
  /** Called when a message of the instance is settled. */
  onSettled?: (instanceName: string) => void
}

export function createMessageSend(parts: SendParts, store: QueueStore, stopping: AbortSignal) {
  const { db, clock, log } = parts

  async function whileLeased<T>(instanceName: string, work: () => Promise<T>): Promise<T> {
    const stop = clock.every(RENEW_EVERY_MS, () => {
      store
        .renew(instanceName)
        .catch((error: unknown) => log.warn('message.lease-not-renewed', errorFields(error)))
    })
    return work().finally(stop)
  }

  /**
   * Sends a text that depends on the lead's silence. Storing an answer waits until the hand-over has begun,
   * not for the gateway's answer.
   */
  async function sendUnlessAnswered(
    instanceName: string,
    message: ClaimedMessage,
  ): Promise<Outcome | 'withdrawn' | 'wait'> {
    const begun: Promise<Outcome>[] = []
    const leave = async (query: Query) => {
      const word = await store.mayLeave(query, message.id, instanceName)
      if (word === 'go') begun.push(sendMessage(parts, instanceName, message))
      return word
    }
    try {
      const word = await db.transaction(leave)
      if (word !== 'go') return word
    } catch (error) {
      // No hand-over had begun, so the error changed nothing. A hand-over that has begun is settled like any other
      // message.
      if (begun.length === 0) throw error
    }
    return begun[0] ?? 'wait'
  }

  /** Retries the write until it succeeds, because only this process knows the gateway's answer. */
  async function settleSurely(
    instanceName: string,
    messageId: number,
    settle: (query: Query) => Promise<void>,
  ): Promise<void> {
    for (;;) {
      try {
        return await db.transaction(async (query) => {
          await parts.takeLock(query, instanceName)
          await settle(query)
        })
      } catch (error) {
        log.error('message.settle-failed', { messageId, ...errorFields(error) })
        if (stopping.aborted) throw error
        await clock.sleep(SETTLE_AGAIN_MS, stopping)
      }
    }
  }

  function settle(query: Query, id: number, outcome: Outcome): Promise<void> {
    if (outcome.kind === 'sent') return store.sent(query, id, outcome.accepted)
    return outcome.kind === 'unsent' ? store.unsent(query, id, outcome) : store.hold(query, id, outcome)
  }

  const react = createReactionSend(parts, store, { whileLeased, settleSurely })
  const change = createChangeSend(parts, store, { whileLeased, settleSurely })

  /** Instances whose last send was an edit or deletion. Their next send is a waiting message. */
  const changedLast = new Set<string>()

  /** Sends the next change. Null: no change waits. */
  const sendChange = async (instanceName: string): Promise<boolean | null> => {
    const changed = await change(instanceName)
    if (changed === 'none') return null
    changedLast.add(instanceName)
    return changed === 'done'
  }

  /**
   * Sends the next change, message or reaction of an instance; false without one. A change goes before a message, but
   * only one, so that thousands of edits do not delay an answer.
   */
  return async (instanceName: string): Promise<boolean> => {
    const isMessageNext = changedLast.delete(instanceName)
    const changed = isMessageNext ? null : await sendChange(instanceName)
    if (changed !== null) return changed
    const message = await store.claim(instanceName)
    if (!message) return (isMessageNext ? await sendChange(instanceName) : null) ?? react(instanceName)
    const outcome = await whileLeased(instanceName, () =>
      message.unlessAnswered
        ? sendUnlessAnswered(instanceName, message)
        : sendMessage(parts, instanceName, message),
    )
    if (typeof outcome === 'string') return outcome === 'withdrawn'
    await settleSurely(instanceName, message.id, (query) => settle(query, message.id, outcome))
    const end = outcome.kind === 'sent' ? 'sent' : outcome.reason
    log.info('message.settled', { instance: instanceName, messageId: message.id, end })
    parts.onSettled?.(instanceName)
    return outcome.kind !== 'held'
  }
}
