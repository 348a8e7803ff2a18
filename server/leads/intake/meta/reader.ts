// Fetches the leads that Meta's webhooks announce by id, with retries; they wait in rows, so a crash loses
// none.
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import { SqlError } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createWorker, type Worker } from '#server/worker.ts'
import { GraphError, type ReadLeadgen } from './graph.ts'
import type { createIntakeStore, DueLeadgen } from '../intake-store.ts'
import { UnreadableLead } from '../new-lead.ts'
import { type Leadgen, toLead } from '../sources/meta.ts'

const POLL_EVERY_MS = 10_000
const LEASE_MS = 60_000
const FIRST_WAIT_MS = 30_000
const MAX_WAIT_MS = 3_600_000
/** So many attempts last about two days, with the waits above. */
const MAX_ATTEMPTS = 50

type Parts = {
  clock: Clock
  log: Log
  store: ReturnType<typeof createIntakeStore>
  readLeadgen: ReadLeadgen
  /** Called when a lead was created. */
  onTaken: () => void
}

export function createMetaReader({ clock, log, store, readLeadgen, onTaken }: Parts): Worker {
  async function poll(): Promise<boolean> {
    const due = await store.dueLeadgens(clock.now(), LEASE_MS)
    for (const leadgen of due) await read(leadgen)
    return due.length > 0
  }

  async function read(leadgen: DueLeadgen) {
    const { keyId, leadgenId, settings, secrets } = leadgen
    const told = { leadgenId, value: leadgen.value }
    try {
      if (secrets.pageToken === undefined) throw new GraphError('refused', 'no page token')
      told.value = { ...told.value, ...(await readLeadgen(leadgenId, secrets.pageToken)) }
      const lead = toLead(told, settings, clock.now())
      if (lead.isTest) {
        await store.endTest(keyId, leadgenId, clock.now())
        return
      }
      await store.takeLeadgen(keyId, { lead, told }, clock.now())
      onTaken()
    } catch (error) {
      if (error instanceof UnreadableLead && (await setUnread(keyId, told, error))) return
      const isFinal =
        (error instanceof GraphError && error.fault === 'refused') ||
        error instanceof PortalError ||
        leadgen.attempts >= MAX_ATTEMPTS
      // Every other fault, such as an outage of the database, is retried.
      const waitMs = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(leadgen.attempts - 1, 10))
      log.warn(isFinal ? 'meta.given-up' : 'meta.postponed', { keyId, leadgenId, ...errorFields(error) })
      await store.postponeLeadgen(leadgen, isFinal ? null : clock.now() + waitMs, faultOf(error))
    }
  }

  /**
   * Stores a form whose answers name nobody: an administrator looks at it, and a later release may be able to read it.
   */
  async function setUnread(keyId: string, told: Leadgen, { summary, code }: UnreadableLead) {
    const at = { fault: summary, nowMs: clock.now() }
    const isKept = await store.setLeadgenUnread(keyId, told, at).catch(() => false)
    if (isKept) log.warn('meta.unread', { keyId, code })
    return isKept
  }

  return createWorker({
    name: 'meta',
    clock,
    everyMs: POLL_EVERY_MS,
    poll,
    onFailed: (error) => log.warn('meta.look-failed', errorFields(error)),
  })
}

const faultOf = (error: unknown): string =>
  error instanceof GraphError || error instanceof PortalError
    ? error.message
    : error instanceof SqlError
      ? error.code
      : 'failed'
