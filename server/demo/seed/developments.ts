// Records of the demonstration's developments: plans with prices, some of which have expired.
import type { Query } from '#server/db/database.ts'
import { DEVELOPMENTS } from '../agency/developments.ts'
import type { Scenario } from '../scenario.ts'
import { insertRows, reserveIds } from './insert.ts'

/** Developments whose prices expired a week ago. */
const EXPIRED = ['Vista Serrana', 'Bosque dos Manacás']
/** Administrators have not published any price yet. */
const UNPRICED = 'Quinta do Cedro'
const DAY_MS = 86_400_000
const VALID_DAYS = 18
const CENTS_OF_THOUSAND = 100_000

export async function seedDevelopments(query: Query, { calendar }: Scenario) {
  const dayIn = (days: number) => new Date(calendar.now * 1000 + days * DAY_MS).toISOString().slice(0, 10)
  const monthIn = (months: number) => {
    const at = new Date(calendar.now * 1000)
    return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1)).toISOString().slice(0, 10)
  }
  const firstId = await reserveIds(query, 'public.developments', DEVELOPMENTS.length)
  const rows = DEVELOPMENTS.map(({ name, district, state, monthsToDelivery, place, leisure }, index) => ({
    id: firstId + index,
    name,
    district,
    state,
    delivers_on: monthsToDelivery === null ? null : monthIn(monthsToDelivery),
    place_name: `Estande ${name}`,
    description: `Fica ${place}. Lazer: ${leisure}.`,
  }))
  const columns = {
    id: 'integer',
    name: 'text',
    district: 'text',
    state: 'text',
    delivers_on: 'date',
    place_name: 'text',
    description: 'text',
  }
  await insertRows(query, { table: 'public.developments', columns, withIds: true }, rows)

  const plans = DEVELOPMENTS.flatMap(({ name, plans }, index) =>
    plans.map(({ rooms, size, price, parking }, place) => ({
      development_id: firstId + index,
      place: place + 1,
      name: rooms === 1 ? '1 quarto' : `${rooms} quartos`,
      bedrooms: rooms,
      suites: Math.max(1, rooms - 1),
      parking,
      area_from: size,
      price_from_cents: name === UNPRICED ? null : price * CENTS_OF_THOUSAND,
      priced_on: name === UNPRICED ? null : dayIn(EXPIRED.includes(name) ? -40 : -9),
      valid_until: name === UNPRICED ? null : dayIn(EXPIRED.includes(name) ? -7 : VALID_DAYS),
    })),
  )
  const planColumns = {
    development_id: 'integer',
    place: 'smallint',
    name: 'text',
    bedrooms: 'smallint',
    suites: 'smallint',
    parking: 'smallint',
    area_from: 'numeric',
    price_from_cents: 'bigint',
    priced_on: 'date',
    valid_until: 'date',
  }
  await insertRows(query, { table: 'public.development_plans', columns: planColumns }, plans)
}
