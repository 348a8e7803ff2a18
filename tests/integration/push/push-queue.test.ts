// Pushes under every possible failure: nothing lost, nothing sent twice or to anyone else.
import webPush from 'web-push'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { displayName } from '#domain/broker.ts'
import { createLog } from '#server/log.ts'
import { openPostgres } from '#server/db/postgres/postgres.ts'
import { forgetKeys } from '#server/push/push-keys.ts'
import { openBase, onPostgres } from '#tests/support/database.ts'
import {
  makeAdmin,
  makeBroker,
  makeCampaign,
  makeContact,
  makeMessage,
  type MadeBroker,
} from '#tests/support/make.ts'
import { addDevice, openPusher, openPushService, type Pusher } from '#tests/support/push.ts'

let ana: MadeBroker
let bia: MadeBroker
let pusher: Pusher
let stop: () => Promise<void>
const lines: string[] = []

const base = await openBase()
const service = await openPushService(() => pusher.publicKey)
const boss = await makeAdmin(base.db)
afterAll(() => service.close())
beforeEach(async () => {
  ana = await makeBroker(base.db)
  bia = await makeBroker(base.db)
  lines.length = 0
  pusher = await openPusher(
    base.db,
    createLog('debug', (line) => lines.push(line)),
  )
  stop = pusher.start()
})
afterEach(async () => {
  await stop()
  await base.db.exec(
    'delete from public.whatsapp_contacts; delete from public.brokers; delete from portal.push_devices',
  )
})

let count = 0
/** A device of the person, at an address that no other test uses. */
async function device({ id }: { id: string }) {
  const path = `/device-${++count}`
  return { path, ...(await addDevice(base.db, id, service.subscribe(path))) }
}

const now = () => Math.floor(Date.now() / 1000)
const writes = (contactId: number, body: string, columns = {}) =>
  makeMessage(base.db, contactId, { body, timestamp: now(), ...columns })
const known = (broker: MadeBroker, columns = {}) =>
  quietly(() => makeContact(base.db, broker.instanceName, columns))
/** Rows from before the devices existed. */
async function quietly<T>(make: () => Promise<T>): Promise<T> {
  const made = await make()
  await base.db.exec('delete from portal.push_queue')
  return made
}
const waiting = async () =>
  (
    await base.db.query<{ tag: string; kind: string; happened: number; isClaimed: boolean }>(
      'select tag, kind, happened, claimed_by is not null as "isClaimed" from portal.push_queue order by id',
    )
  ).rows
const noneWaits = async () => {
  while ((await waiting()).length > 0);
}

/**
 * Waits until everything due now was polled: a device added last got its push, which is recorded. It is due at the
 * current time
 * of the portal's clock, so that an earlier poll does not take it.
 */
async function allLookedAt() {
  const last = await makeBroker(base.db)
  const { id } = await device(last)
  await base.db.query(`select portal.push($1, 'handover', 'handover', null, interval '1 hour')`, [
    last.instanceName,
  ])
  await base.db.query(
    `with due as (update portal.push_queue set due_at = $2 where device_id = $1 returning id)
     select portal.notify_channel('push', '') from due`,
    [id, new Date(pusher.clock.now()).toISOString()],
  )
  const isWaiting = async () =>
    (await base.db.query('select from portal.push_queue where device_id = $1', [id])).rows.length > 0
  while (await isWaiting());
}

test('a new lead notifies every device of its broker and no other, with its text', async () => {
  const phone = await device(ana)
  const desk = await device(ana)
  const others = await device(bia)
  const lead = await makeContact(base.db, ana.instanceName, { name: 'Marina Tavares' })
  await writes(lead.id, 'Oi Ana!\nA unidade com varanda ainda está disponível?')
  pusher.pass(2_000)
  for (const { path } of [phone, desk]) {
    const [received] = await service.receivedAt(path)
    expect(received?.json).toMatchObject({
      web_push: 8030,
      notification: {
        title: 'Novo lead: Marina Tavares',
        body: 'Oi Ana! A unidade com varanda ainda está disponível?',
        lang: 'pt-BR',
        tag: `lead-${lead.id}`,
        navigate: `https://portal.example/broker?lead=${lead.id}`,
        data: { contactId: lead.id },
      },
      app_badge: 1,
      mutable: true,
    })
    expect(received?.headers).toMatchObject({
      ttl: '14400',
      urgency: 'high',
      topic: `lead-${lead.id}`,
      'content-encoding': 'aes128gcm',
    })
    expect(received?.claims).toMatchObject({
      aud: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      sub: 'mailto:suporte@portal.example',
    })
  }
  await noneWaits()
  await allLookedAt()
  expect(service.told.filter(({ path }) => path === others.path)).toEqual([])
  expect(lines.join()).not.toContain('Marina')
  expect(lines.join()).not.toContain(phone.path)
})

