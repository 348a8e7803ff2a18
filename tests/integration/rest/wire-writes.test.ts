// Writes of messages and campaigns through /rest/v1: the same as on the screens, with the same rules; everything else
// is refused with a message that names the alternative.
import { PostgrestClient } from '@supabase/postgrest-js'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createServiceTokens, GRANTS } from '#server/auth/tokens/service-tokens.ts'
import { createTokens } from '#server/auth/tokens/token.ts'
import { JWT_SECRET, type Calls } from '#tests/support/whatsapp.ts'
import { makeContact, makeMessage } from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'

const { db, portal, ana, bia, asAna, asBia, asAdmin, close } = await openOffice({ isStill: true })
afterAll(close)

const ORIGIN = 'http://portal.test'
/** The official client, as this person. */
const wireOf = (calls: Pick<Calls, 'request'>) =>
  new PostgrestClient(`${ORIGIN}/rest/v1`, {
    fetch: async (input, init = {}) => {
      const asked = new Request(input, init)
      return calls.request(asked.url.slice(ORIGIN.length), init)
    },
  })
const wire = wireOf(asAna)

beforeEach(() =>
  db.exec(
    'delete from public.remarketing_campaigns; delete from public.whatsapp_contacts; delete from portal.first_text_days',
  ),
)
const lead = async (instanceName = ana.instanceName, more: Parameters<typeof makeContact>[2] = {}) =>
  (await makeContact(db, instanceName, more)).id
const count = async (table: string) =>
  (await db.query<{ count: number }>(`select count(*)::integer as count from ${table}`)).rows[0]?.count

const TEXTS_CLOSED = expect.stringMatching(
  /contact_id, body.+POST \/api\/messages\/media.+DELETE \/api\/messages/,
)
const CAMPAIGNS_CLOSED = expect.stringMatching(/status running.+status stopped.+\/api\/campaigns/)
const refused = (message: unknown) => ({
  data: null,
  status: 403,
  error: { code: '42501', message, hint: 'wire.closed' },
})

