// Polls each mailbox every minute, one at a time, with a growing delay after failures.
import type { Clock } from '#server/clock.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createWorker, type Worker } from '#server/worker.ts'
import { LIMITS, type Limits, lookInto, RoundError } from './round.ts'
import type { createMailboxStore, DueBox } from './store.ts'

const POLL_EVERY_MS = 5_000
const EVERY_MS = 60_000
const MAX_WAIT_MS = 30 * 60_000

type Parts = {
  clock: Clock
  log: Log
  store: ReturnType<typeof createMailboxStore>
  privateHosts: readonly string[]
  /** Called when mails wait to be parsed. */
  onKept: () => void
  limits?: Limits
}

export function createMailboxWorker({
  clock,
  log,
  store,
  privateHosts,
  onKept,
  limits = LIMITS,
}: Parts): Worker {
  async function look(box: DueBox) {
    const { keyId } = box
    let kept = 0
    try {
      const seen = await lookInto(
        box,
        {
          begin: (uidValidity, lastUid) => store.begin(keyId, { uidValidity, lastUid }),
          keep: async (taken) => {
            if (await store.keep(keyId, taken, clock.now())) kept += 1
          },
        },
        { privateHosts, limits },
      )
      // After a full poll more mails may be left, so the next one follows at once.
      const nextMs = clock.now() + (seen === limits.mails ? 0 : EVERY_MS)
      await store.end(keyId, { nextMs, fault: null }, clock.now())
    } catch (error) {
      const fault = error instanceof RoundError ? error.fault : 'connection'
      const isStopped = fault === 'password' || fault === 'address'
      const waitMs = Math.min(MAX_WAIT_MS, EVERY_MS * 2 ** Math.min(box.attempts - 1, 10))
      log.warn(isStopped ? 'mailbox.stopped' : 'mailbox.postponed', { keyId, fault, ...faultFields(error) })
      await store.end(keyId, { nextMs: isStopped ? null : clock.now() + waitMs, fault }, clock.now())
    } finally {
      if (kept > 0) {
        log.info('mailbox.kept', { keyId, count: kept })
        onKept()
      }
    }
  }

  return createWorker({
    name: 'mailbox',
    clock,
    everyMs: POLL_EVERY_MS,
    poll: async () => {
      const box = await store.due(clock.now(), clock.now() + limits.deadlineMs * 2)
      if (box !== null) await look(box)
      return box !== null
    },
    onFailed: (error) => log.warn('mailbox.look-failed', errorFields(error)),
  })
}

/** A server's message may contain personal data, so only our own faults are logged in full. */
const faultFields = (error: unknown) => (error instanceof RoundError ? {} : errorFields(error))
