// Webhook settings of instances are renewed when the portal starts: for those that report to us, with their existing
// secret.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#server/clock.ts'
import { createWebhookRenewal } from '#server/whatsapp/connection/webhook-renewal.ts'
import { createEvolutionGateway } from '#server/whatsapp/gateway/evolution/client.ts'
import { createSimulator } from '#server/whatsapp/gateway/simulator/simulator.ts'
import { createSecretCheck, mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { databaseClock } from '#tests/support/clock.ts'
import { openBase } from '#tests/support/database.ts'
import { silentLog, turns } from '#tests/support/gateway.ts'
import { addInstance, INSTANCE } from '#tests/support/webhook.ts'

const BASE = 'http://portal.test'
const base = await openBase()
await addInstance(base.db, INSTANCE)

let scenario: ReturnType<typeof openScenario>
let stop = () => undefined as void
beforeEach(() => {
  scenario = openScenario()
})
afterEach(async () => {
  stop()
  await scenario.simulator.stop()
})

function openScenario() {
  const clock = databaseClock()
  const simulator = createSimulator({ clock })
  const { apiKey, fetch } = simulator
  const gateway = createEvolutionGateway({
    baseUrl: 'http://gateway.test',
    apiKey,
    clock,
    log: silentLog,
    fetch,
  })
  const renewal = createWebhookRenewal({
    db: base.db,
    clock,
    log: silentLog,
    gateway,
    webhookBase: () => BASE,
    isKnown: createSecretCheck(base.db, systemClock),
  })
  const adopt = (webhookUrl: string | null) =>
    simulator.adopt({
      instanceName: INSTANCE,
      token: 'T',
      webhookUrl,
      phone: { number: '5511900000001', name: 'A' },
    })
  /** The webhook's address as the gateway stores it. */
  const reported = async () => {
    const answer = await fetch(`http://gateway.test/webhook/find/${INSTANCE}`, {
      headers: { apikey: apiKey },
    })
    return (await answer.json()) as { url: string; events: string[] } | null
  }
  return { clock, simulator, renewal, adopt, told: reported }
}

test("a long linked instance gets this version's settings and address", async () => {
  const secret = await mintWebhookSecret(base.db.query, INSTANCE)
  scenario.adopt(`http://before.test:3000/webhook/${INSTANCE}/${secret}`)
  expect((await scenario.told())?.events).toEqual([])
  stop = scenario.renewal.start()
  await expect.poll(scenario.told).toMatchObject({
    url: `${BASE}/webhook/${INSTANCE}/${secret}`,
    events: expect.arrayContaining(['MESSAGES_UPSERT', 'MESSAGES_EDITED', 'CONNECTION_UPDATE', 'CALL']),
  })
})

test('a gateway that is down at the start gets them once it is up', async () => {
  const secret = await mintWebhookSecret(base.db.query, INSTANCE)
  scenario.adopt(`${BASE}/webhook/${INSTANCE}/${secret}`)
  scenario.simulator.control.down({ on: true })
  stop = scenario.renewal.start()
  await expect.poll(scenario.clock.nextDueInMs).not.toBeNull()
  await turns()
  scenario.simulator.control.down({ on: false })
  scenario.clock.advance(60_000)
  await expect.poll(async () => (await scenario.told())?.events).toContain('MESSAGES_UPSERT')
})

test.each([
  ['to nobody', null],
  ['to another program', 'https://agents.test/hook'],
  ['under a secret that is not ours', `${BASE}/webhook/${INSTANCE}/${'x'.repeat(43)}`],
])('one that reports %s is not changed', async (_, url) => {
  await mintWebhookSecret(base.db.query, INSTANCE)
  scenario.adopt(url)
  const before = await scenario.told()
  stop = scenario.renewal.start()
  for (let turn = 0; turn < 20; turn++) await turns()
  await base.db.query('select 1')
  expect(await scenario.told()).toEqual(before)
})
