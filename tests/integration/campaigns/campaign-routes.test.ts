// /api/campaigns through the whole portal: planned, read, controlled; who may, and refusals. And opt-outs: recognised
// in the lead's text, valid for every broker, undone by an administrator.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { PDF } from '#tests/support/files.ts'
import { makeContact } from '#tests/support/make.ts'
import type { Calls } from '#tests/support/whatsapp.ts'
import { openOffice } from '#tests/support/office.ts'

const { db, portal, ana, bia, asAna, asBia, asAdmin, close } = await openOffice()
afterAll(close)
afterEach(() =>
  db.exec(
    'delete from public.remarketing_campaigns; delete from public.whatsapp_contacts; delete from portal.people; delete from portal.opt_outs',
  ),
)

/** Later, so that nothing is sent during a test. */
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString()
const input = (more = {}) => ({
  operationId: randomUUID(),
  stage: 'new',
  message: 'Oi, {nome}! Temos novidades.',
  startsAt: TOMORROW,
  ...more,
})
const lead = (columns = {}, owner = ana) => makeContact(db, owner.instanceName, columns)
const recipients = async (calls = asAna) =>
  (await calls.call('/rest/v1/campaign_recipients?select=name,body,state&order=id')).body

test("a campaign is stored with each recipient's final text", async () => {
  const marina = await lead({ name: 'Marina Tavares' })
  const nobody = await lead({ name: null })
  const { status, body } = await asAna.call('/api/campaigns', input({ contactIds: [nobody.id, marina.id] }))
  expect(status).toBe(200)
  expect(body['campaign']).toMatchObject({
    broker_id: ana.id,
    kanban_stage: 'new',
    status: 'scheduled',
    total_contacts: 2,
    processed_contacts: 0,
    message: 'Oi, {nome}! Temos novidades.',
    marks: true,
  })
  await db.query(`update public.whatsapp_contacts set name = 'Outra' where id = $1`, [marina.id])
  expect(await recipients()).toEqual([
    { name: null, body: 'Oi! Temos novidades.', state: 'pending' },
    { name: 'Marina Tavares', body: 'Oi, Marina! Temos novidades.', state: 'pending' },
  ])
  const active = await asAna.call('/api/campaigns/active')
  expect(active.body).toMatchObject({
    campaign: { status: 'scheduled' },
    counts: { pending: 2 },
    current: null,
    endsAt: expect.stringMatching(/Z$/),
  })
  expect(Date.parse(String(active.body['endsAt']))).toBeGreaterThan(Date.parse(TOMORROW))
})

test('a text of the name alone goes to nobody without a name', async () => {
  const ids = [await lead({ name: null }), await lead({ name: 'Lead 12' }), await lead({ name: 'Marina' })]
  const contactIds = ids.map(({ id }) => id)
  await asAna.call('/api/campaigns', input({ contactIds, message: '{nome}' }))
  expect(await recipients()).toEqual([{ name: 'Marina', body: 'Marina', state: 'pending' }])
})

test('the same operation is one campaign; another one has to wait', async () => {
  await lead()
  const asked = input()
  const both = await Promise.all([asAna.call('/api/campaigns', asked), asAna.call('/api/campaigns', asked)])
  const again = await asAna.call('/api/campaigns', asked)
  const ids = [...both, again].map(({ body }) => body['campaign']).map((row) => (row as { id: number }).id)
  expect(new Set(ids).size).toBe(1)
  const other = await asAna.call('/api/campaigns', input())
  expect(other).toMatchObject({
    status: 409,
    body: { error: { code: 'campaign.active', message: 'Esta campanha já está sendo processada' } },
  })
})

test('excluded leads, with reasons', async () => {
  const [may, out, none, lately] = [await lead(), await lead(), await lead({ number: null }), await lead()]
  await lead({}, bia)
  await db.query('update portal.people set opted_out_at = now() where id = $1', [out.person_id])
  await db.query('update public.whatsapp_contacts set remarketing_sent_at = now() where id = $1', [lately.id])
  const { body } = await asAna.call('/api/campaigns/candidates?stage=new')
  const by = Object.fromEntries(
    (body['contacts'] as { contactId: number; exclusion: string | null }[]).map((each) => [
      each.contactId,
      each.exclusion,
    ]),
  )
  expect(by).toEqual({
    [may.id]: null,
    [out.id]: 'opted-out',
    [none.id]: 'no-number',
    [lately.id]: 'recent',
  })
  expect(body['pacing']).toMatchObject({
    opensAt: 8,
    closesAt: 20,
    dailyCap: 200,
    sentToday: 0,
    stepMs: 30_000,
  })
  await asAna.call('/api/campaigns', input({ contactIds: [may.id, out.id, none.id, lately.id] }))
  expect(await recipients()).toHaveLength(1)
})

