// Leads from Meta Lead Ads by its signed webhook: with their answers, or by id and read from Meta; stored to be read
// again.
import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, afterEach, expect, test } from 'vitest'
import { GraphError, type ReadLeadgen } from '#server/leads/intake/meta/graph.ts'
import { createMetaSecretBox, encryptPlain } from '#server/leads/intake/meta/secrets.ts'
import { openOffice } from '#tests/support/office.ts'
import { makeLinkedBroker } from '#tests/support/rotation.ts'
import { JWT_SECRET } from '#tests/support/whatsapp.ts'
import { makeIntakeKey } from '#tests/support/intake-office.ts'

const NOBODY: ReadLeadgen = () => Promise.reject(new GraphError('again', 'no network'))
/** A scripted Meta. */
const meta = { answer: NOBODY }
const { db, portal, asAdmin, close } = await openOffice({
  make: makeLinkedBroker,
  hasGateway: false,
  readLeadgen: (...asked) => meta.answer(...asked),
})
afterAll(close)
afterEach(() =>
  db.exec('delete from public.whatsapp_contacts; delete from portal.intake_keys; delete from portal.people'),
)

const makeKey = (more: object = {}) => makeIntakeKey(asAdmin, more)

async function post(address: string, body: string, headers: Record<string, string>) {
  const response = await portal.request(address, { method: 'POST', body, headers })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const leads = async () =>
  (await db.query('select name, number, source from public.whatsapp_contacts order by id')).rows
const intakes = async () =>
  (await db.query('select external_id, development from portal.lead_intakes order by id')).rows
const raws = async () =>
  (await db.query('select fault, next_at is not null as "isDue" from portal.intake_raw order by id')).rows

const SECRETS = { appSecret: 'segredo-do-app', verifyToken: 'token-nosso', pageToken: 'token-da-pagina' }
const ANSWERS = {
  created_time: 1_795_000_000,
  field_data: [
    { name: 'full_name', values: ['Marina Tavares'] },
    { name: 'phone_number', values: ['+5511955500142'] },
  ],
}
const makeMeta = (more = {}) => makeKey({ kind: 'meta', name: 'Meta', secrets: SECRETS, ...more })
const delivery = (leadgenId: string, more = {}) =>
  JSON.stringify({
    object: 'page',
    entry: [{ changes: [{ field: 'leadgen', value: { leadgen_id: leadgenId, form_id: '9', ...more } }] }],
  })
const tell = (id: string, body: string, secret = SECRETS.appSecret) =>
  post(`/api/leads/meta/${id}`, body, {
    'content-type': 'application/json',
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  })
const challenge = async (id: string, token: string) => {
  const query = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.verify_token': token,
    'hub.challenge': '1158201444',
  })
  const response = await portal.request(`/api/leads/meta/${id}?${query}`)
  return [response.status, response.status === 200 ? await response.text() : null]
}
type Waiting = { leadgen_id: string; attempts: number; next_at: string | null; fault: string | null }
const waiting = async () =>
  (await db.query<Waiting>('select leadgen_id, attempts, next_at, fault from portal.meta_inbox')).rows
async function until(fits: (rows: Waiting[]) => boolean) {
  while (!fits(await waiting())) await new Promise((resolve) => setImmediate(resolve))
}

test('its challenge is answered for the right token', async () => {
  const { id } = await makeMeta()
  expect(await challenge(id, 'token-nosso')).toEqual([200, '1158201444'])
  expect(await challenge(id, 'token-alheio')).toEqual([403, null])
  expect(await challenge(randomUUID(), 'token-nosso')).toEqual([404, null])
})

test('a delivery with answers is accepted once, one not signed by the app never', async () => {
  const { id } = await makeMeta({ settings: { developmentByForm: { '9': 'Mirante do Lago' } } })
  expect((await tell(id, delivery('123', ANSWERS), 'outro')).status).toBe(401)
  expect(await leads()).toEqual([])
  for (let each = 0; each < 2; each++)
    expect(await tell(id, delivery('123', ANSWERS))).toMatchObject({ status: 200, body: { leads: 1 } })
  expect(await leads()).toMatchObject([{ name: 'Marina Tavares', source: 'facebook' }])
  expect(await intakes()).toMatchObject([{ external_id: '123', development: 'Mirante do Lago' }])
})

test('a lead reported by id is read from Meta with retries, and added once', async () => {
  const asked: string[] = []
  meta.answer = (leadgenId, token) => {
    asked.push(`${leadgenId} ${token}`)
    return asked.length === 1
      ? Promise.reject(new GraphError('again', 'status 500'))
      : Promise.resolve({ id: leadgenId, ...ANSWERS })
  }
  const { id } = await makeMeta()
  await tell(id, delivery('777'))
  await until(([row]) => row?.fault === 'status 500')
  expect(await leads()).toEqual([])
  await tell(id, delivery('777'))
  portal.clock.advance(30_000)
  await until((rows) => rows.length === 0)
  expect(asked).toEqual(['777 token-da-pagina', '777 token-da-pagina'])
  expect(await leads()).toMatchObject([{ name: 'Marina Tavares' }])
  await tell(id, delivery('777'))
  expect(await waiting()).toEqual([])
  const { rows: kept } = await db.query<{ body: string }>('select body from portal.intake_read')
  expect(kept.map(({ body }) => JSON.parse(body) as object)).toEqual([
    { leadgen_id: '777', form_id: '9', id: '777', ...ANSWERS },
  ])
})

