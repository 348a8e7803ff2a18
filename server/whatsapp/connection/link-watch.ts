// Polls every link twice a minute, so that a lost one raises its alarm within a minute even if its event was
// lost.
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import {
  GatewayError,
  type Gateway,
  type GatewayFault,
  type GatewayInstance,
  type GatewayKind,
  type LinkState,
  type Presence,
} from '#server/gateway.ts'
import { keepOpen } from './connection.ts'
import { createLinkStore } from './connection-store.ts'

const POLL_EVERY_MS = 30_000
const ASKED_AT_ONCE = 4

/** State of the gateway for health. */
export type GatewayHealth = 'ok' | 'unknown' | GatewayFault

export type Watch = Presence & {
  health(): GatewayHealth
  /** Returns true if the last poll asked the gateway about this instance, or if it has moved here since. */
  has(instanceName: string): boolean
  /** The instance has moved, to this gateway or away from it. */
  moved(instanceName: string, isHere: boolean): void
  /** Polls now. Links that opened since the last poll are passed to `onOpened`. */
  poll(): Promise<void>
  /** The returned function stops it after the current poll. */
  start(): () => Promise<void>
}

export type WatchParts = {
  db: Database
  clock: Clock
  log: Log
  gateway: Gateway
  /** Only the instances of this kind of gateway; `isForNew`: also those that none has. */
  only?: { kind: GatewayKind; isForNew: boolean }
  onOpened: (instanceName: string) => void
  /** A poll succeeded; `isBack`: the previous one had failed. */
  onAnswered?: (isBack: boolean) => void
}

export function createWatch(parts: WatchParts): Watch {
  const { db, clock, log, gateway, onOpened, onAnswered } = parts
  const store = createLinkStore(db)
  let health: GatewayHealth = 'unknown'
  let looking: Promise<void> | null = null
  let names = new Set<string>()

  async function poll() {
    const asked = await store.changes(parts.only?.kind, parts.only?.isForNew)
    names = new Set(asked.map(({ instanceName }) => instanceName))
    const listed = new Map(
      (await gateway.listInstances()).map((instance) => [instance.instanceName, instance]),
    )
    const wasAway = isAway()
    await become('ok')
    onAnswered?.(wasAway)
    const states = await statesOf(
      { gateway, log },
      asked.flatMap(({ instanceName }) => listed.get(instanceName) ?? []),
    )
    for (const { instanceName, changeNumber } of asked) {
      const instance = listed.get(instanceName)
      const state = instance ? states.get(instanceName) : 'close'
      if (state === undefined) continue
      const hasChanged = await store.noteState(instanceName, state, changeNumber)
      if (!instance || state !== 'open') continue
      await keepOpen({ db, log }, instance)
      if (hasChanged) onOpened(instanceName)
    }
  }

  const isAway = () => health !== 'ok' && health !== 'unknown'

  /** Publishes to every broker's screen that the gateway went down or came back. */
  async function become(now: GatewayHealth): Promise<void> {
    const wasAway = isAway()
    health = now
    if (wasAway === isAway()) return
    await db.query(
      `select portal.publish(jsonb_build_object('kind', 'link', 'instanceName', "instanceName")) from public.brokers`,
    )
  }

  /** Raises alarms even while the gateway is down, because links that are known to be lost still need theirs. */
  async function raise() {
    const { rows } = await db.query<{ instanceName: string }>(
      'select portal.raise_lost_links() as "instanceName"',
    )
    for (const { instanceName } of rows) log.warn('link.lost', { instance: instanceName })
  }

  const failed = (error: unknown) => log.error('watch.failed', errorFields(error))

  /** Polls once at a time: a second call waits for the current poll. */
  function pollOnce(): Promise<void> {
    looking ??= poll()
      .catch((error: unknown) => {
        if (!(error instanceof GatewayError)) return failed(error)
        if (health !== error.fault)
          log.warn('gateway.lost', { fault: error.fault, status: error.status, message: error.message })
        return become(error.fault)
      })
      .then(raise)
      .catch(failed)
      .finally(() => (looking = null))
    return looking
  }

  return {
    health: () => health,
    has: (instanceName) => names.has(instanceName),
    moved: (instanceName, isHere) => void (isHere ? names.add(instanceName) : names.delete(instanceName)),
    isAway,
    poll: pollOnce,
    lookNow: async () => {
      // The poll that is running may have begun too early, so another one follows.
      await looking
      await pollOnce()
      return isAway()
    },
    start: () => {
      void pollOnce()
      const stop = clock.every(POLL_EVERY_MS, () => void pollOnce())
      return async () => {
        stop()
        await looking
      }
    },
  }
}

/**
 * The gateway's list shows database rows, written only when a link opens or ends for good; only the link
 * itself tells its current state.
 */
async function statesOf(
  { gateway, log }: { gateway: Gateway; log: Log },
  instances: readonly GatewayInstance[],
): Promise<Map<string, LinkState>> {
  const states = new Map<string, LinkState>()
  const left = [...instances]
  const askNext = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      await stateOf(gateway, next.instanceName).then(
        (state) => void states.set(next.instanceName, state),
        // If a link does not answer, its stored state stays.
        (error: unknown) =>
          log.warn('watch.no-state', { instance: next.instanceName, ...errorFields(error) }),
      )
  }
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, askNext))
  return states
}

async function stateOf(gateway: Gateway, instanceName: string): Promise<LinkState> {
  try {
    return await gateway.linkState(instanceName)
  } catch (error) {
    if (error instanceof GatewayError && error.fault === 'unknown-instance') return 'close'
    throw error
  }
}
