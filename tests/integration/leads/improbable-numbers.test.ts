// Invented numbers, typed to get past a form: each e-mail with one of them is a lead of its own.
import { afterEach, expect, test } from 'vitest'
import { isImprobable } from '#domain/phone/improbable.ts'
import { openBase } from '#tests/support/database.ts'

const base = await openBase()
afterEach(() => base.db.exec('delete from public.whatsapp_contacts; delete from portal.people'))

test.each([
  // Valid in no country.
  ['1111111111', false],
  ['(11) 99999-9999', true],
  ['9999999999', true],
  ['(11) 91234-5678', true],
  ['1234567890', true],
  ['+5511 2345-6789', true],
  ['(11) 98765-4321', false],
  ['(11) 97000-1111', false],
  ['(21) 2222-3333', false],
  ['', false],
])('%s: %s, on screens and in the database', async (number, expected) => {
  expect(isImprobable(number)).toBe(expected)
  const { rows } = await base.db.query(
    'select coalesce(portal.is_improbable(portal.number_key($1)), false) as is',
    [number],
  )
  expect(rows).toEqual([{ is: expected }])
})

let deliveries = 0
async function take(name: string, number: string, email: string | null) {
  const lead = { name, number, email, source: 'form', externalId: `D${deliveries++}`, fields: {} }
  await base.db.query('select portal.take_lead(null, $1, now())', [JSON.stringify(lead)])
}
const leads = async () =>
  (await base.db.query('select name, email from public.whatsapp_contacts order by id')).rows.map(
    ({ name, email }) => [name, email],
  )

test('two people with one invented number stay two, each with name and e-mail; the same person again is the same lead', async () => {
  await take('Ana', '5511999999999', 'ana@casa.com')
  await take('Beto', '5511999999999', 'beto@casa.com')
  await take('Beto Lima', '551199999999', 'beto@casa.com')
  await take('Ana', '5511999999999', 'ana@casa.com')
  await take('Caio', '5511999999999', 'caio@casa.com')
  expect(await leads()).toEqual([
    ['Ana', 'ana@casa.com'],
    ['Beto', 'beto@casa.com'],
    ['Caio', 'caio@casa.com'],
  ])
})

test('with an ordinary number two e-mails are one person', async () => {
  await take('Ana', '5511955500142', 'ana@casa.com')
  await take('Ana', '5511955500142', 'ana@trabalho.com')
  expect(await leads()).toEqual([['Ana', 'ana@casa.com']])
})

test('in an imported list, too', async () => {
  await take('Ana', '5511999999999', 'ana@casa.com')
  const people = [
    ['Beto', 'beto@casa.com'],
    ['Ana', 'ana@casa.com'],
    ['Caio', 'caio@casa.com'],
    ['Beto', 'beto@casa.com'],
  ]
  const { rows } = await base.db.query<{ person_id: number; place: number }>(
    `with made as (
       insert into portal.imports (id, file_name, destination, source, made_by, total, created_by)
       values (gen_random_uuid(), 'lista.csv', 'inbox', 'lista', gen_random_uuid(), 4, 'admin') returning id)
     insert into portal.import_rows (import_id, place, outcome, data)
     select made.id, n, 'waiting', jsonb_build_object('name', p ->> 0, 'email', p ->> 1, 'number', '5511999999999',
       'key', portal.number_key('5511999999999'))
     from made, jsonb_array_elements($1) with ordinality as given (p, n) returning id as person_id, place`,
    [JSON.stringify(people)],
  )
  const ids = `{${rows.map(({ person_id }) => person_id).join(',')}}`
  await base.db.query('select portal.import_people($1::bigint[])', [ids])
  const { rows: found } = await base.db.query<{ person_id: number }>(
    'select person_id from portal.import_rows where id = any ($1::bigint[]) order by place',
    [ids],
  )
  const [beto, ana, caio, again] = found.map(({ person_id }) => person_id)
  expect(new Set([beto, ana, caio]).size).toBe(3)
  expect(again).toBe(beto)
  const { rows: known } = await base.db.query('select person_id from public.whatsapp_contacts')
  expect(known).toEqual([{ person_id: ana }])
})
