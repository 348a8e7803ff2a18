// One person, one contact: addresses joined on proof, contacts merged and separated again, transferred leads.
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { openBase } from '#tests/support/database.ts'
import { ack, ANA, ANA_LID, named, NOON, sent, upsert } from '#tests/support/deliveries.ts'
import { addInstance, clearState, INSTANCE, openWebhook, stateOf } from '#tests/support/webhook.ts'

const OTHER = 'corretor_bia'
const BETO = '5511912345678@s.whatsapp.net'

const test = await openBase()
await addInstance(test.db, OTHER)
const webhook = await openWebhook(test.db)
afterEach(() => clearState(test.db))
afterAll(() => webhook.close())

type Contact = {
  id: number
  instanceName: string
  name: string | null
  number: string | null
  notes: string | null
  status: string
}
const contacts = async (): Promise<Contact[]> =>
  (
    await test.db.query<Contact>(
      'select id, "instanceName", name, number, notes, status from public.whatsapp_contacts order by id',
    )
  ).rows
const ownerOf = async (messageId: string): Promise<number | undefined> =>
  (
    await test.db.query<{ contact_id: number }>(
      'select contact_id from public.whatsapp_messages where message_id = $1',
      [messageId],
    )
  ).rows[0]?.contact_id
const merges = async () =>
  (
    await test.db.query<{ id: number }>(
      'select id from portal.contact_merges where undone_at is null order by id',
    )
  ).rows

/** A message of a chat, by its addresses. */
const from = (id: string, key: Record<string, unknown>, rest: { fromMe?: boolean; sentAt?: number } = {}) =>
  upsert({ id, key, ...rest })

describe('addresses', () => {
  it.each<[string, Record<string, unknown>[], number]>([
    [
      'forms of one Brazilian number',
      [{ remoteJid: '5531987654321@s.whatsapp.net' }, { remoteJid: '553187654321@s.whatsapp.net' }],
      1,
    ],
    [
      'a landline and a mobile',
      [{ remoteJid: '551133334444@s.whatsapp.net' }, { remoteJid: '5511933334444@s.whatsapp.net' }],
      2,
    ],
    ['two persons', [{ remoteJid: ANA }, { remoteJid: BETO }], 2],
    ['a hidden id without proof', [{ remoteJid: ANA }, { remoteJid: ANA_LID }], 2],
    ['a hidden id, then both', [{ remoteJid: ANA_LID }, { remoteJid: ANA, remoteJidAlt: ANA_LID }], 1],
    [
      'both, then each alone',
      [{ remoteJid: ANA_LID, senderPn: ANA }, { remoteJid: ANA_LID }, { remoteJid: ANA }],
      1,
    ],
    [
      'hidden id and phone apart, then both',
      [{ remoteJid: ANA_LID }, { remoteJid: ANA }, { remoteJid: ANA_LID, remoteJidAlt: ANA }],
      1,
    ],
    [
      'one hidden id with two numbers',
      [
        { remoteJid: ANA, remoteJidAlt: ANA_LID },
        { remoteJid: BETO, remoteJidAlt: ANA_LID },
      ],
      2,
    ],
  ])('%s', async (_, keys, count) => {
    await webhook.take(keys.map((key, index) => from(`M${index}`, key)))
    expect(await contacts()).toHaveLength(count)
    expect(await webhook.counts()).toEqual({ waiting: 0, setAside: 0 })
  })

  it('excludes our own, in any form, and makes no contact of a chat with ourselves', async () => {
    const own = '5531987000001@s.whatsapp.net'
    const said = (id: string, key: Record<string, unknown>) => ({
      ...from(id, key, { fromMe: true }),
      sender: own,
    })
    await webhook.take([
      // Ana exists: she has written under her hidden id.
      from('0', { remoteJid: ANA_LID }),
      said('A', { remoteJid: ANA_LID, remoteJidAlt: own }),
      said('B', { remoteJid: ANA_LID, remoteJidAlt: '553187000001@s.whatsapp.net' }),
      said('C', { remoteJid: own }),
    ])
    expect(await contacts()).toMatchObject([{ number: null }])
    expect(await ownerOf('A')).toBe(await ownerOf('0'))
    expect(await ownerOf('C')).toBeUndefined()
  })

  it('our own hidden id on own messages never merges two leads', async () => {
    const ownLid = '11122233344455@lid'
    await webhook.take([
      from('A', { remoteJid: ANA, remoteJidAlt: ownLid }, { fromMe: true }),
      from('B', { remoteJid: BETO, remoteJidAlt: ownLid }, { fromMe: true }),
    ])
    expect(await contacts()).toHaveLength(2)
  })

  it('a person of two brokers is two contacts', async () => {
    const second = await openWebhook(test.db, { secret: webhook.secret })
    const secret = await mintWebhookSecret(test.db.query, OTHER)
    await webhook.post(from('A', { remoteJid: ANA }))
    await second.send(from('A', { remoteJid: ANA }), `/${OTHER}/${secret}`)
    await Promise.all([webhook.drained(), second.drained()])
    await second.close()
    expect((await contacts()).map((contact) => contact.instanceName).toSorted()).toEqual(
      [INSTANCE, OTHER].toSorted(),
    )
  })

  it('joins a contact that was added by hand', async () => {
    await test.db.query(
      `insert into public.whatsapp_contacts ("instanceName", name, number) values ($1, 'Dona Ana', '11987654321')`,
      [INSTANCE],
    )
    await webhook.take([from('A', { remoteJid: ANA })])
    expect(await contacts()).toMatchObject([{ name: 'Dona Ana', number: '11987654321' }])
    const { rows } = await test.db.query(
      `select portal.address_of(id, $1) as jid from public.whatsapp_contacts`,
      [INSTANCE],
    )
    expect(rows).toEqual([{ jid: ANA }])
  })
})

