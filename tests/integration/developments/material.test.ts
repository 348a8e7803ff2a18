// Material in the broker's hand: the index, what is sent in order, and the interests of leads.
import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import * as v from 'valibot'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { unpackIndex } from '#domain/development/material-index.ts'
import { PackedIndexRow } from '#features/conversation/material/packed-index.ts'
import { makeContact, makeDevelopment, makeMessage, makeRotation } from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'
import { isDeepRun } from '#tests/support/runner/tier.ts'

const { db, ana, bia, asAna, asBia, asAdmin, close } = await openOffice()
afterAll(close)
beforeEach(() =>
  db.exec(
    `delete from public.developments; delete from public.whatsapp_contacts; delete from portal.people;
     delete from public.roletas; delete from portal.applied_operations`,
  ),
)

type Sent = { code: string; message: string | null; gone: string[]; messages: number[] }
type Caller = typeof asAna

async function rpc<T>(caller: Caller, name: string, given: object) {
  const { status, body } = await caller.call(`/rest/v1/rpc/${name}`, given)
  return { status, body: body as T }
}

const photo = (fileId: number, text = '') => ({
  operationId: randomUUID(),
  kind: 'image',
  fileId,
  text,
  label: 'Fachada',
})
const place = () => ({ operationId: randomUUID(), kind: 'location', text: '', label: 'Local' })
const words = (text: string) => ({ operationId: randomUUID(), kind: 'text', text, label: '2 quartos' })

const send = (
  caller: Caller,
  contactId: number,
  developmentId: number,
  things: object[],
  more: object = {},
) =>
  rpc<Sent>(caller, 'material_send', {
    p_contact_id: contactId,
    p_development_id: developmentId,
    p_things: things,
    p_operation_id: randomUUID(),
    ...more,
  })

async function leadOf(contactId: number) {
  const { rows } = await db.query<{ interests: string[] | null; empreendimento: string | null }>(
    'select interests, empreendimento from public.whatsapp_contacts where id = $1',
    [contactId],
  )
  return rows[0]
}

async function messagesOf(contactId: number) {
  const { rows } = await db.query(
    'select kind, body, content, operation_id from public.whatsapp_messages where contact_id = $1 order by id',
    [contactId],
  )
  return rows
}

const sheetOf = async (caller: Caller, contactId: number) =>
  (await rpc<object>(caller, 'lead_sheet', { p_contact_id: contactId })).body

const MIRANTE = {
  name: 'Mirante do Lago',
  latitude: -22.9,
  longitude: -47.06,
  place_name: 'Estande',
  address: 'Av. das Nações, 1200',
}

