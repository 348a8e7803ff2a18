// An instance moves to another gateway through the whole portal while texts are queued: each leaves once, through one
// of them.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { systemClock } from '#server/clock.ts'
import { createEvolutionGateway } from '#server/whatsapp/gateway/evolution/client.ts'
import { startSimulator, type ListeningSimulator } from '#server/whatsapp/gateway/simulator/simulator.ts'
import { createWahaGateway } from '#server/whatsapp/gateway/waha/client.ts'
import { openBase } from '#tests/support/database.ts'
import { silentLog } from '#tests/support/gateway.ts'
import { makeAdmin, makeBroker, makeContact, makeManager, makeTeam } from '#tests/support/make.ts'
import { openWhatsapp, type TestWhatsapp } from '#tests/support/whatsapp.ts'

const base = await openBase()
const PHONE = { number: '5511955550101', name: 'Ana' }
const TEXTS = 6

let portal: TestWhatsapp | undefined
let one: ListeningSimulator
let other: ListeningSimulator

beforeAll(async () => {
  const post = async (url: string, init: { headers: Record<string, string>; body: string }) => {
    const { pathname } = new URL(url)
    return (await portal?.request(pathname, { method: 'POST', ...init }))?.status ?? 503
  }
  one = await startSimulator({ clock: systemClock, post })
  other = await startSimulator({ clock: systemClock, speaks: 'waha', post })
  portal = await openWhatsapp(base.db, {
    hasGateway: false,
    clock: systemClock,
    env: {
      EVOLUTION_URL: one.url,
      EVOLUTION_API_KEY: one.apiKey,
      WAHA_URL: other.url,
      WAHA_API_KEY: other.apiKey,
    },
  })
})
afterAll(async () => {
  await portal?.close()
  await Promise.all([one.stop(), other.stop()])
})

/** A broker whose link is open on the first gateway, and an administrator. */
async function openLinked() {
  if (!portal) throw new Error('not open')
  const broker = await makeBroker(base.db)
  const admin = await makeAdmin(base.db)
  const manager = await makeManager(base.db, await makeTeam(base.db, { brokers: [broker] }))
  for (const { username } of [broker, admin, manager]) await portal.setPassword(username)
  const asBroker = await portal.enter(`${broker.username}@corretor.local`)
  const asAdmin = await portal.enter(`${admin.username}@admin.local`)
  const asManager = await portal.enter(`${manager.username}@admin.local`)
  const instance = broker.instanceName
  await asBroker.call('/api/instance/connect', {})
  one.control.scan({ instance, ...PHONE })
  while ((await asBroker.call('/api/instance?fresh=1')).body['state'] !== 'open') await systemClock.sleep(20)
  return { instance, asBroker, asManager, asAdmin, move: `/api/instance/move?instanceName=${instance}` }
}

test('the broker reads the codes of a move that an administrator begins, and ends it by scanning', async () => {
  const { instance, asBroker, asManager, asAdmin, move } = await openLinked()
  for (const { call, send } of [asBroker, asManager]) {
    const refused = [await call(move), await call(move, { kind: 'waha' }), await send(move, null, 'DELETE')]
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403])
  }
  expect((await asBroker.call('/api/instance')).body).toMatchObject({ state: 'open', isMoving: false })
  expect((await asAdmin.call(move, { kind: 'waha' })).body['kind']).not.toBe('moved')
  expect((await asBroker.call('/api/instance?fresh=1')).body).toMatchObject({ state: 'open', isMoving: true })

  const until = async (wanted: object, body: object = {}) => {
    await vi.waitFor(
      async () => expect((await asBroker.call('/api/instance/connect', body)).body).toMatchObject(wanted),
      { timeout: 20_000, interval: 50 },
    )
  }
  await until({ kind: 'code', pairingCode: null })
  await until({ kind: 'code', pairingCode: expect.stringMatching(/^\w{8}$/) }, { number: PHONE.number })
  // A second request for the same number gets the same code.
  await until({ kind: 'code', pairingCode: expect.stringMatching(/^\w{8}$/) }, { number: PHONE.number })

  other.control.scan({ instance, number: '5521988887777', name: 'Outro' })
  await until({ error: { code: 'move.other-phone' } })
  expect((await asBroker.call('/api/instance?fresh=1')).body).toMatchObject({ state: 'open', isMoving: true })
  await until({ kind: 'code' })
  other.control.scan({ instance, ...PHONE })
  while ((await asBroker.call('/api/instance?fresh=1')).body['isMoving'] === true) await systemClock.sleep(20)
  expect((await asBroker.call('/api/instance')).body).toMatchObject({ state: 'open', isMoving: false })
  expect((await asAdmin.call(move)).body).toMatchObject({ gateway: 'waha', target: null })
  // The administrator's screen, which still asks, hears of it.
  expect((await asAdmin.call(move, { kind: 'waha' })).body).toEqual({ kind: 'moved' })
}, 90_000)

test('a move whose instance is gone is continued by an administrator only', async () => {
  const { instance, asBroker, asAdmin, move } = await openLinked()
  await asAdmin.call(move, { kind: 'waha' })
  const parts = { clock: systemClock, log: silentLog, baseUrl: other.url, apiKey: other.apiKey }
  await createWahaGateway(parts).deleteInstance(instance)
  expect((await asBroker.call('/api/instance/connect', {})).body).toMatchObject({
    error: { code: 'move.stopped' },
  })
  expect((await asAdmin.call(move, { kind: 'waha' })).status).toBe(200)
  expect((await asBroker.call('/api/instance/connect', {})).status).toBe(200)
}, 60_000)

test('what is queued goes out once, and what comes then comes by the new one', async () => {
  const { instance, asBroker, asAdmin, move } = await openLinked()
  const contact = await makeContact(base.db, instance, { number: '5511955500142' })
  const texts = Array.from({ length: TEXTS }, (_, at) => `Linha ${at}`)
  for (const text of texts)
    await asBroker.call('/api/messages/text', { operationId: randomUUID(), text, contactId: contact.id })
  for (let kind: unknown = ''; kind !== 'moved'; await systemClock.sleep(20)) {
    const { status, body } = await asAdmin.call(move, { kind: 'waha' })
    expect(status).toBe(200)
    kind = body['kind']
    if (kind === 'code') other.control.scan({ instance, ...PHONE })
  }
  expect((await asAdmin.call(move)).body).toMatchObject({ gateway: 'waha', target: null })

  const parts = { clock: systemClock, log: silentLog }
  const left = createEvolutionGateway({ ...parts, baseUrl: one.url, apiKey: one.apiKey })
  const now = createWahaGateway({ ...parts, baseUrl: other.url, apiKey: other.apiKey })
  const sent = async () => {
    const page = { page: 1, pageSize: 100 }
    const [before, after] = await Promise.all([
      left.findMessages(instance, page),
      now.findMessages(instance, page),
    ])
    return [
      ...before.records.map(({ message }) => String(Object.values(message ?? {})[0])),
      ...after.records.map(({ body }) => String(body)),
    ]
  }
  while ((await sent()).length < TEXTS) await systemClock.sleep(50)
  expect((await sent()).toSorted()).toEqual(texts.toSorted())

  other.control.receive({ instance, from: '5511955500142', text: 'Recebi' })
  const find = () => base.db.query(`select from public.whatsapp_messages where body = 'Recebi'`)
  while ((await find()).rowCount === 0) await systemClock.sleep(20)
  expect((await find()).rowCount).toBe(1)
}, 60_000)
