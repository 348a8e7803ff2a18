// The demonstration's two simulated gateways: the administrator chooses one for new connections, and moves one there and
// back. It stays moved over a restart.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#server/clock.ts'
import { createDemoWhatsapp, type DemoWhatsapp } from '#server/demo/whatsapp.ts'
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { openBase } from '#tests/support/database.ts'
import { hurriedClock, silentLog } from '#tests/support/gateway.ts'
import { makeAdmin, makeBroker, type MadeBroker } from '#tests/support/make.ts'
import { serve } from '#tests/support/serve.ts'
import { openWhatsapp, type TestWhatsapp } from '#tests/support/whatsapp.ts'

const base = await openBase()
const NUMBER = '5511955550101'
const HOUR_MS = 3_600_000

let portal: TestWhatsapp | undefined
let served: Awaited<ReturnType<typeof serve>>
let demo: DemoWhatsapp
let broker: MadeBroker

/** As at a start of the demonstration. Its leads write too rarely to be met. */
async function begin(): Promise<DemoWhatsapp> {
  const writeEveryMs = { min: HOUR_MS, max: HOUR_MS }
  const started = createDemoWhatsapp({ clock: hurriedClock, log: silentLog, writeEveryMs })
  await started.begin({ db: base.db, webhookBase: served.url.replace(/\/$/, ''), mintWebhookSecret })
  return started
}

beforeAll(async () => {
  served = await serve((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
        name,
        String(value),
      ])
      const init = { method: 'POST', headers, body: Buffer.concat(chunks) }
      void portal?.request(request.url ?? '/', init).then(({ status }) => response.writeHead(status).end())
    })
  })
  broker = await makeBroker(base.db, { status: 'ativo', broker_number: NUMBER, instanceId: 'um' })
  demo = await begin()
  portal = await openWhatsapp(base.db, { hasGateway: false, clock: systemClock, simulated: demo.gateways })
})
afterAll(async () => {
  await portal?.close()
  await demo.stop()
  served.close()
})

async function asAdmin() {
  if (!portal) throw new Error('not open')
  const { username } = await makeAdmin(base.db)
  await portal.setPassword(username)
  return portal.enter(`${username}@admin.local`)
}

/** Asks as the screen does, while the simulated phone scans the code. */
async function moveTo(kind: string): Promise<string[]> {
  const { call } = await asAdmin()
  const seen: string[] = []
  while (!seen.includes('moved')) {
    const { status, body } = await call(`/api/instance/move?instanceName=${broker.instanceName}`, { kind })
    expect(status).toBe(200)
    seen.push(String(body['kind']))
    await systemClock.sleep(20)
  }
  return seen
}

const stateAt = async (kind: string) =>
  (await demo.gateways.get(kind)?.findInstance(broker.instanceName))?.state ?? null

test('the administrator sees both, and chooses where new connections are made', async () => {
  const admin = await asAdmin()
  const { body } = await admin.call('/api/gateway')
  expect(body).toMatchObject({
    gateways: [
      { kind: 'evolution', source: 'demo', url: null },
      { kind: 'waha', source: 'demo', url: null },
    ],
    newKind: 'evolution',
    instances: [{ instanceName: broker.instanceName, kind: 'evolution', target: null }],
  })
  const put = (address: string, wanted: object) =>
    admin.request(address, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(wanted),
    })
  expect((await put('/api/gateway/new', { kind: 'waha' })).status).toBe(200)
  const address = { kind: 'waha', url: 'https://waha.example', apiKey: 'chave' }
  expect((await put('/api/gateway', address)).status).toBe(409)
})

test('a connection moves, stays moved over a restart, and moves back', async () => {
  expect(await stateAt('evolution')).toBe('open')
  expect(await moveTo('waha')).toContain('code')
  expect(await stateAt('waha')).toBe('open')
  const again = await begin()
  const states = ['evolution', 'waha'].map(async (kind) => {
    const found = await again.gateways.get(kind)?.findInstance(broker.instanceName)
    return found?.state ?? null
  })
  expect(await Promise.all(states)).toEqual([null, 'open'])
  await again.stop()
  await moveTo('evolution')
  expect(await stateAt('evolution')).toBe('open')
}, 60_000)
