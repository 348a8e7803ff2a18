// What form libraries and generators of screens send through the official client: whole rows written back, a broker
// embedded by name, bodies without argument names, and the document at the root.
import { createClient } from '@supabase/supabase-js'
import { afterAll, expect, test } from 'vitest'
import { eventually } from '#tests/support/eventually.ts'
import { makeCampaign, makeContact } from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'
import type { Calls } from '#tests/support/whatsapp.ts'

const { db, ana, bia, asAna, asBia, asAdmin, portal, close } = await openOffice({ isStill: true })
afterAll(close)

const ORIGIN = 'http://portal.test'
/** Replaces the WebSocket that older Nodes lack and the client requires; nothing here is live. */
function NoSocket() {
  throw new Error('nothing here opens a socket')
}
const clientOf = (calls: Pick<Calls, 'request'>) =>
  createClient(ORIGIN, 'key', {
    global: {
      fetch: async (input, init = {}) => {
        const headers = new Headers(init.headers)
        // The session's own token takes the place of the key.
        for (const name of ['authorization', 'apikey']) headers.delete(name)
        const { url } = new Request(input)
        return calls.request(url.slice(ORIGIN.length), { ...init, headers: Object.fromEntries(headers) })
      },
    },
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: NoSocket as never },
  })
const [broker, admin] = [clientOf(asAna), clientOf(asAdmin)]
type Row = Record<string, unknown>

async function leadRow(): Promise<Row> {
  const { id } = await makeContact(db, ana.instanceName, { notes: 'Ligar' })
  const { data } = await broker.from('whatsapp_contacts').select('*').eq('id', id).single<Row>()
  return data ?? expect.fail('no lead')
}
const stored = async (id: unknown) =>
  (await admin.from('whatsapp_contacts').select('*').eq('id', id).single<Row>()).data

test('a campaign embeds its broker by name, for the administrator and for the broker itself', async () => {
  await makeCampaign(db, ana.id, { status: 'completed' })
  const whose = { broker: { id: ana.id, instanceName: ana.instanceName } }
  for (const one of [admin, broker]) {
    const read = await one.from('remarketing_campaigns').select('*,broker(id,instanceName)')
    expect(read).toMatchObject({ error: null, data: [{ status: 'completed', ...whose }] })
  }
  expect((await clientOf(asBia).from('remarketing_campaigns').select('*,broker(id)')).data).toEqual([])
  await db.exec('delete from public.remarketing_campaigns')
})

test('a whole lead is written back: what may be written is, what is unchanged is let through', async () => {
  const row = await leadRow()
  const changed = await broker
    .from('whatsapp_contacts')
    .update({ ...row, notes: 'Ligar amanhã', name: 'Nair' })
    .eq('id', row['id'])
    .select()
    .single<Row>()
  expect(changed.error).toBe(null)
  expect(changed.data).toMatchObject({ notes: 'Ligar amanhã', name: 'Nair', status: 'new' })
  const same = await broker.from('whatsapp_contacts').update(changed.data!).eq('id', row['id'])
  expect([same.status, same.error]).toEqual([204, null])
})

test('a changed column that may not be written is named, and nothing is written', async () => {
  const row = await leadRow()
  const write = (change: Row) =>
    broker
      .from('whatsapp_contacts')
      .update({ ...row, notes: 'outra', ...change })
      .eq('id', row['id'])
  for (const [column, value] of [
    ['unread_count', 7],
    ['person_id', 1],
    ['ad', { title: 'x' }],
    ['tags', ['vip']],
    ['instanceName', bia.instanceName],
  ] as const) {
    const { status, error } = await write({ [column]: value })
    expect([column, status, error?.code]).toEqual([column, 403, '42501'])
    expect(error?.message).toBe(`permission denied for column ${column} of table whatsapp_contacts`)
    expect(error?.hint).toBe('Columns that may be written: name, notes, status')
  }
  expect(await write({ unread_count: 7, source: 'x' })).toMatchObject({
    error: { message: 'permission denied for column source, unread_count of table whatsapp_contacts' },
  })
  expect(await write({ status: 'conversa' })).toMatchObject({ status: 403, error: { code: '42501' } })
  expect(await stored(row['id'])).toEqual(row)
})

