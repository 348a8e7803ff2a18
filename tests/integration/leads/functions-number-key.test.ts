// One key for all forms of a number, and never one for two persons.
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dialledDigits, phoneKey } from '#domain/phone/number-key.ts'
import { PHONE_CASES } from '#tests/support/phone-cases.ts'
import { openBase } from '#tests/support/database.ts'

const base = await openBase()

const keyOf = async (number: string | null) =>
  (await base.db.query('select portal.number_key($1) as key', [number])).rows[0]?.['key']

type Reading = { written: string; key: string | null; dialled: string | null }
const readingsOf = async (written: readonly string[]) =>
  (
    await base.db.query<Reading>(
      `select written, portal.number_key(written) as key, portal.number_digits(written) as dialled
       from unnest($1::text[]) as written`,
      [written],
    )
  ).rows

test('the database reads every form like the app', async () => {
  expect(await readingsOf(PHONE_CASES.map(({ written }) => written))).toEqual(PHONE_CASES)
})

test('any text gives the same result in both', async () => {
  const written = fc.sample(
    fc.oneof(
      fc.stringMatching(/^[+0]{0,2}(55)?[1-9]{2}9?\d{8}$/),
      fc.stringMatching(/^\+?[\d ().-]{0,18}$/),
      fc.stringMatching(/^[+0]{0,2}(55)?[ (]{0,2}0?11[ )-]{0,2}9?\d{4}[ -]?\d{3,4}\u200B?\t?$/),
      fc.stringMatching(/^\+?(52|54|55)\d{10,11}(:\d{1,2})?(@s\.whatsapp\.net)?$/),
    ),
    2_000,
  )
  const expected = written.map((one) => ({ written: one, key: phoneKey(one), dialled: dialledDigits(one) }))
  expect(await readingsOf(written)).toEqual(expected)
})

test.each([
  ['5511987654321@s.whatsapp.net', '+551187654321'],
  ['551187654321@s.whatsapp.net', '+551187654321'],
  ['5511987654321:17@s.whatsapp.net', '+551187654321'],
  ['5511987654321@c.us', '+551187654321'],
  ['5215512345678@s.whatsapp.net', '+525512345678'],
  ['5491123456789@s.whatsapp.net', '+541123456789'],
  // The Peruvian number's digits look like a number in Porto Alegre.
  ['51987654321@s.whatsapp.net', '+51987654321'],
  ['14155550142@s.whatsapp.net', '+14155550142'],
])('the address %s has the key %s, in the app too', async (jid, key) => {
  expect([await keyOf(jid), phoneKey(jid)]).toEqual([key, key])
})

test('hashes of former keys still match: opt-outs and erasures are found', async () => {
  const { rows } = await base.db.query<{ secret: string; hash: Uint8Array }>(
    `select s.value #>> '{}' as secret, portal.opt_out_hash(portal.number_key('(11) 98765-4321')) as hash
     from portal.settings s where s.key = 'opt_out_key'`,
  )
  const [{ secret, hash } = { secret: '', hash: new Uint8Array() }] = rows
  // Made as by the portal's first version.
  expect(Buffer.from(hash)).toEqual(createHmac('sha256', secret).update('+551187654321').digest())
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

test('the key of a key is itself', async () => {
  for (const number of [
    '5511987654321',
    '1133334444',
    '51987654321@s.whatsapp.net',
    '+5215512345678',
    '+14155550142',
  ]) {
    const key = String(await keyOf(number))
    expect(await keyOf(key)).toBe(key)
  }
})

test('contacts of one person share it across brokers; contacts without a number never', async () => {
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
