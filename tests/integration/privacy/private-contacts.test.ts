// Private contacts: removed everywhere at once, dropped at the webhook, and restored with their history within seven
// days.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it, test } from 'vitest'
import { asUser, type Claims } from '#server/db/as-user.ts'
import type { SqlValue } from '#server/db/database.ts'
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { comingSaturday } from '#tests/support/clock.ts'
import { openBase } from '#tests/support/database.ts'
import {
  ANA,
  ANA_LID,
  delivery,
  edited,
  image,
  messageData,
  named,
  NOON,
  upsert,
} from '#tests/support/deliveries.ts'
import {
  makeBroker,
  makeCampaign,
  makeContact,
  makeMessage,
  makeRecipient,
  makeRotation,
  makeRoutingCase,
  signIn,
  signInAdmin,
  type MadeBroker,
} from '#tests/support/make.ts'
import { callAs } from '#tests/support/scheduled.ts'
import { openWebhook } from '#tests/support/webhook.ts'

let ana: MadeBroker
let asAna: Claims
let address: string
const base = await openBase()
const webhook = await openWebhook(base.db)
const asBia = await signIn(base.db, await makeBroker(base.db))
const asAdmin = await signInAdmin(base.db)
await base.db
  .query(`insert into portal.hooks (name, url, events, secret, secret_tail) values ('Outro', 'https://x.example/h',
  array['lead.created', 'message.received', 'message.sent', 'lead.moved', 'lead.answered', 'visit.booked'], 'x', 'x')`)
await base.db.query(`insert into portal.conversion_targets (target) values ('crm')`)
beforeEach(async () => {
  await base.db
    .exec(`delete from portal.private_contacts; delete from public.whatsapp_contacts; delete from portal.identities;
    delete from public.campaign_recipients; delete from portal.people; delete from portal.waiting_events; delete from portal.erasures; delete from portal.opt_outs;`)
  ana = await makeBroker(base.db)
  asAna = await signIn(base.db, ana)
  address = `/${ana.instanceName}/${await mintWebhookSecret(base.db.query, ana.instanceName)}`
})
afterAll(() => webhook.close())

type Given = Record<string, SqlValue>
type Answer = { success: boolean; code: string; message: string | null; current: null }
const mark = (contactId: number | null, rest: Given = {}, claims = asAna) =>
  callAs<Answer>(base.db, claims, 'lead_private', {
    p_contact_id: contactId,
    p_broker_name: ana.instanceName,
    ...rest,
  })
const takeBack = (rest: Given, claims = asAna) => callAs<Answer>(base.db, claims, 'lead_public', rest)
const rows = async (sql: string, values: SqlValue[] = []) => (await base.db.query(sql, values)).rows
const listOf = async (claims: Claims, name: string) =>
  (await asUser(base.db, claims, (query) => query(`select * from public.${name}()`))).rows
const count = async (from: string) => Number((await rows(`select count(*) as n from ${from}`))[0]?.['n'])
const report = async (...bodies: unknown[]) => {
  for (const body of bodies) await webhook.send(body, address)
  await webhook.drained()
}
/** A person who wrote twice, was answered, has a note and a next step. */
async function meet() {
  await report(
    upsert({
      id: 'A',
      key: { remoteJid: ANA_LID, remoteJidAlt: ANA },
      pushName: 'Célia Moura',
      message: { conversation: 'Domingo tem almoço' },
    }),
    image({ id: 'B' }),
    upsert({ id: 'C', fromMe: true, message: { conversation: 'Levo a sobremesa' } }),
  )
  const [card] = await rows('select id from public.whatsapp_contacts')
  const id = Number(card?.['id'])
  await callAs(base.db, asAna, 'save_lead_notes', { p_contact_id: id, p_notes: 'Minha mãe' })
  await callAs(base.db, asAna, 'action_save', {
    p_contact_id: id,
    p_kind: 'call',
    p_due_at: comingSaturday()(0, 10).toISOString(),
  })
  await callAs(base.db, asAna, 'message_schedule', {
    p_contact_id: id,
    p_text: 'Feliz ano',
    p_due_at: comingSaturday()(0, 10).toISOString(),
  })
  await callAs(base.db, asAna, 'lead_mute', { p_contact_id: id, p_is_muted: true })
  await rows(
    `insert into portal.lead_clicks (contact_id, kind, value, at) values ($1, 'fbclid', 'F9', now())`,
    [id],
  )
  await rows(
    `insert into portal.conversions (contact_id, step, target, event_id, name, happened_at, state)
     values ($1, 'visit', 'crm', 'told', 'Visita', now(), 'sent')`,
    [id],
  )
  return id
}