describe('sending', () => {
  test('photo, text and place wait in order, with the caption as written, and become an interest', async () => {
    const development = await makeDevelopment(db, MIRANTE)
    const { id } = await makeContact(db, ana.instanceName)
    // The photo has no bytes here: sent at once, it would fail.
    await db.query(
      `insert into portal.send_queues ("instanceName", held_until) values ($1, now() + interval '1 hour')
       on conflict ("instanceName") do update set held_until = excluded.held_until`,
      [ana.instanceName],
    )
    onTestFinished(() => db.exec('update portal.send_queues set held_until = null'))
    await db.query(`update public.development_media set preview = '/9j/2wBD'`)
    const things = [photo(development.fileId, 'Mirante\na partir de R$ 412 mil'), words('2 quartos'), place()]
    const { body } = await send(asAna, id, development.id, things)
    expect(body).toMatchObject({ code: 'saved', message: null, gone: [] })
    expect(body.messages).toHaveLength(3)
    expect(await leadOf(id)).toEqual({ interests: ['Mirante do Lago'], empreendimento: 'Mirante do Lago' })
    expect(await messagesOf(id)).toMatchObject([
      {
        kind: 'image',
        body: 'Mirante\na partir de R$ 412 mil',
        content: { mediaId: 'a'.repeat(64), fileName: 'fachada.jpg', preview: '/9j/2wBD' },
        operation_id: things[0]?.operationId,
      },
      { kind: 'text', body: '2 quartos' },
      { kind: 'location', body: 'Estande', content: { latitude: -22.9, address: 'Av. das Nações, 1200' } },
    ])
    expect(await sheetOf(asAna, id)).toMatchObject({
      interests: [{ id: development.id, name: 'Mirante do Lago', origin: 'sent' }],
      material: [
        { development: 'Mirante do Lago', label: 'Local' },
        { label: '2 quartos' },
        { label: 'Fachada' },
      ],
    })
  })

  test('a retry, of the whole or of one thing, sends nothing twice', async () => {
    const development = await makeDevelopment(db, MIRANTE)
    const { id } = await makeContact(db, ana.instanceName)
    const things = [words('2 quartos'), place()]
    const more = { p_operation_id: randomUUID() }
    const first = await send(asAna, id, development.id, things, more)
    expect(await send(asAna, id, development.id, things, more)).toEqual(first)
    await send(asAna, id, development.id, things)
    expect(await messagesOf(id)).toHaveLength(2)
  })

  test('a file that is gone is named, and the others go; archived material still goes', async () => {
    const development = await makeDevelopment(db, { ...MIRANTE, archived_at: '2026-11-01T00:00:00Z' })
    const { id } = await makeContact(db, ana.instanceName)
    await db.query('delete from public.development_media where id = $1', [development.fileId])
    const things = [photo(development.fileId), place()]
    const { body } = await send(asAna, id, development.id, things)
    expect(body).toMatchObject({
      code: 'saved',
      gone: [things[0]?.operationId],
      message: 'Este material saiu do cadastro. Escolha de novo em Material.',
    })
    expect(await messagesOf(id)).toMatchObject([{ kind: 'location' }])
    const alone = await send(asAna, id, development.id, [photo(development.fileId)])
    expect(alone.body).toMatchObject({ code: 'gone', messages: [] })
  })

  test('a price that changed or expired since the choice is not sent; the same one is', async () => {
    const { id: developmentId } = await makeDevelopment(db, MIRANTE)
    const { id } = await makeContact(db, ana.instanceName)
    await db.query(
      `update public.development_plans set price_from_cents = 41200000, priced_on = '2026-11-21', valid_until = current_date + 30`,
    )
    const priced = (cents: number, pricedOn = '2026-11-21') => ({
      ...words('a partir de R$ 412 mil'),
      price: { cents, pricedOn },
    })
    const [same, other] = [priced(41_200_000), priced(40_500_000)]
    const { body } = await send(asAna, id, developmentId, [other, same, place()])
    expect(body).toMatchObject({ code: 'saved', message: 'A tabela mudou.', gone: [other.operationId] })
    expect(body.messages).toHaveLength(2)
    expect((await send(asAna, id, developmentId, [priced(41_200_000, '2026-11-20')])).body).toMatchObject({
      code: 'gone',
      message: 'A tabela mudou.',
    })
    // A retry of what was sent is not refused by a price that changed afterwards.
    await db.query('update public.development_plans set valid_until = current_date - 2')
    expect((await send(asAna, id, developmentId, [same])).body).toMatchObject({ code: 'saved', gone: [] })
    expect((await send(asAna, id, developmentId, [priced(41_200_000)])).body.code).toBe('gone')
    expect(await messagesOf(id)).toHaveLength(2)
  })

  test('a table that another replaced is refused in words of its own', async () => {
    const development = await makeDevelopment(db, MIRANTE)
    const { id } = await makeContact(db, ana.instanceName)
    const table = { ...photo(development.fileId), kind: 'document', fileKind: 'tabela' }
    await db.query(`update public.development_media set kind = 'tabela', mime_type = 'application/pdf'`)
    await db.query(
      `insert into public.development_media (development_id, kind, place, media_id, mime_type, file_name, size_bytes)
       select development_id, kind, 2, repeat('b', 64), mime_type, 'nova.pdf', 10 from public.development_media`,
    )
    await db.query('delete from public.development_media where id = $1', [development.fileId])
    expect((await send(asAna, id, development.id, [table])).body).toMatchObject({
      code: 'gone',
      message: 'A tabela mudou.',
      gone: [table.operationId],
    })
  })

  test('a public page goes with its address, and with the lead’s own token where visits are told', async () => {
    const development = await makeDevelopment(db, MIRANTE)
    const { id } = await makeContact(db, ana.instanceName)
    const page = { ...words('Mirante do Lago\nhttps://casa.example/i/mirante'), page: 'mirante' }
    const again = () => ({ ...page, operationId: randomUUID() })
    expect((await send(asAna, id, development.id, [again()])).body).toMatchObject({ code: 'gone' })
    await db.query(
      `insert into portal.public_pages (slug, development_id, published_at) values ('mirante', $1, now())`,
      [development.id],
    )
    await send(asAna, id, development.id, [again()])
    await db.exec(
      `insert into portal.settings (key, value) values ('page_visits', 'true') on conflict (key) do update set value = 'true'`,
    )
    onTestFinished(() => db.exec(`update portal.settings set value = 'false' where key = 'page_visits'`))
    const own = again()
    await send(asAna, id, development.id, [own])
    await send(asAna, id, development.id, [own])
    const [plain, told, ...none] = (await messagesOf(id)) as { body: string }[]
    expect(none).toEqual([])
    expect(plain?.body).toBe(page.text)
    expect(told?.body).toMatch(/^Mirante do Lago\nhttps:\/\/casa\.example\/i\/mirante\?t=[\w-]{22}$/)
    const token = told?.body.split('?t=')[1] ?? ''
    const { rows } = await db.query(
      `select from portal.page_links where contact_id = $1 and token_hash = sha256(convert_to($2, 'UTF8'))`,
      [id, token],
    )
    expect(rows).toHaveLength(1)
  })

  test('what was sent, and to whom, is counted where the development is used', async () => {
    const development = await makeDevelopment(db, MIRANTE)
    const [one, other] = [await makeContact(db, ana.instanceName), await makeContact(db, ana.instanceName)]
    await send(asAna, one.id, development.id, [words('2 quartos'), place()])
    await send(asAna, other.id, development.id, [place()])
    await db.query(`update public.whatsapp_messages set delivery = 'failed' where contact_id = $1`, [
      other.id,
    ])
    const { body } = await asAdmin.call(`/api/developments/${development.id}`)
    expect(body['usage']).toMatchObject({ sentLeads: 1, sentThings: 2, sentAnswered: 0 })
    const { body: list } = await asAdmin.call(`/api/developments/${development.id}/leads/sent`)
    expect(list['leads']).toMatchObject([{ id: one.id }])
    const usage = async () => (await asAdmin.call(`/api/developments/${development.id}`)).body['usage']
    await makeMessage(db, one.id, {
      instanceName: ana.instanceName,
      timestamp: Math.floor(Date.now() / 1000) + 60,
    })
    expect(await usage()).toMatchObject({ sentLeads: 1, sentThings: 2, sentAnswered: 1 })
    await db.query('update public.whatsapp_messages set timestamp = timestamp - $1', [31 * 86_400])
    expect(await usage()).toMatchObject({ sentLeads: 0, sentThings: 0, sentAnswered: 0 })
  })

  test('a file of another development is gone', async () => {
    const [one, other] = [await makeDevelopment(db), await makeDevelopment(db)]
    const { id } = await makeContact(db, ana.instanceName)
    expect((await send(asAna, id, one.id, [photo(other.fileId)])).body).toMatchObject({ code: 'gone' })
    expect(await messagesOf(id)).toEqual([])
  })

  const five = Array.from({ length: 5 }, () => words('Oi'))
  const twin = words('Oi')
  test.each([
    ['none', [], 'Escolha de um a quatro materiais.'],
    ['five', five, 'Escolha de um a quatro materiais.'],
    ['one twice', [twin, twin], 'Este material não pôde ser lido. Escolha de novo.'],
    ['an empty text', [words(' ')], 'Este material não pôde ser lido. Escolha de novo.'],
    ['no file', [{ ...photo(1), fileId: null }], 'Este material não pôde ser lido. Escolha de novo.'],
    [
      'a kind that is none',
      [{ ...photo(1), kind: 'audio' }],
      'Este material não pôde ser lido. Escolha de novo.',
    ],
    [
      'a page without its address',
      [{ ...words('Outra coisa'), page: 'mirante' }],
      'Este material não pôde ser lido. Escolha de novo.',
    ],
    [
      'a price that is none',
      [{ ...words('Oi'), price: { cents: 'x', pricedOn: '2026-11-21' } }],
      'Este material não pôde ser lido. Escolha de novo.',
    ],
    ['a long caption', [photo(1, 'x'.repeat(1_025))], 'A legenda passa de 1.024 caracteres.'],
  ])('%s is refused in words, and nothing is sent', async (_, things, message) => {
    const development = await makeDevelopment(db)
    const { id } = await makeContact(db, ana.instanceName)
    const refused = await send(asAna, id, development.id, things)
    expect(refused).toMatchObject({ status: 422, body: { message } })
    expect([await messagesOf(id), (await leadOf(id))?.interests]).toEqual([[], null])
  })

  test('another broker’s lead is unknown', async () => {
    const development = await makeDevelopment(db)
    const { id } = await makeContact(db, bia.instanceName)
    expect((await send(asAna, id, development.id, [words('Oi')])).status).toBe(404)
    expect((await send(asBia, id, development.id, [words('Oi')])).status).toBe(200)
  })
})