test('later messages are notified with the name; several waiting ones are one push', async () => {
  const lead = await known(ana, { name: 'Rogério Bastos' })
  const { path } = await device(ana)
  await writes(lead.id, 'Consigo visitar?')
  await writes(lead.id, 'No sábado de manhã')
  expect(await waiting()).toMatchObject([{ tag: `lead-${lead.id}`, kind: 'message', happened: 2 }])
  pusher.pass(2_000)
  const [received] = await service.receivedAt(path)
  expect(received?.json.notification).toMatchObject({ title: 'Rogério Bastos', body: 'No sábado de manhã' })
  expect(received?.json.notification.actions).toMatchObject([{ action: 'responder' }, { action: 'lida' }])
  await noneWaits()
  expect(await service.receivedAt(path)).toHaveLength(1)
})

test('own messages, those read on the phone and old ones notify nobody', async () => {
  const lead = await known(ana)
  const { path } = await device(ana)
  await writes(lead.id, 'Bom dia!', { type: 'outgoing' })
  await writes(lead.id, 'Lida no aparelho', { read: true })
  await writes(lead.id, 'De ontem', { timestamp: now() - 90_000 })
  expect(await waiting()).toEqual([])
  // Read within the second for which it is held back.
  await writes(lead.id, 'E agora?')
  await base.db.query('update public.whatsapp_messages set read = true where contact_id = $1 and type = $2', [
    lead.id,
    'incoming',
  ])
  pusher.pass(2_000)
  await allLookedAt()
  expect(await waiting()).toEqual([])
  expect(service.told.filter((received) => received.path === path)).toEqual([])
})

const watches = ({ sessionId }: { sessionId: string }, contactId: number | null) =>
  base.db.query('select portal.watch_conversation($1, $2, $3)', [
    sessionId,
    contactId,
    contactId === null ? null : new Date(Date.now() + 60_000).toISOString(),
  ])

test('an open conversation is notified on no device, unless the device that shows it stops reporting', async () => {
  const lead = await known(ana, { name: 'Marina' })
  const phone = await device(ana)
  const desk = await device(ana)
  await watches(desk, lead.id)
  await writes(lead.id, 'Você está aí?')
  pusher.pass(20_000)
  await allLookedAt()
  expect(await waiting()).toMatchObject([{ tag: `lead-${lead.id}` }, { tag: `lead-${lead.id}` }])
  pusher.pass(70_000)
  const [received] = await service.receivedAt(phone.path)
  expect(received?.json.notification.body).toBe('Você está aí?')
  await noneWaits()
})

test('messages after a conversation was closed are notified at once', async () => {
  const lead = await known(ana, { name: 'Marina' })
  const phone = await device(ana)
  await watches(phone, lead.id)
  await writes(lead.id, 'Vista')
  pusher.pass(2_000)
  await allLookedAt()
  expect(await waiting()).toHaveLength(1)
  await watches(phone, null)
  pusher.pass(2_000)
  expect((await service.receivedAt(phone.path))[0]?.json.notification.body).toBe('Vista')
  await noneWaits()

  await watches(phone, lead.id)
  await writes(lead.id, 'Lida')
  await base.db.query('update public.whatsapp_messages set read = true where contact_id = $1', [lead.id])
  await watches(phone, null)
  await writes(lead.id, 'Nova')
  pusher.pass(3_000)
  expect((await service.receivedAt(phone.path, 2))[1]?.json.notification.body).toBe('Nova')
  await noneWaits()
})