describe('names', () => {
  it('only for a contact without one, whatever names come later', async () => {
    await webhook.take([
      upsert({ id: 'A', pushName: null }),
      named(ANA, 'Ana'),
      upsert({ id: 'B', pushName: 'Outra' }),
    ])
    expect(await contacts()).toMatchObject([{ name: 'Ana' }])
  })

  it('never ours, and never a reason to merge', async () => {
    await webhook.take([
      upsert({ id: 'A', fromMe: true }),
      upsert({ id: 'B', key: { remoteJid: BETO }, pushName: 'Ana' }),
      upsert({ id: 'C', key: { remoteJid: ANA_LID }, pushName: 'Ana' }),
    ])
    expect(await contacts()).toMatchObject([{ name: null }, { name: 'Ana' }, { name: 'Ana' }])
  })
})

describe('a merge', () => {
  /** A hidden contact with notes, a stage and two messages, and the phone's with one. */
  async function apart() {
    await webhook.take([
      from('L1', { remoteJid: ANA_LID }, { sentAt: NOON }),
      from('L2', { remoteJid: ANA_LID }, { sentAt: NOON + 5 }),
      from('P1', { remoteJid: ANA }, { sentAt: NOON + 3 }),
    ])
    await test.db.query(
      `update public.whatsapp_contacts set notes = 'quer vista', status = 'conversa' where number is null`,
    )
    await test.db.query(`update public.whatsapp_contacts set notes = 'dois quartos' where number is not null`)
    return { state: await stateOf(test.db), contacts: await contacts(), history: await history() }
  }
  const history = async () =>
    (
      await test.db.query(
        'select id, contact_id, from_status, to_status from portal.stage_history order by id',
      )
    ).rows
  const proof = from('B1', { remoteJid: ANA, remoteJidAlt: ANA_LID }, { sentAt: NOON + 9 })

  it("keeps the phone's contact, with all data of both", async () => {
    const before = await apart()
    await webhook.take([proof])
    const [remaining] = await contacts()
    expect(await contacts()).toHaveLength(1)
    expect(remaining).toMatchObject({
      number: '5511987654321',
      status: 'conversa',
      notes: 'dois quartos\n\nquer vista',
    })
    const { messages, contacts: now } = await stateOf(test.db)
    expect(messages.map((row) => row['message_id'])).toEqual(['B1', 'L1', 'L2', 'P1'])
    expect(now).toMatchObject([{ unread_count: 4, last_message_timestamp: NOON + 9 }])
    expect(new Set((await history()).map((row) => row['contact_id']))).toEqual(new Set([remaining?.id]))
    expect((await history()).length).toBeGreaterThanOrEqual(before.history.length)
  })

  it('undone: both as they were, each with later messages to its addresses', async () => {
    const before = await apart()
    await webhook.take([proof, from('L3', { remoteJid: ANA_LID }, { sentAt: NOON + 10 })])
    const [merge] = await merges()
    await test.db.query('select portal.undo_merge($1)', [merge?.id ?? 0])

    expect(await contacts()).toEqual(before.contacts)
    const hidden = before.contacts.find((contact) => contact.number === null)?.id
    const phones = before.contacts.find((contact) => contact.number !== null)?.id
    expect(await Promise.all(['L1', 'L2', 'L3', 'P1', 'B1'].map(ownerOf))).toEqual([
      hidden,
      hidden,
      hidden,
      phones,
      phones,
    ])
    const ids = new Set(before.history.map((row) => row['id']))
    expect((await history()).filter((row) => ids.has(row['id']))).toEqual(before.history)
    const { contacts: now } = await stateOf(test.db)
    expect(now.map((row) => [row['unread_count'], row['last_message_timestamp']])).toEqual([
      [3, NOON + 10],
      [2, NOON + 9],
    ])
  })

  it('undone: other systems hear of no new lead', async () => {
    await apart()
    await webhook.take([proof])
    await test.db.query(`insert into portal.hooks (name, url, events, secret, secret_tail)
      values ('ERP', 'https://erp.example.com', '{lead.created}', 'x', 'abcd')`)
    const [merge] = await merges()
    await test.db.query('select portal.undo_merge($1)', [merge?.id ?? 0])
    expect(await contacts()).toHaveLength(2)
    const { rows } = await test.db.query('select type from portal.event_out')
    await test.db.query('delete from portal.hooks')
    expect(rows).toEqual([])
  })

  it('once undone is not repeated by the same proof, and cannot be undone twice', async () => {
    await apart()
    await webhook.take([proof])
    const [merge] = await merges()
    await test.db.query('select portal.undo_merge($1)', [merge?.id ?? 0])
    await webhook.take([
      from('B2', { remoteJid: ANA_LID, remoteJidAlt: ANA }),
      from('B3', { remoteJid: ANA, remoteJidAlt: ANA_LID }),
    ])
    expect(await contacts()).toHaveLength(2)
    expect(await ownerOf('B2')).not.toBe(await ownerOf('B3'))
    await expect(test.db.query('select portal.undo_merge($1)', [merge?.id ?? 0])).rejects.toThrow(
      'já foi desfeita',
    )
  })

  it('undone keeps what was written on the remaining contact since', async () => {
    await apart()
    await webhook.take([proof])
    await test.db.query(`update public.whatsapp_contacts set notes = 'visita sábado', status = 'negociacao'`)
    const [merge] = await merges()
    await test.db.query('select portal.undo_merge($1)', [merge?.id ?? 0])
    const remaining = (await contacts()).find((contact) => contact.number !== null)
    expect(remaining).toMatchObject({ notes: 'visita sábado', status: 'negociacao' })
  })

  it('keeps the opt-out', async () => {
    await apart()
    await test.db.exec('update portal.people set opted_out_at = now() where number_key is null')
    await webhook.take([proof])
    const { rows } = await test.db.query(
      'select opted_out_at is not null as is_out from portal.people where number_key is not null',
    )
    expect(rows).toEqual([{ is_out: true }])
  })
})

