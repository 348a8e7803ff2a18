// From the inbox into the portal: each instance's in order of arrival, each event whole, each exactly once; several instances at once.
import { asksToBeLeftAlone } from '#domain/opt-out.ts'
import type { Clock } from '#server/clock.ts'
import { isPassing, SqlError, type Database, type Query } from '#server/db/database.ts'
import { tryAgain } from '#server/db/try-again.ts'
import { errorFields, type Log } from '#server/log.ts'
import type { Incoming } from './incoming.ts'
import { setAside } from './inbox.ts'
import { readDelivery } from './payload.ts'

/** What others may want to act on: a link has just opened, or a lead's number is still hidden. */
export type AppliedEvent = { instanceName: string; kind: 'linked' | 'number-hidden' }

export type Addressed = { instanceName: string; event: Incoming }

/** Most deliveries of one commit. The embedded engine has one connection, and what comes in waits for a group. */
const GROUP = { pglite: 16, postgres: 64 }
const RETRY_DELAY_MS = 1_000

/** How many instances are applied at once; all in one lane where there is one connection. */
const MAX_LANES = 4
const ALL = ''

/** Applies events in the transaction of `query`, in the turn of their instance: one may meet rows that the one before made. */
export async function applyEvents(query: Query, addressed: readonly Addressed[]): Promise<AppliedEvent[]> {
  const { rows } = await query<{ instanceName: string; kind: AppliedEvent['kind'] | null }>(
    'select "instanceName", kind from portal.apply_events($1::text[], $2::text[]::jsonb[])',
    [
      addressed.map((item) => item.instanceName),
      addressed.map(({ event }) => JSON.stringify({ ...event, optsOut: optsOut(event) })),
    ],
  )
  return rows.flatMap(({ instanceName, kind }) => (kind === null ? [] : [{ instanceName, kind }]))
}

const optsOut = (event: Incoming): boolean =>
  event.event === 'message' && !event.fromMe && event.kind === 'text' && asksToBeLeftAlone(event.body)

/** Takes the turn of applying until the transaction ends: an instance's, or with none named the turn of all of them. */
export async function takeLock(query: Query, instanceName?: string): Promise<void> {
  if (instanceName === undefined) await query('select portal.take_apply_turn()')
  else await query('select portal.take_apply_turn_of($1)', [instanceName])
}

type Row = { id: number; instanceName: string; body: string; received_at_ms: number }

type Options = {
  db: Database
  log: Log
  clock: Clock
  onEvent: (applied: AppliedEvent) => void
  /** A delivery is applied, so long after it came. */
  onApplied: (lagMs: number) => void
}

/** What two instances that meet the same new person at once may get instead of a deadlock; gone at the next try. */
const AGAIN = ['40P01', '40001', '23505']

/** Drains the inbox when woken. */
export function createApplier(options: Options) {
  const { db, log, clock } = options
  const stopping = new AbortController()
  const lanes = new Map<string, Promise<void>>()
  /** Of whom something came that no lane has looked for yet, the one that waits longest first. */
  const waiting = new Set<string>()
  let looking: Promise<void> | null = null
  let isWoken = false

  function wake(instanceName?: string) {
    if (db.engine === 'pglite') waiting.add(ALL)
    else if (instanceName !== undefined) waiting.add(instanceName)
    else look()
    openLanes()
  }

  /** Another portal, or this one before a crash, may have left something of anybody. */
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
    for (const name of waiting) {
      if (stopping.signal.aborted || lanes.size >= MAX_LANES) return
      if (lanes.has(name)) continue
      const ended = drainLane({ ...options, name, waiting, isWaitedFor, stopping: stopping.signal }).finally(
        () => {
          lanes.delete(name)
          openLanes()
        },
      )
      lanes.set(name, ended)
    }
  }

  const isWaitedFor = () => [...waiting].some((name) => !lanes.has(name))

  async function drained(): Promise<void> {
    if (looking === null && lanes.size === 0) return
    await Promise.all([looking, ...lanes.values()])
    await drained()
  }

  return {
    /** There may be something in the inbox: of this instance, or of anybody. */
    wake,
    /** Resolves when nothing is left that was there at the call. */
    drained,
    stop: () => stopping.abort(),
  }
}

type Lane = Options & {
  /** The instance, or all of them. */
  name: string
  /** The lane takes itself out before it looks; who is in it again has got more since. */
  waiting: Set<string>
  /** Whether somebody has no lane. */
  isWaitedFor: () => boolean
  stopping: AbortSignal
}

/**
 * Until nothing is left in a lane, or others wait for one: then it stands behind them after each group. Neighbours share a commit; when one of them is refused, they go again in smaller groups
 * until the one to blame is alone and set aside, so that it holds nobody back.
 */
async function drainLane({ name, waiting, isWaitedFor, stopping, ...options }: Lane): Promise<void> {
  const { db, log, clock, onEvent, onApplied } = options
  const most = GROUP[db.engine]
  let limit = most
  /** What was tried last. */
  let tried: Row[] = []

  async function postpone(error: unknown) {
    log.warn('webhook.apply-postponed', errorFields(error))
    await clock.sleep(RETRY_DELAY_MS, stopping)
  }

  /** Whether there may be more. */
  async function applyNext(): Promise<boolean> {
    const { rows, events } = await tryAgain(
      () =>
        db.transaction(async (query) => {
          waiting.delete(name)
          tried = []
          tried = await takeRows(query, name, limit)
          return {
            rows: tried,
            events: tried.length === 0 ? [] : await applyEvents(query, tried.flatMap(eventsOf)),
          }
        }),
      { codes: AGAIN },
    )
    for (const row of rows) onApplied(clock.now() - row.received_at_ms)
    events.forEach(onEvent)
    return rows.length === limit || waiting.has(name)
  }

  /** Another portal may have met it, too: who takes it out keeps it. */
  async function blame(row: Row, error: unknown) {
    const reason = error instanceof SqlError ? error.code : 'unknown'
    await db.transaction(async (query) => {
      const { rowCount } = await query('delete from portal.webhook_inbox where id = $1', [row.id])
      if (rowCount === 0) return
      log.error('webhook.set-aside', { instance: row.instanceName, ...errorFields(error) })
      await setAside(query, { ...row, receivedAtMs: row.received_at_ms, reason })
    })
  }

  while (!stopping.aborted)
    try {
      if (!(await applyNext())) return
      if (isWaitedFor()) {
        waiting.delete(name)
        waiting.add(name)
        return
      }
      limit = Math.min(most, limit * 2)
    } catch (error) {
      if (stopping.aborted) return
      if (isNoneOfIts(error)) await postpone(error)
      else if (limit > 1) limit = Math.ceil(limit / 4)
      else for (const row of tried) await blame(row, error).catch(postpone)
    }
}

/** The one that waits longest first. */
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

async function takeRows(query: Query, name: string, most: number): Promise<Row[]> {
  const { rows } = await query<Row>(
    'select id, "instanceName", body, received_at_ms from portal.take_deliveries($1, $2)',
    [name === ALL ? null : name, most],
  )
  return rows
}

function eventsOf(row: Row): Addressed[] {
  const reading = readDelivery(JSON.parse(row.body), row.received_at_ms)
  return reading.ok ? reading.events.map((event) => ({ instanceName: row.instanceName, event })) : []
}

/** Anything but a refusal by the database is a connection that will come back. */
const isNoneOfIts = (error: unknown): boolean => !(error instanceof SqlError) || isPassing(error)
