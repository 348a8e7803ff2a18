// Transfers of leads to another broker: what moves along, where later messages and replies go, repeats, and who may.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asUser, type Claims } from '#server/db/as-user.ts'
import { openBase, onPostgres } from '#tests/support/database.ts'
import { openWhatsapp, type TestWhatsapp } from '#tests/support/whatsapp.ts'
import {
  makeAdmin,
  makeBroker,
  makeContact,
  makeMessage,
  signIn,
  untilLockAwaited,
  type MadeBroker,
} from '#tests/support/make.ts'
import { areSettled, untilMessages } from '#tests/support/sending.ts'

type Answer = {
  success: boolean
  code: string
  moved: number
  merged: number
  unknown: number
  leads: { id: number; from: string | null }[]
}
type Owned = { changed_by: string; from_broker: string | null; to_broker: string | null }

const base = await openBase()
const ana = await makeBroker(base.db)
const bia = await makeBroker(base.db)
const chief = await makeAdmin(base.db, 'chefe')
const asChief = await signIn(base.db, chief)

const askOne = async <T>(claims: Claims, sql: string, values: (string | number | null)[]) =>
  asUser(base.db, claims, async (query) => (await query<{ answer: T }>(sql, values)).rows[0]?.answer)

/** PGlite and pg both accept arrays in this form. */
const listOf = (ids: readonly number[]) => `{${ids.join(',')}}`

async function handOver(ids: readonly number[], to: MadeBroker, operationId: string | null = null) {
  const answer = await askOne<Answer>(asChief, 'select public.transferir_leads($1, $2, $3) as answer', [
    listOf(ids),
    to.instanceName,
    operationId,
  ])
  if (!answer) throw new Error('no answer')
  return answer
}

async function ownersOf(id: number): Promise<Owned[]> {
  const { rows } = await asUser(base.db, asChief, (query) =>
    query<Owned>('select changed_by, from_broker, to_broker from public.get_lead_owners($1)', [id]),
  )
  return rows
}

const ownerOf = async (id: number) =>
  (
    await base.db.query<{ instanceName: string | null }>(
      'select "instanceName" from public.whatsapp_contacts where id = $1',
      [id],
    )
  ).rows[0]?.instanceName

test('a lead moves with stage, notes and conversation, and the transfer is recorded', async () => {
  const lead = await makeContact(base.db, ana.instanceName, { status: 'conversa', notes: 'Quer varanda' })
  await makeMessage(base.db, lead.id, { instanceName: ana.instanceName })
  expect(await handOver([lead.id], bia)).toEqual({
    success: true,
    code: 'moved',
    message: null,
    moved: 1,
    merged: 0,
    unknown: 0,
    leads: [{ id: lead.id, from: ana.instanceName }],
  })
  const { rows } = await base.db.query(
    `select c."instanceName", c.status, c.notes, count(m.id)::int as messages
     from public.whatsapp_contacts c join public.whatsapp_messages m on m.contact_id = c.id
     where c.id = $1 group by c.id`,
    [lead.id],
  )
  expect(rows).toEqual([
    { instanceName: bia.instanceName, status: 'conversa', notes: 'Quer varanda', messages: 1 },
  ])
  await handOver([lead.id], ana)
  expect(await ownersOf(lead.id)).toEqual([
    { changed_by: chief.username, from_broker: bia.instanceName, to_broker: ana.instanceName },
    { changed_by: chief.username, from_broker: ana.instanceName, to_broker: bia.instanceName },
  ])
})

test('several at once; leads of the receiver stay, missing ones are reported', async () => {
  const leads = [
    await makeContact(base.db, ana.instanceName),
    await makeContact(base.db, null),
    await makeContact(base.db, bia.instanceName),
  ]
  const ids = leads.map(({ id }) => id)
  expect(await handOver([...ids, ...ids, 999_999], bia)).toMatchObject({
    moved: 2,
    merged: 0,
    unknown: 1,
    leads: [
      { id: ids[0], from: ana.instanceName },
      { id: ids[1], from: null },
    ],
  })
  expect(await Promise.all(ids.map(ownerOf))).toEqual(ids.map(() => bia.instanceName))
})

