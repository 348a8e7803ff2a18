// Inserts how the rotations distributed the leads, with the decisions that the portal itself would have made.
import { decide, type Decision, type SeatState, type WallClock } from '#domain/rotation/rotation.ts'
import type { Query } from '#server/db/database.ts'
import { HOUR, toTimestamp, type Calendar } from '../calendar.ts'
import { ROTATIONS, type DemoRotation } from '../agency/rotations.ts'
import type { DemoLead } from '../leads/story.ts'
import type { Scenario } from '../scenario.ts'
import { insertRows, reserveIds } from './insert.ts'

export type PlacedLead = DemoLead & { id: number }
type Handed = { lead: PlacedLead; seats: SeatState[]; moment: WallClock; decision: Decision }

export async function seedDistributed(
  query: Query,
  { calendar, brokers }: Scenario,
  leads: readonly PlacedLead[],
) {
  const instanceOf = new Map(brokers.map(({ username, instanceName }) => [username, instanceName]))
  for (const rotation of ROTATIONS) {
    const { rows } = await query<{ id: number }>('select id from public.roletas where empreendimento = $1', [
      rotation.development,
    ])
    const own = leads
      .filter(({ isDistributed, development }) => isDistributed && development === rotation.development)
      .toSorted((one, other) => one.createdAt - other.createdAt)
    const distributed = handOutAgain(rotation, own, { calendar, instanceOf })
    await seedRoutingCases(query, rows[0]?.id ?? 0, distributed)
    await seedCredits(query, rotation, distributed.at(-1)?.decision)
  }
}

type Means = { calendar: Calendar; instanceOf: ReadonlyMap<string, string> }

/** The owner of each lead is the broker whose turn it was. */
function handOutAgain(rotation: DemoRotation, leads: readonly PlacedLead[], means: Means): Handed[] {
  const firstRound = rotation.seats.filter(({ joinsInRound }) => joinsInRound === 1).length
  let credits: Record<string, number> = {}
  return leads.map((lead, index) => {
    const seatsNow = (isThere: (instanceName: string) => boolean) =>
      rotation.seats.map(({ username, joinsInRound }, seat): SeatState => {
        const instanceName = means.instanceOf.get(username) ?? ''
        return {
          instanceName,
          position: seat + 1,
          weight: 1,
          credit: credits[instanceName] ?? 0,
          isActive: index >= (joinsInRound - 1) * firstRound,
          isPaused: false,
          isLinked: isThere(instanceName),
          shifts: null,
          dailyCap: null,
          receivedToday: 0,
          wasTried: false,
        }
      })
    const moment = momentOf(lead.createdAt, means.calendar)
    const whole = seatsNow(() => true)
    const isTheirTurn = decide(whole, moment).picked === lead.broker.instanceName
    const seats = isTheirTurn ? whole : seatsNow((instanceName) => instanceName === lead.broker.instanceName)
    const decision = decide(seats, moment)
    credits = { ...credits, ...decision.credits }
    return { lead, seats, moment, decision }
  })
}

function momentOf(at: number, calendar: Calendar): WallClock {
  const noon = calendar.atHour(at, 0) + 12 * HOUR
  return {
    weekday: calendar.weekdayOf(at) || 7,
    minute: Math.floor(calendar.hourOf(at) * 60),
    day: toTimestamp(noon).slice(0, 10),
  }
}

async function seedRoutingCases(query: Query, rotationId: number, distributed: readonly Handed[]) {
  const firstId = await reserveIds(query, 'portal.roleta_cases', distributed.length)
  const columns = {
    id: 'bigint',
    contact_id: 'bigint',
    roleta_id: 'integer',
    development: 'text',
    state: 'text',
    holder: 'text',
    tried: 'text[]',
    arrived_at: 'timestamptz',
    since: 'timestamptz',
  }
  const cases = distributed.map(({ lead }, index) => ({
    id: firstId + index,
    contact_id: lead.id,
    roleta_id: rotationId,
    development: lead.development,
    state: 'done',
    holder: lead.broker.instanceName,
    tried: [lead.broker.instanceName],
    arrived_at: toTimestamp(lead.createdAt),
    since: toTimestamp(lead.createdAt),
  }))
  await insertRows(query, { table: 'portal.roleta_cases', columns, withIds: true }, cases)

  const eventColumns = {
    case_id: 'bigint',
    roleta_id: 'integer',
    kind: 'text',
    instanceName: 'text',
    decision: 'jsonb',
    at: 'timestamptz',
  }
  const events = distributed.flatMap(({ lead, seats, moment, decision: { picked, verdicts } }, index) => {
    const event = { case_id: firstId + index, roleta_id: rotationId, at: toTimestamp(lead.createdAt) }
    return [
      { ...event, kind: 'received', instanceName: null, decision: { source: lead.source } },
      { ...event, kind: 'given', instanceName: picked, decision: { seats, moment, picked, verdicts } },
    ]
  })
  await insertRows(query, { table: 'portal.roleta_events', columns: eventColumns }, events)
}

/** The rotation continues after the demonstration's leads. */
async function seedCredits(query: Query, { development }: DemoRotation, last: Decision | undefined) {
  await query(
    `update public.roleta_corretores s set credit = (given.credit)::integer
     from jsonb_each_text($2::jsonb) as given (name, credit)
     where s."roletaName" = $1 and s."instanceName" = given.name`,
    [development, JSON.stringify(last?.credits ?? {})],
  )
}