describe('a text through REST', () => {
  test("is handled like any text: queued, with the server's author and time", async () => {
    const contactId = await lead()
    const beforeSeconds = Math.floor(Date.now() / 1000)
    const { data, status, error } = await wire
      .from('whatsapp_messages')
      .insert({
        contact_id: contactId,
        body: '  Bom dia! ',
        type: 'outgoing',
        from: '5511900000000@s.whatsapp.net',
        timestamp: 1,
        read: true,
        author: 'agent',
        instanceName: bia.instanceName,
      })
      .select(
        'id, contact_id, body, timestamp, author, delivery, sender, instanceName, whatsapp_contacts(id)',
      )
      .single()
    expect(error).toBeNull()
    expect(status).toBe(201)
    expect(data).toEqual({
      id: expect.any(Number),
      contact_id: contactId,
      body: 'Bom dia!',
      timestamp: expect.any(Number),
      author: 'human',
      delivery: 'queued',
      sender: 'me',
      instanceName: ana.instanceName,
      whatsapp_contacts: { id: contactId },
    })
    expect(data?.timestamp).toBeGreaterThanOrEqual(beforeSeconds)
    expect(await count('portal.outgoing')).toBe(1)
  })

  test('is one operation by its id, of any type', async () => {
    const contactId = await lead()
    for (const id of [randomUUID(), 4_711, 'msg-1']) {
      const row = { id, contact_id: contactId, body: `Olá ${id}` }
      const first = await wire.from('whatsapp_messages').insert([row]).select('id, body')
      const again = await wire.from('whatsapp_messages').insert([row]).select('id, body')
      expect([first.status, first.data]).toEqual([201, [{ id: expect.any(Number), body: `Olá ${id}` }]])
      expect(again.data).toEqual(first.data)
    }
    expect(await count('public.whatsapp_messages')).toBe(3)
    // An operation belongs to its account: another account may use the same id.
    const other = await lead(bia.instanceName)
    const hers = await wireOf(asBia)
      .from('whatsapp_messages')
      .insert({ id: 4_711, contact_id: other, body: 'Oi' })
    expect([hers.status, await count('public.whatsapp_messages')]).toEqual([201, 4])
  })

  test('without return=representation, its location is returned', async () => {
    const contactId = await lead()
    const answer = await asAna.request('/rest/v1/whatsapp_messages', {
      method: 'POST',
      headers: { 'content-type': 'application/json', prefer: 'return=headers-only' },
      body: JSON.stringify({ contact_id: contactId, body: 'Oi' }),
    })
    const { rows } = await db.query<{ id: number }>('select id from public.whatsapp_messages')
    expect([answer.status, await answer.text(), answer.headers.get('location')]).toEqual([
      201,
      '',
      `/whatsapp_messages?id=eq.${rows[0]?.id}`,
    ])
  })

  test('that could not be returned as requested is not written', async () => {
    const contactId = await lead()
    const { error } = await wire
      .from('whatsapp_messages')
      .insert({ contact_id: contactId, body: 'Oi' })
      .select('nada')
    expect(error?.code).toBe('42703')
    const undone = await wire
      .from('whatsapp_messages')
      .insert({ contact_id: contactId, body: 'Oi' })
      .rollback()
    expect(undone.error?.code).toBe('PGRST127')
    expect(await count('public.whatsapp_messages')).toBe(0)
  })

  test.each<[name: string, row: (contactId: number) => object]>([
    [
      'several rows',
      (contact_id) => [
        { contact_id, body: 'a' },
        { contact_id, body: 'b' },
      ],
    ],
    ['no row', () => []],
    ['an incoming one', (contact_id) => ({ contact_id, body: 'a', type: 'incoming' })],
    ['a file', (contact_id) => ({ contact_id, body: 'a', kind: 'image' })],
    ['a delivery', (contact_id) => ({ contact_id, body: 'a', delivery: 'read' })],
    ['a column that is none', (contact_id) => ({ contact_id, body: 'a', nada: 1 })],
    ['a lead that is none', () => ({ contact_id: 999_999, body: 'a' })],
  ])('%s is refused with a message that names the alternative', async (_, row) => {
    const contactId = await lead()
    expect(await wire.from('whatsapp_messages').insert(row(contactId))).toMatchObject(refused(TEXTS_CLOSED))
    expect(await count('public.whatsapp_messages')).toBe(0)
  })

  test('another broker, an administrator and a machine may not; a stranger is asked to sign in', async () => {
    const row = { contact_id: await lead(), body: 'Oi' }
    const tokens = createTokens(JWT_SECRET, portal.clock)
    const { token } = await createServiceTokens({ db, clock: portal.clock, tokens }).mint({
      name: 'n8n',
      grants: GRANTS,
      days: 1,
    })
    const asMachine = {
      request: (address: string, init: RequestInit) => {
        const headers = new Headers(init.headers)
        headers.set('authorization', `Bearer ${token}`)
        return portal.request(address, { ...init, headers })
      },
    }
    for (const calls of [asBia, asAdmin, asMachine])
      expect(await wireOf(calls).from('whatsapp_messages').insert(row)).toMatchObject(refused(TEXTS_CLOSED))
    const stranger = await wireOf({ request: portal.request }).from('whatsapp_messages').insert(row)
    expect(stranger).toMatchObject({ status: 401, error: { code: '42501' } })
    const ended = await portal.enter(`${ana.username}@corretor.local`)
    await ended.send('/auth/v1/logout?scope=local', null).catch(() => undefined)
    expect(await wireOf(ended).from('whatsapp_messages').insert(row)).toMatchObject({
      status: 401,
      error: { code: 'PGRST303' },
    })
    expect(await count('public.whatsapp_messages')).toBe(0)
  })

  test('messages cannot be changed or deleted', async () => {
    const { id } = await makeMessage(db, await lead(), { body: 'Oi' })
    const table = wire.from('whatsapp_messages')
    expect(await table.update({ body: 'outra' }).eq('id', id)).toMatchObject(refused(TEXTS_CLOSED))
    expect(await table.delete().eq('id', id)).toMatchObject(refused(TEXTS_CLOSED))
    const { rows } = await db.query('select body from public.whatsapp_messages')
    expect(rows).toEqual([{ body: 'Oi' }])
  })

  test('an invalid text gets a reason', async () => {
    const contact_id = await lead()
    const insert = (row: object) => wire.from('whatsapp_messages').insert(row)
    expect(await insert({ contact_id, body: ' ' })).toMatchObject({
      status: 422,
      error: { message: 'Escreva uma mensagem.', hint: 'message.empty' },
    })
    expect(await insert({ contact_id })).toMatchObject({ status: 422, error: { hint: 'request.invalid' } })
    const wrong = await asAna.request('/rest/v1/whatsapp_messages', {
      method: 'POST',
      body: '{"contact_id":',
    })
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { code: 'PGRST102' }])
  })
})