test('a lead that the new broker has already is merged, with both histories', async () => {
  const given = await makeContact(base.db, ana.instanceName, { number: '5511977770001' })
  const third = await makeBroker(base.db)
  await handOver([given.id], third)
  const theirs = await makeContact(base.db, bia.instanceName, { number: '11977770001' })
  for (const { id } of [given, theirs]) await makeMessage(base.db, id)
  expect(await handOver([given.id], bia)).toMatchObject({ moved: 1, merged: 1, unknown: 0 })
  expect(await ownerOf(given.id)).toBeUndefined()
  const { rows } = await base.db.query('select from public.whatsapp_messages where contact_id = $1', [
    theirs.id,
  ])
  expect(rows).toHaveLength(2)
  expect((await ownersOf(theirs.id)).map(({ from_broker, to_broker }) => [from_broker, to_broker])).toEqual([
    [third.instanceName, bia.instanceName],
    [ana.instanceName, third.instanceName],
  ])
})

test('a repeated operation, also many times at once, transfers once and answers alike', async () => {
  const lead = await makeContact(base.db, ana.instanceName)
  const operationId = randomUUID()
  const [first, ...others] = await Promise.all(
    Array.from({ length: 5 }, () => handOver([lead.id], bia, operationId)),
  )
  for (const other of others) expect(other).toEqual(first)
  // A later change by another administrator stays.
  await handOver([lead.id], ana)
  expect(await handOver([lead.id], bia, operationId)).toEqual(first)
  expect(await ownerOf(lead.id)).toBe(ana.instanceName)
  expect(await ownersOf(lead.id)).toHaveLength(2)
})

test('an account that is no broker gets no leads, and nothing changes', async () => {
  const lead = await makeContact(base.db, ana.instanceName)
  expect(await handOver([lead.id], { ...bia, instanceName: 'corretor_ninguem' })).toMatchObject({
    success: false,
    code: 'unknown_broker',
    message: 'Este corretor não existe mais.',
  })
  expect(await ownerOf(lead.id)).toBe(ana.instanceName)
  await expect(
    handOver(
      Array.from({ length: 2001 }, (_, n) => n),
      bia,
    ),
  ).rejects.toMatchObject({ code: 'PT422' })
})

test('a removed broker is the last owner of leads that stay with the administrator', async () => {
  const leaving = await makeBroker(base.db)
  const lead = await makeContact(base.db, leaving.instanceName)
  await base.db.query('delete from public.brokers where id = $1', [leaving.id])
  expect(await ownersOf(lead.id)).toEqual([
    { changed_by: 'portal', from_broker: leaving.instanceName, to_broker: null },
  ])
})

onPostgres.describe('several connections', () => {
  test("a transfer waits for a broker's removal, and gives nothing to that broker", async () => {
    const leaving = await makeBroker(base.db)
    const lead = await makeContact(base.db, ana.instanceName)
    let handing: Promise<Answer> | undefined
    await base.db.transaction(async (query) => {
      await query('delete from public.brokers where id = $1', [leaving.id])
      handing = handOver([lead.id], leaving)
      await untilLockAwaited(base.db)
    })
    expect(await handing).toMatchObject({ code: 'unknown_broker' })
    expect(await ownerOf(lead.id)).toBe(ana.instanceName)
  })

  test('crossing transfers of the same leads end, each lead with one of the two', async () => {
    const leads = await Promise.all(Array.from({ length: 30 }, () => makeContact(base.db, ana.instanceName)))
    const ids = leads.map(({ id }) => id)
    const third = await makeBroker(base.db)
    await Promise.all([
      handOver(ids, bia),
      handOver(ids.toReversed(), third),
      ...ids.map((id) =>
        base.db.query('update public.whatsapp_contacts set notes = $1 where id = $2', ['x', id]),
      ),
    ])
    const owners = new Set(await Promise.all(ids.map(ownerOf)))
    expect(owners.size).toBe(1)
    for (const id of ids) expect(await ownersOf(id)).toHaveLength(2)
  })
})

