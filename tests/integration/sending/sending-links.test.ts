// What sends reveal about a link, and how links recover: a dead link is shown, a text waits for it, pairing by number
// replaces a pending QR code, an instance is recreated.
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { makeContact } from '#tests/support/make.ts'
import { areSettled, untilMessages, type OutgoingMessage } from '#tests/support/sending.ts'
import { openOffice } from '#tests/support/office.ts'

const PHONE = '5511955550101'

const { db, portal, ana, asAna, asAdmin, close } = await openOffice()
afterAll(close)
const { id: contactId } = await makeContact(db, ana.instanceName)

const instance = () => ({ instance: ana.instanceName })
const write = (text: string) =>
  asAna.call('/api/messages/text', { contactId, text, operationId: randomUUID() })
const until = (fit: (messages: OutgoingMessage[]) => boolean) =>
  portal.through(untilMessages(db, contactId, fit))
const view = async () => (await asAna.call('/api/instance')).body
/** The health that an administrator sees. */
const health = async () => (await asAdmin.call('/api/health')).body
const connect = (body: object = {}) => portal.through(asAna.call('/api/instance/connect', body))
const isOpen = async () => {
  while ((await asAna.call('/api/instance?fresh=1')).body['state'] !== 'open');
}

const isConnecting = async () => {
  while ((await view())['state'] !== 'connecting');
}

const isQueueEmpty = async () => {
  while ((await db.query('select from portal.outgoing')).rows.length > 0);
}

test('a text written before the first connection waits for it', async () => {
  expect((await write('Cheguei')).status).toBe(200)
  expect(await until(([first]) => first?.delivery_reason === 'not-linked')).toMatchObject([
    { delivery: 'queued' },
  ])
  expect(await health()).toMatchObject({
    links: { open: 0, dead: 0 },
    sending: {
      queued: 1,
      oldestSeconds: expect.any(Number),
      instances: [{ instanceName: ana.instanceName, queued: 1, oldestSeconds: expect.any(Number) }],
    },
  })

  await connect()
  portal.control.scan({ ...instance(), number: PHONE })
  await portal.through(isOpen())
  expect(await until(areSettled)).toMatchObject([{ body: 'Cheguei', delivery_reason: null }])
  // The gateway's report of a message can come before its answer.
  await portal.through(isQueueEmpty())
  expect(await health()).toMatchObject({
    links: { open: 1, dead: 0 },
    sending: { queued: 0, oldestSeconds: null },
  })
})

test('a link that is only reported open is shown as dead, live, until a send succeeds', async () => {
  const stream = await asAna.events()
  await stream.until(({ kind }) => kind === 'gap')
  portal.control.zombie({ ...instance(), on: true })
  await write('Alguém aí?')
  await portal.through(stream.until(({ kind }) => kind === 'link'))
  expect(await view()).toMatchObject({ state: 'dead', number: PHONE })
  expect(await portal.through(asAna.call('/api/instance?fresh=1'))).toMatchObject({ body: { state: 'dead' } })
  expect(await health()).toMatchObject({ links: { open: 0, dead: 1 }, sending: { queued: 1 } })
  // The gateway still reports 'open' when polled.
  portal.clock.advance(30_000)
  await until(([, second]) => second?.delivery_reason === 'not-linked')
  expect(await view()).toMatchObject({ state: 'dead' })

  portal.control.zombie({ ...instance(), on: false })
  await db.query(`update portal.send_queues set held_until = now()`)
  portal.clock.advance(5_000)
  await portal.through(stream.until(({ kind }) => kind === 'link'))
  expect(await until(areSettled)).toMatchObject([{}, { body: 'Alguém aí?', delivery_reason: null }])
  expect(await view()).toMatchObject({ state: 'open' })
  await stream.close()
})

test('connecting a dead link restarts it, and waiting messages are sent', async () => {
  portal.control.zombie({ ...instance(), on: true })
  await write('E agora?')
  await until(([, , third]) => third?.delivery_reason === 'not-linked')
  await portal.through(
    (async () => {
      while ((await view())['state'] !== 'dead');
    })(),
  )
  await connect()
  await portal.through(isOpen())
  expect(await until(areSettled)).toMatchObject([{}, {}, { body: 'E agora?', delivery_reason: null }])
  expect(await view()).toMatchObject({ state: 'open', number: PHONE })
})