test('of a row of another broker nothing is said or written', async () => {
  const row = await leadRow()
  const theirs = await clientOf(asBia)
    .from('whatsapp_contacts')
    .update({ ...row, unread_count: 7, notes: 'minha' })
    .eq('id', row['id'])
    .select()
  expect([theirs.error, theirs.data]).toEqual([null, []])
  expect(await stored(row['id'])).toEqual(row)
})

test('a whole stage is merged back as it is stored, but not under another slug', async () => {
  const { data } = await admin.from('kanban_stages').select('*').eq('slug', 'conversa').single<Row>()
  const merge = (change: Row) => admin.from('kanban_stages').upsert({ ...data, ...change })
  expect(await merge({ name: 'Conversando' })).toMatchObject({ error: null })
  expect(await merge({ slug: 'papo' })).toMatchObject({
    status: 403,
    error: { message: 'permission denied for column slug of table kanban_stages' },
  })
  expect((await admin.from('kanban_stages').select('name, slug').eq('id', data?.['id'])).data).toEqual([
    { name: 'Conversando', slug: 'conversa' },
  ])
})

test('a whole campaign is written back: unchanged, stopped, and refused by the name of the column', async () => {
  const { id } = await makeCampaign(db, ana.id, { status: 'running' })
  const campaigns = () => broker.from('remarketing_campaigns')
  const row = (await campaigns().select('*').eq('id', id).single<Row>()).data
  const write = (change: Row) =>
    campaigns()
      .update({ ...row, ...change })
      .eq('id', id)
  expect(await write({})).toMatchObject({ status: 204, error: null })
  expect(await write({ message: 'Outra', status: 'stopped' })).toMatchObject({
    status: 403,
    error: { code: '42501', message: expect.stringMatching(/ Mudou: message\.$/) },
  })
  expect((await campaigns().select('status').eq('id', id)).data).toEqual([{ status: 'running' }])
  expect(await write({ status: 'stopped' })).toMatchObject({ status: 204, error: null })
  expect((await campaigns().select('status').eq('id', id)).data).toEqual([{ status: 'stopped' }])
})

test('a function with one unnamed argument takes the whole body, by its type', async () => {
  await db.exec(`
    create function public.whole_json(json) returns json language sql as 'select $1';
    create function public.whole_jsonb(jsonb) returns jsonb language sql as 'select $1';
    create function public.whole_text(text) returns text language sql as 'select $1';
    create function public.whole_bytea(bytea) returns integer language sql as 'select length($1)';
    grant execute on function public.whole_json(json), public.whole_jsonb(jsonb), public.whole_text(text),
      public.whole_bytea(bytea) to authenticated;
    notify pgrst, 'reload schema'`)
  const given = { b: 2, a: [{ c: null }] }
  // The catalogue is read again soon after the notice.
  await eventually(async () => expect(await broker.rpc('whole_json', given)).toMatchObject({ error: null }))
  for (const name of ['whole_json', 'whole_jsonb']) {
    expect(await broker.rpc(name, given)).toMatchObject({ error: null, data: given })
    expect(await broker.rpc(name)).toMatchObject({ error: null, data: {} })
    expect(await broker.rpc(name, [given, given] as never)).toMatchObject({
      error: null,
      data: [given, given],
    })
  }
  const post = async (name: string, type: string, body: string | Uint8Array<ArrayBuffer>) => {
    const answer = await asAna.request(`/rest/v1/rpc/${name}`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    })
    return [answer.status, await answer.json()]
  }
  expect(await post('whole_text', 'text/plain', 'olá\n"você"')).toEqual([200, 'olá\n"você"'])
  expect(await post('whole_bytea', 'application/octet-stream', new Uint8Array([0, 255, 92]))).toEqual([
    200, 3,
  ])
  expect(await post('whole_json', 'application/json', '{"n": 1.10}')).toEqual([200, { n: 1.1 }])
  for (const [name, type] of [
    ['whole_text', 'application/json'],
    ['whole_json', 'text/plain'],
    ['whole_bytea', 'text/plain'],
  ] as const)
    expect(await post(name, type, '{}')).toMatchObject([404, { code: 'PGRST202' }])
  expect(await broker.rpc('whole_json', {}, { get: true })).toMatchObject({ error: { code: 'PGRST202' } })
  await db.exec(
    `drop function public.whole_json, public.whole_jsonb, public.whole_text, public.whole_bytea;
     notify pgrst, 'reload schema'`,
  )
})

