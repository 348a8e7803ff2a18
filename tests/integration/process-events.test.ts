// kill -9 while other systems are notified, by a receiver that fails at random: nothing is lost, each lead's events come in
// their order, and what comes again carries its id.
import { createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { systemClock } from '#server/clock.ts'
import { openPglite } from '#server/db/pglite/pglite.ts'
import { BROKER, fillBoard } from '#tests/support/board.ts'
import { ADMIN_PASSWORD, call, signIn, startPortal, type RunningPortal } from '#tests/support/portal.ts'

const KILLS = 8
const LEADS = 125
/** Of every lead before each kill. */
const MOVES = 10
const EVENTS = KILLS * LEADS * MOVES
const FAILS = 0.2

type Taken = { id: string; lead: number; body: string }

let dataDir: string
let portal: RunningPortal | undefined
let secret = ''
/** What was answered 2xx, in its order, and how many requests came in all. */
const taken: Taken[] = []
let requests = 0
let seed = 7
const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
/** Called with each request that came. */
let onRequest = () => {}

const receiver = createServer((request, response) => void answer(request, response))

/** Now and then it is down, slow to say no, or hangs up. */
async function answer(request: IncomingMessage, response: ServerResponse) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString()
  const { type, data } = JSON.parse(body) as { type: string; data: { leadId: number } }
  if (type === 'portal.test') return void response.writeHead(200).end()
  requests++
  onRequest()
  const chance = random()
  if (chance < FAILS / 2) return void response.destroy()
  if (chance < FAILS) return void response.writeHead(500).end('não')
  const id = String(request.headers['webhook-id'])
  const signed = `${id}.${String(request.headers['webhook-timestamp'])}.${body}`
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  expect(request.headers['webhook-signature']).toBe(
    `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
  )
  taken.push({ id, lead: data.leadId, body })
  response.writeHead(204).end()
}

const open = (template?: string) =>
  openPglite({ dataDir: path.join(dataDir, 'database'), ...(template && { template }) })
const start = () => startPortal(dataDir, { WEBHOOK_PRIVATE_HOSTS: '127.0.0.1' })

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'portal-events-'))
  const db = await open(inject('migratedTemplate'))
  await fillBoard(db, LEADS, { hasMessages: false })
  await db.close()
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await portal?.process.kill('SIGKILL')
  receiver.close()
  await rm(dataDir, { recursive: true, force: true })
})

const enter = ({ origin }: RunningPortal) => signIn(origin, 'admin@admin.local', ADMIN_PASSWORD)

test(`${EVENTS} events through ${KILLS} kills: none lost, none out of order`, async () => {
  portal = await start()
  const { port } = receiver.address() as AddressInfo
  const added = await call<{ id: string; secret: string }>(`${portal.origin}/api/webhooks`, {
    token: await enter(portal),
    body: { name: 'ERP', url: `http://127.0.0.1:${port}/portal`, events: ['lead.moved'] },
  })
  expect(added.status).toBe(201)
  secret = added.body.secret
  await portal.process.kill('SIGTERM')

  for (let round = 0; round < KILLS; round++) {
    await moveAll()
    portal = await start()
    // In the middle of what is under way, after some hundreds more each time.
    const most = requests + Math.ceil((EVENTS / KILLS) * (0.3 + 0.5 * random()))
    const isReached = new Promise<void>((resolve) => (onRequest = () => requests >= most && resolve()))
    await withTime(portal, added.body.id, isReached)
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
  await withTime(portal, added.body.id, isSent())
  await portal.process.kill('SIGTERM')

  const db = await open()
  const { rows } = await db.query<{ id: string; lead: number; state: string }>(
    'select e.message_id as id, e.contact_id as lead, e.state from portal.event_out e order by e.id',
  )
  await db.close()
  expect(rows).toHaveLength(EVENTS)
  const came = new Set(taken.map(({ id }) => id))
  const place = new Map(rows.map(({ id }, index) => [id, index]))
  const repeats = taken.length - came.size
  const last = new Map<number, number>()
  const outOfOrder = taken.filter(({ id, lead }) => {
    const before = last.get(lead) ?? -1
    const at = place.get(id) ?? -1
    last.set(lead, at)
    // The same once more is no disorder.
    return at < before
  })
  const bodies = new Set(taken.map(({ id, body }) => `${id} ${body}`))
  process.stdout.write(
    `events: ${EVENTS}, kills: ${KILLS}, requests: ${requests}, failures: ${requests - taken.length}, repeats: ${repeats}\n`,
  )
  expect(rows.filter(({ id }) => !came.has(id))).toEqual([])
  expect([...came].filter((id) => !place.has(id))).toEqual([])
  expect(outOfOrder).toEqual([])
  // What comes again under an id is the same to the letter.
  expect(bodies.size).toBe(came.size)
}, 900_000)

/** The leads go to and fro; each move is an event. */
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

/** While that is waited for, what failed is due at once again and again, as if the minutes of its back-off had gone by. */
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
