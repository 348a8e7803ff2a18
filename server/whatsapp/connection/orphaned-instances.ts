// Deletes gateway instances that belong to no broker: disconnected, deleted a second later, and retried until
// they are gone.
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import type { Gateway } from '#server/gateway.ts'
import { createInstanceLocks } from './instance-locks.ts'

/** Between disconnecting and deleting. */
const PAUSE_MS = 1_000
const TRY_AGAIN_MS = 60_000
/** A newer row is being created or deleted by the portal that wrote it. */
const SETTLED_AFTER = '2 minutes'

export type OrphanedInstances = ReturnType<typeof createOrphanedInstances>

export function createOrphanedInstances(parts: {
  db: Database
  clock: Clock
  log: Log
  gateway: Gateway | null
}) {
  const { db, clock, log, gateway } = parts
  const ending = new AbortController()
  const turns = createInstanceLocks(parts, ending.signal)

  const isLeft = async (instanceName: string) =>
    (await db.query('select from portal.leftover_instances where "instanceName" = $1', [instanceName])).rows
      .length > 0

  /** Deletes even if disconnecting was refused. True when the gateway has it no more. */
  async function removeThere(instanceName: string): Promise<boolean> {
    if (!gateway) return false
    const note = (step: string) => (error: unknown) =>
      log.warn('instance.not-removed', { instanceName, step, ...errorFields(error) })
    await gateway.logout(instanceName).catch(note('logout'))
    await clock.sleep(PAUSE_MS, ending.signal)
    if (ending.signal.aborted) return false
    const isGone = await gateway.deleteInstance(instanceName).then(() => true, note('delete'))
    return isGone === true
  }

  const forget = (instanceName: string) =>
    db.query('delete from portal.leftover_instances where "instanceName" = $1', [instanceName])

  async function clear(instanceName: string): Promise<void> {
    if (!(await isLeft(instanceName))) return
    if (await removeThere(instanceName)) await forget(instanceName)
  }

  async function sweep(): Promise<void> {
    if (!gateway) return
    const { rows } = await db.query<{ instanceName: string }>(
      `select "instanceName" from portal.leftover_instances
       where noted_at < now() - $1::interval order by noted_at`,
      [SETTLED_AFTER],
    )
    for (const { instanceName } of rows) await turns.inTurn(instanceName, () => clear(instanceName))
  }

  /** Work interrupted by the portal's stop is found by the next sweep. */
  const logFault = (error: unknown) => {
    if (!ending.signal.aborted) log.error('leftovers.failed', errorFields(error))
  }
  /** The current sweep, which a stopping portal waits for. */
  let sweeping: Promise<void> | null = null

  return {
    /** Everything that creates or deletes an instance takes this lock. */
    inTurn: turns.inTurn,
    /** Within the lock: deletes a leftover instance of that name. True when nothing is left. */
    clear: async (instanceName: string): Promise<boolean> => {
      await clear(instanceName)
      return !(await isLeft(instanceName))
    },
    forget,
    /** Records an instance before the gateway creates it, so that a crash leaves no unknown instance. */
    note: (instanceName: string) =>
      db.query('insert into portal.leftover_instances ("instanceName") values ($1) on conflict do nothing', [
        instanceName,
      ]),
    /** Deletes it in the background; resolves after the first attempt. */
    begin: (instanceName: string): Promise<void> =>
      turns.inTurn(instanceName, () => clear(instanceName)).catch(logFault),
    start: (): (() => Promise<void>) => {
      const run = () => {
        sweeping ??= sweep()
          .catch(logFault)
          .finally(() => (sweeping = null))
      }
      run()
      const stop = clock.every(TRY_AGAIN_MS, run)
      return async () => {
        stop()
        ending.abort()
        await Promise.all([sweeping, turns.settled()])
      }
    },
  }
}
