// kill -9 while events are sent to a receiver that fails at random: nothing is lost, each lead's events come in order,
// and repeats have their id.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { systemClock } from '#server/clock.ts'
import { openPglite } from '#server/db/pglite/pglite.ts'
import { BROKER, fillBoard } from '#tests/support/board.ts'
import { ADMIN_PASSWORD, call, signIn, startPortal, type RunningPortal } from '#tests/support/portal.ts'
import { expectAllTaken, startReceiver } from '#tests/support/receiver.ts'

const KILLS = 8
const LEADS = 125
/** How often every lead is moved before each kill. */
const MOVES = 10
const EVENTS = KILLS * LEADS * MOVES
const FAILS = 0.2

let dataDir: string
let portal: RunningPortal | undefined
let receiver: Awaited<ReturnType<typeof startReceiver>>
let requests = 0
let seed = 7
const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
/** Called for each request. */
let onRequest = () => {}

/** Sometimes it is down, slow to refuse, or disconnects. */
function decide() {
  requests++
  onRequest()
  const chance = random()
  if (chance < FAILS / 2) return 'hang up' as const
  return chance < FAILS ? 500 : 204
}

const open = (template?: string) =>
  openPglite({ dataDir: path.join(dataDir, 'database'), ...(template && { template }) })
const start = () => startPortal(dataDir, { WEBHOOK_PRIVATE_HOSTS: '127.0.0.1' })

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'portal-events-'))
  const db = await open(inject('migratedTemplate'))
  await fillBoard(db, LEADS, { hasMessages: false })
  await db.close()
  receiver = await startReceiver(decide)
})
afterAll(async () => {
  await portal?.process.kill('SIGKILL')
  receiver?.close()
  await rm(dataDir, { recursive: true, force: true })
})

const enter = ({ origin }: RunningPortal) => signIn(origin, 'admin@admin.local', ADMIN_PASSWORD)

test(`${EVENTS} events through ${KILLS} kills: none lost, none out of order`, async () => {
  portal = await start()
  const hookId = await receiver.join(portal.origin, await enter(portal))
  await portal.process.kill('SIGTERM')

  for (let round = 0; round < KILLS; round++) {
    await moveAll()
    portal = await start()
    // During open requests, after some hundreds more each time.
    const most = requests + Math.ceil((EVENTS / KILLS) * (0.3 + 0.5 * random()))
    const isReached = new Promise<void>((resolve) => (onRequest = () => requests >= most && resolve()))
    await withTime(portal, hookId, isReached)
    await portal.process.kill('SIGKILL')
  }
  portal = await start()
  const hook = `${portal.origin}/api/webhooks`
  const token = await enter(portal)
  const isSent = async () => {
    for (;;) {
      const { body } = await call<{ waiting: number }[]>(hook, { token })
      if (body[0]?.waiting === 0) return
      await systemClock.sleep(200)
    }
  }
  await withTime(portal, hookId, isSent())
  await portal.process.kill('SIGTERM')

  const db = await open()
  const { total, repeats } = await expectAllTaken(db, receiver.taken)
  await db.close()
  const failures = requests - receiver.taken.length
  process.stdout.write(
    `events: ${total}, kills: ${KILLS}, requests: ${requests}, failures: ${failures}, repeats: ${repeats}\n`,
  )
  expect(total).toBe(EVENTS)
}, 900_000)

/** The leads move back and forth; each move is an event. */
async function moveAll() {
  const db = await open()
  for (let move = 0; move < MOVES; move++)
    await db.query(
      `update public.whatsapp_contacts set status = case status when 'conversa' then 'negociacao' else 'conversa' end
       where "instanceName" = $1`,
      [BROKER.instance],
    )
  await db.close()
}

/** Until then, failed events are due at once again and again, as if their retry delays had passed. */
async function withTime(running: RunningPortal, hookId: string, until: Promise<void>) {
  const token = await enter(running)
  const done = { is: false }
  const ended = until.then(() => (done.is = true))
  while (!done.is) {
    await call(`${running.origin}/api/webhooks/${hookId}/state`, { token, body: { state: 'active' } })
    await Promise.race([ended, systemClock.sleep(500)])
  }
  await ended
}