test("the root describes what an administrator may reach, in PostgREST's form, and is closed to others", async () => {
  const root = async (calls: Pick<Calls, 'request'>, path = '/rest/v1/', init: RequestInit = {}) => {
    const answer = await calls.request(path, init)
    const text = await answer.text()
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      body: (text === '' ? null : JSON.parse(text)) as Row,
    }
  }
  const { status, type, body } = await root(asAdmin)
  expect([status, type]).toEqual([200, 'application/openapi+json; charset=utf-8'])
  expect(body).toMatchObject({
    swagger: '2.0',
    basePath: '/rest/v1/',
    paths: {
      '/': { get: { tags: ['Introspection'] } },
      '/whatsapp_contacts': {
        get: {
          parameters: expect.arrayContaining([
            { $ref: '#/parameters/rowFilter.whatsapp_contacts.status' },
            { $ref: '#/parameters/preferCount' },
          ]),
          responses: {
            200: { schema: { type: 'array', items: { $ref: '#/definitions/whatsapp_contacts' } } },
            206: { description: 'Partial Content' },
          },
        },
        patch: { responses: { 204: { description: 'No Content' } } },
      },
      '/rpc/atualizar_status_lead': {
        post: {
          tags: ['(rpc) atualizar_status_lead'],
          parameters: [
            {
              name: 'args',
              in: 'body',
              required: true,
              schema: { properties: { p_contact_id: { type: 'integer', format: 'bigint' } } },
            },
            { $ref: '#/parameters/preferParams' },
          ],
        },
      },
    },
    definitions: {
      whatsapp_contacts: {
        type: 'object',
        required: expect.arrayContaining(['id', 'status']),
        properties: {
          id: { type: 'integer', format: 'bigint', description: 'Note:\nThis is a Primary Key.<pk/>' },
          tags: { type: 'array', format: 'text[]', items: { type: 'string' } },
          unread_count: { type: 'integer', default: 0 },
        },
      },
      remarketing_campaigns: {
        properties: {
          broker_id: {
            format: 'uuid',
            description: expect.stringContaining(
              "This is a Foreign Key to `brokers.id`.<fk table='brokers' column='id'/>",
            ),
          },
        },
      },
    },
    parameters: {
      'body.kanban_stages': { in: 'body', schema: { $ref: '#/definitions/kanban_stages' } },
      'rowFilter.kanban_stages.slug': { name: 'slug', in: 'query', type: 'string' },
    },
  })
  // No reference leads nowhere.
  const text = JSON.stringify(body)
  const known = body as Record<'parameters' | 'definitions', Row>
  for (const [, kind, name] of text.matchAll(/"#\/(parameters|definitions)\/([^"]+)"/g))
    expect(Object.keys(known[kind as 'parameters'])).toContain(name)
  expect(Object.keys(body['paths'] as Row)).not.toContain('/rpc/server_only')
  expect((await root(asAdmin, '/rest/v1')).status).toBe(200)
  expect(await root(asAdmin, '/rest/v1/', { method: 'HEAD' })).toMatchObject({ status: 200, body: null })
  expect(await root(asAdmin, '/rest/v1/', { method: 'POST' })).toMatchObject({ body: { code: 'PGRST117' } })
  expect(await root(asAdmin, '/rest/v1/', { headers: { accept: 'text/csv' } })).toMatchObject({
    status: 406,
    body: { code: 'PGRST107' },
  })
  const stranger = { request: (path: string, init: RequestInit = {}) => portal.request(path, init) }
  for (const calls of [asAna, stranger])
    expect(await root(calls)).toMatchObject({ status: 404, body: { code: 'PGRST126' } })
})
