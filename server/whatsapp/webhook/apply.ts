// Applies the inbox: the deliveries of each instance in order of arrival, each event completely and exactly
// once.
import { asksToBeLeftAlone } from '#domain/opt-out.ts'
import type { Clock } from '#server/clock.ts'
import { isPassing, SqlError, type Database, type Query } from '#server/db/database.ts'
import { tryAgain } from '#server/db/try-again.ts'
import { errorFields, type Log } from '#server/log.ts'
import type { DeliveriesOf, Incoming } from '#server/delivery.ts'
import type { GatewayKind } from '#server/gateway.ts'
import type { Handover } from './handover.ts'
import { setAside } from './inbox.ts'

/** News for other modules: a link has opened, or a lead's number is hidden. */
export type AppliedEvent = { instanceName: string; kind: 'linked' | 'number-hidden' }

export type Addressed = { instanceName: string; event: Incoming }

/** Maximum deliveries of one commit. The embedded engine has one connection, which new deliveries share. */
const GROUP = { pglite: 16, postgres: 64 }
export const RETRY_DELAY_MS = 1_000
/** Pause of a lane that was not full, so that deliveries that arrive together share a commit. */
const GATHER_MS = 20

/** Stands for all instances, on an engine with one connection. */
export const ALL = ''

/**
 * Applies events in the transaction of `query`, under the lock of their instance; later events see the rows
 * of earlier ones.
 */
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
  event.event === 'message' &&
  !event.fromMe &&
  event.kind === 'text' &&
  // A footer of a business account ('responda SAIR') is no opt-out.
  event.content === null &&
  asksToBeLeftAlone(event.body)

/** Takes the lock of applying for the transaction: of one instance, or of all without a name. */
export async function takeLock(query: Query, instanceName?: string): Promise<void> {
  if (instanceName === undefined) await query('select portal.take_apply_turn()')
  else await query('select portal.take_apply_turn_of($1)', [instanceName])
}

type Row = {
  id: number
  instanceName: string
  body: string
  received_at_ms: number
  gateway: GatewayKind
  /** True: the instance still belongs to the gateway that sent this. */
  is_current: boolean
}

export type ApplierOptions = {
  db: Database
  deliveriesOf: DeliveriesOf
  handover: Handover
  log: Log
  clock: Clock
  onEvent: (applied: AppliedEvent) => void
  /** A delivery was applied this long after its arrival. */
  onApplied: (lagMs: number) => void
}

/** Errors of two instances that create the same new person at once; a retry succeeds. */
const AGAIN = ['40P01', '40001', '23505']

type Lane = ApplierOptions & {
  /** The lane's instances, or all of them. */
  names: Set<string>
  /** The lane removes an instance before it reads; if it is in the set again, more deliveries came since. */
  waiting: Set<string>
  /** Whether another instance waits for a lane. */
  isWaitedFor: () => boolean
  stopping: AbortSignal
}

/**
 * Runs a lane until its instances have no more deliveries, or until another instance waits for a lane. After
 * a refused delivery the groups become smaller until the faulty delivery is found and set aside.
 *
 *   +-> apply up to `limit` deliveries in one commit
 *   |     |
 *   |     +- applied, none left ----------------> end
 *   |     +- applied, another instance waits ---> end; the lane's instances wait behind it
 *   +-----+- applied, more left: double `limit`, at most GROUP
 *   +-----+- connection failed: pause
 *   |     +- refused
 *   |          |
 *   +----------+- several instances: keep the first, the others wait for a lane
 *   +----------+- `limit` above 1: a quarter of `limit`
 *   +----------+- one delivery: set it aside
 */
