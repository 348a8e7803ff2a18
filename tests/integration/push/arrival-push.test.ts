// A lead from a form is notified once, with its text, to its broker.
import { afterEach, expect, test } from 'vitest'
import { openBase } from '#tests/support/database.ts'
import { makeBroker, makeContact, makeMessage } from '#tests/support/make.ts'
import { addDevice, makeKeys, takePushes } from '#tests/support/push.ts'

const MARINA = '5511955500142'
const base = await openBase()
const ana = await makeBroker(base.db)
const { rows } = await base.db.query<{ id: string }>(
  `insert into portal.intake_keys (id, kind, name, hash, per_minute, created_by, created_at)
   values (gen_random_uuid(), 'form', 'Site', '\\x01', 60, 'chefe', now()) returning id`,
)
const key = rows[0]!.id
const { p256dh, authText } = makeKeys()
const subscription = { endpoint: 'https://push.example/1', keys: { p256dh, auth: authText } }
await addDevice(base.db, ana.id, subscription)
afterEach(() => base.db.exec('delete from public.whatsapp_contacts; delete from portal.people'))

const arrive = (lead: object) =>
  base.db.query('select portal.take_lead($1, $2::jsonb, now())', [
    key,
    JSON.stringify({ number: MARINA, source: 'site', fields: {}, ...lead }),
  ])
/** All pushes of the device. */
const told = () => takePushes(base.db)
const nowSeconds = () => Math.floor(Date.now() / 1000)

test("a lead that wrote before: the form's text, not the earlier message", async () => {
  const { id } = await makeContact(base.db, ana.instanceName, { name: 'Marina', number: MARINA })
  await makeMessage(base.db, id, { body: 'Oi', timestamp: nowSeconds() - 600 })
  await base.db.exec('delete from portal.push_queue')
  await arrive({ message: 'Quero visitar no sábado.' })
  const tag = `lead-${id}`
  expect(await told()).toEqual([{ title: 'Lead para você: Marina', body: 'Quero visitar no sábado.', tag }])
  // Later messages are notified as usual.
  await makeMessage(base.db, id, { body: 'Alô?', timestamp: nowSeconds() + 1 })
  expect(await told()).toEqual([{ title: 'Marina', body: 'Alô?', tag }])
})

test('a new lead without a message, once it has its broker, and a repeated delivery not at all', async () => {
  const lead = { name: 'Marina', externalId: 'site-7' }
  await arrive(lead)
  expect(await told()).toEqual([])
  await base.db.query('update public.whatsapp_contacts set "instanceName" = $1', [ana.instanceName])
  expect(await told()).toMatchObject([{ title: 'Lead para você: Marina', body: 'Deixou o contato' }])
  await arrive(lead)
  expect(await told()).toEqual([])
})