describe('first messages to leads who never wrote', () => {
  const limit = (most: number) =>
    db.query(
      `insert into portal.settings (key, value) values ('first_texts_a_day', to_jsonb($1::integer))
       on conflict (key) do update set value = excluded.value`,
      [most],
    )
  const write = async (contactId: number) =>
    (await wire.from('whatsapp_messages').insert({ contact_id: contactId, body: 'Oi' })).error
  const writeByHand = async (contactId: number) =>
    (await asAna.call('/api/messages/text', { contactId, text: 'Oi', operationId: randomUUID() })).body

  test('share one daily limit per number, by hand and through REST; replies are free', async () => {
    await limit(2)
    const [first, second, third] = [await lead(), await lead(), await lead()]
    expect(await write(first)).toBeNull()
    expect(await writeByHand(second)).toHaveProperty('message')
    // Other messages continue, and so do leads that wrote.
    expect(await write(first)).toBeNull()
    const wrote = await lead()
    await makeMessage(db, wrote, { body: 'Quero visitar' })
    expect(await write(wrote)).toBeNull()

    const words =
      'Este WhatsApp já começou 2 conversas hoje com quem nunca escreveu. Para não ser bloqueado, continue amanhã ou espere a pessoa escrever.'
    expect(await write(third)).toMatchObject({ code: 'PT409', message: words, hint: 'message.first-texts' })
    expect(await writeByHand(third)).toEqual({ error: { code: 'message.first-texts', message: words } })
    await makeMessage(db, third, { body: 'Olá' })
    expect(await write(third)).toBeNull()
    // Another broker's number has its own count.
    const hers = await wireOf(asBia)
      .from('whatsapp_messages')
      .insert({ contact_id: await lead(bia.instanceName), body: 'Oi' })
    expect(hers.status).toBe(201)
  })

  test('two at once do not both take the last place', async () => {
    await limit(1)
    const leads = await Promise.all([lead(), lead(), lead(), lead()])
    const errors = await Promise.all(leads.map(write))
    expect(errors.filter((error) => error === null)).toHaveLength(1)
    expect(await count('public.whatsapp_messages')).toBe(1)
  })

  test('a repeat is no second one', async () => {
    await limit(1)
    const contact_id = await lead()
    const row = { id: randomUUID(), contact_id, body: 'Oi' }
    for (let time = 0; time < 2; time++)
      expect((await wire.from('whatsapp_messages').insert(row)).status).toBe(201)
  })

  test('never go to an opted-out lead', async () => {
    await limit(5)
    const contactId = await lead()
    await db.query(
      'update portal.people set opted_out_at = now() where id = (select person_id from public.whatsapp_contacts where id = $1)',
      [contactId],
    )
    expect(await write(contactId)).toMatchObject({
      code: 'PT409',
      message: 'Esta pessoa pediu para não receber mensagens. Só responda se ela escrever.',
      hint: 'lead.opted-out',
    })
    expect(await writeByHand(contactId)).toMatchObject({ error: { code: 'lead.opted-out' } })
    expect(await count('portal.first_text_days')).toBe(0)
  })
})

