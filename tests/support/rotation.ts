// Rotations over a test database: linked brokers with seats, incoming leads, and a portal that distributes them by a
// manual clock.
import { randomUUID } from 'node:crypto'
import { decide, type SeatState, type WallClock } from '#domain/rotation/rotation.ts'
import type { Claims } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import { createDistributor } from '#server/leads/routing/distribute.ts'
import { createRotationStore, type Intent } from '#server/leads/routing/rotation-store.ts'
import { createLog } from '#server/log.ts'
import { databaseClock, type ManualClock } from './clock.ts'
import { databasesOf } from './database.ts'
import { makeBroker, makeRotation, makeSeat, type MadeBroker } from './make.ts'

export async function makeLinkedBroker(db: Database): Promise<MadeBroker> {
  const broker = await makeBroker(db)
  await link(db, broker, 'open')
  return broker
}

export const link = (db: Database, { instanceName }: MadeBroker, state: 'open' | 'close') =>
  db.query(
    `insert into portal.instance_states ("instanceName", state) values ($1, $2)
     on conflict ("instanceName") do update set state = excluded.state`,
    [instanceName, state],
  )

export type MadeRotation = { id: number; name: string }

/** An active rotation with a seat for each broker, in order. */
export async function makeSeatedRotation(
  db: Database,
  brokers: readonly MadeBroker[],
  columns: Record<string, string | number | boolean | null> = {},
): Promise<MadeRotation> {
  const { id, empreendimento: name } = await makeRotation(db, columns)
  for (const [index, { instanceName }] of brokers.entries())
    await makeSeat(db, { roletaName: name, instanceName, ordem: index + 1 })
  return { id, name }
}

let count = 0
/** A new phone number. */
export const nextNumber = () => `55119${String(60_000_000 + ++count)}`

export type Taken = { id: number; contactId: number; isRepeat: boolean }

/** A lead comes in by a form. */
export async function takeLead(
  { db, clock }: { db: Database; clock: ManualClock },
  lead: {
    development: string | null
    number?: string
    name?: string
    message?: string
    externalId?: string
    key?: string
  },
): Promise<Taken> {
  const { key = null, ...part } = lead
  const given = {
    name: 'Marina Tavares',
    number: nextNumber(),
    source: 'form',
    campaign: null,
    message: null,
    fields: {},
    ...part,
  }
  const { rows } = await db.query<{ taken: Taken }>('select portal.take_lead($1, $2::jsonb, $3) as taken', [
    key,
    JSON.stringify(given),
    new Date(clock.now()).toISOString(),
  ])
  if (!rows[0]) throw new Error('no lead')
  return rows[0].taken
}

const DAY_MS = 24 * 60 * 60_000
const NOON_MS = 15 * 60 * 60_000

/** The portals over the database, which decide about due cases when the test says so, all at once. */
export function openDistributor(db: Database, clock = databaseClock()) {
  /** The logged failures. */
  const faults: string[] = []
  const distributors = databasesOf(db).map((own) =>
    createDistributor({
      db: own,
      clock,
      log: createLog('warn', (line) => faults.push(line)),
    }),
  )
  const run = async () => {
    for (const distributor of distributors) distributor.wake()
    await Promise.all(distributors.map((distributor) => distributor.settled()))
  }
  return {
    db,
    clock,
    faults,
    run,
    /** Advances to the next noon in São Paulo, so that no midnight falls into the test. */
    toNoon: () => {
      const sinceNoon = (clock.now() - NOON_MS) % DAY_MS
      clock.advance(DAY_MS - sinceNoon)
    },
    /** Advances the clock and does the due work. */
    pass: async (minutes: number) => {
      clock.advance(minutes * 60_000)
      await run()
    },
  }
}

export const answerOffer = (
  { db, clock }: { db: Database; clock: ManualClock },
  claims: Claims,
  { id, intent, operationId = randomUUID() }: { id: number; intent: Intent; operationId?: string },
) => createRotationStore(db).answer(claims, { id, intent, operationId, nowMs: clock.now() })

export type RoutingCaseRow = {
  id: number
  contact_id: number
  state: string
  holder: string | null
  tried: string[]
}

/** A lead's newest routing case. */
export async function routingCaseOf(db: Database, contactId: number): Promise<RoutingCaseRow> {
  const { rows } = await db.query<RoutingCaseRow>(
    'select * from portal.roleta_cases where contact_id = $1 order by id desc limit 1',
    [contactId],
  )
  if (!rows[0]) throw new Error('no case')
  return rows[0]
}

export async function ownerOf(db: Database, contactId: number): Promise<string | null | undefined> {
  const { rows } = await db.query<{ instanceName: string | null }>(
    'select "instanceName" from public.whatsapp_contacts where id = $1',
    [contactId],
  )
  return rows[0]?.instanceName
}

export async function kindsOf(db: Database, caseId: number): Promise<string[]> {
  const { rows } = await db.query<{ kind: string }>(
    'select kind from portal.roleta_events where case_id = $1 order by id',
    [caseId],
  )
  return rows.map(({ kind }) => kind)
}

type Logged = {
  seats: SeatState[]
  moment: WallClock
  picked: string | null
  verdicts: { instanceName: string; reason: string }[]
}

/** Repeats every logged decision from its log: the number of decisions, and those with another result. */
export async function replayAll(db: Database): Promise<{ count: number; astray: unknown[] }> {
  const { rows } = await db.query<{ decision: Logged }>(
    `select decision from portal.roleta_events where decision ? 'seats' order by id`,
  )
  const astray = rows.filter(({ decision: { seats, moment, picked, verdicts } }) => {
    const again = decide(seats, moment)
    return again.picked !== picked || JSON.stringify(again.verdicts) !== JSON.stringify(sorted(verdicts))
  })
  return { count: rows.length, astray }
}

/** The database orders an object's keys in its own way. */
const sorted = (verdicts: Logged['verdicts']) =>
  verdicts.map(({ instanceName, reason }) => ({ instanceName, reason }))