test('a transferred lead notifies its new broker, many of them in one push', async () => {
  const leads = await Promise.all(Array.from({ length: 7 }, () => known(ana, { name: 'Marina' })))
  const hers = await device(bia)
  await device(ana)
  const [first, ...rest] = leads.map(({ id }) => id)
  const give = (ids: (number | undefined)[]) =>
    base.db.query('select portal.hand_over($1::bigint[], $2)', [`{${ids.join()}}`, bia.instanceName])
  await give([first])
  pusher.pass(2_000)
  expect((await service.receivedAt(hers.path))[0]?.json.notification).toMatchObject({
    title: 'Lead para você: Marina',
    tag: `lead-${first}`,
  })
  await noneWaits()
  await give(rest)
  pusher.pass(3_000)
  expect((await service.receivedAt(hers.path, 2))[1]?.json.notification).toMatchObject({
    title: '6 leads para você',
    navigate: 'https://portal.example/broker',
  })
  await noneWaits()
  expect(await service.receivedAt(hers.path)).toHaveLength(2)
})

const link = (state: string, more = '', { instanceName } = ana) =>
  base.db.query(
    `insert into portal.instance_states ("instanceName", state) values ($1, $2)
     on conflict ("instanceName") do update set state = excluded.state ${more}`,
    [instanceName, state],
  )
const lostTag = ({ id }: MadeBroker) => `lost-${id.replaceAll('-', '').slice(0, 24)}`
const titlesAt = (path: string) =>
  service.told.filter((received) => received.path === path).map(({ json }) => json.notification.title)
/** From an hour ago to an hour from now, at any time of day. */
const keepsSilent = ({ id }: { id: string }) =>
  base.db.query(
    `insert into portal.push_settings (account_id, quiet_from, quiet_until)
     select $1, (local - interval '1 hour')::time, (local + interval '1 hour')::time
     from (select now() at time zone portal.time_zone() as local) here`,
    [id],
  )

test('a lost WhatsApp link is notified within the minute, only to its broker and administrators, once each', async () => {
  const { path } = await device(ana)
  const hers = await device(bia)
  const desk = await device(boss)
  await link('open')
  await link('connecting')
  await link('close')
  pusher.pass(10_000)
  await allLookedAt()
  expect(await waiting()).toMatchObject([
    { tag: 'link', happened: 1 },
    { tag: lostTag(ana), kind: 'lost', happened: 1 },
  ])
  pusher.pass(20_000)
  const [received] = await service.receivedAt(path)
  expect(received?.json.notification.title).toBe('WhatsApp desconectado')
  expect(received?.headers['urgency']).toBe('high')
  const [alarm] = await service.receivedAt(desk.path)
  expect(alarm?.json.notification).toMatchObject({
    title: `O WhatsApp de ${displayName(ana.instanceName)} caiu`,
    tag: lostTag(ana),
    navigate: 'https://portal.example/',
  })
  expect(alarm?.json).not.toHaveProperty('app_badge')
  await noneWaits()
  expect([titlesAt(path).length, titlesAt(desk.path).length, titlesAt(hers.path)]).toEqual([1, 1, []])
})

test('a link restored within the minute, or disconnected by a person, is not notified', async () => {
  await device(ana)
  await device(boss)
  await link('open')
  await link('close')
  await link('open')
  expect(await waiting()).toMatchObject([{ tag: 'link' }, { kind: 'lost' }])
  pusher.pass(65_000)
  await allLookedAt()
  expect(await waiting()).toEqual([])

  await link('close', ', cut_at = now()')
  pusher.pass(65_000)
  await allLookedAt()
  expect(await waiting()).toEqual([])
})

test("an administrator's quiet hours apply: after them comes one push for each broker still without a link", async () => {
  await keepsSilent(boss)
  const { path } = await device(boss)
  const cara = await makeBroker(base.db)
  for (const broker of [ana, bia, cara]) {
    await link('open', '', broker)
    await link('close', '', broker)
  }
  pusher.pass(30_000)
  await allLookedAt()
  await link('open', '', bia)
  await base.db.query('delete from public.brokers where id = $1', [cara.id])
  expect(titlesAt(path)).toEqual([])
  pusher.pass(61 * 60_000)
  await service.receivedAt(path)
  await noneWaits()
  expect(titlesAt(path)).toEqual([`O WhatsApp de ${displayName(ana.instanceName)} caiu`])
  await base.db.exec('delete from portal.push_settings')
})

