// From the inbox into the portal: in order of arrival, each event whole, each exactly once.
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

/**
 * Applies events in the transaction of `query`. One process at a time: an event may meet rows that the one before made.
 */
export async function applyEvents(query: Query, addressed: readonly Addressed[]): Promise<AppliedEvent[]> {
  const { rows } = await query<{ instanceName: string; kind: AppliedEvent['kind'] | null }>(
    `select d.instance as "instanceName", portal.apply_event(d.instance, d.event::jsonb) as kind
    from unnest($1::text[], $2::text[]) as d (instance, event)`,
    [
      addressed.map((item) => item.instanceName),
      addressed.map(({ event }) => JSON.stringify({ ...event, optsOut: optsOut(event) })),
    ],
  )
  return rows.flatMap(({ instanceName, kind }) => (kind === null ? [] : [{ instanceName, kind }]))
}

const optsOut = (event: Incoming): boolean =>
  event.event === 'message' && !event.fromMe && event.kind === 'text' && asksToBeLeftAlone(event.body)

/** Takes the turn of applying until the transaction ends. */
export async function takeLock(query: Query): Promise<void> {
  await query('select portal.take_apply_turn()')
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

/**
 * Drains the inbox when woken. Neighbours share a commit; when one of them is refused, they go again in smaller groups
 * until the one to blame is alone and set aside, so that it holds nobody back.
 */
export function createApplier({ db, log, clock, onEvent, onApplied }: Options) {
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  let isWoken = false
  /** What was tried last. */
  let tried: Row[] = []

  function start() {
    running ??= drain().finally(() => {
      running = null
      if (isWoken && !stopping.signal.aborted) start()
    })
  }

  async function drained(): Promise<void> {
    if (running === null) return
    await running
    await drained()
  }

  async function drain() {
    const most = GROUP[db.engine]
    let limit = most
    while (isWoken && !stopping.signal.aborted) {
      isWoken = false
      try {
        while ((await applyNext(limit)) > 0) limit = Math.min(most, limit * 2)
      } catch (error) {
        if (stopping.signal.aborted) return
        isWoken = true
        if (isNoneOfIts(error)) await postpone(error)
        else if (limit > 1) limit = Math.ceil(limit / 4)
        else for (const row of tried) await blame(row, error).catch(postpone)
      }
    }
  }

  async function postpone(error: unknown) {
    log.warn('webhook.apply-postponed', errorFields(error))
    await clock.sleep(RETRY_DELAY_MS, stopping.signal)
  }

  /** How many deliveries were applied; none while stopping. */
  async function applyNext(limit: number): Promise<number> {
    if (stopping.signal.aborted) return 0
    const { rows, events } = await tryAgain(() =>
      db.transaction(async (query) => {
        tried = []
        await takeLock(query)
        tried = await nextRows(query, limit)
        if (tried.length === 0) return { rows: tried, events: [] }
        const found = await applyEvents(query, tried.flatMap(eventsOf))
        await query('delete from portal.webhook_inbox where id = any($1::bigint[])', [
          tried.map((row) => String(row.id)),
        ])
        return { rows: tried, events: found }
      }),
    )
    for (const row of rows) onApplied(clock.now() - row.received_at_ms)
    events.forEach(onEvent)
    return rows.length
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

  return {
    /** There may be something in the inbox. */
    wake: () => {
      isWoken = true
      start()
    },
    /** Resolves when nothing is left that was there at the call. */
    drained,
    stop: () => stopping.abort(),
  }
}

async function nextRows(query: Query, limit: number): Promise<Row[]> {
  const { rows } = await query<Row>(
    `select id, "instanceName", body, (extract(epoch from received_at) * 1000)::bigint as received_at_ms
    from portal.webhook_inbox order by id limit $1`,
    [limit],
  )
  return rows
}

function eventsOf(row: Row): Addressed[] {
  const reading = readDelivery(JSON.parse(row.body), row.received_at_ms)
  return reading.ok ? reading.events.map((event) => ({ instanceName: row.instanceName, event })) : []
}

/** Anything but a refusal by the database is a connection that will come back. */
const isNoneOfIts = (error: unknown): boolean => !(error instanceof SqlError) || isPassing(error)
