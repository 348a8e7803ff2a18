// lead_add: who may add whom, recognised people, the daily limit, and an added lead neither waits nor is offered or
// notified.
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { asUser, type Claims } from '#server/db/as-user.ts'
import type { SqlValue } from '#server/db/database.ts'
import { makeContact } from '#tests/support/make.ts'
import { PHONE_FAULTS } from '#tests/support/phone-cases.ts'
import { openStaff } from '#tests/support/staff.ts'

const { base, ana, bia, asAna, asAdmin } = await openStaff()
beforeEach(() =>
  base.db.exec(
    'delete from public.whatsapp_contacts; delete from portal.lead_additions; delete from portal.push_queue',
  ),
)

type Answer = {
  success: boolean
  code: string
  message: string | null
  contact_id: number | null
  broker_name: string | null
}

const SANDRA = { p_name: 'Sandra Lemos', p_number: '(11) 90555-0148' }

async function add(claims: Claims, given: Record<string, SqlValue> = {}): Promise<Answer> {
  const all = { ...SANDRA, ...given }
  const { rows } = await asUser(base.db, claims, (query) =>
    query<{ answer: Answer }>(
      `select public.lead_add(${Object.keys(all)
        .map((name, n) => `${name} => $${n + 1}`)
        .join(', ')}) as answer`,
      Object.values(all),
    ),
  )
  return rows[0]!.answer
}

const leads = async () =>
  (
    await base.db.query<Record<string, unknown>>(
      `select "instanceName", name, number, source, empreendimento, notes, status, waiting_since, left_contact_at
       from public.whatsapp_contacts order by id`,
    )
  ).rows
const count = async (from: string) =>
  (await base.db.query<{ n: number }>(`select count(*)::integer as n from ${from}`)).rows[0]!.n

test('is in the first stage of the own board as typed, does not wait, is not offered, sends no push', async () => {
  const session = await base.db.query<{ id: string }>(
    'select id from portal.sessions where account_id = $1',
    [ana.id],
  )
  expect(session.rows).not.toEqual([])
  const answer = await add(asAna, {
    p_name: '  Sandra  Lemos ',
    p_development: 'Jardim das Acácias',
    p_source: 'plantao',
    p_note: ' Quer varanda ',
  })
  expect(answer).toMatchObject({ success: true, code: 'saved', message: null, broker_name: ana.instanceName })
  expect(await leads()).toEqual([
    {
      instanceName: ana.instanceName,
      name: 'Sandra Lemos',
      number: '5511905550148',
      source: 'plantao',
      empreendimento: 'Jardim das Acácias',
      notes: 'Quer varanda',
      status: 'new',
      waiting_since: null,
      left_contact_at: null,
    },
  ])
  expect(await count('portal.push_queue')).toBe(0)
  expect(await count('portal.roleta_cases')).toBe(0)
})

test('a lead from elsewhere does send a push: only this one is silent', async () => {
  await base.db.query(
    `insert into portal.push_devices (session_id, endpoint, p256dh, auth, name)
     select s.id, 'https://push.example/1', 'x', 'x', 'Celular' from portal.sessions s where s.account_id = $1`,
    [ana.id],
  )
  await add(asAna)
  expect(await count('portal.push_queue')).toBe(0)
  await makeContact(base.db, ana.instanceName)
  expect(await count('portal.push_queue')).toBe(1)
})

test('a repeat gets the stored answer and adds nobody', async () => {
  const p_operation_id = randomUUID()
  const first = await add(asAna, { p_operation_id })
  expect(await add(asAna, { p_operation_id, p_name: 'Outro' })).toEqual(first)
  expect(await leads()).toHaveLength(1)
})