test('a removed or signed-out administrator gets no more pushes', async () => {
  const other = await makeAdmin(base.db)
  const gone = await device(other)
  const { path, sessionId } = await device(boss)
  await link('open')
  await link('close')
  await base.db.query('delete from portal.accounts where id = $1', [other.id])
  await base.db.query(`update portal.sessions set expires_at = now() - interval '1 second' where id = $1`, [
    sessionId,
  ])
  pusher.pass(30_000)
  await allLookedAt()
  expect([await waiting(), titlesAt(path), titlesAt(gone.path)]).toEqual([[], [], []])
})

test('an ended campaign is notified with its count; one that a person stopped is not', async () => {
  const { path } = await device(ana)
  const run = await makeCampaign(base.db, ana.id, {
    status: 'running',
    total_contacts: 41,
    processed_contacts: 41,
  })
  await base.db.query(`update public.remarketing_campaigns set status = 'completed' where id = $1`, [run.id])
  const stopped = await makeCampaign(base.db, ana.id, { status: 'running' })
  await base.db.query(`update public.remarketing_campaigns set status = 'stopped' where id = $1`, [
    stopped.id,
  ])
  pusher.pass(1_000)
  const [received] = await service.receivedAt(path)
  expect(received?.json.notification).toMatchObject({
    title: 'Campanha concluída',
    body: '41 de 41 enviadas',
    navigate: 'https://portal.example/broker/remarketing',
  })
  await noneWaits()
  expect(await service.receivedAt(path)).toHaveLength(1)
})

test('names are hidden on the locked screen', async () => {
  await base.db.query('insert into portal.push_settings (account_id, hides_names) values ($1, true)', [
    ana.id,
  ])
  const { path } = await device(ana)
  const lead = await makeContact(base.db, ana.instanceName, { name: 'Marina Tavares' })
  await writes(lead.id, 'Meu CPF é 123')
  pusher.pass(2_000)
  const [received] = await service.receivedAt(path)
  expect(received?.json.notification).toMatchObject({ title: 'Novo lead', body: 'Toque para atender.' })
  expect(JSON.stringify(received?.json)).not.toMatch(/Marina|CPF/)
  expect(JSON.stringify(received?.json)).not.toContain(lead.number)
})

test('in quiet hours nothing is sent; after them one push says how many leads wait', async () => {
  await keepsSilent(ana)
  const { path } = await device(ana)
  for (const name of ['Marina', 'Rogério']) {
    const lead = await makeContact(base.db, ana.instanceName, { name })
    await writes(lead.id, 'Bom dia')
  }
  pusher.pass(2_000)
  await allLookedAt()
  expect(await waiting()).toMatchObject([{ kind: 'digest', happened: 2 }])
  const third = await makeContact(base.db, ana.instanceName)
  await writes(third.id, 'Oi')
  // Read is not answered: this lead waits as well.
  await base.db.query('update public.whatsapp_messages set read = true where contact_id = $1', [third.id])
  pusher.pass(10_000)
  await allLookedAt()
  expect(await waiting()).toMatchObject([{ kind: 'digest' }])
  pusher.pass(61 * 60_000)
  const [received] = await service.receivedAt(path)
  expect(received?.json).toMatchObject({
    notification: { title: '3 leads esperam resposta', navigate: 'https://portal.example/broker' },
    app_badge: 3,
  })
})

test.each([
  ['22:00', '07:00', '2026-11-21T23:30:00-03:00', '2026-11-22T07:00:00-03:00'],
  ['22:00', '07:00', '2026-11-22T06:59:00-03:00', '2026-11-22T07:00:00-03:00'],
  ['22:00', '07:00', '2026-11-22T07:00:00-03:00', null],
  ['12:00', '13:30', '2026-11-22T12:00:00-03:00', '2026-11-22T13:30:00-03:00'],
  ['12:00', '13:30', '2026-11-22T11:59:00-03:00', null],
  ['12:00', '13:30', '2026-11-22T13:30:00-03:00', null],
])('quiet hours from %s to %s at %s last until %s', async (from, until, at, end) => {
  await base.db.query(
    'insert into portal.push_settings (account_id, quiet_from, quiet_until) values ($1, $2, $3)',
    [ana.id, from, until],
  )
  const { rows } = await base.db.query<{ isRight: boolean }>(
    'select portal.quiet_until($1, $2) is not distinct from $3::timestamptz as "isRight"',
    [ana.id, at, end],
  )
  expect(rows).toEqual([{ isRight: true }])
})

