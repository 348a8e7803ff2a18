// kill -9 while contacts are marked private and unmarked: none is lost or doubled, and none is shown to an
// administrator after its acknowledged mark.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPglite } from '#server/db/pglite/pglite.ts'
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { BROKER, fillBoard } from '#tests/support/board.ts'
import { upsert } from '#tests/support/deliveries.ts'
import { ADMIN_PASSWORD, call, signIn, startPortal, type RunningPortal } from '#tests/support/portal.ts'
import { copyMigrated } from '#tests/support/runner/global-setup.ts'
import { byTier } from '#tests/support/runner/tier.ts'

const ROUNDS = byTier(2, 20)
const CLIENTS = 4
const LEADS_PER_CLIENT = 4
const LEADS = CLIENTS * LEADS_PER_CLIENT
const MAX_DEEDS_A_ROUND = 40

/** `isPrivate` after the last acknowledged change; `isSure` unless one was open at the kill. */
type Lead = { id: number; number: string; isPrivate: boolean; isSure: boolean }
type Deed = { operationId: string; lead: Lead; wantsPrivate: boolean }

let dataDir: string
let address: string
let portal: RunningPortal
let leads: Lead[]
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'portal-private-'))
  await copyMigrated(path.join(dataDir, 'database'))
  const db = await openPglite({ dataDir: path.join(dataDir, 'database') })
  await fillBoard(db, LEADS, { hasMessages: true })
  address = `/webhook/${BROKER.instance}/${await mintWebhookSecret(db.query, BROKER.instance)}`
  const { rows } = await db.query<{ id: number; number: string }>(
    'select id, number from public.whatsapp_contacts order by id',
  )
  leads = rows.map((row) => ({ ...row, isPrivate: false, isSure: true }))
  await db.close()
})
afterAll(async () => {
  await portal?.process.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
})

test(`${ROUNDS} rounds of kill -9 lose no private contact and show none to an administrator`, async () => {
  let deeds = 0
  let underWay: Deed[] = []
  for (let round = 0; round < ROUNDS; round++) {
    portal = await startPortal(dataDir)
    const token = await signIn(portal.origin, BROKER.email, BROKER.password)
    await expectShown()
    for (const deed of underWay) acknowledge(deed, await send(token, deed))
    await expectShown()
    await write(round)
    const worked = await workUntilKilled(token)
    underWay = worked.underWay
    deeds += worked.acknowledged
  }
  expect(deeds).toBeGreaterThanOrEqual(ROUNDS)
  await expectWhole()
}, 900_000)

/** Each client marks and unmarks its own leads; after a random number of answers the portal is killed. */
async function workUntilKilled(token: string) {
  const underWay = new Set<Deed>()
  let acknowledged = 0
  let answersLeft = 1 + Math.floor(Math.random() * MAX_DEEDS_A_ROUND)
  let isKilled = false
  const client = async (own: Lead[]) => {
    for (let turn = 0; !isKilled; turn++) {
      const lead = own[turn % own.length]
      if (!lead) throw new Error('a client without leads')
      const deed: Deed = { operationId: randomUUID(), lead, wantsPrivate: !lead.isPrivate }
      underWay.add(deed)
      lead.isSure = false
      const answer = await send(token, deed).catch((error: unknown) => {
        if (isKilled) return null
        throw error
      })
      if (!answer) return
      underWay.delete(deed)
      acknowledge(deed, answer)
      acknowledged++
      if (--answersLeft === 0) {
        isKilled = true
        await portal.process.kill('SIGKILL')
      }
    }
  }
  await Promise.all(
    Array.from({ length: CLIENTS }, (_, index) =>
      client(leads.slice(index * LEADS_PER_CLIENT, (index + 1) * LEADS_PER_CLIENT)),
    ),
  )
  return { underWay: [...underWay], acknowledged }
}

function send(token: string, { operationId, lead, wantsPrivate }: Deed) {
  const name = wantsPrivate ? 'lead_private' : 'lead_public'
  return call<{ code: string }>(`${portal.origin}/rest/v1/rpc/${name}`, {
    token,
    body: {
      p_contact_id: lead.id,
      p_number_lead: lead.number,
      p_broker_name: BROKER.instance,
      p_operation_id: operationId,
    },
  })
}

function acknowledge({ lead, wantsPrivate }: Deed, { status, body }: Awaited<ReturnType<typeof send>>) {
  expect({ status, code: body.code }).toEqual({ status: 200, code: 'saved' })
  lead.isPrivate = wantsPrivate
  lead.isSure = true
}

/** An administrator sees every public lead, and none with an acknowledged mark. */
async function expectShown() {
  const token = await signIn(portal.origin, 'admin@admin.local', ADMIN_PASSWORD)
  const { body } = await call<{ id: number }[]>(`${portal.origin}/rest/v1/whatsapp_contacts?select=id`, {
    token,
  })
  const { body: lines } = await call<{ contact_id: number }[]>(
    `${portal.origin}/rest/v1/whatsapp_messages?select=contact_id`,
    { token },
  )
  const shown = new Set([...body.map(({ id }) => id), ...lines.map((line) => line.contact_id)])
  const wrong = leads.filter(({ id, isPrivate, isSure }) => isSure && shown.has(id) === isPrivate)
  expect(wrong).toEqual([])
}

/** Everybody writes: messages of private contacts are dropped. */
async function write(round: number) {
  for (const { id, number } of leads) {
    const key = { remoteJid: `${number}@s.whatsapp.net` }
    const response = await fetch(portal.origin + address, {
      method: 'POST',
      body: JSON.stringify(upsert({ id: `R${round}L${id}`, key })),
    })
    expect(response.status).toBe(200)
  }
}

/** After the last kill: each lead is on the board or marked, once, and is restored with its first message. */
async function expectWhole() {
  const db = await openPglite({ dataDir: path.join(dataDir, 'database') })
  const { rows: held } = await db.query<{ id: number; times: number; is_private: boolean }>(
    `select id, count(*)::integer as times, bool_or(is_private) as is_private from (
       select c.id, false as is_private from public.whatsapp_contacts c
       union all select p.contact_id, true from portal.private_contacts p) as found
     group by id order by id`,
  )
  expect(held.map(({ id, times }) => ({ id, times }))).toEqual(leads.map(({ id }) => ({ id, times: 1 })))
  for (const { id, isPrivate, isSure } of leads)
    if (isSure) expect(held.find((one) => one.id === id)?.is_private, `lead ${id}`).toBe(isPrivate)
  await db.query('select portal.bring_back(p.id) from portal.private_contacts p')
  const { rows: first } = await db.query(
    `select from public.whatsapp_messages m join public.whatsapp_contacts c on c.id = m.contact_id
     where m.message_id = 'line-' || c.id`,
  )
  expect(first).toHaveLength(LEADS)
  await db.close()
}