describe('a known person', () => {
  test.each(['11 90555-0148', '+55 11 90555-0148', '5511905550148'])(
    'of the own board is that lead, under any form of the number: %s',
    async (p_number) => {
      const { id } = await makeContact(base.db, ana.instanceName, { number: '5511905550148' })
      expect(await add(asAna, { p_number })).toMatchObject({ success: true, code: 'already', contact_id: id })
      expect(await count('portal.lead_additions')).toBe(0)
    },
  )

  test('of a colleague is refused without a name, counted and audited', async () => {
    await makeContact(base.db, bia.instanceName, { number: '5511905550148', name: 'Segredo' })
    const answer = await add(asAna)
    expect(answer).toEqual({
      success: false,
      code: 'conflict',
      message: 'Este número é de outra pessoa da equipe. O administrador pode passar o lead.',
      contact_id: null,
      broker_name: null,
    })
    expect(await leads()).toHaveLength(1)
    const { rows } = await base.db.query(
      `select actor_id, subject, details from portal.audit_log where action = 'lead.refused'`,
    )
    expect(rows).toEqual([{ actor_id: ana.id, subject: null, details: { reason: 'conflict' } }])
    expect(await count('portal.lead_additions where asked = 1')).toBe(1)
  })

  test('an administrator sees whose lead it is', async () => {
    const { id } = await makeContact(base.db, bia.instanceName, { number: '5511905550148' })
    const named = bia.username.charAt(0).toUpperCase() + bia.username.slice(1)
    expect(await add(asAdmin, { p_broker_name: ana.instanceName })).toMatchObject({
      code: 'conflict',
      message: `Este número já está com ${named}.`,
      contact_id: id,
    })
    expect(await add(asAdmin, { p_broker_name: bia.instanceName })).toMatchObject({
      code: 'already',
      contact_id: id,
    })
  })
})

test('at most 30 a day, including refusals; repeats do not count', async () => {
  const codes: string[] = []
  for (let n = 0; n < 31; n++) codes.push((await add(asAna, { p_number: `(11) 905${n + 10}-0148` })).code)
  expect(codes.filter((code) => code === 'saved')).toHaveLength(30)
  const last = await add(asAna, { p_number: '(11) 90577-0148' })
  expect(last).toMatchObject({
    success: false,
    code: 'limit',
    message: 'Você já adicionou 30 leads hoje. Continue amanhã.',
    contact_id: null,
  })
  expect((await add(asAna, { p_number: '(11) 90510-0148' })).code).toBe('already')
  expect(
    await count(`portal.audit_log where action = 'lead.refused' and details ->> 'reason' = 'limit'`),
  ).toBe(2)
  expect((await add(asAdmin, { p_number: '(11) 90577-0148' })).code).toBe('saved')
})

test("an administrator adds to any board, and to the own; not to a removed broker's", async () => {
  expect(await add(asAdmin, { p_broker_name: ana.instanceName })).toMatchObject({ code: 'saved' })
  expect(await add(asAdmin, { p_number: '11 90555-0149' })).toMatchObject({
    code: 'saved',
    broker_name: null,
  })
  expect(await add(asAdmin, { p_broker_name: 'corretor_ninguem' })).toMatchObject({
    success: false,
    code: 'unknown_broker',
    message: 'Este corretor não existe mais.',
  })
  expect((await leads()).map(({ instanceName }) => instanceName)).toEqual([ana.instanceName, null])
})

test('a broker who names another board adds to the own one', async () => {
  expect(await add(asAna, { p_broker_name: bia.instanceName })).toMatchObject({
    broker_name: ana.instanceName,
  })
})

test.each([
  [{ p_name: ' S ' }, 'Falta o nome.'],
  [{ p_number: '90555-0148' }, 'Falta o DDD.'],
  [{ p_number: '' }, 'Este número não parece de WhatsApp.'],
  [{ p_note: 'x'.repeat(10_001) }, 'Confira a origem, o empreendimento e a nota.'],
  [{ p_source: 'Rua & Avenida' }, 'Confira a origem, o empreendimento e a nota.'],
])('%o is refused: %s', async (given, message) => {
  await expect(add(asAna, given)).rejects.toMatchObject({ message, code: 'PT422' })
  expect(await leads()).toEqual([])
})

test.each(PHONE_FAULTS)('SQL gives for %s the same as the app: %s', async (written, fault) => {
  const { rows } = await base.db.query('select portal.phone_fault($1) as fault', [written])
  expect(rows[0]).toEqual({ fault })
})