test.each([404, 410])(
  'a device for which its push service answers %i is deleted with its queue',
  async (status) => {
    const gone = await device(ana)
    service.plan(gone.path, { status })
    const lead = await makeContact(base.db, ana.instanceName)
    await writes(lead.id, 'Oi')
    pusher.pass(2_000)
    await service.receivedAt(gone.path)
    await noneWaits()
    const { rows } = await base.db.query('select from portal.push_devices where id = $1', [gone.id])
    expect(rows).toEqual([])
  },
)

test('a push service that asks to wait gets the wait, and then the newest push', async () => {
  const { path } = await device(ana)
  const lead = await known(ana)
  service.plan(path, { status: 429, headers: { 'retry-after': '120' } }, { status: 503 })
  await writes(lead.id, 'Um')
  pusher.pass(2_000)
  await service.receivedAt(path)
  const released = async () => {
    while ((await waiting()).some(({ isClaimed }) => isClaimed));
  }
  await released()
  await writes(lead.id, 'Dois')
  pusher.pass(60_000)
  await allLookedAt()
  expect(await service.receivedAt(path)).toHaveLength(1)
  pusher.pass(130_000)
  // 503 without Retry-After: retried soon, then at growing intervals.
  await service.receivedAt(path, 2)
  await released()
  pusher.pass(145_000)
  const received = await service.receivedAt(path, 3)
  expect(received.map(({ json }) => json.notification.body)).toEqual(['Um', 'Dois', 'Dois'])
  await noneWaits()
  const { rows } = await base.db.query('select from portal.push_devices where held_times > 0')
  expect(rows).toEqual([])
})

test('a too large push is shortened, a permanently refused one is dropped', async () => {
  const { path } = await device(ana)
  const lead = await known(ana, { name: 'Marina' })
  service.plan(path, { status: 413 }, { status: 201 }, { status: 400 })
  await writes(lead.id, 'A unidade com varanda do Mirante do Lago ainda está disponível para visita?')
  pusher.pass(2_000)
  const received = await service.receivedAt(path, 2)
  expect(received[1]?.json.notification.body).toBe('A unidade com varanda do Mirante do Lag…')
  await noneWaits()
  await writes(lead.id, 'Oi?')
  pusher.pass(4_000)
  await service.receivedAt(path, 3)
  await noneWaits()
  // The portal logs the refusal after the row is deleted.
  while (!lines.some((line) => line.includes('push.refused'))) await waiting()
})

test('a refused signature raises the alarm and deletes no device', async () => {
  const { path, id } = await device(ana)
  const lead = await known(ana)
  service.plan(path, { status: 403 })
  await writes(lead.id, 'Oi')
  pusher.pass(2_000)
  await service.receivedAt(path)
  const alarmed = () => lines.some((line) => line.includes('"level":"error","event":"push.forbidden"'))
  while (!alarmed()) await waiting()
  expect((await base.db.query('select from portal.push_devices where id = $1', [id])).rows).toHaveLength(1)
  pusher.pass(6 * 60_000)
  await service.receivedAt(path, 2)
  await noneWaits()
})

const storedKeys = async () =>
  (
    await base.db.query<{ publicKey: string; privateKey: string; isSealed: boolean }>(
      'select public_key as "publicKey", private_key as "privateKey", is_sealed as "isSealed" from portal.push_keys',
    )
  ).rows
/** The portal over the database, restarted. */
async function restart(jwtSecret?: string) {
  await stop()
  const log = createLog('debug', (line) => lines.push(line))
  pusher = await openPusher(base.db, log, jwtSecret)
  stop = pusher.start()
}
const ANOTHER_SECRET = 'another secret of the tests, thirty-two characters'

test('a key of another JWT_SECRET raises the alarm, deletes no device, and signs again once the secret is back', async () => {
  const { path } = await device(ana)
  const before = await storedKeys()
  const lead = await known(ana)
  await writes(lead.id, 'Oi')
  await restart(ANOTHER_SECRET)
  pusher.pass(2_000)
  const alarmed = (event: string) => lines.some((line) => line.includes(`"level":"error","event":"${event}"`))
  expect(alarmed('push.key-sealed-elsewhere')).toBe(true)
  while (!alarmed('push.unmade')) await waiting()
  expect(await waiting()).toMatchObject([{ tag: `lead-${lead.id}`, isClaimed: false }])
  // Browsers stay bound to the key pair, which may come back.
  expect([await storedKeys(), pusher.publicKey]).toEqual([before, before[0]?.publicKey])
  await restart()
  pusher.pass(6 * 60_000)
  expect(await service.receivedAt(path)).toHaveLength(1)
  await noneWaits()
})