/** All rows about a contact, without update times. */
async function everythingOf(contactId: number) {
  const places = await rows('select place, filter from portal.private_places() order by n')
  const held: Record<string, unknown> = {}
  for (const { place, filter } of places)
    held[String(place)] = (
      await rows(
        `select to_jsonb(r) - 'updated_at' - 'person_id' as row from ${String(place)} r where ${String(filter)} order by 1`,
        [contactId],
      )
    ).map(({ row }) => row)
  return held
}

test('every table that refers to a contact or its messages is archived, or excluded on purpose', async () => {
  const found = await rows(`with recursive dependent (name) as (
      values ('public.whatsapp_contacts'::regclass)
      union select c.conrelid::regclass from pg_constraint c join dependent d on c.confrelid = d.name
        where c.contype = 'f' and c.confdeltype = 'c')
    select n.nspname || '.' || c.relname as name from dependent d join pg_class c on c.oid = d.name
    join pg_namespace n on n.oid = c.relnamespace order by 1`)
  const places = await rows(
    "select place as name from portal.private_places() where place <> 'portal.identities' order by 1",
  )
  expect(found).toEqual(places)
})

describe('marked', () => {
  it('leaves no trace for anybody, and is restored unchanged', async () => {
    const id = await meet()
    const before = await everythingOf(id)
    const names = Object.entries(before).filter(([, held]) => (held as unknown[]).length > 0)
    expect(names.length).toBeGreaterThan(6)
    await base.db.exec('delete from portal.push_queue; delete from portal.event_out')

    expect(await mark(id)).toEqual({ success: true, code: 'saved', message: null, current: null })
    for (const table of [
      'public.whatsapp_contacts',
      'public.whatsapp_messages',
      'portal.identities',
      'portal.people',
      'portal.actions',
      'portal.scheduled_messages',
      'portal.stage_history',
    ])
      expect(await count(table), table).toBe(0)
    // Except for the archive, nothing in the database names the person.
    expect(await tracesOf(/Célia|87654321|almoço|99887766554433/)).toEqual(['portal.private_history'])
    const board = await callAs<{ leads: unknown[] }>(base.db, asAna, 'sync_board', {
      p_instance: ana.instanceName,
    })
    expect(board.leads).toEqual([])
    expect(
      await rows('select action, subject, details from portal.audit_log where subject = $1', [
        ana.instanceName,
      ]),
    ).toEqual([{ action: 'lead.private', subject: ana.instanceName, details: {} }])

    const [listed] = await listOf(asAna, 'list_private_contacts')
    expect(listed).toMatchObject({ last_digits: '4321', contact_id: id, has_history: true })
    expect(await takeBack({ p_private_id: Number(listed?.['id']) })).toMatchObject({ code: 'saved' })
    expect(await everythingOf(id)).toEqual(before)
    expect(await count('portal.private_contacts')).toBe(0)
    expect(await count('portal.private_history')).toBe(0)
    expect(await count('portal.push_queue')).toBe(0)
    expect(await count('portal.event_out')).toBe(0)
    // Later messages go to the same card.
    await report(upsert({ id: 'Z' }))
    expect(await rows("select contact_id from public.whatsapp_messages where message_id = 'Z'")).toEqual([
      { contact_id: id },
    ])
  })

  it('later messages are dropped before they are stored, under every form of the address', async () => {
    const id = await meet()
    await mark(id)
    const files = await count('portal.media')
    await report(
      upsert({ id: 'D' }),
      upsert({ id: 'E', key: { remoteJid: ANA_LID } }),
      upsert({ id: 'F', key: { remoteJid: '551187654321@s.whatsapp.net' } }),
      upsert({ id: 'G', fromMe: true }),
      image({ id: 'H', bytes: Uint8Array.of(9, 9, 9) }),
      edited('A', 'segredo'),
      named(ANA, 'Célia'),
      delivery('messages.upsert', {
        messages: [
          messageData({ id: 'I' }),
          messageData({ id: 'J', key: { remoteJid: '5511912340000@s.whatsapp.net' } }),
        ],
      }),
    )
    await webhook.ingestRecords({
      instanceName: ana.instanceName,
      records: [messageData({ id: 'K' })],
      atMs: NOON * 1000,
    })
    expect(await rows('select message_id from public.whatsapp_messages')).toEqual([{ message_id: 'J' }])
    expect(await count('portal.waiting_events')).toBe(0)
    expect(await count('portal.media')).toBe(files)
    expect(await tracesOf(/segredo|Célia|87654321/)).toEqual(['portal.private_history'])
  })

  it('is not even in the inbox', async () => {
    const id = await meet()
    await mark(id)
    const open = await openWebhook(base.db)
    const secret = await mintWebhookSecret(base.db.query, ana.instanceName)
    await open.send(upsert({ id: 'D' }), `/${ana.instanceName}/${secret}`)
    const stored = await count('portal.webhook_inbox')
    await open.drained()
    await open.close()
    expect(stored).toBe(0)
  })

  it('a hidden id is learnt from the first message that contains both', async () => {
    expect(await mark(null, { p_number: '(11) 98765-4321' })).toMatchObject({ code: 'saved' })
    await report(upsert({ id: 'A', key: { remoteJid: ANA_LID } }))
    expect(await count('public.whatsapp_contacts')).toBe(1)
    await report(upsert({ id: 'B', key: { remoteJid: ANA_LID, remoteJidAlt: ANA } }))
    await webhook.ingestRecords({
      instanceName: ana.instanceName,
      records: [messageData({ id: 'B', key: { remoteJid: ANA_LID, remoteJidAlt: ANA } })],
      atMs: NOON * 1000,
    })
    await report(upsert({ id: 'C', key: { remoteJid: ANA_LID } }))
    expect(await count('public.whatsapp_contacts')).toBe(0)
  })

  it('a number without a contact can be marked, and unmarked', async () => {
    const lead = await makeContact(base.db, ana.instanceName, { number: '5520970000001' })
    expect(await mark(lead.id)).toMatchObject({ code: 'saved' })
    expect(await count('public.whatsapp_contacts')).toBe(0)
    expect(await takeBack({ p_contact_id: lead.id, p_broker_name: ana.instanceName })).toMatchObject({
      code: 'saved',
    })
    expect(await rows('select id from public.whatsapp_contacts')).toEqual([{ id: lead.id }])
  })

  it('marking twice is one mark, and a repeated operation gets its answer', async () => {
    const id = await meet()
    const operation = { p_operation_id: randomUUID() }
    expect(await mark(id, operation)).toMatchObject({ code: 'saved' })
    expect(await mark(id, operation)).toMatchObject({ code: 'saved' })
    expect(await mark(id)).toMatchObject({ code: 'already' })
    expect(await mark(null, { p_number: '11987654321' })).toMatchObject({ code: 'already' })
    expect(await count('portal.private_contacts')).toBe(1)
    expect(await takeBack({ p_marked_by: operation.p_operation_id })).toMatchObject({ code: 'saved' })
    expect(await takeBack({ p_marked_by: operation.p_operation_id })).toMatchObject({ code: 'already' })
    expect(await count('public.whatsapp_messages')).toBe(3)
  })

  it('after seven days only later messages are restored', async () => {
    const id = await meet()
    await mark(id)
    await base.db.exec(`update portal.private_history set kept_at = now() - interval '6 days'`)
    expect(await rows(`select portal.forget_private(now() - interval '7 days', 100) as n`)).toEqual([
      { n: 0 },
    ])
    await base.db.exec(`update portal.private_history set kept_at = now() - interval '8 days'`)
    expect(await rows(`select portal.forget_private(now() - interval '7 days', 100) as n`)).toEqual([
      { n: 1 },
    ])
    expect(await count('portal.media_removals')).toBe(1)
    expect(await tracesOf(/Célia|87654321|almoço/)).toEqual([])
    await takeBack({ p_contact_id: id })
    expect(await count('public.whatsapp_contacts')).toBe(0)
    await report(upsert({ id: 'Z' }))
    expect(await rows('select message_id from public.whatsapp_messages')).toEqual([{ message_id: 'Z' }])
  })

  it('an erasure of the person deletes the archive', async () => {
    await mark(await meet())
    await base.db.transaction(async (query) => {
      await query(`select set_config('request.jwt.claims', $1, true)`, [JSON.stringify(asAdmin)])
      await query(`select portal.erase_person('11987654321', null, null)`)
    })
    expect(await tracesOf(/Célia|87654321|almoço/)).toEqual([])
    expect(await count('portal.private_contacts')).toBe(1)
  })

  it('a person who comes by a form or is transferred is a lead again', async () => {
    await mark(await meet())
    const bia = await makeBroker(base.db)
    const other = await makeContact(base.db, bia.instanceName, { number: '5511987654321' })
    expect(await count('portal.private_contacts')).toBe(1)
    await base.db.query('update public.whatsapp_contacts set "instanceName" = $2 where id = $1', [
      other.id,
      ana.instanceName,
    ])
    expect(await count('portal.private_contacts')).toBe(0)
    await report(upsert({ id: 'Z' }))
    expect(await rows('select message_id from public.whatsapp_messages')).toEqual([{ message_id: 'Z' }])
  })
})

