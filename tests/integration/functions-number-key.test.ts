// One key for all forms of a number, and never one for two persons.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let base: TestDatabase
beforeAll(async () => {
  base = await openTestDatabase('migrated')
})
afterAll(() => base.close())

const keyOf = async (number: string | null) =>
  (await base.db.query('select portal.number_key($1) as key', [number])).rows[0]?.['key']

test.each([
  [
    'a mobile in every form',
    '+551187654321',
    [
      '5511987654321',
      '551187654321',
      '11987654321',
      '1187654321',
      '(11) 98765-4321',
      '+55 11 98765-4321',
      '011 98765-4321',
      '0055 11 98765 4321',
      '5511987654321@s.whatsapp.net',
      '551187654321@s.whatsapp.net',
      '5511987654321:17@s.whatsapp.net',
      '5511987654321@c.us',
    ],
  ],
  [
    'a landline, whose first digit is 2 to 5',
    '+551133334444',
    ['1133334444', '551133334444', '(11) 3333-4444'],
  ],
  ['nine digits that would be a landline without the 9', '+5511933334444', ['5511933334444', '11933334444']],
  ['a Mexican mobile', '+525512345678', ['5215512345678@s.whatsapp.net', '+525512345678', '525512345678']],
  ['an Argentine mobile', '+541123456789', ['5491123456789@s.whatsapp.net', '+54 11 2345-6789']],
  [
    'a Peruvian jid whose digits read like Porto Alegre',
    '+51987654321',
    ['51987654321@s.whatsapp.net', '+51 987 654 321'],
  ],
  ['the same digits without a country: Porto Alegre', '+555187654321', ['51987654321', '(51) 98765-4321']],
  [
    'a jid of the United States',
    '+14155550142',
    ['14155550142@s.whatsapp.net', '+1 415 555 0142', '14155550142'],
  ],
  ['an area code that does not exist', '+2098765432', ['2098765432']],
  ['digits too few for an area code', '+87654321', ['87654321', '8765-4321']],
] as [string, string, string[]][])('%s', async (_, key, forms) => {
  for (const form of forms) expect([form, await keyOf(form)]).toEqual([form, key])
})

test.each([
  ['a hidden id', '199887766554433@lid'],
  ['a group', '120363025246125486@g.us'],
  ['the status broadcast', 'status@broadcast'],
  ['no digits', 'Marina'],
  ['nothing', ''],
  ['null', null],
])('%s has no key', async (_, number) => {
  expect(await keyOf(number)).toBeNull()
})

test('a key is its own key', async () => {
  for (const number of [
    '5511987654321',
    '1133334444',
    '51987654321@s.whatsapp.net',
    '87654321',
    '5215512345678',
  ]) {
    const key = String(await keyOf(number))
    expect(await keyOf(key)).toBe(key)
  }
})

test('contacts of one person share it across brokers; nameless ones never', async () => {
  const people = async (numbers: (string | null)[]) =>
    (
      await base.db.query<{ person: number }>(
        'select portal.person_of(number) as person from unnest($1::text[]) number',
        [numbers.map((number) => number ?? '@lid')],
      )
    ).rows.map((row) => row.person)
  const [first, second, other] = await people(['5511987654321', '(11) 98765-4321', '5511987654322'])
  expect(second).toBe(first)
  expect(other).not.toBe(first)
  const [one, two] = await people([null, null])
  expect(one).not.toBe(two)
})
