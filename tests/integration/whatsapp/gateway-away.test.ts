// A gateway that is down behind its proxy: the portal sends nothing while it knows this, and everything once
// afterwards.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Presence } from '#server/gateway.ts'
import { createEvolutionGateway } from '#server/whatsapp/gateway/evolution/client.ts'
import { createWatch, type Watch } from '#server/whatsapp/connection/link-watch.ts'
import { createReconcile } from '#server/whatsapp/reconcile/reconcile.ts'
import { createScheduledTexts } from '#server/whatsapp/sending/scheduled-worker.ts'
import { deliveriesOf } from '#server/whatsapp/gateway/rooms.ts'
import { createWebhook } from '#server/whatsapp/webhook/routes.ts'
import { openCampaigns, planFor, type TestCampaigns } from '#tests/support/campaigns.ts'
import { openBase } from '#tests/support/database.ts'
import { silentLog } from '#tests/support/gateway.ts'
import { makeBroker, makeContact, makeMessage, signIn } from '#tests/support/make.ts'
import { isDeepRun } from '#tests/support/runner/tier.ts'
import { schedule } from '#tests/support/scheduled.ts'
import { messagesOf, NO_MEDIA, queueText, scriptedGateway } from '#tests/support/sending.ts'

const base = await openBase()
const ana = await makeBroker(base.db)
const asAna = await signIn(base.db, ana)
await base.db.query(
  'update public.campaign_settings set opens_at = 0, closes_at = 24, sends_on_sundays = true',
)

type Took = { number: string; text: string; id: string }

/** Evolution API behind nginx, with its HTTP API. */
function gatewayBehindProxy(nowMs: () => number) {
  const took: Took[] = []
  const looks: number[] = []
  const proxy = { isGone: false, diesAfter: 0 }
  const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })
  const gone = () => new Response('<html><h1>502 Bad Gateway</h1></html>', { status: 502 })
  const seconds = () => Math.floor(nowMs() / 1000)
  const recordOf = ({ number, text, id }: Took) => ({
    key: { remoteJid: `${number}@s.whatsapp.net`, fromMe: true, id },
    messageType: 'conversation',
    message: { conversation: text },
    messageTimestamp: seconds(),
  })
  function take(body: { number: string; text: string }) {
    const one = { number: body.number.replace(/@.*/, ''), text: body.text, id: `A${took.length + 1}` }
    took.push(one)
    // The message was sent, but its answer was lost.
    if (proxy.diesAfter > 0 && took.length >= proxy.diesAfter) {
      Object.assign(proxy, { isGone: true, diesAfter: 0 })
      return gone()
    }
    return json({ ...recordOf(one), status: 'PENDING' }, 201)
  }
  const fetch = (url: string, init: RequestInit) => {
    const { pathname } = new URL(url)
    if (pathname.includes('fetchInstances')) looks.push(nowMs())
    if (proxy.isGone) return Promise.resolve(gone())
    if (pathname === '/') return Promise.resolve(json({ version: '2.3.7' }))
    if (pathname.includes('fetchInstances'))
      return Promise.resolve(
        json([
          {
            id: 'i',
            name: ana.instanceName,
            connectionStatus: 'open',
            ownerJid: '5511900000001@s.whatsapp.net',
          },
        ]),
      )
    if (pathname.includes('connectionState')) return Promise.resolve(json({ instance: { state: 'open' } }))
    // The portal's own client wrote this body, so its form is known.
    const body = JSON.parse(init.body as string) as { number: string; text: string }
    if (pathname.includes('sendText')) return Promise.resolve(take(body))
    const records = took.map(recordOf)
    return Promise.resolve(json({ messages: { pages: 1, currentPage: 1, records } }))
  }
  return { took, looks, proxy, fetch }
}

let portal: TestCampaigns
let world: ReturnType<typeof gatewayBehindProxy>
let watch: Watch
const stops: (() => Promise<void>)[] = []
beforeEach(async () => {
  const startMs = Date.now()
  let nowMs = () => startMs
  world = gatewayBehindProxy(() => nowMs())
  let made: Watch | undefined
  const presence: Presence = {
    isAway: () => made?.isAway() ?? false,
    lookNow: (instanceName: string) => made?.lookNow(instanceName) ?? Promise.resolve(false),
  }
  const phone = scriptedGateway()
  portal = openCampaigns(base.db, startMs, phone, presence)
  const { clock } = portal
  nowMs = () => clock.now()
  const parts = { db: base.db, clock, log: silentLog }
  const gateway = createEvolutionGateway({
    ...parts,
    baseUrl: 'http://proxy',
    apiKey: 'k',
    fetch: world.fetch,
  })
  Object.assign(phone.gateway, { sendText: gateway.sendText })
  const webhook = createWebhook({ ...parts, deliveriesOf, storage: NO_MEDIA, onEvent: () => undefined })
  const { sweep } = createReconcile({ ...parts, gateway, ingest: webhook.ingestRecords })
  watch = made = createWatch({
    ...parts,
    gateway,
    onOpened: () => undefined,
    onAnswered: (isBack) => void portal.gatewayAnswered(isBack, sweep),
  })
  const scheduled = createScheduledTexts({
    ...parts,
    ...presence,
    gapMs: { min: 20_000, max: 20_000 },
    onQueued: portal.wake,
  })
  stops.push(watch.start(), scheduled.start())
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  await portal.stop()
  await base.db.exec(`
    delete from public.remarketing_campaigns; delete from public.whatsapp_contacts; delete from portal.people;
    delete from portal.send_queues; delete from portal.instance_states; delete from portal.first_text_days`)
})

