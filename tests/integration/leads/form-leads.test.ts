// A lead from a form is a full lead: its card shows its message, time and origin, and it waits until a person answers.
import { randomUUID } from 'node:crypto'
import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openIntakeOffice } from '#tests/support/intake-office.ts'
import { makeContact, makeMessage } from '#tests/support/make.ts'
import { makeSeatedRotation, nextNumber, ownerOf } from '#tests/support/rotation.ts'
import { isDeepRun } from '#tests/support/runner/tier.ts'

const { db, portal, ana, asAna, asAdmin } = await openIntakeOffice()

async function makeKey(settings: object = {}): Promise<string> {
  const made = { operationId: randomUUID(), kind: 'form', name: 'Site', settings }
  return String((await asAdmin.call('/api/leads/keys', made)).body['key'])
}

async function send(key: string, body: object) {
  const response = await portal.request(`/api/leads?key=${key}`, {
    method: 'POST',
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(201)
}

type Card = {
  id: number
  last_message: { body: string; timestamp: number; type: string; delivery: string | null } | null
  waiting_since: number | null
  source: string
  empreendimento: string | null
}

async function board(cursor: string | null = null): Promise<{ cursor: string; leads: Card[] }> {
  const { status, body } = await asAna.call('/rest/v1/rpc/sync_board', {
    p_instance: ana.instanceName,
    p_cursor: cursor,
  })
  expect(status).toBe(200)
  return body as { cursor: string; leads: Card[] }
}

const nowSeconds = () => Math.floor(portal.clock.now() / 1000)

test('after its distribution its card has the same form as others, and it waits', async () => {
  const rotation = await makeSeatedRotation(db, [ana], { needs_acceptance: false })
  const key = await makeKey({ development: rotation.name, source: 'site' })
  await send(key, { nome: 'Marina Tavares', telefone: nextNumber(), mensagem: 'Quero visitar no sábado.' })
  const { rows } = await db.query<{ id: number }>('select id from public.whatsapp_contacts')
  while ((await ownerOf(db, rows[0]?.id ?? 0)) !== ana.instanceName)
    await new Promise((resolve) => setImmediate(resolve))
  const { leads } = await board()
  expect(leads).toMatchObject([
    {
      last_message: {
        body: 'Quero visitar no sábado.',
        timestamp: nowSeconds(),
        type: 'incoming',
        delivery: null,
      },
      waiting_since: nowSeconds(),
      source: 'site',
      empreendimento: rotation.name,
    },
  ])
})

test('once answered it shows the answer and waits no more; after another form it waits with the new text', async () => {
  const key = await makeKey()
  const telefone = nextNumber()
  await send(key, { telefone, mensagem: 'Quero visitar.' })
  await db.query('update public.whatsapp_contacts set "instanceName" = $1', [ana.instanceName])
  const { rows } = await db.query<{ id: number }>('select id from public.whatsapp_contacts')
  const id = rows[0]?.id ?? 0
  portal.clock.advance(60_000)
  await makeMessage(db, id, {
    timestamp: nowSeconds(),
    type: 'outgoing',
    author: 'human',
    delivery: 'sent',
    body: 'Olá!',
  })
  const answered = await board()
  expect(answered.leads).toMatchObject([
    { last_message: { body: 'Olá!', type: 'outgoing' }, waiting_since: null },
  ])
  portal.clock.advance(60_000)
  await send(key, { telefone, mensagem: 'E a tabela?' })
  // The new lead is a change of the board, also for clients that have read it.
  const again = await board(answered.cursor)
  expect(again.leads).toMatchObject([
    { id, last_message: { body: 'E a tabela?', timestamp: nowSeconds() }, waiting_since: nowSeconds() },
  ])
  portal.clock.advance(60_000)
  await send(key, { telefone, quartos: '3' })
  expect((await board(again.cursor)).leads).toMatchObject([
    { id, last_message: { body: 'Deixou o contato', timestamp: nowSeconds() } },
  ])
})

test('leads that write, and leads added by hand, have the same form as before', async () => {
  const { id: written } = await makeContact(db, ana.instanceName)
  await makeMessage(db, written, { timestamp: nowSeconds(), body: 'Oi' })
  const { id: added } = await makeContact(db, ana.instanceName)
  // A first message to a central instance is stored as an arrival without a source's key.
  await db.query(
    `insert into portal.lead_intakes (contact_id, source, message, received_at) values ($1, 'whatsapp', 'Oi', $2)`,
    [written, new Date(portal.clock.now() + 900).toISOString()],
  )
  const cards = new Map((await board()).leads.map((card) => [card.id, card]))
  expect(cards.get(written)).toMatchObject({ last_message: { body: 'Oi', timestamp: nowSeconds() } })
  expect(cards.get(added)).toMatchObject({ last_message: null, waiting_since: null })
})

test.runIf(isDeepRun)(
  "the board's rows grow by at most a fifth if every third lead comes from a form",
  async () => {
    const key = await makeKey()
    for (let at = 0; at < 120; at++) {
      const { id } = await makeContact(db, ana.instanceName)
      await makeMessage(db, id, {
        timestamp: nowSeconds() - 60 - at,
        body: `Gostaria de saber mais sobre o imóvel ${at * 7919}`,
      })
    }
    const sizeOf = async () => brotliCompressSync(JSON.stringify((await board()).leads)).length
    const before = await sizeOf()
    await db.query(
      `insert into portal.lead_intakes (contact_id, key_id, source, message, received_at)
     select c.id, k.id, 'form', 'Quero visitar o apartamento ' || c.id * 7919, $1 from public.whatsapp_contacts c
     cross join portal.intake_keys k where c.id % 3 = 0`,
      [new Date(portal.clock.now()).toISOString()],
    )
    expect(key).toMatch(/^pc_/)
    expect((await sizeOf()) / before).toBeLessThan(1.2)
  },
)
