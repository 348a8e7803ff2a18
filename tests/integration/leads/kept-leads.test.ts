// Stored deliveries are read again by newer readers: it previews changes, and applies them on request.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, expect, test } from 'vitest'
import { makeMessage } from '#tests/support/make.ts'
import { makeLinkedBroker, nextNumber } from '#tests/support/rotation.ts'
import { openOffice } from '#tests/support/office.ts'

const { db, portal, ana, asAna, asAdmin, close } = await openOffice({
  make: makeLinkedBroker,
  hasGateway: false,
})
afterAll(close)
afterEach(() =>
  db.exec('delete from public.whatsapp_contacts; delete from portal.intake_keys; delete from portal.people'),
)

async function makeKey(kind = 'form'): Promise<{ id: string; key: string }> {
  const { body } = await asAdmin.call('/api/leads/keys', { operationId: randomUUID(), kind, name: 'Site' })
  return body as { id: string; key: string }
}
async function send(key: string, body: object) {
  const response = await portal.request(`/api/leads?key=${key}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
type Change = {
  id: number
  keyName: string
  leads: { before: { name: string | null } | null; after: { name: string } }[]
}
const compare = async () =>
  (await asAdmin.call('/api/leads/kept')).body as { changes: Change[]; next: number | null }
const mend = async (changes: readonly Change[]) =>
  (await asAdmin.call('/api/leads/kept', { ids: changes.map(({ id }) => id) })).body
const leads = async () =>
  (
    await db.query<{ id: number; name: string | null; number: string | null; email: string | null }>(
      'select id, name, number, email from public.whatsapp_contacts order by id',
    )
  ).rows

/** Simulates an older reader that read a name and a number wrongly: in the stored body, the delivery and the lead. */
async function asReadThen(part: { name?: string | null; number?: string | null }) {
  for (const [what, value] of Object.entries(part)) {
    await db.query(`update portal.intake_read set leads = jsonb_set(leads, $1, $2::jsonb)`, [
      `{0,${what}}`,
      JSON.stringify(value),
    ])
    await db.query(`update portal.lead_intakes set ${what} = $1`, [value])
    await db.query(`update public.whatsapp_contacts set ${what} = $1`, [value])
  }
  if (part.number !== undefined && part.number !== null)
    await db.query('update public.whatsapp_contacts set person_id = portal.person_of($1)', [part.number])
}

test('correctly read leads would not change', async () => {
  const { key } = await makeKey()
  await send(key, { nome: 'Marina', telefone: nextNumber() })
  expect(await compare()).toEqual({ changes: [], next: null })
})

test('a wrongly read name and number are previewed, then corrected, once', async () => {
  const { key } = await makeKey()
  const [right, wrong] = [nextNumber(), nextNumber()]
  await send(key, { nome: 'Marina', telefone: right })
  await asReadThen({ name: 'Contato', number: `55${wrong.replace(/\D/g, '').slice(-11)}` })
  const { changes } = await compare()
  expect(changes).toMatchObject([
    { keyName: 'Site', leads: [{ before: { name: 'Contato' }, after: { name: 'Marina' } }] },
  ])
  // The preview changes nothing.
  expect(await leads()).toMatchObject([{ name: 'Contato' }])
  expect(await mend(changes)).toEqual({ mended: 1, spoken: 0 })
  expect(await leads()).toMatchObject([
    { name: 'Marina', number: expect.stringContaining(right.replace(/\D/g, '').slice(-11)) as string },
  ])
  expect(await compare()).toEqual({ changes: [], next: null })
  expect(await mend(changes)).toEqual({ mended: 0, spoken: 0 })
})

test("a person's edits stay, and so does a number with a conversation", async () => {
  const { key } = await makeKey()
  await send(key, { nome: 'Marina', telefone: nextNumber() })
  await asReadThen({ name: 'Contato' })
  await db.query(`update public.whatsapp_contacts set name = 'Marina da Silva'`)
  expect(await mend((await compare()).changes)).toEqual({ mended: 1, spoken: 0 })
  expect(await leads()).toMatchObject([{ name: 'Marina da Silva' }])

  await asReadThen({ number: `55${nextNumber().replace(/\D/g, '').slice(-11)}` })
  const [before] = await leads()
  await db.query(`update public.whatsapp_contacts set "instanceName" = $1`, [ana.instanceName])
  await makeMessage(db, before?.id ?? 0, { instanceName: ana.instanceName, body: 'Oi' })
  const { changes } = await compare()
  expect(changes).toHaveLength(1)
  expect(await mend(changes)).toEqual({ mended: 0, spoken: 1 })
  expect(await leads()).toMatchObject([{ number: before?.number }])
})

test('people not recognised before are added; unreadable deliveries are included', async () => {
  const { id, key } = await makeKey('email')
  const mail = (text: string) => ({
    From: 'novidades@portal.example',
    Subject: 's',
    TextBody: text,
    MessageID: randomUUID(),
    Headers: [{ Name: 'List-Id', Value: 'x' }],
  })
  expect(await send(key, mail('Dicas da semana.'))).toEqual({ status: 200, body: { status: 'ignorado' } })
  await db.query(`update portal.intake_read set body = $1`, [
    JSON.stringify(mail(`Nome: Marina\nTelefone: ${nextNumber()}\nCódigo: AP10`)),
  ])
  // A stored unreadable mail is answered 200, because an inbound mail service would repeat it for hours.
  const unread = {
    From: 'Portal <leads@portal.example>',
    Subject: 's',
    TextBody: 'Ligue (11) 95550-0142',
    HtmlBody: '',
  }
  expect(await send(key, unread)).toEqual({ status: 200, body: { status: 'kept' } })
  await db.query(`update portal.intake_raw set body = $2 where key_id = $1`, [
    id,
    JSON.stringify({ ...unread, TextBody: `Nome: Lia\nTelefone: ${nextNumber()}` }),
  ])
  const { changes } = await compare()
  expect(changes.map(({ leads: [lead] }) => [lead?.before, lead?.after.name])).toEqual([
    [null, 'Marina'],
    [null, 'Lia'],
  ])
  expect(await mend(changes)).toEqual({ mended: 2, spoken: 0 })
  expect((await leads()).map(({ name }) => name)).toEqual(['Marina', 'Lia'])
})

test("a source at its limit loses its own oldest bodies, and no other source's", async () => {
  const [loud, quiet] = [await makeKey(), await makeKey()]
  const fill = (id: string, many: number, body: string) =>
    db.query(
      `insert into portal.intake_read (id, key_id, content_type, body, leads, intakes, received_at)
       select nextval('portal.intake_raw_id_seq'), $1, 'text/plain', $3, '[]', '{}', now() from generate_series(1, $2)`,
      [id, many, body],
    )
  const held = async ({ id }: { id: string }) =>
    (
      await db.query<{ count: number; oldest: number; newest: number }>(
        'select count(*)::integer as count, min(id) as oldest, max(id) as newest from portal.intake_read where key_id = $1',
        [id],
      )
    ).rows[0]
  /** The next body that triggers a cleanup. */
  const turn = () =>
    db.exec(
      `select setval('portal.intake_raw_id_seq', (last_value / 64 + 1) * 64 - 1) from portal.intake_raw_id_seq`,
    )

  await fill(quiet.id, 3, 'x'.repeat(200_000))
  await fill(loud.id, 20_010, 'x')
  const before = await held(loud)
  await turn()
  await send(loud.key, { nome: 'Marina', telefone: nextNumber() })
  const after = await held(loud)
  expect(after?.count).toBe(20_000)
  expect(after?.oldest).toBe((before?.oldest ?? 0) + 11)
  expect((await held(quiet))?.count).toBe(3)

  // By size, long before that number: 32 MiB are 167 of these.
  await fill(loud.id, 400, 'x'.repeat(200_000))
  await turn()
  await send(loud.key, { nome: 'Lia', telefone: nextNumber() })
  const { count = 0 } = (await held(loud)) ?? {}
  expect([count, (await held(quiet))?.count]).toEqual([168, 3])
  const { rows } = await db.query<{ bytes: number }>(
    'select sum(octet_length(body))::integer as bytes from portal.intake_read where key_id = $1',
    [loud.id],
  )
  expect(rows[0]?.bytes).toBeLessThan(32 * 1024 * 1024)
})

test("a repeated body is stored once; an erased person's is not read again", async () => {
  const { key } = await makeKey()
  const body = { nome: 'Marina', telefone: nextNumber(), lead_id: 'L1' }
  await send(key, body)
  await send(key, body)
  const count = async () =>
    (await db.query<{ count: number }>('select count(*)::integer as count from portal.intake_read')).rows[0]
      ?.count
  expect(await count()).toBe(1)
  expect((await asAna.call('/api/leads/kept')).status).toBe(403)
})

test('a mailbox: set, shown without its password, not moved to another server with it, deleted with its source', async () => {
  const { id } = await makeKey('email')
  const box = { host: 'imap.example.com', port: 993, username: 'leads@example.com', isOn: false }
  const set = async (sourceId: string, part: object) => {
    const response = await asAdmin.request(`/api/leads/mailboxes/${sourceId}`, {
      method: 'PUT',
      body: JSON.stringify({ ...box, ...part }),
      headers: { 'content-type': 'application/json' },
    })
    return {
      status: response.status,
      body: (await response.json()) as { error?: { code: string }; mailbox?: object },
    }
  }
  expect(await set(id, {})).toMatchObject({ status: 422, body: { error: { code: 'mailbox.no-password' } } })
  const made = await set(id, { password: 'segredo-da-caixa' })
  expect(made).toMatchObject({
    status: 200,
    body: { mailbox: { host: box.host, folder: 'INBOX', isOn: false, fault: null } },
  })
  expect(JSON.stringify(made)).not.toContain('segredo')
  expect(JSON.stringify((await asAdmin.call(`/api/leads/mailboxes/${id}`)).body)).not.toContain('segredo')
  const { rows } = await db.query<{ sealed: string }>('select sealed from portal.mailboxes')
  expect(Buffer.from(rows[0]?.sealed ?? '', 'base64url').toString('latin1')).not.toContain('segredo')
  expect((await set(id, { folder: 'Leads' })).status).toBe(200)
  expect(await set(id, { host: 'imap.evil.example' })).toMatchObject({
    status: 422,
    body: { error: { code: 'mailbox.no-password' } },
  })
  const { id: form } = await makeKey('form')
  expect(await set(form, { password: 'x' })).toMatchObject({
    status: 422,
    body: { error: { code: 'mailbox.no-mail' } },
  })
  expect((await set(id, { host: 'a b' })).status).toBe(422)
  expect((await asAna.call(`/api/leads/mailboxes/${id}`)).status).toBe(403)
  await asAdmin.call(`/api/leads/keys/${id}/revoke`, {})
  expect((await db.query('select 1 from portal.mailboxes')).rows).toEqual([])
})