export async function drainLane({ names, waiting, isWaitedFor, stopping, ...options }: Lane): Promise<void> {
  const { db, log, clock, onEvent, onApplied } = options
  const most = GROUP[db.engine]
  let limit = most
  /** The deliveries of the last group. */
  let tried: Row[] = []

  async function postpone(error: unknown) {
    log.warn('webhook.apply-postponed', errorFields(error))
    await clock.sleep(RETRY_DELAY_MS, stopping)
  }

  function leaveToOthers(left: readonly string[]) {
    for (const name of left) {
      names.delete(name)
      waiting.add(name)
    }
  }

  /** Number of applied deliveries. */
  async function applyNext(): Promise<number> {
    const { rows, busy, events } = await tryAgain(
      () =>
        db.transaction(async (query) => {
          names.forEach((name) => waiting.delete(name))
          tried = []
          const taken = await takeRows(query, [...names], limit)
          tried = taken.rows
          return {
            ...taken,
            events:
              tried.length === 0
                ? []
                : await applyEvents(
                    query,
                    tried.flatMap((row) => eventsOf(row, options)),
                  ),
          }
        }),
      { codes: AGAIN },
    )
    for (const { id, received_at_ms: receivedAtMs } of rows) {
      options.handover.drop(id)
      onApplied(clock.now() - receivedAtMs)
    }
    events.forEach(onEvent)
    leaveToOthers(busy)
    return rows.length
  }

  /** Puts a faulty delivery aside. If two portals find it, only the one that takes it out of the inbox stores it. */
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
      const isFull = (await applyNext()) === limit
      const withMore = [...names].filter((name) => isFull || waiting.has(name))
      if (withMore.length === 0) return
      if (isWaitedFor()) {
        for (const name of withMore) {
          waiting.delete(name)
          waiting.add(name)
        }
        return
      }
      if (!isFull) await clock.sleep(GATHER_MS, stopping)
      limit = Math.min(most, limit * 2)
    } catch (error) {
      if (stopping.aborted) return
      if (isNoneOfIts(error)) await postpone(error)
      // The faulty delivery delays only its own instance.
      else if (names.size > 1) leaveToOthers([...names].slice(1))
      else if (limit > 1) limit = Math.ceil(limit / 4)
      else if (tried.length === 0) await postpone(error)
      else for (const row of tried) await blame(row, error).catch(postpone)
    }
}

/** Waits for the first instance's lock; instances that another portal has locked are `busy`. */
async function takeRows(query: Query, names: readonly string[], most: number) {
  const { rows } = await query<Row | { id: null; instanceName: string }>(
    'select id, "instanceName", body, received_at_ms, gateway, is_current from portal.take_inbox($1, $2)',
    [names.includes(ALL) ? null : names, most],
  )
  return {
    rows: rows.filter((row) => row.id !== null),
    busy: rows.flatMap((row) => (row.id === null ? [row.instanceName] : [])),
  }
}

/**
 * Keeps what counts of an event from a gateway on which the instance does not run: it has left it, or is moving there.
 * Such a gateway's link does not count. Its outgoing messages may have been sent by the portal through the other one.
 */
function asSeenFromAside(event: Incoming): Incoming[] {
  if (event.event === 'link' || event.event === 'qr' || event.event === 'limits') return []
  return [event.event === 'message' && event.fromMe ? { ...event, isViaApi: true } : event]
}

/** Deliveries of another portal, or of this one before a crash, are read from their stored bodies. */
function readStored({ gateway, body, received_at_ms: atMs }: Row, deliveriesOf: DeliveriesOf): Incoming[] {
  const reading = deliveriesOf(gateway)?.readDelivery(JSON.parse(body), atMs)
  return reading?.ok ? reading.events : []
}

type Readers = Pick<ApplierOptions, 'deliveriesOf' | 'handover'>

function eventsOf(row: Row, { deliveriesOf, handover }: Readers): Addressed[] {
  const { instanceName, is_current: isCurrent } = row
  const read = handover.find(row.id) ?? readStored(row, deliveriesOf)
  const events = isCurrent ? read : read.flatMap(asSeenFromAside)
  return events.map((event) => ({ instanceName, event }))
}

/** Every error that is no refusal of the database is a failure of the connection, which passes. */
const isNoneOfIts = (error: unknown): boolean => !(error instanceof SqlError) || isPassing(error)