describe('the index', () => {
  type Counted = { id: number; unitsAvailable: number | null }
  const indexOf = async (caller: Caller, known?: string) => {
    const { status, body } = await caller.call(`/api/developments/material${known ? `?known=${known}` : ''}`)
    return { status, stamp: String(body['stamp']), index: body['index'] }
  }

  test('brokers get what is not archived, and nothing again while nothing changed', async () => {
    const { id } = await makeDevelopment(db, {
      ...MIRANTE,
      price_from_cents: 41_200_000,
      priced_on: '2026-11-21',
      valid_until: '2026-11-30',
    })
    await makeDevelopment(db, { archived_at: '2026-11-01T00:00:00Z' })
    const { stamp, index } = await indexOf(asAna)
    const [mirante, ...others] = unpackIndex(v.parse(PackedIndexRow, index))
    expect(others).toEqual([])
    expect(mirante).toMatchObject({
      id,
      name: 'Mirante do Lago',
      latitude: -22.9,
      priceFromCents: 41_200_000,
      pricedOn: '2026-11-21',
      plans: [{ name: '2 quartos' }],
      photos: [{ title: null }],
    })
    expect(await indexOf(asBia, stamp)).toEqual({ status: 200, stamp, index: undefined })
    await db.query(
      `update public.developments set version = version + 1, district = 'Centro' where id = $1`,
      [id],
    )
    const fresh = await indexOf(asBia, stamp)
    expect(fresh.stamp).not.toBe(stamp)
    expect(fresh.index).toMatchObject({ district: ['Centro'] })
    await makeDevelopment(db)
    expect((await indexOf(asAna, fresh.stamp)).index).toBeDefined()
  })

  test('ten thousand units are counted alike for brokers and administrators, and nothing where there are none', async () => {
    await db.exec(`
      insert into public.developments (name) select 'Torre ' || n from generate_series(1, 41) n;
      insert into public.development_units (development_id, tower, code, state)
      select d.id, 'A', u::text, case when d.name = 'Torre 40' then 'vendido'
        else (array['disponivel','reservado','vendido'])[1 + abs(hashint4(d.id * u)) % 3] end
      from public.developments d, generate_series(1, 250) u where d.name <> 'Torre 41'`)
    const { rows } = await db.query<{ id: number; count: number | null }>(
      `select d.id, (select count(*) filter (where u.state = 'disponivel') from public.development_units u
         where u.development_id = d.id having count(*) > 0)::integer as count from public.developments d order by d.id`,
    )
    const counts = new Map(rows.map(({ id, count }) => [id, count]))
    expect([...counts.values()].slice(-2)).toEqual([0, null])
    const listed = (await asAdmin.call('/api/developments')).body['developments'] as Counted[]
    const { stamp, index } = await indexOf(asAna)
    for (const found of [listed, unpackIndex(v.parse(PackedIndexRow, index))])
      expect(new Map(found.map(({ id, unitsAvailable }) => [id, unitsAvailable]))).toEqual(new Map(counts))
    // A save that sells a unit brings the phone the new count.
    const [first] = rows
    const { body: details } = await asAdmin.call(`/api/developments/${first?.id}`)
    const units = (details['units'] as { state: string }[]).map((unit) => ({ ...unit, state: 'vendido' }))
    const development = { ...details, plans: [], media: [], removedMedia: [], units }
    const saved = await asAdmin.call(`/api/developments/${first?.id}/save`, {
      operationId: randomUUID(),
      version: 1,
      development,
    })
    expect(saved.status).toBe(200)
    const fresh = await indexOf(asAna, stamp)
    const [sold] = unpackIndex(v.parse(PackedIndexRow, fresh.index)).filter(({ id }) => id === first?.id)
    expect(sold?.unitsAvailable).toBe(0)
  })

  test.runIf(isDeepRun)(
    'a thousand developments with four plans, ten photos and two documents fit into 120 kB',
    async () => {
      await db.exec(`
      insert into public.developments (name, state, delivers_on, address, district, city, place_name, latitude, longitude, license)
      select 'Residencial ' || (array['Mirante','Jardim','Reserva','Vista','Porto','Parque','Villa','Alto'])[1 + i % 8] || ' ' || md5('n' || i)::varchar(6),
        (array['lancamento','em_obras','pronto'])[1 + i % 3], make_date(2026 + i % 4, 1 + i % 12, 1),
        (array['Rua das Flores','Av. Brasil','Rua Sete de Setembro','Av. das Nações'])[1 + i % 4] || ', ' || (17 * i) % 2400,
        'Bairro ' || i % 60, 'Campinas', null, -22.9 + (hashint4(i) % 100000) / 1e6, -47.06 + (hashint4(i + 7) % 100000) / 1e6, 'CRECI 12345-J'
      from generate_series(1, 1000) i;
      insert into public.development_plans (development_id, place, name, bedrooms, suites, parking, area_from, price_from_cents, priced_on, valid_until, units_left)
      select d.id, p, p || ' quartos', p, 1, 1 + p % 2, 40 + 15 * p + abs(hashint4(d.id)) % 12, (25000000 + p * 8000000 + abs(hashint4(d.id * p)) % 90 * 100000),
        date '2026-11-01' + abs(hashint4(d.id)) % 28, date '2026-12-31', abs(hashint4(d.id + p)) % 40
      from public.developments d, generate_series(1, 4) p;
      insert into public.development_media (development_id, kind, place, title, media_id, thumb_id, mime_type, file_name, size_bytes)
      select d.id, case when p <= 10 then 'foto' when p = 11 then 'tabela' else 'book' end, p, null, repeat('a', 64),
        case when p <= 10 then repeat('b', 64) end, case when p <= 10 then 'image/jpeg' else 'application/pdf' end,
        case when p = 11 then 'Tabela ' || d.name || '.pdf' when p = 12 then 'Book ' || d.name || '.pdf' else p || '.jpg' end, 310000 + abs(hashint4(d.id * p)) % 9000000
      from public.developments d, generate_series(1, 12) p order by d.id, p;
      insert into public.development_units (development_id, code, state)
      select d.id, u::text, case when u <= abs(hashint4(d.id)) % 11 then 'disponivel' else 'vendido' end
      from public.developments d, generate_series(1, 10) u;`)
      const { body } = await asAna.call('/api/developments/material')
      const bytes = gzipSync(JSON.stringify(body)).length
      expect(bytes).toBeLessThan(120_000)
    },
  )
})