test('the rest period belongs to the person: somebody reached by another broker, under any form of the number, is excluded', async () => {
  const [may, marked, reached] = [
    await lead(),
    await lead({ number: '5511987650001' }),
    await lead({ number: '5511987650002' }),
  ]
  const theirs = [await lead({ number: '551187650001' }, bia), await lead({ number: '11987650002' }, bia)]
  await db.query('update public.whatsapp_contacts set remarketing_sent_at = now() where id = $1', [
    theirs[0]!.id,
  ])
  const { body: planned } = await asBia.call('/api/campaigns', input({ contactIds: [theirs[1]!.id] }))
  await db.query(
    `update public.campaign_recipients set state = 'sent', accepted_at = now() where campaign_id = $1`,
    [(planned['campaign'] as { id: number }).id],
  )
  const { body } = await asAna.call('/api/campaigns/candidates?stage=new')
  const found = (body['contacts'] as { contactId: number; exclusion: string | null }[]).map(
    ({ contactId, exclusion }) => [contactId, exclusion] as const,
  )
  expect(new Map(found)).toEqual(
    new Map([
      [may.id, null],
      [marked.id, 'recent'],
      [reached.id, 'recent'],
    ]),
  )
})

describe('refused, and nothing stored', () => {
  test.each([
    [422, 'campaign.empty', { message: ' ' }],
    [422, 'campaign.no-stage', { stage: '' }],
    [422, 'campaign.no-contacts', { contactIds: [] }],
    [422, 'campaign.no-contacts', { stage: 'arquivado' }],
    [422, 'campaign.too-long', { message: 'x'.repeat(10_001) }],
    [422, 'request.invalid', { operationId: 'x' }],
    [422, 'request.invalid', { contactIds: ['1'] }],
  ])('%d %s', async (...[status, code, more]) => {
    await lead()
    expect(await asAna.call('/api/campaigns', input(more))).toMatchObject({
      status,
      body: { error: { code } },
    })
    expect((await db.query('select from public.remarketing_campaigns')).rows).toEqual([])
  })

  test("another broker's leads and campaign; an administrator's own", async () => {
    const theirs = await lead({}, bia)
    expect((await asAna.call('/api/campaigns', input({ contactIds: [theirs.id] }))).status).toBe(422)
    const { body } = await asBia.call('/api/campaigns', input())
    const { id } = body['campaign'] as { id: number }
    for (const intent of ['pause', 'resume', 'stop', 'retry'])
      expect(await asAna.call(`/api/campaigns/${id}/${intent}`, { operationId: randomUUID() })).toMatchObject(
        {
          status: 404,
          body: { error: { code: 'campaign.unknown' } },
        },
      )
    for (const settling of ['again', 'sent'])
      expect(
        await asAna.call(`/api/campaigns/${id}/recipients/1/${settling}`, { operationId: randomUUID() }),
      ).toMatchObject({ status: 404, body: { error: { code: 'campaign.unknown' } } })
    expect(
      await asBia.call(`/api/campaigns/${id}/recipients/1/sent`, { operationId: randomUUID() }),
    ).toMatchObject({ status: 404, body: { error: { code: 'campaign.unknown-recipient' } } })
    expect(await recipients()).toEqual([])
    expect((await asAna.call('/api/campaigns/active')).body).toEqual({ campaign: null })
    for (const address of ['/api/campaigns/active', '/api/campaigns/candidates?stage=new'])
      expect((await asAdmin.call(address)).status).toBe(403)
    expect((await asAdmin.call('/api/campaigns', input())).status).toBe(403)
  })

  test('a stranger', async () => {
    for (const [method, address] of [
      ['POST', '/api/campaigns'],
      ['GET', '/api/campaigns/active'],
      ['GET', '/api/campaigns/candidates'],
      ['POST', '/api/campaigns/1/stop'],
      ['POST', '/api/campaigns/1/recipients/1/sent'],
    ] as const) {
      const answer = await portal.request(address, { method, ...(method === 'POST' ? { body: '{}' } : {}) })
      expect(answer.status).toBe(401)
    }
  })
})

test('paused, resumed and stopped by its broker or an administrator, once per operation', async () => {
  await lead()
  const { body } = await asAna.call('/api/campaigns', input())
  const { id } = body['campaign'] as { id: number }
  const intent = (calls: Calls, name: string, operationId: string = randomUUID()) =>
    calls.call(`/api/campaigns/${id}/${name}`, { operationId })
  expect((await intent(asAna, 'pause')).body).toMatchObject({
    campaign: { status: 'paused', pause_reason: 'person' },
  })
  expect((await intent(asAna, 'resume')).body).toMatchObject({ campaign: { status: 'scheduled' } })
  const operationId = randomUUID()
  expect((await intent(asAdmin, 'stop', operationId)).body).toMatchObject({ campaign: { status: 'stopped' } })
  expect((await intent(asAdmin, 'stop', operationId)).body).toMatchObject({ campaign: { status: 'stopped' } })
  expect((await intent(asAna, 'resume')).body).toMatchObject({ error: { code: 'campaign.ended' } })
  expect((await intent(asAna, 'retry')).body).toMatchObject({ error: { code: 'campaign.none-failed' } })
  expect(await recipients()).toMatchObject([{ state: 'cancelled' }])
})

