// Foreign numbers that the previous release stored without their plus: corrected if certain, otherwise listed.
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '#server/db/migrate.ts'
import { createContactStore } from '#server/leads/intake/intake-store.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { makeBroker, signIn, signInAdmin, type MadeBroker } from '#tests/support/make.ts'
import { makeReleased } from '#tests/support/released.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../../supabase')

let base: TestDatabase
let ana: MadeBroker
const ids = new Map<string, number>()

/** A lead of the previous release: `key` identifies the person, `shown` is the number on the card. */
async function stored(name: string, key: string | null, shown: string) {
  const { rows } = await base.db.query<{ id: number }>(
    `insert into public.whatsapp_contacts ("instanceName", person_id, name, number)
     values ($1, portal.person_of($2), $3, $4) returning id`,
    [ana.instanceName, key, name, shown],
  )
  ids.set(name, rows[0]!.id)
  return rows[0]!.id
}

const isKnownAs = (contact: number, jid: string) =>
  base.db.query(
    `insert into portal.identities ("instanceName", jid, person_id)
     select $1, $2, person_id from public.whatsapp_contacts where id = $3`,
    [ana.instanceName, jid, contact],
  )

const wroteFrom = (contact: number, jid: string) =>
  base.db.query(
    `insert into public.whatsapp_messages (contact_id, "instanceName", message_id, "remoteJid", body, "timestamp", type, kind)
     values ($1, $2, $3, $4, 'Quem é?', extract(epoch from now())::bigint, 'incoming', 'text')`,
    [contact, ana.instanceName, randomUUID(), jid],
  )

beforeAll(async () => {
  base = await openTestDatabase('empty')
  await makeReleased(base.db)
  ana = await makeBroker(base.db)
  // Added by hand: the person is Peruvian, but card and messages used a number in Porto Alegre.
  await stored('by hand', '+51987654001', '51987654001')
  await isKnownAs(
    await stored('sent to a stranger', '+51987654002', '51987654002'),
    '555187654002@s.whatsapp.net',
  )
  const answered = await stored('a stranger answered', '+51987654003', '51987654003')
  await isKnownAs(answered, '555187654003@s.whatsapp.net')
  await wroteFrom(answered, '555187654003@s.whatsapp.net')
  const wrote = await stored('wrote herself', '14155550142@s.whatsapp.net', '14155550142')
  await isKnownAs(wrote, '14155550142@s.whatsapp.net')
  await wroteFrom(wrote, '14155550142@s.whatsapp.net')
  await base.db.query(`select portal.take_lead(null, $1::jsonb, now())`, [
    JSON.stringify({ name: 'by a form', number: '51987654004', source: 'form', fields: {} }),
  ])
  await stored('from Mexico', '+5215512345678', '5215512345678')
  await stored('from Brazil', '5511955500142', '5511955500142')
  await stored('without 55', '11955500143', '11955500143')
  await isKnownAs(
    await stored('known to WhatsApp', '5521955500144', '5511955500144'),
    '5521955500144@s.whatsapp.net',
  )
  await stored('nobody knows', '5521955500145', '5511955500145')
  await stored('hidden', null, '5511955500146')
  await migrate(base.db, FOLDER)
})
afterAll(() => base.close())

test('the number on the card is the person’s, and messages go where the key says', async () => {
  const { rows } = await base.db.query(
    `select c.name, c.number, portal.address_of(c.id, $1) as address
     from public.whatsapp_contacts c order by c.id`,
    [ana.instanceName],
  )
  expect(rows).toEqual([
    { name: 'by hand', number: '+51987654001', address: '51987654001' },
    { name: 'sent to a stranger', number: '+51987654002', address: '51987654002' },
    { name: 'a stranger answered', number: '51987654003', address: null },
    { name: 'wrote herself', number: '+14155550142', address: '14155550142@s.whatsapp.net' },
    { name: 'by a form', number: '51987654004', address: null },
    { name: 'from Mexico', number: '+5215512345678', address: '525512345678' },
    { name: 'from Brazil', number: '5511955500142', address: '5511955500142' },
    { name: 'without 55', number: '11955500143', address: '5511955500143' },
    { name: 'known to WhatsApp', number: '5521955500144', address: '5521955500144@s.whatsapp.net' },
    { name: 'nobody knows', number: '5511955500145', address: null },
    { name: 'hidden', number: '5511955500146', address: '5511955500146' },
  ])
})

test('uncertain ones are listed for the administrator, with their possible numbers', async () => {
  const { rows } = await base.db.query(
    `select c.name, d.shown, d.numbers from portal.number_doubts d
     join public.whatsapp_contacts c on c.id = d.contact_id order by c.id`,
  )
  expect(rows).toEqual([
    { name: 'a stranger answered', shown: '51987654003', numbers: ['+5551987654003', '+51987654003'] },
    { name: 'by a form', shown: '51987654004', numbers: ['+5551987654004', '+51987654004'] },
    { name: 'nobody knows', shown: '5511955500145', numbers: ['+5521955500145', '+5511955500145'] },
  ])
})

test('a stranger who never wrote is another person from now on', async () => {
  const { rows } = await base.db.query(`select jid from portal.identities order by jid`)
  expect(rows.map(({ jid }) => jid)).toEqual([
    '14155550142@s.whatsapp.net',
    '5521955500144@s.whatsapp.net',
    '555187654003@s.whatsapp.net',
  ])
})

test('an index over keys finds the same as a scan, and the key of each key is itself', async () => {
  const { rows } = await base.db.query(
    `select count(*)::integer as n from portal.people where number_key is distinct from portal.number_key(number_key) and number_key is not null`,
  )
  expect(rows).toEqual([{ n: 0 }])
})

test("after an administrator's decision messages go to the right number", async () => {
  const store = createContactStore(base.db)
  const admin = await signInAdmin(base.db)
  const decide = (name: string, number: string, claims = admin) =>
    store.decide(claims, { contactId: ids.get(name)!, number, operationId: randomUUID() })
  expect((await store.doubts(admin)).map(({ name }) => name)).toEqual([
    'a stranger answered',
    'by a form',
    'nobody knows',
  ])
  await expect(store.doubts(await signIn(base.db, ana))).rejects.toThrow('Somente um administrador')
  await expect(decide('nobody knows', '+5511955500145', await signIn(base.db, ana))).rejects.toThrow(
    'Somente um administrador',
  )
  await decide('a stranger answered', '+51987654003')
  await decide('nobody knows', '+5511955500145')
  const { rows } = await base.db.query(
    `select c.name, c.number, p.number_key as key, portal.address_of(c.id, $1) as address
     from public.whatsapp_contacts c join portal.people p on p.id = c.person_id
     where c.name in ('a stranger answered', 'nobody knows') order by c.id`,
    [ana.instanceName],
  )
  expect(rows).toEqual([
    { name: 'a stranger answered', number: '+51987654003', key: '+51987654003', address: '51987654003' },
    {
      name: 'nobody knows', number: '5511955500145', key: '+5511955500145', address: '5511955500145',
    }, // prettier-ignore
  ])
  await expect(decide('by hand', '+51987654001')).rejects.toMatchObject({ status: 404 })
})