describe('a transferred lead', () => {
  const handOver = () => test.db.query('update public.whatsapp_contacts set "instanceName" = $1', [OTHER])

  it('gets messages to the old number, and its history moved along', async () => {
    await webhook.take([from('A', { remoteJid: ANA })])
    await handOver()
    await webhook.take([
      from('B', { remoteJid: ANA }),
      from('C', { remoteJid: ANA, remoteJidAlt: ANA_LID }),
      from('D', { remoteJid: ANA_LID }),
    ])
    expect(await contacts()).toMatchObject([{ instanceName: OTHER }])
    const owners = new Set(await Promise.all(['A', 'B', 'C', 'D'].map(ownerOf)))
    expect(owners.size).toBe(1)
  })

  it('also when its hidden id becomes known only afterwards', async () => {
    await webhook.take([from('A', { remoteJid: ANA })])
    await handOver()
    await webhook.take([
      from('L', { remoteJid: ANA_LID }),
      from('B', { remoteJid: ANA, remoteJidAlt: ANA_LID }),
    ])
    expect(await contacts()).toMatchObject([{ instanceName: OTHER }])
    expect(await ownerOf('L')).toBe(await ownerOf('A'))
  })

  it('and transferred back returns to its first number', async () => {
    await webhook.take([from('A', { remoteJid: ANA })])
    await handOver()
    await test.db.query('update public.whatsapp_contacts set "instanceName" = $1', [INSTANCE])
    await webhook.take([from('B', { remoteJid: ANA })])
    expect(await contacts()).toMatchObject([{ instanceName: INSTANCE }])
    const { rows } = await test.db.query('select "instanceName" from portal.contact_routes')
    expect(rows).toEqual([{ instanceName: OTHER }])
  })
})

