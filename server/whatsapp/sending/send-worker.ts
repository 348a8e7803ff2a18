// Sends what is queued: one message at a time an instance, in order, whichever portal over the database does it.
import { randomUUID } from 'node:crypto'
import { errorFields } from '#server/log.ts'
import { createQueueStore } from './send-store.ts'
import { createMessageSend, type SendParts } from './message-send.ts'

/** Held queues that are due again, and what another portal left behind. */
const POLL_EVERY_MS = 5_000
/** How long a portal that stops waits for the answer to what it is sending. */
const STOP_WITHIN_MS = 5_000

export function createSender(parts: SendParts) {
  const { db, clock, log, presence } = parts
  const store = createQueueStore(db, randomUUID())
  const stopping = new AbortController()
  const sendNext = createMessageSend(parts, store, stopping.signal)
  /** Per instance: what is under way, and whether more came meanwhile. */
  const running = new Map<string, { done: Promise<void>; isWoken: boolean }>()

  /** There may be something to send for the instance. */
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
    // What is queued meanwhile waits; the next look at the queues finds it.
    while (!stopping.signal.aborted && !presence.isAway() && (await sendNext(instanceName)));
  }

  async function poll() {
    if (presence.isAway()) return
    try {
      for (const instanceName of await store.due()) wake(instanceName)
    } catch (error) {
      log.warn('message.queue-failed', errorFields(error))
    }
  }

  /** A failure is seen again by the next look at the gateway. */
  async function settleDoubts(lookUp: (instanceName: string) => Promise<unknown>) {
    for (const instanceName of await store.doubted()) {
      await lookUp(instanceName)
      await store.endDoubt(instanceName)
      wake(instanceName)
    }
  }

  return {
    wake,
    /**
     * The gateway answered. `lookUp` reads its store back, before a message that may have left goes again; it rejects where it
     * cannot.
     */
    gatewayAnswered: async (
      isBack: boolean,
      lookUp: (instanceName: string) => Promise<unknown>,
    ): Promise<void> => {
      if (isBack) await store.resumeAll()
      await settleDoubts(lookUp)
      if (isBack) await poll()
    },
    /** The link is open: whatever waited for it goes. */
    resume: async (instanceName: string): Promise<void> => {
      await store.resume(instanceName)
      wake(instanceName)
    },
    /** The answer stops it, once what is being sent was answered, or after a few seconds. */
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
