// Instances at the gateway that no broker has any more: cut, and a second later removed; what the gateway refuses is tried
// again until it is gone.
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import type { Gateway } from '#server/gateway.ts'
import { createInstanceLocks } from './instance-locks.ts'

/** Between disconnecting and deleting. */
const PAUSE_MS = 1_000
const TRY_AGAIN_MS = 60_000
/** One that is noted just now is being made or removed by whoever noted it. */
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

  /** Goes on with deleting where disconnecting was refused. True when it is gone there. */
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

  /** What the end of the portal cuts off is found by the next sweep. */
  const logFault = (error: unknown) => {
    if (!ending.signal.aborted) log.error('leftovers.failed', errorFields(error))
  }
  /** What is under way, so that a portal that stops lets it end. */
  let sweeping: Promise<void> | null = null

  return {
    /** Whatever makes or removes an instance of that name does so within. */
    inTurn: turns.inTurn,
    /** Within `inTurn`: removes what is left of ours under that name. True when nothing is left. */
    clear: async (instanceName: string): Promise<boolean> => {
      await clear(instanceName)
      return !(await isLeft(instanceName))
    },
    forget,
    /** Before it is made, so that it is never left there unseen. */
    note: (instanceName: string) =>
      db.query('insert into portal.leftover_instances ("instanceName") values ($1) on conflict do nothing', [
        instanceName,
      ]),
    /** Removes it there by and by; resolves when it was tried once. */
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
