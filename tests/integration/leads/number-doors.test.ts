// Phone numbers through the whole portal: what is stored, where messages go, further numbers, and doubtful ones.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, expect, test } from 'vitest'
import { NUMBER_FUNCTIONS } from '#server/rest/number-arguments.ts'
import { eventually } from '#tests/support/eventually.ts'
import { makeContact } from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'
import { untilMessages } from '#tests/support/sending.ts'

const PHONE = '5511955550101'
const { db, portal, ana, bia, asAna, asBia, asAdmin, close } = await openOffice()
afterAll(close)
afterEach(() => db.exec('delete from portal.imports; delete from public.whatsapp_contacts'))

const lead = (number: string, more = {}) =>
  asAna.call('/rest/v1/rpc/lead_add', {
    p_name: 'Rosa Quispe',
    p_number: number,
    p_operation_id: randomUUID(),
    ...more,
  })
const idOf = ({ body }: { body: Record<string, unknown> }) => Number(body['contact_id'])
const sheetOf = async (contactId: number) =>
  (await asAna.call('/rest/v1/rpc/lead_sheet', { p_contact_id: contactId })).body
const numberOf = async (contactId: number) =>
  (
    await db.query<{ number: string }>('select number from public.whatsapp_contacts where id = $1', [
      contactId,
    ])
  ).rows[0]?.number
const post = (contactId: number) =>
  asAna.call('/api/messages/text', { contactId, text: 'Bom dia!', operationId: randomUUID() })

test('the functions that parse numbers are those that take one', async () => {
  const { rows } = await db.query<{ name: string }>(
    `select distinct p.proname as name from pg_proc p
     where p.pronamespace = 'public'::regnamespace and p.proargnames && array['p_number', 'p_number_lead']`,
  )
  expect(new Set(rows.map(({ name }) => name))).toEqual(NUMBER_FUNCTIONS)
})

test('a foreign number keeps its plus, and messages go there', async () => {
  await portal.through(asAna.call('/api/instance/connect', {}))
  portal.control.scan({ instance: ana.instanceName, number: PHONE })
  await portal.through(
    (async () => {
      while ((await asAna.call('/api/instance?fresh=1')).body['number'] !== PHONE);
    })(),
  )
  for (const [written, number, jid] of [
    ['+51 987 654 005', '+51987654005', '51987654005@s.whatsapp.net'],
    ['00 47 912 34 567', '+4791234567', '4791234567@s.whatsapp.net'],
    ['+34 912 34 56 78', '+34912345678', '34912345678@s.whatsapp.net'],
    ['51 98765-4006', '5551987654006', '555187654006@s.whatsapp.net'],
  ] as const) {
    const added = await lead(written)
    expect([written, added.body['code'], await numberOf(idOf(added))]).toEqual([written, 'saved', number])
    expect((await post(idOf(added))).status).toBe(200)
    await portal.through(
      untilMessages(db, idOf(added), (messages) => messages.every(({ delivery }) => delivery !== 'queued')),
    )
    const { rows } = await db.query(
      'select "remoteJid" as jid from public.whatsapp_messages where contact_id = $1',
      [idOf(added)],
    )
    expect(rows).toEqual([{ jid }])
  }
})

test('a lead is found by its number in any form', async () => {
  const added = await lead('+51 987 654 005')
  for (const written of ['+51987654005', '0051 987 654 005', 'zap +51 987-654-005'])
    expect(
      (
        await asAna.call('/rest/v1/rpc/save_lead_notes', {
          p_contact_id: 0,
          p_notes: written,
          p_number_lead: written,
          p_broker_name: ana.instanceName,
          p_operation_id: randomUUID(),
        })
      ).body['code'],
    ).toBe('saved')
  expect((await lead('+51987654005')).body).toMatchObject({ code: 'already', contact_id: idOf(added) })
})

test.each([
  ['0800 591 0142', 'Este número não parece de WhatsApp.'],
  ['95550-0142', 'Falta o DDD.'],
  ['+51 98', 'Este número não parece de WhatsApp.'],
  ['+519876', 'Este número não parece de WhatsApp.'],
])('%s adds nobody', async (written, message) => {
  expect(await lead(written)).toMatchObject({ status: 422, body: { message } })
  expect((await db.query('select id from public.whatsapp_contacts')).rows).toEqual([])
})

test('of two numbers the mobile one is the lead’s, and the other is shown in the details', async () => {
  const added = await lead('Res: (11) 3222-0142 / Cel: 95550-0142 ou +351 912 345 678')
  expect(await numberOf(idOf(added))).toBe('5511955500142')
  expect((await sheetOf(idOf(added)))['numbers']).toEqual(['+351912345678', '551132220142'])
  expect((await asBia.call('/rest/v1/rpc/lead_sheet', { p_contact_id: idOf(added) })).status).toBe(404)
})

