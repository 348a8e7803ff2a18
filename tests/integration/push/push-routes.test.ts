// /api/push through the whole portal: device ownership, requests, and what ends with a session.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createDeviceStore } from '#server/push/device-store.ts'
import { makeContact, type MadeBroker } from '#tests/support/make.ts'
import { makeKeys } from '#tests/support/push.ts'
import { openOffice } from '#tests/support/office.ts'

const { db, portal, ana, bia, close } = await openOffice()
afterAll(close)
beforeEach(() => db.exec('delete from portal.push_devices; delete from portal.push_settings'))

const enter = ({ username }: MadeBroker) => portal.enter(`${username}@corretor.local`)
type Person = Awaited<ReturnType<typeof enter>>

const NO_SETTINGS = { hidesNames: false, quiet: null }
const { p256dh, authText } = makeKeys()
/** A name that does not exist: nothing is sent to it here. */
const subscription = (name: string) => ({
  endpoint: `https://push.example.com/${name}`,
  keys: { p256dh, auth: authText },
  name,
})
const devicesOf = async ({ call }: Person) =>
  ((await call('/api/push')).body['devices'] as { id: string; name: string; isThis: boolean }[]).map(
    ({ name, isThis }) => ({ name, isThis }),
  )
const idOf = async ({ call }: Person, name: string) => {
  const { status, body } = await call('/api/push/devices', subscription(name))
  expect(status).toBe(200)
  return String(body['id'])
}
const removing = ({ send }: Person, id: string) => send(`/api/push/devices/${id}`, null, 'DELETE')

test('a browser gets the key for its subscription, the same after every start', async () => {
  const config = await (await portal.request('/api/config')).json()
  expect(config).toMatchObject({ pushPublicKey: expect.stringMatching(/^[\w-]{87}$/) })
  const { rows } = await db.query('select public_key as "pushPublicKey" from portal.push_keys')
  expect(rows).toEqual([{ pushPublicKey: (config as { pushPublicKey: string }).pushPublicKey }])
})

test("devices are listed by name, the caller's first, and each can be removed from any", async () => {
  const phone = await enter(ana)
  const desk = await enter(ana)
  await idOf(desk, 'Computador')
  const id = await idOf(phone, 'Celular')
  expect(await devicesOf(phone)).toEqual([
    { name: 'Celular', isThis: true },
    { name: 'Computador', isThis: false },
  ])
  expect((await removing(desk, id)).status).toBe(200)
  expect(await devicesOf(phone)).toEqual([{ name: 'Computador', isThis: false }])
  expect((await removing(desk, id)).status).toBe(404)
  // A repeated registration learns of the removal; a new subscription is registered again.
  const again = () => phone.call('/api/push/devices', { ...subscription('Celular'), again: true })
  expect((await again()).body).toEqual({ id: null })
  await idOf(phone, 'Celular')
  expect((await again()).body).toEqual({ id: expect.any(String) })
  await removing(desk, String((await again()).body['id']))
  await idOf(phone, 'Celular')
  expect(await devicesOf(desk)).toHaveLength(2)
})

test('an account has at most ten devices: the one that was not seen for longest is removed', async () => {
  const phones = [await enter(bia)]
  while (phones.length < 11) phones.push(await enter(bia))
  for (const [at, phone] of phones.entries()) await idOf(phone, `Celular-${at}`)
  const names = (await devicesOf(phones[10]!)).map(({ name }) => name)
  expect(names).toHaveLength(10)
  expect(names[0]).toBe('Celular-10')
  expect(names).not.toContain('Celular-0')
  await makeContact(db, bia.instanceName)
  expect((await db.query('select from portal.push_queue')).rowCount).toBe(10)
  await idOf(await enter(ana), 'Celular da Ana')
  expect(await devicesOf(phones[10]!)).toHaveLength(10)
})

test('a removed device gets no more pushes', async () => {
  const phone = await enter(ana)
  const id = await idOf(phone, 'Celular')
  await makeContact(db, ana.instanceName)
  await removing(await enter(ana), id)
  await makeContact(db, ana.instanceName)
  expect((await db.query('select from portal.push_queue')).rows).toEqual([])
})

test('a device registers again, with a new address too, and stays one', async () => {
  const phone = await enter(ana)
  const id = await idOf(phone, 'Celular')
  expect(await idOf(phone, 'Celular')).toBe(id)
  expect(await idOf(phone, 'Celular-novo')).toBe(id)
  const { rows } = await db.query('select endpoint from portal.push_devices')
  expect(rows).toEqual([{ endpoint: 'https://push.example.com/Celular-novo' }])
})

test("a phone on which another broker signs in is that broker's, and the first gets nothing on it", async () => {
  const first = await enter(ana)
  await idOf(first, 'Celular')
  const next = await enter(bia)
  await idOf(next, 'Celular')
  expect(await devicesOf(first)).toEqual([])
  expect(await devicesOf(next)).toEqual([{ name: 'Celular', isThis: true }])
})

