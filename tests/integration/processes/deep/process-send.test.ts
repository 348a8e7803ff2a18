// kill -9 while messages and pushes are sent: every message answered 200 is in the conversation once, the lead gets
// nothing twice, sent and uncertain messages are distinguished, and a broker gets each push once.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#server/clock.ts'
import { BROKER } from '#tests/support/board.ts'
import { prepareLinkedPortal } from '#tests/support/linked-portal.ts'
import { call, signIn, type RunningPortal } from '#tests/support/portal.ts'
import { openPushService, type PushService } from '#tests/support/push.ts'

const ROUNDS = 4
const LEADS = 3
const MAX_ANSWERS_A_ROUND = 8

type Line = { body: string; delivery: string; operation_id: string | null }

let checkout: Awaited<ReturnType<typeof prepareLinkedPortal>>
let pushes: PushService | undefined
beforeAll(async () => {
  checkout = await prepareLinkedPortal({ leads: LEADS, isDemo: true, env: { LOG_LEVEL: 'info' } })
})
afterAll(async () => {
  await checkout.clear()
  await pushes?.close()
})

const enter = ({ origin }: RunningPortal) => signIn(origin, BROKER.email, BROKER.password)

test(`${ROUNDS} rounds of kill -9 during sends lose none and double none`, async () => {
  /** Texts by operation id: answered ones, and those open at the kill. */
  const answered = new Map<string, string>()
  const sent = new Map<string, string>()
  for (let round = 0; round < ROUNDS; round++) {
    const portal = await checkout.start()
    await writeUntilKilled({ portal, token: await enter(portal), answered, sent })
  }

  const portal = await checkout.start()
  const token = await enter(portal)
  // A request without an answer is repeated with the same operation id.
  for (const [operationId, text] of sent)
    if (!answered.has(operationId))
      expect((await post(portal, token, { operationId, text })).status).toBe(200)
  const { lines, delivered } = await untilTrue(portal, token)
  expect(answered.size).toBeGreaterThan(ROUNDS)
  expect(new Set(delivered).size).toBe(delivered.length)
  expect(lines.map(({ body }) => body).toSorted()).toEqual([...sent.values()].toSorted())
  expect(new Set(lines.map((line) => line.operation_id))).toEqual(new Set(sent.keys()))
  expect(new Set(lines.map(({ delivery }) => delivery))).toContain('delivered')
  await portal.process.kill('SIGKILL')
}, 240_000)

test('killed between two pushes, the portal sends each once', async () => {
  let portal = await checkout.start()
  const config = await call<{ pushPublicKey: string }>(`${portal.origin}/api/config`)
  pushes = await openPushService(() => config.body.pushPublicKey)
  const token = await enter(portal)
  const subscription = pushes.subscribe('/celular')
  const device = { ...subscription, name: 'Celular', again: false }
  expect((await call(`${portal.origin}/api/push/devices`, { token, body: device })).status).toBe(200)
  const write = (text: string) =>
    checkout.control.receive({ instance: BROKER.instance, from: '5511955550188', name: 'Marta', text })
  const watch = ({ origin }: RunningPortal, contactId: number | null) =>
    call(`${origin}/api/push/watching`, { token, body: { contactId } })

  const isSettled = portal.process.says(/"push\.taken"/)
  write('Ainda tem?')
  const [first] = await pushes.receivedAt('/celular')
  await isSettled
  // While the conversation is open its pushes wait, and still do when the portal ends.
  expect((await watch(portal, first?.json.notification.data?.contactId ?? 0)).status).toBe(200)
  write('Vi a placa')
  await untilThere(portal, token, 'Vi a placa')
  await portal.process.kill('SIGKILL')
  portal = await checkout.start()
  await watch(portal, null)
  await pushes.receivedAt('/celular', 2)
  write('Posso visitar?')
  const received = await pushes.receivedAt('/celular', 3)
  expect(received.map(({ json }) => json.notification.body)).toEqual([
    'Ainda tem?',
    'Vi a placa',
    'Posso visitar?',
  ])
}, 120_000)

async function untilThere({ origin }: RunningPortal, token: string, text: string) {
  const wanted = `${origin}/rest/v1/whatsapp_messages?select=id&body=eq.${encodeURIComponent(text)}`
  while ((await call<unknown[]>(wanted, { token })).body.length === 0) await systemClock.sleep(50)
}

const post = (
  { origin }: RunningPortal,
  token: string,
  { operationId, text }: { operationId: string; text: string },
) =>
  call(`${origin}/api/messages/text`, {
    token,
    body: { operationId, text, contactId: 1 + (Number(/\d+$/.exec(text)?.[0]) % LEADS) },
  })

async function writeUntilKilled(run: {
  portal: RunningPortal
  token: string
  answered: Map<string, string>
  sent: Map<string, string>
}) {
  let answersLeft = 2 + Math.floor(Math.random() * (MAX_ANSWERS_A_ROUND - 1))
  let isKilled = false
  const writer = async () => {
    while (!isKilled) {
      const line = { operationId: randomUUID(), text: `Linha ${run.sent.size}` }
      run.sent.set(line.operationId, line.text)
      const answer = await post(run.portal, run.token, line).catch((error: unknown) => {
        if (isKilled) return null
        throw error
      })
      if (answer?.status === 200) run.answered.set(line.operationId, line.text)
      if (answer?.status === 200 && --answersLeft === 0) {
        isKilled = true
        await run.portal.process.kill('SIGKILL')
      }
    }
  }
  await Promise.all([writer(), writer()])
}

/** Polls until nothing is queued and every message matches the phone; a permanently wrong message never ends this. */
async function untilTrue({ origin }: RunningPortal, token: string) {
  for (;;) {
    const { body: lines } = await call<Line[]>(
      `${origin}/rest/v1/whatsapp_messages?type=eq.outgoing&select=body,delivery,operation_id`,
      { token },
    )
    const delivered = await checkout.delivered()
    const isTrue = ({ body, delivery }: Line) =>
      delivery === 'unknown'
        ? !delivered.includes(body)
        : delivery === 'delivered' && delivered.includes(body)
    if (lines.every(isTrue)) return { lines, delivered }
    await systemClock.sleep(200)
  }
}
