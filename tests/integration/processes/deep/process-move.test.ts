// kill -9 while an instance moves to another gateway with twenty queued texts: the lead gets each once, and the broker
// keeps leads and conversations.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#server/clock.ts'
import { startSimulator, type ListeningSimulator } from '#server/whatsapp/gateway/simulator/simulator.ts'
import { createWahaGateway } from '#server/whatsapp/gateway/waha/client.ts'
import { BROKER } from '#tests/support/board.ts'
import { silentLog } from '#tests/support/gateway.ts'
import { prepareLinkedPortal } from '#tests/support/linked-portal.ts'
import { ADMIN_PASSWORD, call, signIn, type RunningPortal } from '#tests/support/portal.ts'

const TEXTS = 20
const KILLS = 8
const LEADS = 4
const PHONE = { number: '5511955550101', name: 'Camila' }
const MOVE = `/api/instance/move?instanceName=${BROKER.instance}`

type Line = { body: string; delivery: string }
type Step = { kind: string; error?: { code: string } }

let other: ListeningSimulator
let checkout: Awaited<ReturnType<typeof prepareLinkedPortal>>
beforeAll(async () => {
  other = await startSimulator({ clock: systemClock, speaks: 'waha' })
  const env = { WAHA_URL: other.url, WAHA_API_KEY: other.apiKey, LOG_LEVEL: 'info' }
  checkout = await prepareLinkedPortal({ leads: LEADS, env })
})
afterAll(async () => {
  await checkout.clear()
  await other.stop()
})

const deliveredByOther = async (): Promise<string[]> => {
  const { url: baseUrl, apiKey } = other
  const gateway = createWahaGateway({ baseUrl, apiKey, clock: systemClock, log: silentLog })
  const { records } = await gateway.findMessages(BROKER.instance, { page: 1, pageSize: 100 })
  return records.map(({ body }) => String(body))
}
const asBroker = ({ origin }: RunningPortal) => signIn(origin, BROKER.email, BROKER.password)
const asAdmin = ({ origin }: RunningPortal) => signIn(origin, 'admin@admin.local', ADMIN_PASSWORD)

/** One request of the screen that shows the code; whoever has the phone scans it. */
async function stepOf(portal: RunningPortal, token: string): Promise<Step> {
  const { body } = await call<Step>(`${portal.origin}${MOVE}`, { token, body: { kind: 'waha' } })
  if (body.kind === 'code') other.control.scan({ instance: BROKER.instance, ...PHONE })
  return body
}

const whereOf = async (portal: RunningPortal, token: string) =>
  (await call<{ gateway: string; target: string | null }>(`${portal.origin}${MOVE}`, { token })).body

test(`${TEXTS} queued texts and ${KILLS} kills during a move: each once`, async () => {
  let portal = await checkout.start()
  const token = await asBroker(portal)
  const texts = Array.from({ length: TEXTS }, (_, at) => `Linha ${at}`)
  for (const [at, text] of texts.entries()) {
    const body = { operationId: randomUUID(), text, contactId: 1 + (at % LEADS) }
    expect((await call(`${portal.origin}/api/messages/text`, { token, body })).status).toBe(200)
  }
  for (let kill = 0; kill < KILLS; kill++) {
    const admin = await asAdmin(portal)
    const stepping = stepOf(portal, admin).catch(() => null)
    // Each time a little later: before, during and after the answer.
    await systemClock.sleep(40 * kill)
    await portal.process.kill('SIGKILL')
    await stepping
    portal = await checkout.start()
  }
  const admin = await asAdmin(portal)
  while ((await whereOf(portal, admin)).gateway !== 'waha') {
    await stepOf(portal, admin)
    await systemClock.sleep(100)
  }
  expect(await whereOf(portal, admin)).toMatchObject({ gateway: 'waha', target: null })

  const broker = await asBroker(portal)
  const { lines, delivered } = await untilTrue(portal, broker)
  expect(new Set(delivered).size, delivered.join()).toBe(delivered.length)
  expect(lines.map(({ body }) => body).toSorted()).toEqual(texts.toSorted())
  const doubted = lines.filter(({ delivery }) => delivery === 'unknown')
  // A kill can leave one text open; it is marked, and never sent again.
  expect(delivered.length + doubted.length).toBe(TEXTS)
  expect(doubted.length).toBeLessThanOrEqual(KILLS)

  // What comes in and goes out now uses the new gateway.
  other.control.receive({
    instance: BROKER.instance,
    from: '5511955550188',
    name: 'Marta',
    text: 'Ainda tem?',
  })
  const wanted = `${portal.origin}/rest/v1/whatsapp_messages?select=id&body=eq.Ainda%20tem%3F`
  while ((await call<unknown[]>(wanted, { token: broker })).body.length === 0) await systemClock.sleep(50)
  const body = { operationId: randomUUID(), text: 'Depois da mudança', contactId: 1 }
  expect((await call(`${portal.origin}/api/messages/text`, { token: broker, body })).status).toBe(200)
  while (!(await deliveredByOther()).includes('Depois da mudança')) await systemClock.sleep(50)
}, 300_000)

/** Polls until nothing is queued and every message matches the phone; a permanently wrong message never ends this. */
async function untilTrue({ origin }: RunningPortal, token: string) {
  for (;;) {
    const { body: lines } = await call<Line[]>(
      `${origin}/rest/v1/whatsapp_messages?type=eq.outgoing&select=body,delivery`,
      { token },
    )
    const delivered = [...(await checkout.delivered()), ...(await deliveredByOther())]
    const isTrue = ({ body, delivery }: Line) =>
      delivery === 'unknown'
        ? !delivered.includes(body)
        : (delivery === 'delivered' || delivery === 'sent') && delivered.includes(body)
    if (lines.every(isTrue)) return { lines, delivered }
    await systemClock.sleep(200)
  }
}
