// Locks for creating and deleting an instance at the gateway, over all portals. A lock is a row that expires,
// so a crashed portal blocks nobody.
import { randomUUID } from 'node:crypto'
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'

const LOCK_SECONDS = 30
const RENEW_EVERY_MS = 10_000
const ASK_AGAIN_MS = 250

export function createInstanceLocks(parts: { db: Database; clock: Clock; log: Log }, stopping: AbortSignal) {
  const { db, clock, log } = parts
  const holder = randomUUID()
  /** Callers in this portal wait in order. The first of each name waits for the other portals. */
  const queues = new Map<string, Promise<unknown>>()

  async function take(instanceName: string): Promise<boolean> {
    const { rowCount } = await db.query(
      `insert into portal.name_turns as t ("instanceName", holder, held_until)
      values ($1, $2, clock_timestamp() + make_interval(secs => $3))
      on conflict ("instanceName") do update set holder = excluded.holder, held_until = excluded.held_until
      where t.held_until < clock_timestamp() or t.holder = excluded.holder`,
      [instanceName, holder, LOCK_SECONDS],
    )
    return rowCount > 0
  }

  const renew = (instanceName: string) =>
    db.query(
      `update portal.name_turns set held_until = clock_timestamp() + make_interval(secs => $3)
      where "instanceName" = $1 and holder = $2`,
      [instanceName, holder, LOCK_SECONDS],
    )

  const letGo = (instanceName: string) =>
    db.query('delete from portal.name_turns where "instanceName" = $1 and holder = $2', [
      instanceName,
      holder,
    ])

  const noted = (step: string, work: Promise<unknown>) =>
    work.catch((error: unknown) => log.warn('name-turn.failed', { step, ...errorFields(error) }))

  async function withLock<T>(instanceName: string, run: () => Promise<T>): Promise<T> {
    while (!(await take(instanceName))) {
      await clock.sleep(ASK_AGAIN_MS, stopping)
      if (stopping.aborted) throw stoppingError()
    }
    const stop = clock.every(RENEW_EVERY_MS, () => void noted('renew', renew(instanceName)))
    try {
      return await run()
    } finally {
      stop()
      await noted('let-go', letGo(instanceName))
    }
  }

  /** Raises `portal.stopping` if the portal stops before it gets the lock. */
  function withInstanceLock<T>(instanceName: string, run: () => Promise<T>): Promise<T> {
    const begin = () => withLock(instanceName, run)
    const work = (queues.get(instanceName) ?? Promise.resolve()).then(begin, begin)
    queues.set(instanceName, work)
    const leave = () => {
      if (queues.get(instanceName) === work) queues.delete(instanceName)
    }
    work.then(leave, leave)
    return work
  }

  return {
    inTurn: withInstanceLock,
    /** Resolves when all started work has ended. */
    settled: async (): Promise<void> => void (await Promise.allSettled(queues.values())),
  }
}

const stoppingError = () =>
  new PortalError('portal.stopping', 'O portal está reiniciando. Tente de novo em instantes.', {
    status: 503,
  })