test('a form and a list add further numbers, and the undo of an import removes its own', async () => {
  const { body: key } = await asAdmin.call('/api/leads/keys', {
    operationId: randomUUID(),
    kind: 'form',
    name: 'Site',
  })
  const sent = await portal.request('/api/leads', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${String(key['key'])}` },
    body: JSON.stringify({ nome: 'Lia', telefone: '11 3222-0143 e 11 95550-0143' }),
  })
  expect(sent.status).toBe(201)
  const numbers = async () =>
    (
      await db.query<{ own: string; further: string }>(
        `select c.number as own, n.number as further from portal.contact_numbers n
         join public.whatsapp_contacts c on c.id = n.contact_id order by n.number`,
      )
    ).rows
  expect(await numbers()).toEqual([{ own: '5511955500143', further: '551132220143' }])
  const id = randomUUID()
  await asAdmin.call('/api/imports', {
    id,
    fileName: 'lista.csv',
    total: 2,
    destination: 'broker',
    instanceName: ana.instanceName,
  })
  await asAdmin.call(`/api/imports/${id}/rows`, {
    rows: [
      [2, 'Lia', '11 95550-0143', '11 3222-0144'],
      [3, 'Rui', '(21) 95550-0145 / (21) 3222-0146'],
    ],
  })
  const until = (state: string) =>
    portal.through(
      eventually(async () => {
        const { body } = await asAdmin.call('/api/imports')
        expect((body['imports'] as { state: string }[])[0]?.state).toBe(state)
      }),
    )
  await until('finished')
  expect(await numbers()).toEqual([
    { own: '5511955500143', further: '551132220143' },
    { own: '5511955500143', further: '551132220144' },
    { own: '5521955500145', further: '552132220146' },
  ])
  await asAdmin.call(`/api/imports/${id}/undo`, {})
  await until('undone')
  expect(await numbers()).toEqual([{ own: '5511955500143', further: '551132220143' }])
})

test('merged leads keep the further numbers of both, and get their own back', async () => {
  const [kept, gone] = [await makeContact(db, ana.instanceName), await makeContact(db, bia.instanceName)]
  const add = (id: number, ...numbers: string[]) =>
    db.query('select portal.add_numbers($1, $2)', [id, numbers])
  await add(kept.id, '+551132220142', '+551132220143')
  await add(gone.id, '+551132220143', '+51987654005')
  const of = async (id: number) =>
    (
      await db.query<{ number: string }>(
        'select number from portal.contact_numbers where contact_id = $1 order by number',
        [id],
      )
    ).rows.map(({ number }) => number)
  const { rows } = await db.query<{ merge: number }>('select portal.merge_contacts($1, $2) as merge', [
    kept.id,
    gone.id,
  ])
  expect(await of(kept.id)).toEqual(['+51987654005', '551132220142', '551132220143'])
  await db.query('select portal.undo_merge($1)', [rows[0]!.merge])
  expect([await of(kept.id), await of(gone.id)]).toEqual([['551132220142', '551132220143'], ['+51987654005']])
})

test('nothing is sent to a lead with a doubtful number until an administrator has decided', async () => {
  const { id } = await makeContact(db, ana.instanceName, { number: '51987654007', name: 'Rosa' })
  await db.query(
    `insert into portal.number_doubts (contact_id, shown, numbers)
     values ($1, '51987654007', array['+5551987654007', '+51987654007'])`,
    [id],
  )
  expect(await post(id)).toMatchObject({ status: 409, body: { error: { code: 'lead.number-in-doubt' } } })
  const doubts = () => asAdmin.call('/api/leads/contacts/doubts')
  expect((await doubts()).body).toEqual({
    doubts: [
      {
        contactId: id,
        name: 'Rosa',
        instanceName: ana.instanceName,
        shown: '51987654007',
        numbers: ['+5551987654007', '+51987654007'],
      },
    ],
  })
  const decide = (calls: typeof asAna, number: string, operationId = randomUUID()) =>
    calls.call(`/api/leads/contacts/${id}/decision`, { operationId, number })
  expect((await asAna.call('/api/leads/contacts/doubts')).status).toBe(403)
  expect((await decide(asAna, '+51987654007')).status).toBe(403)
  expect((await decide(asAdmin, '0800 591 0142')).status).toBe(422)
  const operationId = randomUUID()
  for (let time = 0; time < 2; time++)
    expect(await decide(asAdmin, '+51 987 654 007', operationId)).toMatchObject({
      status: 200,
      body: { contactId: id, isKnown: false },
    })
  expect([await numberOf(id), (await doubts()).body]).toEqual(['+51987654007', { doubts: [] }])
  expect((await post(id)).status).toBe(200)
})
