// Distributes the inbox to concurrent lanes, each with instances of its own.
import type { Database } from '#server/db/database.ts'
import { errorFields } from '#server/log.ts'
import { ALL, type ApplierOptions, drainLane, RETRY_DELAY_MS } from './apply.ts'

/** One lane on the embedded engine, which has one connection. */
const MAX_LANES = 4
/**
 * Instances with few deliveries share a lane, so that a commit contains several; each instance costs a lock.
 */
const MAX_INSTANCES = 16

/** Processes the inbox when woken. */
export function createApplier(options: ApplierOptions) {
  const { db, log, clock } = options
  const stopping = new AbortController()
  const lanes = new Map<Set<string>, Promise<void>>()
  /** Instances with deliveries that no lane has read yet, the longest waiting first. */
  const waiting = new Set<string>()
  let looking: Promise<void> | null = null
  let isWoken = false

  function wake(instanceName?: string) {
    if (db.engine === 'pglite') waiting.add(ALL)
    else if (instanceName !== undefined) waiting.add(instanceName)
    else look()
    openLanes()
  }

  /** Another portal, or this one before a crash, may have left deliveries of any instance. */
  function look() {
    isWoken = true
    if (stopping.signal.aborted) return
    looking ??= poll().finally(() => {
      looking = null
      if (isWoken) look()
    })
  }

  async function poll() {
    while (isWoken && !stopping.signal.aborted) {
      isWoken = false
      try {
        for (const name of await waitingInstances(db)) waiting.add(name)
        openLanes()
      } catch (error) {
        isWoken = true
        log.warn('webhook.apply-postponed', errorFields(error))
        await clock.sleep(RETRY_DELAY_MS, stopping.signal)
      }
    }
  }

  function openLanes() {
    while (!stopping.signal.aborted && lanes.size < MAX_LANES && isWaitedFor()) {
      const free = withoutLane()
      const share = Math.ceil(free.length / (MAX_LANES - lanes.size))
      const names = new Set(free.slice(0, Math.min(share, MAX_INSTANCES)))
      const lane = { ...options, names, waiting, isWaitedFor, stopping: stopping.signal }
      const ended = drainLane(lane).finally(() => {
        lanes.delete(names)
        openLanes()
      })
      lanes.set(names, ended)
    }
  }

  const withoutLane = () => [...waiting].filter((name) => ![...lanes.keys()].some((names) => names.has(name)))
  const isWaitedFor = () => withoutLane().length > 0

  async function drained(): Promise<void> {
    if (looking === null && lanes.size === 0) return
    await Promise.all([looking, ...lanes.values()])
    await drained()
  }

  return {
    /** The inbox may have deliveries: of this instance, or of any. */
    wake,
    /** Resolves when everything stored before the call is applied. */
    drained,
    stop: () => stopping.abort(),
  }
}

/** Instances with deliveries, the one that has waited longest first. */
async function waitingInstances(db: Database): Promise<string[]> {
  const { rows } = await db.query<{ instanceName: string }>(
    `select w."instanceName"
    from (
      select b."instanceName", (
        select i.id from portal.webhook_inbox i where i."instanceName" = b."instanceName" order by i.id limit 1) as first_id
      from public.brokers b
    ) w
    where w.first_id is not null order by w.first_id`,
  )
  return rows.map(({ instanceName }) => instanceName)
}
