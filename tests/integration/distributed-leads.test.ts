// The leads that rotations handed out: whose they are, of which days, and in what order (SPEC.md 2.6 'Roleta').
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asUser, type Claims } from '#server/db/as-user.ts'
import type { SqlValue } from '#server/db/database.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import {
  makeAdmin,
  makeBroker,
  makeContact,
  makeRoleta,
  makeSeat,
  signIn,
  type MadeBroker,
} from '#tests/support/make.ts'

type Answer = { total: number; leads: { id: number; broker_name: string; empreendimento: string }[] }

let base: TestDatabase
let seated: MadeBroker
let other: MadeBroker
let asAdmin: Claims
beforeAll(async () => {
  base = await openTestDatabase('migrated')
  seated = await makeBroker(base.db)
  other = await makeBroker(base.db)
  asAdmin = await signIn(base.db, await makeAdmin(base.db))
  const { empreendimento } = await makeRoleta(base.db, {
    empreendimento: 'Mirante do Lago',
    created_at: '2026-03-01T12:00:00Z',
  })
  await makeSeat(base.db, { roletaName: empreendimento, instanceName: seated.instanceName, ordem: 1 })
})
afterAll(() => base.close())

async function distributed(claims: Claims, period: SqlValue[] = [null, null]): Promise<Answer> {
  const { rows } = await asUser(base.db, claims, (query) =>
    query<{ data: Answer }>('select public.get_distributed_leads($1, $2) as data', period),
  )
  if (!rows[0]) throw new Error('no answer')
  return rows[0].data
}

const lead = (instanceName: string | null, created_at: string, empreendimento: string | null) =>
  makeContact(base.db, instanceName, { created_at, empreendimento })

test('those of a development with a rotation, of a broker in it, since it began; the newest first', async () => {
  const first = await lead(seated.instanceName, '2026-05-10T02:59:59Z', 'Mirante do Lago')
  const late = await lead(seated.instanceName, '2026-05-11T02:59:59Z', 'Mirante do Lago')
  await lead(seated.instanceName, '2026-02-28T12:00:00Z', 'Mirante do Lago')
  await lead(seated.instanceName, '2026-05-10T12:00:00Z', 'Vista Serrana')
  await lead(seated.instanceName, '2026-05-10T12:00:00Z', null)
  await lead(other.instanceName, '2026-05-10T12:00:00Z', 'Mirante do Lago')
  await lead(null, '2026-05-10T12:00:00Z', 'Mirante do Lago')

  const all = await distributed(asAdmin)
  expect(all.total).toBe(2)
  expect(all.leads.map(({ id }) => id)).toEqual([late.id, first.id])
  expect(all.leads[0]).toMatchObject({
    broker_name: seated.instanceName,
    empreendimento: 'Mirante do Lago',
    number_lead: late.number,
  })

  // 23:59:59 of the 10th and of the 9th by the portal's clock.
  const tenth = await distributed(asAdmin, ['2026-05-10T00:00:00Z', '2026-05-10T23:59:59Z'])
  expect(tenth.leads.map(({ id }) => id)).toEqual([late.id])
  expect(await distributed(asAdmin, ['2026-06-01T00:00:00Z', '2026-06-30T23:59:59Z'])).toEqual({
    total: 0,
    leads: [],
  })
})

test('a broker gets nothing, not even the own ones; an end before its start is refused', async () => {
  expect(await distributed(await signIn(base.db, seated))).toEqual({ total: 0, leads: [] })
  await expect(distributed(asAdmin, ['2026-05-02T00:00:00Z', '2026-05-01T23:59:59Z'])).rejects.toMatchObject({
    code: '22023',
  })
})