test('an attachment is checked, stored and fixed', async () => {
  await lead()
  const form = (file: Uint8Array) => {
    const body = new FormData()
    body.set('message', JSON.stringify(input({ media: { kind: 'document', fileName: 'planta.pdf' } })))
    body.set('file', new Blob([new Uint8Array(file)]), 'upload')
    return body
  }
  const refused = await asAna.send('/api/campaigns', form(new TextEncoder().encode('<html>')))
  expect(refused).toMatchObject({ status: 415, body: { error: { code: 'media.unsupported' } } })
  const { body } = await asAna.send('/api/campaigns', form(PDF))
  expect(body['campaign']).toMatchObject({
    media: { kind: 'document', content: { fileName: 'planta.pdf', mediaId: expect.any(String) } },
  })
})

describe('opt-outs', () => {
  let count = 0
  const hear = (instance: string, jid: string, body: string) =>
    db.query('select portal.apply_event($1, $2::jsonb)', [
      instance,
      JSON.stringify({
        event: 'message',
        messageId: `OUT${++count}`,
        chat: { remoteJid: jid, jids: [jid], ownJid: null },
        fromMe: false,
        isViaApi: false,
        sentAtSeconds: Math.floor(Date.now() / 1000),
        pushName: null,
        delivery: 'sent',
        kind: 'text',
        body,
        content: null,
        quoted: null,
        ad: null,
        raw: null,
        optsOut: true,
      }),
    ])
  const optedOut = async (contactId: number) =>
    (
      await db.query<{ is_out: boolean }>(
        `select p.opted_out_at is not null as is_out from portal.people p
         join public.whatsapp_contacts c on c.person_id = p.id where c.id = $1`,
        [contactId],
      )
    ).rows[0]?.is_out

  test('exclude the person for every broker and every form of the number, and are notified once', async () => {
    const mine = await lead({ number: '5511970001234' })
    const theirs = await lead({ number: '(11) 97000-1234' }, bia)
    await hear(ana.instanceName, '5511970001234@s.whatsapp.net', 'SAIR')
    await hear(ana.instanceName, '5511970001234@s.whatsapp.net', 'pare')
    expect(await optedOut(theirs.id)).toBe(true)
    const { rows } = await db.query(
      `select body, author, delivery from public.whatsapp_messages where type = 'outgoing'`,
    )
    expect(rows).toEqual([
      { body: expect.stringContaining('não vai mais receber'), author: 'campaign', delivery: 'queued' },
    ])
    expect((await asBia.call('/api/campaigns', input({ contactIds: [theirs.id] }))).status).toBe(422)
    expect((await asAna.call('/api/campaigns', input({ contactIds: [mine.id] }))).status).toBe(422)
  })

  test('stay after contact and person are deleted, until an administrator undoes them', async () => {
    await lead({ number: '5511970001234' })
    await hear(ana.instanceName, '5511970001234@s.whatsapp.net', 'SAIR')
    await db.exec('delete from public.whatsapp_contacts; delete from portal.people')
    const again = await lead({ number: '11 97000-1234' }, bia)
    expect(await optedOut(again.id)).toBe(true)
    const undo = (calls: Calls) => calls.call('/rest/v1/rpc/undo_opt_out', { p_contact_id: again.id })
    expect((await undo(asBia)).status).toBe(403)
    expect(await optedOut(again.id)).toBe(true)
    expect((await undo(asAdmin)).body).toBe(true)
    expect((await undo(asAdmin)).body).toBe(false)
    expect(await optedOut(again.id)).toBe(false)
    expect((await db.query('select from portal.opt_outs')).rows).toEqual([])
  })
})

test('sending hours and limits: brokers read them, an administrator changes them', async () => {
  const settings = {
    p_opens_at: 9,
    p_closes_at: 18,
    p_sends_on_sundays: false,
    p_daily_cap: 100,
    p_warm_up_from: 10,
    p_warm_up_days: 7,
    p_rest_days: 3,
  }
  const save = (calls: Calls, more = {}) =>
    calls.call('/rest/v1/rpc/save_campaign_settings', { ...settings, ...more })
  expect((await save(asAna)).status).toBe(403)
  expect((await save(asAdmin, { p_closes_at: 9 })).status).toBe(400)
  expect(await save(asAdmin, { p_warm_up_from: 101 })).toMatchObject({
    status: 400,
    body: { message: 'O limite no 1º dia não pode passar do limite por dia.' },
  })
  expect((await save(asAdmin)).status).toBe(200)
  expect((await asAna.call('/rest/v1/campaign_settings?select=opens_at,daily_cap')).body).toEqual([
    { opens_at: 9, daily_cap: 100 },
  ])
})