test("only the operator's command makes a new key pair, which invalidates the old one's devices", async () => {
  const old = await device(ana)
  const [before] = await storedKeys()
  await restart(ANOTHER_SECRET)
  expect(await forgetKeys(base.db)).toBe(1)
  await restart(ANOTHER_SECRET)
  expect(pusher.publicKey).not.toBe(before?.publicKey)
  const { path } = await device(ana)
  await writes((await known(ana)).id, 'Oi')
  pusher.pass(2_000)
  // The service checks the signature's key.
  expect(await service.receivedAt(path)).toHaveLength(1)
  expect(titlesAt(old.path)).toEqual([])
  await noneWaits()
  await forgetKeys(base.db)
  await restart()
})

test('a key that an older portal stored in clear text is encrypted at the next start, and stays the same', async () => {
  const pair = webPush.generateVAPIDKeys()
  await base.db.query('update portal.push_keys set public_key = $1, private_key = $2, is_sealed = false', [
    pair.publicKey,
    pair.privateKey,
  ])
  await restart()
  const [sealed] = await storedKeys()
  expect(sealed).toMatchObject({ publicKey: pair.publicKey, isSealed: true })
  expect(sealed?.privateKey).not.toContain(pair.privateKey)
  await restart()
  expect(await storedKeys()).toEqual([sealed])
  const { path } = await device(ana)
  await writes((await known(ana)).id, 'Oi')
  pusher.pass(2_000)
  // With this same pair: the service verifies the signature.
  expect(await service.receivedAt(path)).toHaveLength(1)
  await noneWaits()
})

test('an ended session gets no more pushes', async () => {
  const { path, sessionId } = await device(ana)
  const still = await device(ana)
  const lead = await makeContact(base.db, ana.instanceName)
  await writes(lead.id, 'Oi')
  await base.db.query(`update portal.sessions set expires_at = now() - interval '1 second' where id = $1`, [
    sessionId,
  ])
  pusher.pass(2_000)
  await service.receivedAt(still.path)
  await noneWaits()
  expect(service.told.filter((received) => received.path === path)).toEqual([])
  // 'Sair', a new password and the broker's removal end sessions.
  await base.db.query('delete from portal.sessions where account_id = $1', [ana.id])
  expect((await pusher.counts()).devices).toBe(0)
})

test('pushes of an ended portal are sent by the next one, once the lease has ended', async () => {
  const { path } = await device(ana)
  const lead = await known(ana)
  await writes(lead.id, 'Oi')
  // Claimed, without any result of that portal.
  const later = new Date(Date.now() + 5_000).toISOString()
  await base.db.query('select portal.claim_pushes(gen_random_uuid(), $1, 30, 10)', [later])
  pusher.pass(10_000)
  await allLookedAt()
  expect(await waiting()).toMatchObject([{ isClaimed: true }])
  pusher.pass(40_000)
  await service.receivedAt(path)
  await noneWaits()
  expect(await service.receivedAt(path)).toHaveLength(1)
})

onPostgres.test('two portals over one database tell each device once', async () => {
  const other = openPostgres({ url: base.url ?? '', maxConnections: 5, onError: () => undefined })
  const second = await openPusher(other)
  const stopSecond = second.start()
  try {
    const phones = await Promise.all(Array.from({ length: 6 }, () => device(ana)))
    const lead = await known(ana)
    for (const body of ['Um', 'Dois', 'Três']) {
      await writes(lead.id, body)
      pusher.pass(2_000)
      second.pass(2_000)
      await Promise.all(
        phones.map(({ path }) => service.receivedAt(path, ['Um', 'Dois', 'Três'].indexOf(body) + 1)),
      )
      await noneWaits()
    }
    for (const { path } of phones)
      expect((await service.receivedAt(path)).map(({ json }) => json.notification.body)).toEqual([
        'Um',
        'Dois',
        'Três',
      ])
    const desk = await device(boss)
    await link('open')
    await link('close')
    pusher.pass(30_000)
    second.pass(30_000)
    await service.receivedAt(desk.path)
    await noneWaits()
    expect(titlesAt(desk.path)).toHaveLength(1)
  } finally {
    await stopSecond()
    await other.close()
  }
})