describe('a campaign through REST', () => {
  const campaigns = wire.from('remarketing_campaigns')
  const row = (more: object = {}) => ({
    broker_id: ana.id,
    message: 'Olá {nome}',
    kanban_stage: 'new',
    status: 'running',
    total_contacts: 99,
    processed_contacts: 42,
    ...more,
  })
  const talked = async (instanceName = ana.instanceName) => {
    const contactId = await lead(instanceName, { status: 'new' })
    await makeMessage(db, contactId, { body: 'Oi' })
    return contactId
  }

  test('includes all possible recipients of the stage, and computes its own counts', async () => {
    await Promise.all([talked(), talked(), talked(bia.instanceName)])
    const opted = await talked()
    await db.query(
      'update portal.people set opted_out_at = now() where id = (select person_id from public.whatsapp_contacts where id = $1)',
      [opted],
    )
    const { data, status } = await campaigns
      .insert(row())
      .select('id, broker_id, kanban_stage, status, total_contacts, processed_contacts, message')
      .single()
    expect([status, data]).toEqual([
      201,
      {
        id: expect.any(Number),
        broker_id: ana.id,
        kanban_stage: 'new',
        // The campaign's worker may have paused it already, because no WhatsApp is connected here.
        status: expect.stringMatching(/^(running|paused)$/) as string,
        total_contacts: 2,
        processed_contacts: 0,
        message: 'Olá {nome}',
      },
    ])
    expect(await count('public.campaign_recipients')).toBe(2)
    // The screen's rule: one running campaign at a time.
    expect(await campaigns.insert(row())).toMatchObject({
      status: 409,
      error: { message: 'Esta campanha já está sendo processada', hint: 'campaign.active' },
    })
  })

  test('is one operation by its id', async () => {
    await talked()
    const id = randomUUID()
    const first = await campaigns.insert(row({ id })).select('id')
    const again = await campaigns.insert(row({ id })).select('id')
    expect([again.status, again.data]).toEqual([201, first.data])
    expect(await count('public.remarketing_campaigns')).toBe(1)
  })

  test('can be stopped by it, and nothing else', async () => {
    await talked()
    const { data } = await campaigns.insert(row()).select('id').single()
    const id: unknown = data?.id
    for (const change of [
      { status: 'completed' },
      { processed_contacts: 1 },
      { message: 'x' },
      { status: 'scheduled' },
      {},
    ])
      expect([change, await campaigns.update(change).eq('id', id)]).toMatchObject([
        change,
        refused(CAMPAIGNS_CLOSED),
      ])
    for (const closed of [
      await campaigns.update({ status: 'stopped' }).eq('broker_id', ana.id),
      await campaigns.update({ status: 'stopped' }).eq('id', id).eq('status', 'running'),
      await campaigns.delete().eq('id', id),
      await campaigns.upsert({ ...row(), status: 'stopped' }),
    ])
      expect(closed).toMatchObject(refused(CAMPAIGNS_CLOSED))
    const stopped = await campaigns
      .update({ status: 'stopped', processed_contacts: 7 })
      .eq('id', id)
      .select('status, processed_contacts')
    expect([stopped.status, stopped.data]).toEqual([200, [{ status: 'stopped', processed_contacts: 0 }]])
    expect((await campaigns.update({ status: 'stopped' }).eq('id', id)).status).toBe(204)
  })

  test('belongs to the own broker only', async () => {
    await talked()
    const others = wireOf(asBia).from('remarketing_campaigns')
    expect(await others.insert(row())).toMatchObject(refused(CAMPAIGNS_CLOSED))
    expect(
      await wireOf(asAdmin)
        .from('remarketing_campaigns')
        .insert(row({ broker_id: undefined })),
    ).toMatchObject({
      status: 403,
      error: { message: 'Só um corretor faz campanhas, com os próprios contatos.' },
    })
    const { data } = await campaigns.insert(row()).select('id').single()
    expect(await others.update({ status: 'stopped' }).eq('id', data?.id)).toMatchObject({
      status: 404,
      error: { message: 'Campanha não encontrada.' },
    })
    expect(
      await wireOf({ request: portal.request }).from('remarketing_campaigns').insert(row()),
    ).toMatchObject({
      status: 401,
    })
    expect(await count(`public.remarketing_campaigns where status <> 'stopped'`)).toBe(1)
  })

  test('is refused with the screen’s messages', async () => {
    expect(await campaigns.insert(row())).toMatchObject({
      status: 422,
      error: { hint: 'campaign.no-contacts' },
    })
    expect(await campaigns.insert(row({ message: ' ' }))).toMatchObject({
      status: 422,
      error: { message: 'Escreva a mensagem da campanha.' },
    })
    expect(await campaigns.insert(row({ status: 'completed' }))).toMatchObject(refused(CAMPAIGNS_CLOSED))
  })
})