const leads = (many: number) =>
  Promise.all(
    Array.from({ length: many }, async () => {
      const { id } = await makeContact(base.db, ana.instanceName)
      await makeMessage(base.db, id, { timestamp: Math.floor(Date.now() / 1000) - 60 })
      return id
    }),
  )
const minutes = (many: number) => new Date(portal.clock.now() + many * 60_000).toISOString()
const deliveries = async () =>
  (
    await base.db.query<{ delivery: string; times: number }>(
      `select delivery, count(*) as times from public.whatsapp_messages where type = 'outgoing' group by 1 order by 1`,
    )
  ).rows
const texts = () => world.took.map(({ number, text }) => `${number} ${text}`)

test.runIf(isDeepRun)(
  'ten scheduled messages and a campaign of twenty during three minutes of 502: each is sent once',
  async () => {
    await portal.until(() => watch.health() === 'ok')
    portal.pace({ min: 4_000, max: 4_000 })
    const later = await leads(10)
    for (const [place, id] of later.entries())
      await schedule(base.db, asAna, id, { p_text: `Depois ${id}`, p_due_at: minutes(0.5 + place / 5) })
    await planFor(base.db, asAna, { contactIds: await leads(20) })
    await portal.until(() => world.took.length >= 3)
    const before = world.took.length
    world.proxy.isGone = true
    const backAtMs = portal.clock.now() + 180_000
    await portal.until(() => portal.clock.now() >= backAtMs)
    expect(world.took).toHaveLength(before)
    expect((await deliveries()).map(({ delivery }) => delivery)).not.toContain('unknown')
    world.proxy.isGone = false
    await portal.until(async () => world.took.length === 30 && (await deliveries()).length === 1)
    expect(new Set(texts()).size).toBe(30)
    await portal.settle()
    expect(world.took).toHaveLength(30)
    expect(await deliveries()).toEqual([{ delivery: 'sent', times: 30 }])
  },
  240_000,
)

test("while the gateway is known to be down a person's text waits in the queue", async () => {
  await portal.until(() => watch.health() === 'ok')
  world.proxy.isGone = true
  await portal.until(() => watch.isAway())
  const [id = 0] = await leads(1)
  const looks = world.looks.length
  await queueText(base.db, asAna, { contactId: id, body: 'Oi' })
  portal.wake(ana.instanceName)
  await portal.turn()
  expect((await messagesOf(base.db, id)).at(-1)).toMatchObject({ delivery: 'queued', message_id: null })
  expect(world.looks.length - looks).toBeLessThan(2)
  world.proxy.isGone = false
  await portal.until(() => world.took.length === 1)
  expect(texts()[0]).toContain('Oi')
}, 120_000)

test('a message sent although the proxy answered 502 is found in the store and not sent again', async () => {
  await portal.until(() => watch.health() === 'ok')
  const [one = 0, other = 0] = await leads(2)
  world.proxy.diesAfter = 1
  await queueText(base.db, asAna, { contactId: one, body: 'Primeira' })
  await queueText(base.db, asAna, { contactId: other, body: 'Segunda' })
  portal.wake(ana.instanceName)
  await portal.until(() => watch.isAway())
  await portal.turn()
  expect((await messagesOf(base.db, one)).at(-1)).toMatchObject({
    delivery: 'queued',
    delivery_reason: 'unreachable',
  })
  world.proxy.isGone = false
  await portal.until(() => world.took.length === 2)
  await portal.settle()
  expect(world.took.map(({ text }) => text)).toEqual(['Primeira', 'Segunda'])
  expect(await deliveries()).toEqual([{ delivery: 'sent', times: 2 }])
  expect(
    (await messagesOf(base.db, one)).map(({ body }) => body).filter((body) => body === 'Primeira'),
  ).toHaveLength(1)
}, 120_000)

test('a 502 of a gateway that is up leaves an unknown result, as before', async () => {
  await portal.until(() => watch.health() === 'ok')
  const [id = 0] = await leads(1)
  const { fetch } = world
  let isFirst = true
  portal.phone.gateway.sendText = createEvolutionGateway({
    clock: portal.clock,
    log: silentLog,
    baseUrl: 'http://proxy',
    apiKey: 'k',
    fetch: (url, init) => {
      if (!url.includes('sendText') || !isFirst) return fetch(url, init)
      isFirst = false
      return Promise.resolve(new Response('<html>', { status: 502 }))
    },
  }).sendText
  await queueText(base.db, asAna, { contactId: id, body: 'Oi' })
  portal.wake(ana.instanceName)
  await portal.until(async () => (await messagesOf(base.db, id)).at(-1)?.delivery === 'unknown')
  await portal.settle()
  expect(world.took).toEqual([])
}, 120_000)
