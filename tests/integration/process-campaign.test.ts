// kill -9 in the middle of a campaign, eight times: every contact gets it at most once, none is forgotten, and what nobody can say
// is shown as unknown (PRODUCT.md 4.4; BACKEND 6).
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { systemClock } from '#server/clock.ts'
import { openPglite } from '#server/db/pglite.ts'
import { createEvolutionGateway } from '#server/gateway/evolution.ts'
import { startSimulator, type ListeningSimulator } from '#server/gateway/simulator/simulator.ts'
import { mintWebhookSecret } from '#server/webhook/secret.ts'
import { BROKER, fillBoard } from '#tests/support/board.ts'
import { silentLog } from '#tests/support/gateway.ts'
import { call, freePort, signIn, startPortal, type RunningPortal } from '#tests/support/portal.ts'

const CONTACTS = 400
const KILLS = 8

type Recipient = { body: string; state: string }

let dataDir: string
let simulator: ListeningSimulator
let portal: RunningPortal | undefined
let port: number
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'portal-campaign-'))
  port = await freePort()
  const db = await openPglite({
    dataDir: path.join(dataDir, 'database'),
    template: inject('migratedTemplate'),
  })
  await fillBoard(db, CONTACTS, { hasMessages: false })
  // Each text is another, so that who got it can be told; it may be sent at any hour, and to all of them today.
  await db.exec(
    `update public.whatsapp_contacts set name = 'N' || id, status = 'new';
     update public.campaign_settings
     set opens_at = 0, closes_at = 24, sends_on_sundays = true, daily_cap = 5000, warm_up_days = 1`,
  )
  const secret = await mintWebhookSecret(db.query, BROKER.instance)
  await db.close()
  simulator = await startSimulator({ clock: systemClock })
  simulator.adopt({
    instanceName: BROKER.instance,
    token: 'token',
    webhookUrl: `http://127.0.0.1:${port}/webhook/${BROKER.instance}/${secret}`,
    phone: { number: '5511955550101', name: 'Camila' },
  })
})
afterAll(async () => {
  await portal?.process.kill('SIGKILL')
  await simulator?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const start = () =>
  startPortal(dataDir, {
    PORT: String(port),
    CAMPAIGN_DELAY_MS: '0-0',
    EVOLUTION_URL: simulator.url,
    EVOLUTION_API_KEY: simulator.apiKey,
  })

const recipients = async ({ origin }: RunningPortal, token: string) =>
  (await call<Recipient[]>(`${origin}/rest/v1/campaign_recipients?select=body,state&order=id`, { token }))
    .body

test('four hundred contacts and eight deaths', async () => {
  portal = await start()
  let token = await signIn(portal.origin, BROKER.email, BROKER.password)
  const started = await call(`${portal.origin}/api/campaigns`, {
    token,
    body: { operationId: randomUUID(), stage: 'new', message: '{nome}' },
  })
  expect(started.status).toBe(200)
  for (let kill = 1; kill <= KILLS; kill++) {
    const least = (CONTACTS / (KILLS + 1)) * kill
    await until(async () => (await delivered()).length >= least)
    await portal.process.kill('SIGKILL')
    portal = await start()
  }
  token = await signIn(portal.origin, BROKER.email, BROKER.password)
  const running = portal
  await until(async () =>
    (await recipients(running, token)).every(({ state }) => state === 'sent' || state === 'unknown'),
  )
  const texts = await delivered()
  const rows = await recipients(running, token)
  expect(new Set(texts).size).toBe(texts.length)
  expect(rows).toHaveLength(CONTACTS)
  const sent = rows.filter(({ state }) => state === 'sent').map(({ body }) => body)
  const unknown = rows.filter(({ state }) => state === 'unknown').map(({ body }) => body)
  expect(sent.filter((body) => !texts.includes(body))).toEqual([])
  expect(unknown.length).toBeLessThanOrEqual(KILLS)
  expect(texts.filter((body) => !sent.includes(body) && !unknown.includes(body))).toEqual([])
}, 300_000)

/** What the phone sent, each as often as it did. */
async function delivered(): Promise<string[]> {
  const gateway = createEvolutionGateway({
    baseUrl: simulator.url,
    apiKey: simulator.apiKey,
    clock: systemClock,
    log: silentLog,
  })
  const { records } = await gateway.findMessages(BROKER.instance, { page: 1, pageSize: 1_000 })
  return records.map(({ message }) => String(Object.values(message ?? {})[0]))
}

async function until(fits: () => Promise<boolean>) {
  while (!(await fits())) await systemClock.sleep(500)
}
