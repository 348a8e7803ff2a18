// Deletes gateway instances that belong to no broker: disconnected, deleted a second later, and retried until
// they are gone.
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import type { Gateway, GatewayKind } from '#server/gateway.ts'
import { createInstanceLocks } from './instance-locks.ts'

/** Pause between disconnecting an instance and deleting it. */
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

  /** The kind of gateway that has a leftover; null: every one, undefined: none. */
  const leftAt = async (instanceName: string): Promise<GatewayKind | null | undefined> => {
    const { rows } = await db.query<{ gateway: GatewayKind | null }>(
      'select gateway from portal.leftover_instances where "instanceName" = $1',
      [instanceName],
    )
    return rows[0] && (rows[0].gateway ?? null)
  }

  const forget = (instanceName: string) =>
    db.query('delete from portal.leftover_instances where "instanceName" = $1', [instanceName])

  async function clear(instanceName: string): Promise<void> {
    const kind = await leftAt(instanceName)
    if (kind !== undefined && (await removeThere({ ...parts, stopping: ending.signal }, instanceName, kind)))
      // A broker that was removed meanwhile leaves more.
      await db.query(
        'delete from portal.leftover_instances where "instanceName" = $1 and gateway is not distinct from $2',
        [instanceName, kind],
      )
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

  /** The portal stopped in between; the next sweep finds the instance. */
  const logFault = (error: unknown) => {
    if (!ending.signal.aborted) log.error('leftovers.failed', errorFields(error))
  }
  /** The current sweep, which a stopping portal waits for. */
  let sweeping: Promise<void> | null = null

  return {
    /** Everything that creates or deletes an instance takes this lock. */
    inTurn: turns.inTurn,
    /** Deletes a leftover instance of that name within the lock. True: nothing is left. */
    clear: async (instanceName: string): Promise<boolean> => {
      await clear(instanceName)
      return (await leftAt(instanceName)) === undefined
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

type Removing = { clock: Clock; log: Log; gateway: Gateway | null; stopping: AbortSignal }

/** True when no gateway has it any more. */
async function removeThere(
  parts: Removing,
  instanceName: string,
  kind: GatewayKind | null,
): Promise<boolean> {
  const choice = parts.gateway?.choice
  const kinds = kind === null ? (choice?.kinds ?? []) : [kind]
  const gateways = choice ? kinds.map((one) => choice.of(one)) : [parts.gateway]
  for (const one of gateways) if (!one || !(await removeAt(one, instanceName, parts))) return false
  return true
}

/** Deletes even if disconnecting was refused. */
async function removeAt(
  gateway: Gateway,
  instanceName: string,
  { clock, log, stopping }: Removing,
): Promise<boolean> {
  const note = (step: string) => (error: unknown) =>
    log.warn('instance.not-removed', { instanceName, step, ...errorFields(error) })
  await gateway.logout(instanceName).catch(note('logout'))
  await clock.sleep(PAUSE_MS, stopping)
  if (stopping.aborted) return false
  const isGone = await gateway.deleteInstance(instanceName).then(() => true, note('delete'))
  return isGone === true
}