test('pairing by number replaces a pending QR code, and a repeat with the same number does not restart its own', async () => {
  await portal.through(asAna.call('/api/instance/disconnect', {}))
  expect((await connect()).body).toMatchObject({ kind: 'code', pairingCode: null })
  const pairing = { kind: 'code', count: 1, pairingCode: expect.stringMatching(/^\w{8}$/) }
  expect((await connect({ number: PHONE })).body).toMatchObject(pairing)
  // The closed link is reported.
  const reports = portal.posted.length
  expect((await connect({ number: PHONE })).body).toMatchObject(pairing)
  expect(portal.posted).toHaveLength(reports)
  const other = await connect({ number: '5511955559999' })
  expect(other.body).toMatchObject(pairing)
  expect(portal.posted.length).toBeGreaterThan(reports)
  // A QR code is read from the pending link.
  expect((await connect()).body).toMatchObject({ kind: 'code', image: other.body['image'] })
  portal.control.scan({ ...instance(), number: PHONE })
  await portal.through(isOpen())
})

test("a number never gets another phone's code, even if the pending link cannot be closed", async () => {
  await portal.through(asAna.call('/api/instance/disconnect', {}))
  expect((await connect({ number: '11955550111' })).body).toMatchObject({ kind: 'code', count: 1 })
  // The other phone's second code, which identifies it.
  portal.control.expireQr(instance())
  // Not even the instance can be removed: no code at all.
  portal.control.nextCall({ call: 'logout', effect: 'closed-500', times: 2 })
  portal.control.nextCall({ call: 'delete', effect: 'closed-500' })
  expect((await connect({ number: '11955550122' })).status).toBe(502)
  for (let asked = 0; asked < 2; asked++)
    expect((await connect({ number: '11955550122' })).body).toMatchObject({
      pairingCode: expect.any(String),
      count: 1,
    })

  // A link that could not be closed is not reported closed. The pending link's report comes at any time.
  await portal.through(isConnecting())
  portal.control.nextCall({ call: 'logout', effect: 'closed-500' })
  expect((await portal.through(asAna.call('/api/instance/disconnect', {}))).status).toBe(502)
  expect(await view()).toMatchObject({ state: 'connecting' })
})

test('an instance that gives no code is recreated', async () => {
  const { rows: before } = await db.query('select "instanceId" from public.brokers where id = $1', [ana.id])
  await portal.through(asAna.call('/api/instance/disconnect', {}))
  portal.control.withholdQr({ ...instance(), on: true })
  expect((await connect()).body).toEqual({ kind: 'waiting' })
  expect((await portal.through(asAna.call('/api/instance/restart', {}))).status).toBe(200)
  expect((await connect()).body).toEqual({ kind: 'waiting' })
  expect((await portal.through(asAna.call('/api/instance/recreate', {}))).status).toBe(200)
  expect((await connect()).body).toMatchObject({ kind: 'code', count: 1 })
  portal.control.scan({ ...instance(), number: PHONE })
  await portal.through(isOpen())
  const { rows: after } = await db.query('select "instanceId" from public.brokers where id = $1', [ana.id])
  expect(after).not.toEqual(before)
  expect((await portal.request('/api/instance/recreate', { method: 'POST' })).status).toBe(401)
})

test('a loss without an event is alarmed once, within a minute, and cleared when the link is back', async () => {
  const listed = async () =>
    (await asAdmin.call('/api/brokers')).body as unknown as { lostAt: string | null }[]
  const reported = async () =>
    (
      await db.query<{ action: string }>(
        `select action from portal.audit_log where action like 'link.%' and subject = $1 order by id`,
        [ana.instanceName],
      )
    ).rows.map(({ action }) => action)
  /** The database has its own clock. */
  const agesBy = (seconds: number) =>
    db.query(
      `update portal.instance_states set changed_at = changed_at - make_interval(secs => $1),
        away_since = away_since - make_interval(secs => $1)`,
      [seconds],
    )
  const lostIs = async (isLost: boolean) => {
    while (((await listed())[0]?.lostAt !== null) !== isLost);
  }
  expect(await reported()).toEqual([])
  // A poll finds the link open before its own report is applied, which would have the current time.
  await portal.told()
  // The link has been open for long: one that opened seconds ago would be held back when it opens again.
  await agesBy(3_600)
  portal.control.webhooks({ ...instance(), kind: 'lose', count: 9 })
  portal.control.unlink(instance())
  const stream = await asAdmin.events()
  portal.clock.advance(30_000)
  await portal.through(stream.until(({ kind }) => kind === 'link'))
  expect((await listed())[0]?.lostAt).toBeNull()
  await agesBy(30)
  portal.clock.advance(30_000)
  await portal.through(lostIs(true))
  expect((await portal.request('/api/brokers')).status).toBe(401)
  expect((await asAna.call('/api/brokers')).status).toBe(403)

  await connect()
  portal.control.scan({ ...instance(), number: PHONE })
  await portal.through(isOpen())
  await portal.through(lostIs(false))
  await stream.close()
  expect(await reported()).toEqual(['link.lost', 'link.back'])

  await portal.through(asAna.call('/api/instance/disconnect', {}))
  await agesBy(30)
  portal.clock.advance(30_000)
  await portal.through(lostIs(false))
  expect(await reported()).toEqual(['link.lost', 'link.back'])
})