test('strangers and others are refused: each sees only the own devices', async () => {
  const id = await idOf(await enter(ana), 'Celular')
  const asked: [string, unknown?][] = [
    ['/api/push'],
    ['/api/push/devices', subscription('x')],
    ['/api/push/settings', NO_SETTINGS],
    ['/api/push/watching', { contactId: 1 }],
  ]
  for (const [address, body] of asked) {
    const stranger = await portal.request(address, {
      method: body ? 'POST' : 'GET',
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    expect(stranger.status, address).toBe(401)
  }
  expect((await portal.request(`/api/push/devices/${id}`, { method: 'DELETE' })).status).toBe(401)
  for (const other of [await enter(bia), await portal.enter('chefe@admin.local')]) {
    expect((await removing(other, id)).body).toMatchObject({ error: { code: 'push.unknown-device' } })
    expect((await other.call('/api/push')).body).toEqual({ devices: [], settings: NO_SETTINGS })
  }
  expect((await db.query('select from portal.push_devices')).rows).toHaveLength(1)
})

test('an administrator has own devices and hours, and no conversation to watch', async () => {
  const admin = await portal.enter('chefe@admin.local')
  const id = await idOf(admin, 'Computador')
  const chosen = { hidesNames: true, quiet: { from: '22:00', until: '07:30' } }
  expect((await admin.call('/api/push/settings', chosen)).status).toBe(200)
  expect((await admin.call('/api/push')).body).toMatchObject({
    devices: [{ name: 'Computador', isThis: true }],
    settings: chosen,
  })
  expect((await admin.call('/api/push/watching', { contactId: 1 })).body).toMatchObject({
    error: { code: 'access.denied' },
  })
  // Leads belong to their broker only.
  await makeContact(db, ana.instanceName)
  expect((await db.query('select from portal.push_queue')).rows).toEqual([])
  expect((await removing(admin, id)).status).toBe(200)
  expect(await devicesOf(admin)).toEqual([])
})

test.each([
  ['http://push.example.com/x'],
  ['https://localhost/x'],
  ['https://127.0.0.1/x'],
  ['https://10.0.0.8/x'],
  ['https://169.254.169.254/latest'],
  ['https://[::1]/x'],
  ['https://[fd00::1]/x'],
  ['https://[::ffff:10.0.0.1]/x'],
  ['https://intranet/x'],
  ['https://user:secret@push.example.com/x'],
  ['file:///etc/passwd'],
  ['nada'],
])('the address %s is no push service', async (endpoint) => {
  const { call } = await enter(ana)
  const { status, body } = await call('/api/push/devices', { ...subscription('x'), endpoint })
  expect([status, body]).toMatchObject([422, { error: { code: 'request.invalid' } }])
})

test.each([
  ['no keys', { keys: {} }],
  ['a short key', { keys: { p256dh: 'AAAA', auth: authText } }],
  ['a nameless device', { name: '  ' }],
  ['an endless address', { endpoint: `https://push.example.com/${'x'.repeat(2_000)}` }],
])('%s is refused and stores nothing', async (_, part) => {
  const { call } = await enter(ana)
  expect((await call('/api/push/devices', { ...subscription('x'), ...part })).status).toBe(422)
  expect((await call('/api/push/devices', { ...subscription('x'), more: 'x'.repeat(20_000) })).status).toBe(
    413,
  )
  expect((await db.query('select from portal.push_devices')).rows).toEqual([])
})

test('settings are stored as chosen; invalid hours are refused', async () => {
  const { call } = await enter(ana)
  const chosen = { hidesNames: true, quiet: { from: '22:00', until: '07:30' } }
  expect((await call('/api/push/settings', chosen)).status).toBe(200)
  expect((await call('/api/push')).body['settings']).toEqual(chosen)
  for (const quiet of [
    { from: '22:00', until: '22:00' },
    { from: '25:00', until: '07:00' },
    { from: '22:00' },
  ])
    expect((await call('/api/push/settings', { hidesNames: true, quiet })).status).toBe(422)
  expect((await call('/api/push')).body['settings']).toEqual(chosen)
  // Only changed settings are sent, so a device with older data undoes nothing.
  await call('/api/push/settings', { quiet: null })
  expect((await call('/api/push')).body['settings']).toEqual({ ...chosen, quiet: null })
  await call('/api/push/settings', { quiet: chosen.quiet })
  await call('/api/push/settings', { hidesNames: false })
  await call('/api/push/settings', {})
  expect((await call('/api/push')).body['settings']).toEqual({ ...chosen, hidesNames: false })
  await call('/api/push/settings', NO_SETTINGS)
  expect((await call('/api/push')).body['settings']).toEqual(NO_SETTINGS)
})

test("the end of a session deletes its device and the device's queue", async () => {
  const phone = await enter(ana)
  await idOf(phone, 'Celular')
  await makeContact(db, ana.instanceName)
  expect((await db.query('select from portal.push_queue')).rows).toHaveLength(1)
  await db.query('delete from portal.sessions where id = (select session_id from portal.push_devices)')
  expect((await db.query('select from portal.push_devices')).rows).toEqual([])
  expect((await db.query('select from portal.push_queue')).rows).toEqual([])
  // A password reset by the administrator ends it on every device.
  await idOf(await enter(ana), 'Celular')
  await db.query('update public.brokers set password_hash = null where id = $1', [ana.id])
  expect((await db.query('select from portal.push_devices')).rows).toEqual([])
  await portal.setPassword(ana.username)
})

test("a device registered during its person's sign-out belongs to nobody", async () => {
  const asking = { accountId: ana.id, sessionId: randomUUID() }
  const device = { ...subscription('Celular').keys, endpoint: 'https://push.example.com/late', name: '' }
  await expect(createDeviceStore(db).saveDevice(asking, { ...device, isAgain: true })).rejects.toMatchObject({
    code: 'session.lost',
    status: 401,
  })
  expect((await db.query('select from portal.push_devices')).rows).toEqual([])
})

test('health counts due pushes for an administrator, without names', async () => {
  const phone = await enter(bia)
  await idOf(phone, 'Celular')
  const { body } = await (await portal.enter('chefe@admin.local')).call('/api/health')
  expect(body['push']).toEqual({ waiting: 0, oldestSeconds: null, devices: 1 })
  expect(JSON.stringify(body['push'])).not.toContain(bia.username)
})