describe('refused', () => {
  const STAYS = 'Este lead fica no quadro. '
  it.each<[string, string, (contactId: number) => Promise<unknown>]>([
    [
      'a rotation',
      'Ele chegou pela roleta',
      async (contactId) =>
        makeRoutingCase(base.db, { contactId, roletaId: (await makeRotation(base.db)).id }, []),
    ],
    [
      'a source',
      'Ele chegou por olx',
      (id) =>
        base.db.query(
          `insert into portal.lead_intakes (contact_id, source, received_at) values ($1, 'olx', now())`,
          [id],
        ),
    ],
    [
      'an ad',
      'Ele veio da campanha Ipê',
      (id) => base.db.query(`update public.whatsapp_contacts set campaign = 'Ipê' where id = $1`, [id]),
    ],
    [
      'a campaign of ours',
      'Ele veio de uma campanha',
      async (id) => {
        const campaign = await makeCampaign(base.db, ana.id)
        const [contact] = await rows('select * from public.whatsapp_contacts where id = $1', [id])
        const made = await makeRecipient(base.db, campaign.id, contact as never)
        await base.db.query('update public.campaign_recipients set accepted_at = now() where id = $1', [
          made.id,
        ])
      },
    ],
    [
      'a hand-over',
      'Ele passou de um corretor para outro',
      (id) =>
        base.db.query(
          `insert into portal.owner_history (contact_id, to_instance, changed_by) values ($1, $2, 'admin')`,
          [id, ana.instanceName],
        ),
    ],
    [
      'an import',
      'Ele veio de uma lista importada',
      (id) =>
        base.db.query(
          `with made as (
          insert into portal.imports (id, file_name, destination, source, state, created_by, made_by, total)
          values (gen_random_uuid(), 'lista.csv', 'broker', 'lista', 'finished', 'admin', gen_random_uuid(), 1) returning id)
        insert into portal.import_rows (import_id, place, outcome, contact_id, taken_at) select id, 1, 'added', $1, now() from made`,
          [id],
        ),
    ],
    [
      'by hand',
      'Ele foi adicionado como lead',
      (id) => base.db.query(`update public.whatsapp_contacts set source = 'plantao' where id = $1`, [id]),
    ],
  ])('a lead of %s', async (_, why, make) => {
    const { id } = await makeContact(base.db, ana.instanceName)
    await makeMessage(base.db, id)
    expect(await callAs(base.db, asAna, 'lead_stays', { p_contact_id: id })).toBeNull()
    await make(id)
    expect(await callAs(base.db, asAna, 'lead_stays', { p_contact_id: id })).toContain(why)
    const answer = await mark(id)
    expect(answer).toMatchObject({ success: false, code: 'stays' })
    expect(answer.message).toContain(STAYS + why)
    expect(await count('public.whatsapp_contacts')).toBe(1)
    expect(await mark(id, {}, asAdmin), 'an administrator, asked by the broker').toMatchObject({
      code: 'saved',
    })
  })

  it('a lead that the agency brought: its broker may ask the administrators', async () => {
    const { id } = await makeContact(base.db, ana.instanceName, { source: 'olx' })
    expect(await callAs(base.db, asBia, 'ask_private', { p_contact_id: id })).toBe(false)
    expect(await callAs(base.db, asAna, 'ask_private', { p_contact_id: id })).toBe(true)
    await expect(callAs(base.db, asAdmin, 'ask_private', { p_contact_id: id })).rejects.toMatchObject({
      code: '42501',
    })
    expect(
      await rows(`select actor from portal.audit_log where action = 'lead.private-asked' and subject = $1`, [
        String(id),
      ]),
    ).toEqual([{ actor: ana.username }])
  })

  it('another broker, and an administrator who asks for the list', async () => {
    const id = await meet()
    await expect(mark(id, {}, asBia)).rejects.toMatchObject({ code: '42501' })
    await mark(id)
    expect(await takeBack({ p_contact_id: id }, asBia)).toMatchObject({ code: 'already' })
    expect(await listOf(asBia, 'list_private_contacts')).toEqual([])
    for (const name of ['list_private_contacts', 'lead_public'])
      await expect(callAs(base.db, asAdmin, name, {})).rejects.toMatchObject({ code: '42501' })
    await expect(callAs(base.db, asAna, 'count_private_contacts', {})).rejects.toMatchObject({
      code: '42501',
    })
    expect(await listOf(asAdmin, 'count_private_contacts')).toEqual([
      { instanceName: ana.instanceName, count: 1 },
    ])
    expect(await count('public.whatsapp_contacts')).toBe(0)
  })

  it('while a text to the contact is being sent', async () => {
    const id = await meet()
    const line = await makeMessage(base.db, id, { type: 'outgoing', delivery: 'queued' })
    await base.db.query(
      `insert into portal.outgoing (message_id, claimed_at, claimed_by, "instanceName") values ($1, now(), gen_random_uuid(), $2)`,
      [line.id, ana.instanceName],
    )
    await expect(mark(id)).rejects.toMatchObject({ code: 'PT503' })
    await base.db.query(
      'update portal.outgoing set claimed_at = null, claimed_by = null, "instanceName" = null where message_id = $1',
      [line.id],
    )
    expect(await mark(id)).toMatchObject({ code: 'saved' })
    expect(await count('portal.outgoing')).toBe(0)
  })
})

/** Tables with matching text, except those without people's text. */
async function tracesOf(words: RegExp): Promise<string[]> {
  const tables =
    await rows(`select n.nspname || '.' || quote_ident(c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'portal') order by 1`)
  const found: string[] = []
  for (const { name } of tables) {
    const [row] = await rows(`select exists (select from ${String(name)} t where t::text ~ $1) as found`, [
      words.source,
    ])
    if (row?.['found'] === true) found.push(String(name))
  }
  return found
}
