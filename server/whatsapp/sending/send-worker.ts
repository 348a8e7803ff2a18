// Sends queued messages: one at a time for each instance, in order, in any portal over the database. outgoing.ts
// decides which faults end a message and which make it wait.
import { randomUUID } from 'node:crypto'
import { errorFields } from '#server/log.ts'
import { watchSteps } from '#server/worker.ts'
import { createQueueStore } from './send-store.ts'
import { createMessageSend, type SendParts } from './message-send.ts'

/** How often the worker looks by itself, for held queues that are due and for queues of a crashed portal. */
const POLL_EVERY_MS = 5_000
/** How long a stopping portal waits for the current send. */
const STOP_WITHIN_MS = 5_000

export function createSender(parts: SendParts) {
  const { db, clock, log, presence } = parts
  const store = createQueueStore(db, randomUUID())
  const stopping = new AbortController()
  const watched = watchSteps(clock, 'sending')
  const sendNext = createMessageSend(parts, store, stopping.signal)
  /** Holds for each instance the current run, and whether more came meanwhile. */
  const running = new Map<string, { done: Promise<void>; isWoken: boolean }>()

  /** Called when the instance may have something to send. */
  function wake(instanceName: string) {
    const known = running.get(instanceName)
    if (known) {
      known.isWoken = true
      return
    }
    if (stopping.signal.aborted) return
    const entry = { done: Promise.resolve(), isWoken: false }
    running.set(instanceName, entry)
    entry.done = drain(instanceName)
      .catch((error: unknown) =>
        log.warn('message.queue-failed', { instance: instanceName, ...errorFields(error) }),
      )
      .finally(() => {
        running.delete(instanceName)
        if (entry.isWoken) wake(instanceName)
      })
  }

  async function drain(instanceName: string) {
    // Messages queued after this are found by the next poll.
    while (!stopping.signal.aborted && !presence.isAway(instanceName) && (await sendNext(instanceName)));
  }

  async function poll() {
    try {
      await store.refuseLate()
      if (presence.isAway()) return
      for (const instanceName of await watched(store.due)) wake(instanceName)
    } catch (error) {
      log.warn('message.queue-failed', errorFields(error))
    }
  }

  /** If this fails, it is tried again at the gateway's next answer. */
  async function settleDoubts(lookUp: (instanceName: string) => Promise<unknown>) {
    for (const instanceName of await store.doubted()) {
      // Another gateway has answered. The doubts of one that is away wait for it, and hold up no others.
      if (presence.isAway(instanceName)) continue
      await lookUp(instanceName)
      await store.endDoubt(instanceName)
      wake(instanceName)
    }
  }

  return {
    wake,
    /**
     * The gateway answered a poll. `lookUp` reads its store before a doubted message is sent again; it
     * rejects if it cannot.
     */
    gatewayAnswered: async (
      isBack: boolean,
      lookUp: (instanceName: string) => Promise<unknown>,
    ): Promise<void> => {
      if (isBack) await store.resumeAll()
      await settleDoubts(lookUp)
      if (isBack) await poll()
    },
    /** The link is open: its queue is released. */
    resume: async (instanceName: string): Promise<void> => {
      await store.resume(instanceName)
      wake(instanceName)
    },
    /** The returned function stops it after the current send, or after a few seconds. */
    start: (): (() => Promise<void>) => {
      const begun = db.engine === 'pglite' ? store.forgetHolders().then(poll) : poll()
      const stop = clock.every(POLL_EVERY_MS, () => void poll())
      return async () => {
        stop()
        stopping.abort()
        await begun
        const sending = Promise.all([...running.values()].map(({ done }) => done))
        await Promise.race([sending, clock.sleep(STOP_WITHIN_MS)])
        await store
          .release()
          .catch((error: unknown) => log.warn('message.release-failed', errorFields(error)))
      }
    },
  }
}