describe('through the whole portal', () => {
  const PHONES = { ana: '5511955550101', bia: '5511955550202', lead: '5511970000001' }
  let portal: TestWhatsapp
  let asAna: Awaited<ReturnType<TestWhatsapp['enter']>>
  let asBia: typeof asAna
  let asAdmin: typeof asAna
  beforeAll(async () => {
    portal = await openWhatsapp(base.db)
    for (const username of [ana.username, bia.username, chief.username]) await portal.setPassword(username)
    asAna = await portal.enter(`${ana.username}@corretor.local`)
    asBia = await portal.enter(`${bia.username}@corretor.local`)
    asAdmin = await portal.enter(`${chief.username}@admin.local`)
    await connect(asAna, ana, PHONES.ana)
    await connect(asBia, bia, PHONES.bia)
  })
  afterAll(() => portal.close())

  async function connect(who: typeof asAna, { instanceName }: MadeBroker, number: string) {
    await portal.through(who.call('/api/instance/connect', {}))
    portal.control.scan({ instance: instanceName, number })
    const isOpen = async () => {
      while ((await who.call('/api/instance?fresh=1')).body['number'] !== number);
    }
    await portal.through(isOpen())
  }
  const receive = (broker: MadeBroker, id: string) =>
    portal.control.receive({ instance: broker.instanceName, from: PHONES.lead, name: 'Lia', text: id, id })
  const untilReceived = async (id: number, count: number) => {
    for (;;) {
      const { rows } = await base.db.query('select from public.whatsapp_messages where contact_id = $1', [id])
      if (rows.length === count) return
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const boardOf = async (who: typeof asAna, { instanceName }: MadeBroker) => {
    const { body } = await who.call('/rest/v1/rpc/sync_board', { p_instance: instanceName })
    return (body['leads'] as { id: number; number: string }[]).filter(({ number }) => number === PHONES.lead)
  }
  const give = (id: number, to: MadeBroker) =>
    asAdmin.call('/rest/v1/rpc/transferir_leads', { p_contact_ids: [id], p_broker_name: to.instanceName })

  test('both boards are notified; the old number leads to the new owner, whose number answers', async () => {
    const id = (await makeContact(base.db, ana.instanceName, { number: PHONES.lead })).id
    receive(ana, 'A1')
    await portal.through(untilReceived(id, 1))
    const [heardByAna, heardByBia] = [await asAna.events(), await asBia.events()]
    for (const heard of [heardByAna, heardByBia]) await heard.until(({ kind }) => kind === 'gap')

    expect((await give(id, bia)).body).toMatchObject({ moved: 1 })
    await heardByAna.until(({ kind }) => kind === 'board')
    await heardByBia.until(({ kind }) => kind === 'board')
    await Promise.all([heardByAna.close(), heardByBia.close()])
    expect(await boardOf(asAna, ana)).toEqual([])
    expect((await boardOf(asBia, bia)).map((lead) => lead.id)).toEqual([id])

    receive(ana, 'A2')
    receive(bia, 'B1')
    await portal.through(untilReceived(id, 3))
    expect(await boardOf(asAna, ana)).toEqual([])
    const text = { contactId: id, text: 'Bom dia, Lia!', operationId: randomUUID() }
    expect((await asAna.call('/api/messages/text', text)).status).toBe(404)
    expect((await asBia.call('/api/messages/text', text)).status).toBe(200)
    await portal.through(untilMessages(base.db, id, areSettled))
    const { rows } = await base.db.query(
      `select "instanceName", from_number, delivery = 'failed' as failed from public.whatsapp_messages
       where contact_id = $1 and type = 'outgoing'`,
      [id],
    )
    expect(rows).toEqual([{ instanceName: bia.instanceName, from_number: PHONES.bia, failed: false }])
  })

  test('an administrator reads a lead without a broker, and nobody answers it until it is transferred', async () => {
    const lead = await makeContact(base.db, null)
    const text = { contactId: lead.id, text: 'Oi', operationId: randomUUID() }
    expect(await asAdmin.call('/api/messages/text', text)).toMatchObject({
      status: 409,
      body: { error: { message: 'Este lead está sem corretor. Entregue-o a um corretor para responder.' } },
    })
    await give(lead.id, bia)
    expect((await asAdmin.call('/api/messages/text', { ...text, operationId: randomUUID() })).status).toBe(
      200,
    )
    await portal.through(untilMessages(base.db, lead.id, areSettled))
  })

  test('neither a broker nor a stranger transfers leads or reads former owners', async () => {
    const lead = await makeContact(base.db, ana.instanceName)
    const calls: [string, object][] = [
      ['transferir_leads', { p_contact_ids: [lead.id], p_broker_name: ana.instanceName }],
      ['get_lead_owners', { p_contact_id: lead.id }],
      ['sync_board', { p_instance: '' }],
    ]
    for (const [name, body] of calls) {
      expect((await asAna.call(`/rest/v1/rpc/${name}`, body)).status).toBe(403)
      const answer = await portal.request(`/rest/v1/rpc/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      expect(answer.status).toBe(401)
    }
  })
})