describe('our own messages', () => {
  const queue = (body: string) =>
    test.db.query<{ id: number }>(
      `insert into public.whatsapp_messages (contact_id, "instanceName", body, "timestamp", type, delivery)
      select id, "instanceName", $1, $2, 'outgoing', 'queued' from public.whatsapp_contacts returning id`,
      [body, NOON],
    )
  const outgoing = async () =>
    (
      await test.db.query(
        `select id, message_id, delivery, author from public.whatsapp_messages where type = 'outgoing' order by id`,
      )
    ).rows

  it("reported before the gateway's answer: the queued message, not a second one", async () => {
    await webhook.take([upsert({ id: 'A' })])
    const id = (await queue('Bom dia')).rows[0]?.id ?? 0
    await webhook.take([sent({ id: 'S', message: { conversation: 'Bom dia' } }), ack('S', 'READ')])
    await test.db.query('select portal.settle_sent($1, $2, $3, $4)', [id, 'S', ANA, NOON])
    expect(await outgoing()).toEqual([{ id, message_id: 'S', delivery: 'read', author: 'human' }])
  })

  it('reported with another text: one message, with the reported text', async () => {
    await webhook.take([upsert({ id: 'A' })])
    const id = (await queue('Bom dia ')).rows[0]?.id ?? 0
    await webhook.take([sent({ id: 'S', message: { conversation: 'Bom dia' } }), ack('S', 'DELIVERY_ACK')])
    expect(await outgoing()).toHaveLength(2)
    await test.db.query('select portal.settle_sent($1, $2, $3, $4)', [id, 'S', ANA, NOON])
    expect(await outgoing()).toEqual([{ id, message_id: 'S', delivery: 'delivered', author: 'human' }])
  })

  it('answered first: earlier acks wait for it', async () => {
    await webhook.take([upsert({ id: 'A' }), ack('S', 'DELIVERY_ACK')])
    const id = (await queue('Bom dia')).rows[0]?.id ?? 0
    await test.db.query('select portal.settle_sent($1, $2, $3, $4)', [id, 'S', ANA, NOON])
    await webhook.take([sent({ id: 'S', message: { conversation: 'Bom dia' } })])
    expect(await outgoing()).toEqual([{ id, message_id: 'S', delivery: 'delivered', author: 'human' }])
  })

  it("sent by another program: an agent's, which is no person's answer", async () => {
    await webhook.take([
      upsert({ id: 'A' }),
      sent({ id: 'S', sentAt: NOON + 1 }),
      upsert({ id: 'H', fromMe: true, sentAt: NOON + 9 }),
    ])
    expect(await outgoing()).toMatchObject([{ author: 'agent' }, { author: 'human' }])
    const { contacts: rows } = await stateOf(test.db)
    expect(rows).toMatchObject([{ first_response_at: '2026-11-21 08:54:36+00' }])
  })
})