describe('interests', () => {
  const change = (
    caller: Caller,
    name: 'interest_add' | 'interest_remove',
    contactId: number,
    developmentId: number,
  ) =>
    rpc<{ code: string }>(caller, name, {
      p_contact_id: contactId,
      p_development_id: developmentId,
      p_operation_id: randomUUID(),
    })

  test('the first is the one that figures count; removing it leaves the place to the next', async () => {
    const [mirante, acacias] = [
      await makeDevelopment(db, MIRANTE),
      await makeDevelopment(db, { name: 'Jardim das Acácias' }),
    ]
    const { id } = await makeContact(db, ana.instanceName)
    const codes = [
      await change(asAna, 'interest_add', id, mirante.id),
      await change(asAna, 'interest_add', id, acacias.id),
      await change(asAna, 'interest_add', id, acacias.id),
    ].map(({ body }) => body.code)
    expect(codes).toEqual(['saved', 'saved', 'already'])
    expect(await leadOf(id)).toEqual({
      interests: ['Mirante do Lago', 'Jardim das Acácias'],
      empreendimento: 'Mirante do Lago',
    })
    expect((await change(asAna, 'interest_remove', id, mirante.id)).body.code).toBe('saved')
    expect(await leadOf(id)).toEqual({
      interests: ['Jardim das Acácias'],
      empreendimento: 'Jardim das Acácias',
    })
    expect((await change(asAna, 'interest_remove', id, acacias.id)).body.code).toBe('saved')
    expect(await leadOf(id)).toEqual({ interests: null, empreendimento: null })
  })

  test('an archived development is none for brokers; a lead has at most 20', async () => {
    const gone = await makeDevelopment(db, { archived_at: '2026-11-01T00:00:00Z' })
    const { id } = await makeContact(db, ana.instanceName)
    expect((await change(asAna, 'interest_add', id, gone.id)).status).toBe(404)
    expect((await change(asAdmin, 'interest_add', id, gone.id)).status).toBe(200)
    for (let made = 1; made < 20; made++)
      await change(asAna, 'interest_add', id, (await makeDevelopment(db)).id)
    const full = await change(asAna, 'interest_add', id, (await makeDevelopment(db)).id)
    expect(full).toMatchObject({ status: 409, body: { message: expect.stringContaining('até 20') } })
  })

  test('cards follow a new name, and the board brings them', async () => {
    const { id: developmentId } = await makeDevelopment(db, MIRANTE)
    const { id } = await makeContact(db, ana.instanceName)
    await change(asAna, 'interest_add', id, developmentId)
    await db.query(`update public.developments set name = 'Mirante II' where id = $1`, [developmentId])
    const board = await rpc<{ leads: object[] }>(asAna, 'sync_board', { p_instance: ana.instanceName })
    expect(board.body.leads).toMatchObject([{ id, interests: ['Mirante II'] }])
  })

  test('a merge keeps both leads’ interests, and its undoing gives them back', async () => {
    const [one, both, other] = [
      await makeDevelopment(db, { name: 'A' }),
      await makeDevelopment(db, { name: 'B' }),
      await makeDevelopment(db, { name: 'C' }),
    ]
    const [kept, gone] = [await makeContact(db, ana.instanceName), await makeContact(db, bia.instanceName)]
    await change(asAna, 'interest_add', kept.id, one.id)
    await change(asAna, 'interest_add', kept.id, both.id)
    await change(asBia, 'interest_add', gone.id, both.id)
    await change(asBia, 'interest_add', gone.id, other.id)
    const { rows } = await db.query<{ merge: number }>('select portal.merge_contacts($1, $2) as merge', [
      kept.id,
      gone.id,
    ])
    expect((await leadOf(kept.id))?.interests).toEqual(['A', 'B', 'C'])
    await db.query('select portal.undo_merge($1)', [rows[0]?.merge ?? 0])
    expect((await leadOf(kept.id))?.interests).toEqual(['A', 'B'])
    expect((await leadOf(gone.id))?.interests).toEqual(['B', 'C'])
  })

  test('a merge brings no lead above 20: its own stay, the newest of the other fill up; undone, each has all', async () => {
    const [kept, gone] = [await makeContact(db, ana.instanceName), await makeContact(db, bia.instanceName)]
    const give = async (lead: number, letter: string, from: number, to: number) => {
      for (let n = from; n <= to; n++) {
        const { id } = await makeDevelopment(db, { name: `${letter}${n}` })
        await db.query(
          `insert into portal.interests values ($1, $2, 'hand', '2026-01-01'::timestamptz + $3::int * interval '1 day')`,
          [lead, id, n],
        )
      }
    }
    await give(kept.id, 'A', 1, 18)
    await give(gone.id, 'B', 1, 5)
    const { rows } = await db.query<{ merge: number }>('select portal.merge_contacts($1, $2) as merge', [
      kept.id,
      gone.id,
    ])
    const merged = (await leadOf(kept.id))?.interests ?? []
    expect(merged).toHaveLength(20)
    expect(merged.filter((name) => name.startsWith('B'))).toEqual(['B4', 'B5'])
    await db.query('select portal.undo_merge($1)', [rows[0]?.merge ?? 0])
    expect((await leadOf(kept.id))?.interests).toHaveLength(18)
    expect((await leadOf(gone.id))?.interests).toEqual(['B1', 'B2', 'B3', 'B4', 'B5'])
  })

  test('a rotation is found by an interest where the text names none', async () => {
    const { id: developmentId } = await makeDevelopment(db, MIRANTE)
    const rotation = await makeRotation(db, { empreendimento: 'Mirante do Lago' })
    const { id } = await makeContact(db, ana.instanceName, { empreendimento: 'Outro lugar' })
    const roletaFor = async () => {
      const { rows } = await db.query<{ id: number | null }>(
        `select portal.roleta_for($1, 'Outro lugar') as id`,
        [id],
      )
      return rows[0]?.id
    }
    expect(await roletaFor()).toBeNull()
    await change(asAna, 'interest_add', id, developmentId)
    expect(await roletaFor()).toBe(rotation.id)
  })

  test('erasing the person erases interests and what was sent', async () => {
    const { id: developmentId } = await makeDevelopment(db, MIRANTE)
    const { id } = await makeContact(db, ana.instanceName)
    await db.query('delete from portal.outgoing')
    await change(asAna, 'interest_add', id, developmentId)
    const { body } = await asAdmin.call('/api/people/find', { contactId: id })
    expect(JSON.stringify(body)).toContain('"interests"')
    await db.query('delete from public.whatsapp_contacts where id = $1', [id])
    const { rows } = await db.query('select from portal.interests')
    expect(rows).toEqual([])
  })
})