test('answers without a person wait among the unreadable bodies, and are read again there', async () => {
  const answers = [{ name: 'full_name', values: ['Marina Tavares'] }]
  meta.answer = (leadgenId) => Promise.resolve({ id: leadgenId, field_data: answers })
  await tell((await makeMeta()).id, delivery('999'))
  await until((rows) => rows.length === 0)
  const { body } = await asAdmin.call('/api/leads/keys')
  expect(body['keys']).toMatchObject([{ failed: 0, waiting: 0, unread: 1 }])
  expect(await raws()).toMatchObject([{ fault: 'Sem telefone nem e-mail', isDue: false }])
  // As if a later reader found the number in them.
  const found = JSON.stringify({ leadgen_id: '999', ...ANSWERS })
  const { rows } = await db.query<{ id: number }>('update portal.intake_raw set body = $1 returning id', [
    found,
  ])
  await asAdmin.call('/api/leads/unread/read', { ids: [rows[0]?.id] })
  expect(await leads()).toMatchObject([{ name: 'Marina Tavares' }])
  expect(await intakes()).toMatchObject([{ external_id: '999' }])
})

test('its secrets are stored encrypted, also those that an older portal stored in clear text', async () => {
  const stored = async (id: string) =>
    (
      await db.query<{ secrets: Record<string, string> }>(
        'select secrets from portal.intake_keys where id = $1',
        [id],
      )
    ).rows[0]!.secrets
  const { id } = await makeMeta()
  expect(Object.keys(await stored(id))).toEqual(['sealed'])
  expect(await stored((await makeKey()).id)).toEqual({})

  const plain = (columns: string) =>
    db.exec(
      `alter table portal.intake_keys drop constraint intake_keys_sealed;
      update portal.intake_keys set ${columns} where id = '${id}';
      alter table portal.intake_keys add constraint intake_keys_sealed check (secrets = '{}' or secrets ? 'sealed') not valid`,
    )
  await plain(`secrets = '${JSON.stringify(SECRETS)}'`)
  await encryptPlain(db, createMetaSecretBox(JWT_SECRET))
  expect(Object.keys(await stored(id))).toEqual(['sealed'])
  expect((await tell(id, delivery('123', ANSWERS))).status).toBe(200)
  // With another JWT_SECRET nothing is decrypted, so no signature is known.
  expect(createMetaSecretBox('another secret').decrypt(await stored(id))).toEqual({})
  await expect(db.query(`update portal.intake_keys set secrets = '{"appSecret": "x"}'`)).rejects.toThrow(
    'intake_keys_sealed',
  )
})

test('a lead that Meta refuses waits for a person and is counted', async () => {
  meta.answer = () => Promise.reject(new GraphError('refused', 'status 400'))
  const { id } = await makeMeta()
  await tell(id, delivery('888'))
  await until(([row]) => row?.next_at === null)
  expect(await waiting()).toMatchObject([{ leadgen_id: '888', fault: 'status 400' }])
  const { body } = await asAdmin.call('/api/leads/keys')
  expect(body['keys']).toMatchObject([{ failed: 1, waiting: 0 }])
  expect(JSON.stringify(body)).not.toContain('token-da-pagina')
})

test('a delivery of its webhook is read again like any other body', async () => {
  const { id } = await makeMeta()
  for (let each = 0; each < 2; each++) expect((await tell(id, delivery('123', ANSWERS))).status).toBe(200)
  const compare = async () => (await asAdmin.call('/api/leads/kept')).body as { changes: { id: number }[] }
  expect(await compare()).toMatchObject({ changes: [] })
  // As if an older reader had taken the label for the name.
  await db.exec(`update portal.intake_read set leads = jsonb_set(leads, '{0,name}', '"full_name"');
    update portal.lead_intakes set name = 'full_name'; update public.whatsapp_contacts set name = 'full_name'`)
  const { changes } = await compare()
  expect(changes).toMatchObject([
    { keyName: 'Meta', leads: [{ before: { name: 'full_name' }, after: { name: 'Marina Tavares' } }] },
  ])
  const done = await asAdmin.call('/api/leads/kept', { ids: changes.map((change) => change.id) })
  expect(done.body).toEqual({ mended: 1, spoken: 0 })
  expect(await leads()).toMatchObject([{ name: 'Marina Tavares' }])
})
