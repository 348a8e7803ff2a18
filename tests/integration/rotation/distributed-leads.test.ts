// The leads that rotations distributed, from their log: each once, by day, and by permission.
import { expect, test } from 'vitest'
import { asUser, type Claims } from '#server/db/as-user.ts'
import type { SqlValue } from '#server/db/database.ts'
import { makeRoutingCase, makeContact, makeRotation, signIn, type MadeBroker } from '#tests/support/make.ts'
import { openStaff } from '#tests/support/staff.ts'

type Answer = { total: number; leads: { id: number; broker_name: string; created_at: string }[] }

const { base, ana, bia, asAdmin } = await openStaff()
const { id: rotationId } = await makeRotation(base.db, { empreendimento: 'Mirante do Lago' })

async function distributed(claims: Claims, period: SqlValue[] = [null, null]): Promise<Answer> {
  const { rows } = await asUser(base.db, claims, (query) =>
    query<{ data: Answer }>('select public.get_distributed_leads($1, $2) as data', period),
  )
  if (!rows[0]) throw new Error('no answer')
  return rows[0].data
}

type Step = [kind: string, broker: MadeBroker, at: string]

async function handOut(...steps: Step[]) {
  const contact = await makeContact(base.db, bia.instanceName, { created_at: '2026-05-01T12:00:00Z' })
  const { id } = await makeRoutingCase(
    base.db,
    { contactId: contact.id, roletaId: rotationId },
    steps.map(([kind, broker, at]) => ({
      kind,
      instanceName: broker.instanceName,
      at,
    })),
  )
  return { id, number: contact.number }
}

test('each once, with its last receiver and time; newest first; offers that nobody accepted are excluded', async () => {
  const first = await handOut(['given', ana, '2026-05-10T02:59:59Z'])
  const passedOn = await handOut(
    ['offered', ana, '2026-05-10T12:00:00Z'],
    ['given', ana, '2026-05-10T12:01:00Z'],
    ['accepted', bia, '2026-05-11T02:59:59Z'],
  )
  await handOut(['offered', ana, '2026-05-10T12:00:00Z'], ['expired', ana, '2026-05-10T12:05:00Z'])
  await handOut(['theirs', bia, '2026-05-10T12:00:00Z'])

  const all = await distributed(asAdmin)
  expect(all.total).toBe(2)
  expect(all.leads.map(({ id, broker_name }) => [id, broker_name])).toEqual([
    [passedOn.id, bia.instanceName],
    [first.id, ana.instanceName],
  ])
  expect(all.leads[0]).toMatchObject({ empreendimento: 'Mirante do Lago', number_lead: passedOn.number })

  // 23:59:59 of the 10th and of the 9th by the portal's clock.
  const tenth = await distributed(asAdmin, ['2026-05-10T00:00:00Z', '2026-05-10T23:59:59Z'])
  expect(tenth.leads.map(({ id }) => id)).toEqual([passedOn.id])
  expect(await distributed(asAdmin, ['2026-06-01T00:00:00Z', '2026-06-30T23:59:59Z'])).toEqual({
    total: 0,
    leads: [],
  })
})

test('of two steps in one instant the later one names the receiver', async () => {
  const at = '2026-07-10T12:00:00Z'
  const led = await handOut(['given', ana, at], ['accepted', bia, at])
  const back = await handOut(['given', bia, at], ['claimed', ana, at])
  const { leads } = await distributed(asAdmin, ['2026-07-01T00:00:00Z', '2026-07-31T23:59:59Z'])
  expect(leads.map(({ id, broker_name }) => [id, broker_name])).toEqual([
    [back.id, ana.instanceName],
    [led.id, bia.instanceName],
  ])
  expect(Object.keys(leads[0] ?? {})).toEqual([
    'id',
    'nome_lead',
    'number_lead',
    'created_at',
    'empreendimento',
    'broker_name',
  ])
})

test('a broker gets nothing, not even the own ones; an end before its start is refused', async () => {
  expect(await distributed(await signIn(base.db, ana))).toEqual({ total: 0, leads: [] })
  await expect(distributed(asAdmin, ['2026-05-02T00:00:00Z', '2026-05-01T23:59:59Z'])).rejects.toMatchObject({
    code: '22023',
  })
})
