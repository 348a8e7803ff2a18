// kill -9 while lines go out: what was answered 200 is in the conversation once, the lead gets nothing twice, and what
// really left is told from what may not have (PRODUCT.md 4.3, 4.4).
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#server/clock.ts'
import { BROKER } from '#tests/support/board.ts'
import { layLinkedHouse } from '#tests/support/linked-house.ts'
import { call, signIn, type RunningPortal } from '#tests/support/portal.ts'

const ROUNDS = 4
const LEADS = 3
const MOST_ANSWERS_A_ROUND = 8

type Line = { body: string; delivery: string; operation_id: string | null }

let house: Awaited<ReturnType<typeof layLinkedHouse>>
beforeAll(async () => {
  house = await layLinkedHouse({ leads: LEADS })
})
afterAll(() => house.clear())

const enter = ({ origin }: RunningPortal) => signIn(origin, BROKER.email, BROKER.password)

test(`${ROUNDS} rounds of kill -9 while lines go out lose none and double none`, async () => {
  /** Texts by their operation: those that were answered, and those on whose way the portal was killed. */
  const answered = new Map<string, string>()
  const sent = new Map<string, string>()
  for (let round = 0; round < ROUNDS; round++) {
    const portal = await house.start()
    await writeUntilKilled({ portal, token: await enter(portal), answered, sent })
  }

  const portal = await house.start()
  const token = await enter(portal)
  // What was under way when the answer was lost is simply asked again: by the same operation.
  for (const [operationId, text] of sent)
    if (!answered.has(operationId))
      expect((await post(portal, token, { operationId, text })).status).toBe(200)
  const { lines, delivered } = await untilTrue(portal, token)
  expect(answered.size).toBeGreaterThan(ROUNDS)
  expect(new Set(delivered).size).toBe(delivered.length)
  expect(lines.map(({ body }) => body).toSorted()).toEqual([...sent.values()].toSorted())
  expect(new Set(lines.map((line) => line.operation_id))).toEqual(new Set(sent.keys()))
  expect(new Set(lines.map(({ delivery }) => delivery))).toContain('delivered')
}, 240_000)

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
  let answersLeft = 1 + Math.floor(Math.random() * MOST_ANSWERS_A_ROUND)
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

/** Asks until nothing is queued and every line says what the phone says; a line that is wrong for good never ends this. */
async function untilTrue({ origin }: RunningPortal, token: string) {
  for (;;) {
    const { body: lines } = await call<Line[]>(
      `${origin}/rest/v1/whatsapp_messages?type=eq.outgoing&select=body,delivery,operation_id`,
      { token },
    )
    const delivered = await house.delivered()
    const isTrue = ({ body, delivery }: Line) =>
      delivery === 'unknown'
        ? !delivered.includes(body)
        : delivery === 'delivered' && delivered.includes(body)
    if (lines.every(isTrue)) return { lines, delivered }
    await systemClock.sleep(200)
  }
}
