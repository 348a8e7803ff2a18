// Lists of leads imported from a file: who may, where each row goes, its notification, and what an undo removes.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { eventually } from '#tests/support/eventually.ts'
import { makeContact, makeMessage } from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'
import { makeLinkedBroker, makeSeatedRotation, nextNumber } from '#tests/support/rotation.ts'

const office = await openOffice({ make: makeLinkedBroker, isStill: true })
const { db, ana, bia, asAna, asAdmin } = office
afterAll(office.close)
afterEach(() =>
  db.exec(
    `delete from portal.imports; delete from public.whatsapp_contacts; delete from public.roletas; delete from portal.people;
     delete from portal.hooks; delete from portal.erasures`,
  ),
)

type Answer = Record<string, unknown> & {
  state: string
  added: number
  known: number
  refused: number
  leftIn: number
}
/**
 * Line in the file, name, phone, other phone, e-mail, development, source, campaign, note, stage, broker, stage of the
 * board, value, tags, arrival, last contact.
 */
type Cells = [number, ...(string | null)[]]

const list = async () => (await asAdmin.call('/api/imports')).body['imports'] as Answer[]
const find = async (id: string) => (await list()).find((one) => one['id'] === id)!

async function begin(total: number, more: object = {}): Promise<string> {
  const id = randomUUID()
  const { status, body } = await asAdmin.call('/api/imports', {
    id,
    fileName: 'lista.csv',
    total,
    destination: 'broker',
    instanceName: ana.instanceName,
    ...more,
  })
  expect([status, body]).toEqual([200, body])
  return id
}
const add = (id: string, rows: readonly Cells[]) => asAdmin.call(`/api/imports/${id}/rows`, { rows })
const until = (id: string, state: string) =>
  eventually(async () => {
    const one = await find(id)
    expect(one.state).toBe(state)
    return one
  })

async function bringIn(rows: readonly Cells[], more: object = {}): Promise<Answer & { id: string }> {
  const id = await begin(rows.length, more)
  expect((await add(id, rows)).status).toBe(200)
  return { ...(await until(id, 'finished')), id }
}

const leads = async () =>
  (
    await db.query<Record<string, unknown>>(
      `select "instanceName", name, number, email, source, campaign, empreendimento, notes, status, waiting_since, left_contact_at
       from public.whatsapp_contacts order by id`,
    )
  ).rows
const count = async (from: string) =>
  (await db.query<{ n: number }>(`select count(*)::integer as n from ${from}`)).rows[0]!.n
const makeHook = () =>
  db.query(
    `insert into portal.hooks (name, url, events, secret, secret_tail)
     values ('ERP', 'https://erp.example.com', array['lead.created', 'lead.assigned', 'import.finished'], 'whsec_x', 'abcd')`,
  )

describe('a list of another system', () => {
  const row = (line: number, phone: string, more: (string | null)[]): Cells => [
    line, 'Nair', phone, null, null, null, null, null, null, ...more,
  ] // prettier-ignore
  const stored = async () =>
    (
      await db.query<Record<string, unknown>>(
        `select "instanceName", status, value_cents, tags, created_at, won_at, notes from public.whatsapp_contacts order by id`,
      )
    ).rows

  test('keeps brokers, stages, values, tags and dates; names that we do not have follow the list', async () => {
    const answer = await bringIn([
      row(2, nextNumber(), [
        null,
        bia.instanceName,
        'negociacao',
        'R$ 450.000,00',
        'Quente; vista mar',
        '01/10/2026',
        '20/10/2026',
      ]),
      row(3, nextNumber(), ['Proposta', 'corretor_ninguem', null, null, null, null, null]),
      row(4, nextNumber(), ['Ganho', null, 'fechado', null, null, '01/10/2026', '20/10/2026']),
    ])
    expect(answer).toMatchObject({ added: 3, refused: 0 })
    const [kept, open, won] = await stored()
    expect(kept).toEqual({
      instanceName: bia.instanceName,
      status: 'negociacao',
      value_cents: 45_000_000,
      tags: ['Quente', 'vista mar'],
      created_at: '2026-10-01 15:00:00+00',
      won_at: null,
      notes: 'Último contato: 20/10/2026',
    })
    expect(open).toMatchObject({ instanceName: ana.instanceName, status: 'new', tags: ['Proposta'] })
    // The lead was won when the other system last heard of it, not today.
    expect(won).toMatchObject({ status: 'fechado', won_at: '2026-10-20 15:00:00+00', tags: [] })
  })

  test('fills the empty value and tags of a known lead, and an undo empties them again', async () => {
    const number = nextNumber()
    const { id } = await makeContact(db, ana.instanceName, { number })
    const answer = await bringIn([
      row(2, number, [null, null, null, '300 mil', 'Quente', '01/10/2026', null]),
    ])
    expect(answer).toMatchObject({ added: 0, known: 1 })
    const [filled] = await stored()
    expect(filled).toMatchObject({ value_cents: 30_000_000, tags: ['Quente'] })
    expect(filled?.['created_at']).not.toBe('2026-10-01 15:00:00+00')
    expect((await asAdmin.call(`/api/imports/${answer.id}/undo`, {})).status).toBe(200)
    await until(answer.id, 'undone')
    expect((await stored())[0]).toMatchObject({ value_cents: null, tags: [] })
    expect(await count(`public.whatsapp_contacts where id = ${id}`)).toBe(1)
  })

  test('refuses bad values and unwanted names, each with its reason', async () => {
    const rows = [
      row(2, nextNumber(), [null, null, null, 'a combinar']),
      row(3, nextNumber(), [null, null, null, null, null, '30/02/2026']),
      row(4, nextNumber(), [null, null, null, null, null, null, 'em breve']),
      row(5, nextNumber(), [null, 'Bruno']),
      row(6, nextNumber(), ['Perdido']),
      row(7, nextNumber(), []),
    ]
    const id = await begin(rows.length)
    const refused = [
      [5, 'unknown-broker'],
      [6, 'unknown-stage'],
    ]
    const wrong = await asAdmin.call(`/api/imports/${id}/rows`, { rows, refused: [[5, 'erased']] })
    expect(wrong.status).toBe(422)
    expect((await asAdmin.call(`/api/imports/${id}/rows`, { rows, refused })).status).toBe(200)
    expect(await until(id, 'finished')).toMatchObject({ added: 1, refused: 5 })
    const { rows: faults } = await db.query(
      'select place, fault from portal.import_rows where fault is not null order by place',
    )
    expect(faults.map(({ place, fault }) => [place, fault])).toEqual([
      [2, 'bad-value'],
      [3, 'bad-arrival'],
      [4, 'bad-last-contact'],
      ...refused,
    ])
  })
})

describe('a list for a broker', () => {
  test('becomes leads on that board, which do not wait, are not offered and are notified once', async () => {
    await makeHook()
    const answer = await bringIn(
      [
        [
          2,
          '  Sandra  Lemos ',
          '(11) 90555-0148',
          null,
          'Sandra@Example.com',
          'Vista Serrana',
          'Mídia física',
          'Feirão',
          'Varanda',
        ],
        [3, null, '011 91234-5678'],
        [9, 'Sem Fone', null, null, null, null, null, null, 'anotado'],
        [10, 'Cortado', '1,19055E+10'],
        [11, 'Meio', '95555-0142'],
      ],
      { development: 'Jardim' },
    )
    expect(answer).toMatchObject({ state: 'finished', total: 5, received: 5, added: 2, known: 0, refused: 3 })
    expect(await leads()).toEqual([
      {
        instanceName: ana.instanceName, name: 'Sandra Lemos', number: '5511905550148', email: 'sandra@example.com',
        source: 'midia-fisica', campaign: 'Feirão', empreendimento: 'Vista Serrana', notes: 'Varanda', status: 'new',
        waiting_since: null, left_contact_at: null,
      },
      {
        instanceName: ana.instanceName, name: null, number: '5511912345678', email: null, source: 'importacao',
        campaign: null, empreendimento: 'Jardim', notes: null, status: 'new', waiting_since: null, left_contact_at: null,
      },
    ]) // prettier-ignore
    expect([await count('portal.push_queue'), await count('portal.roleta_cases')]).toEqual([0, 0])
    expect((await db.query('select type, data from portal.event_out')).rows).toEqual([
      {
        type: 'import.finished',
        data: { importId: answer.id, state: 'finished', added: 2, known: 0, refused: 3 },
      },
    ])
    expect(await count('portal.import_rows where data is not null')).toBe(3)
  })

  test('imported again adds nobody twice, and repeated rows are processed once', async () => {
    const rows: Cells[] = [
      [2, 'Sandra', '11905550148'],
      [3, 'Sandra de novo', '+55 (11) 90555-0148'],
      [4, 'Rui', '1133334444'],
    ]
    const id = await begin(3)
    await add(id, rows.slice(0, 2))
    await add(id, rows.slice(0, 2))
    expect((await find(id))['received']).toBe(2)
    await add(id, rows.slice(2))
    expect(await until(id, 'finished')).toMatchObject({ added: 2, known: 1, refused: 0 })
    expect((await add(id, rows)).body).toMatchObject({ state: 'finished', received: 3 })
    expect(await bringIn(rows)).toMatchObject({ added: 0, known: 3 })
    expect(await count('public.whatsapp_contacts')).toBe(2)
  })

  test('leaves existing leads where they are, and fills in only empty fields', async () => {
    const number = nextNumber()
    await makeContact(db, bia.instanceName, { number, name: 'Da Bia', notes: 'minha nota' })
    const answer = await bringIn([
      [2, 'Outro Nome', number, null, 'da@bia.com', 'Vista', null, null, 'nota da lista'],
      [3, 'Mais uma vez', number, null, 'outro@bia.com'],
    ])
    expect(answer).toMatchObject({ added: 0, known: 2 })
    expect(await leads()).toMatchObject([
      {
        instanceName: bia.instanceName,
        name: 'Da Bia',
        email: 'da@bia.com',
        empreendimento: 'Vista',
        notes: 'minha nota',
      },
    ])
    await asAdmin.call(`/api/imports/${answer.id}/undo`, {})
    await until(answer.id, 'undone')
    expect(await leads()).toMatchObject([
      { name: 'Da Bia', email: null, empreendimento: null, notes: 'minha nota' },
    ])
  })

  test('is told before how many of its people are leads already, which only an administrator may ask', async () => {
    await bringIn([
      [2, 'Rui Prado', '(11) 90555-0148'],
      [3, 'Eva Luz', null, null, 'eva@example.com'],
    ])
    const people = {
      keys: ['+5511905550148', '+5511905550148', '+5511905550149'],
      emails: ['eva@example.com', 'no@example.com'],
    }
    expect(await asAdmin.call('/api/imports/known', people)).toMatchObject({
      status: 200,
      body: { known: 2 },
    })
    expect((await asAna.call('/api/imports/known', people)).status).toBe(403)
    const tooMany = { keys: Array.from({ length: 5_001 }, (_, n) => `+55${n}`), emails: [] }
    expect((await asAdmin.call('/api/imports/known', tooMany)).status).toBe(422)
  })

  test('two at once make one lead of one person', async () => {
    const ids = [await begin(40), await begin(40)]
    const rows = Array.from({ length: 40 }, (_, n): Cells => [n + 2, `Lead ${n}`, `1190000${1000 + n}`])
    await Promise.all(ids.map((id) => add(id, rows)))
    const ended = await Promise.all(ids.map((id) => until(id, 'finished')))
    expect(ended.map(({ added }) => added).reduce((sum, added) => sum + added, 0)).toBe(40)
    expect(await count('public.whatsapp_contacts')).toBe(40)
  })

  test("an erased person is not added, and none of the row's text is stored", async () => {
    const number = nextNumber()
    await makeContact(db, ana.instanceName, { number })
    await asAdmin.call('/api/people/erase', { number, operationId: randomUUID() })
    expect(await count('portal.erasures')).toBeGreaterThan(0)
    expect(await bringIn([[2, 'Voltou', number]])).toMatchObject({ added: 0, refused: 1 })
    expect([await count('public.whatsapp_contacts'), await count('portal.people')]).toEqual([0, 0])
    expect((await db.query('select fault, data from portal.import_rows')).rows).toEqual([
      { fault: 'erased', data: null },
    ])
  })

  test('an erased person without a number is not added by its e-mail, either', async () => {
    const { id } = await makeContact(db, null, { number: null, email: 'voltou@example.com' })
    await asAdmin.call('/api/people/erase', { contactId: id, operationId: randomUUID() })
    const rows: Cells[] = [
      [2, 'Voltou', null, null, 'voltou@example.com'],
      [3, 'Com número', nextNumber(), null, 'voltou@example.com'],
    ]
    expect(await bringIn(rows)).toMatchObject({ added: 0, refused: 2 })
    expect([await count('public.whatsapp_contacts'), await count('portal.people')]).toEqual([0, 0])
  })
})

test('for a rotation is distributed by the weights of active seats, without an offer', async () => {
  const rotation = await makeSeatedRotation(db, [ana, bia])
  await db.query(`update roleta_corretores set weight = 3 where "instanceName" = $1`, [ana.instanceName])
  const rows = Array.from({ length: 40 }, (_, n): Cells => [n + 2, `Lead ${n}`, nextNumber()])
  await bringIn(rows, { destination: 'rotation', roletaId: rotation.id })
  const { rows: shares } = await db.query(
    `select "instanceName" as name, count(*)::integer as n from public.whatsapp_contacts
     where empreendimento = $1 group by 1 order by 2 desc`,
    [rotation.name],
  )
  expect(shares).toEqual([
    { name: ana.instanceName, n: 30 },
    { name: bia.instanceName, n: 10 },
  ])
  expect([await count('portal.roleta_cases'), await count('portal.push_queue')]).toEqual([0, 0])
})

test('the inbox is the administrator’s, and a row with only an e-mail goes there from any list', async () => {
  await bringIn([[2, 'Inês', nextNumber()]], { destination: 'inbox' })
  await bringIn([
    [2, 'Caio', null, null, 'caio@example.com'],
    [3, 'Caio', null, null, 'CAIO@example.com'],
  ])
  expect(await leads()).toMatchObject([
    { instanceName: null, name: 'Inês' },
    { instanceName: null, name: 'Caio', number: null, email: 'caio@example.com' },
  ])
  expect((await db.query('select state from portal.roleta_cases')).rows).toEqual([{ state: 'inbox' }])
})

test('an import whose broker is removed stops, and added leads stay', async () => {
  const rotation = await makeSeatedRotation(db, [ana])
  const id = await begin(2, { destination: 'rotation', roletaId: rotation.id })
  await db.query('delete from public.roletas where id = $1', [rotation.id])
  await add(id, [
    [2, 'Sandra', nextNumber()],
    [3, 'Rui', nextNumber()],
  ])
  expect(await until(id, 'stopped')).toMatchObject({ reason: 'no-owner', added: 0 })
  expect(await count('portal.import_rows')).toBe(0)
})

describe('an undo', () => {
  test('removes leads that nobody wrote to, moved or edited, and their persons', async () => {
    const numbers = [nextNumber(), nextNumber(), nextNumber(), nextNumber()]
    const { id } = await bringIn(numbers.map((number, n): Cells => [n + 2, `Lead ${n}`, number]))
    const { rows } = await db.query<{ id: number }>('select id from public.whatsapp_contacts order by id')
    await makeMessage(db, rows[0]!.id, { type: 'outgoing', delivery: 'sent' })
    await asAna.call('/rest/v1/rpc/atualizar_status_lead', {
      p_contact_id: rows[1]!.id, p_novo_status: 'conversa', p_expected_status: 'new',
    }) // prettier-ignore
    await db.query(`update public.whatsapp_contacts set notes = 'editado' where id = $1`, [rows[2]!.id])
    expect((await asAdmin.call(`/api/imports/${id}/undo`, {})).status).toBe(200)
    expect(await until(id, 'undone')).toMatchObject({ undone: 1, leftIn: 3 })
    expect((await leads()).map(({ name }) => name)).toEqual(['Lead 0', 'Lead 1', 'Lead 2'])
    expect(await count('portal.people')).toBe(3)
    expect((await asAdmin.call(`/api/imports/${id}/undo`, {})).body).toMatchObject({ state: 'undone' })
  })

  test('is refused after a day', async () => {
    const { id } = await bringIn([[2, 'Sandra', nextNumber()]])
    await db.query(`update portal.imports set ended_at = now() - interval '25 hours' where id = $1`, [id])
    const { status, body } = await asAdmin.call(`/api/imports/${id}/undo`, {})
    expect([status, body]).toMatchObject([409, { error: { code: 'import.too-late' } }])
    expect(await count('public.whatsapp_contacts')).toBe(1)
  })
})

describe('a person with several rows in a list', () => {
  const person = async () =>
    (
      await db.query<Record<string, unknown>>(
        'select name, number, email, notes from public.whatsapp_contacts order by id',
      )
    ).rows

  test('becomes one lead with the longest name and all notes', async () => {
    const rows: Cells[] = [
      [2, 'Ugo Dias', '11970010142', null, null, null, null, null, 'primeira nota'],
      [3, 'UGO DIAS', '(11) 97001-0142', null, 'ugo@example.com', null, null, null, 'segunda nota'],
      [4, 'Ugo D.', '551170010142', null, 'outro@example.com', null, null, null, 'segunda nota'],
      [5, 'Ugo Dias Filho', '+55 11 97001-0142', null, null, 'Vista', null, null, 'terceira nota'],
    ]
    const { id } = await bringIn(rows)
    expect(await find(id)).toMatchObject({ added: 1, known: 3 })
    expect(await person()).toEqual([
      {
        name: 'Ugo Dias Filho', number: '5511970010142', email: 'ugo@example.com',
        notes: 'primeira nota\nsegunda nota\nterceira nota\nOutro e-mail: outro@example.com',
      },
    ]) // prettier-ignore
    await asAdmin.call(`/api/imports/${id}/undo`, {})
    expect(await until(id, 'undone')).toMatchObject({ undone: 1, leftIn: 0 })
    expect(await person()).toEqual([])
  })

  test('a row with only an e-mail belongs to the one with that e-mail and a number, in either order', async () => {
    await bringIn([
      [2, 'Vânia Prado', null, null, 'vania@example.com', null, null, null, 'nota um'],
      [3, 'Vânia', '11970010143', null, 'vania@example.com', null, null, null, 'nota dois'],
      // A couple with one e-mail is two leads.
      [4, 'Rui', '11970010144', null, 'casal@example.com'],
      [5, 'Bia', '11970010145', null, 'casal@example.com'],
    ])
    expect(await person()).toMatchObject([
      {
        name: 'Vânia Prado',
        number: '5511970010143',
        email: 'vania@example.com',
        notes: 'nota dois\nnota um',
      },
      { name: 'Rui', email: 'casal@example.com' },
      { name: 'Bia', email: 'casal@example.com' },
    ])
  })
})

test('a known stage is set by its name, any other is a tag; further numbers are stored, and removed by an undo', async () => {
  await db.query(
    `insert into kanban_stages (name, slug, order_index) values ('Visita Agendada', 'visita_agendada', 90)`,
  )
  const { id } = await bringIn([
    [
      2,
      'Ana',
      '11970010142',
      '11 97001-0143 ; 11 3222-0142',
      null,
      null,
      null,
      null,
      null,
      'visita agendada',
    ],
    [3, 'Bia', '11970010144', null, null, null, null, null, null, 'Proposta enviada pelo corretor'],
    [4, 'Cid', '11970010145', null, null, null, null, null, null, 'Ganho'],
  ])
  const { rows } = await db.query('select name, status, tags from public.whatsapp_contacts order by id')
  expect(rows).toEqual([
    { name: 'Ana', status: 'visita_agendada', tags: [] },
    { name: 'Bia', status: 'new', tags: ['Proposta enviada pelo co'] },
    { name: 'Cid', status: 'new', tags: ['Ganho'] },
  ])
  expect((await db.query('select number from portal.contact_numbers order by number')).rows).toEqual([
    { number: '551132220142' },
    { number: '5511970010143' },
  ])
  await asAdmin.call(`/api/imports/${id}/undo`, {})
  expect(await until(id, 'undone')).toMatchObject({ undone: 3 })
  expect(await count('portal.contact_numbers')).toBe(0)
  await db.query(`delete from kanban_stages where slug = 'visita_agendada'`)
})

test('refused rows are a file without formulas, and its download is audited', async () => {
  const { id } = await bringIn([
    [2, '=HYPERLINK("x")', 'sem número'],
    [3, 'Ana; "Nana"', null, null, 'não tem'],
  ])
  const response = await asAdmin.request(`/api/imports/${id}/refused`, { method: 'POST' })
  // A response's text() drops the byte order mark.
  expect(Buffer.from(await response.arrayBuffer()).toString()).toBe(
    '\uFEFFLinha;Motivo;Nome;Telefone;E-mail\r\n' +
      `2;O telefone não é válido;"'=HYPERLINK(""x"")";sem número;\r\n` +
      '3;Sem telefone nem e-mail;"Ana; ""Nana""";;não tem\r\n',
  )
  expect(
    (await db.query(`select details from portal.audit_log where subject = 'import-refused'`)).rows,
  ).toEqual([{ details: { count: 2 } }])
})

test('the file of refused rows has all columns of all sheets, and their lines', async () => {
  const sheets = [
    { name: 'Plantão', titles: ['Nome', 'Fone', 'Data', 'Data'] },
    { name: 'Indicações', titles: ['Fone', 'Bairro'] },
  ]
  const id = await begin(3, { sheets })
  const { status } = await asAdmin.call(`/api/imports/${id}/rows`, {
    rows: [[4, 'Ana', '95555-0142'], [5, 'Bia', '11955550143'], [12, null, 'não tem']],
    raw: [[4, 0, 4, 'Ana', '95555-0142', '19/11', '20/11'], [12, 1, 2, 'não tem', '=Centro']],
  }) // prettier-ignore
  expect(status).toBe(200)
  await until(id, 'finished')
  const response = await asAdmin.request(`/api/imports/${id}/refused`, { method: 'POST' })
  expect(await response.text()).toBe(
    'Planilha;Linha;Motivo;Nome;Fone;Data;Data;Bairro\r\n' +
      'Plantão;4;Telefone sem DDD;Ana;95555-0142;19/11;20/11;\r\n' +
      "Indicações;2;O telefone não é válido;;não tem;;;'=Centro\r\n",
  )
})

test.each([
  ['more rows than one import takes', { total: 50_001 }],
  ['no rows', { total: 0 }],
  ['a broker who is not there', { instanceName: 'ninguem' }],
  ['a rotation without anybody', { destination: 'rotation', roletaId: 999 }],
  ['a rotation beyond all numbers', { destination: 'rotation', roletaId: 3_000_000_000 }],
  ['another place', { destination: 'mundo' }],
])('%s is refused', async (_, more) => {
  const { status } = await asAdmin.call('/api/imports', {
    id: randomUUID(), fileName: 'lista.csv', total: 1, destination: 'broker', instanceName: ana.instanceName, ...more,
  }) // prettier-ignore
  expect(status).toBe(422)
  expect(await list()).toEqual([])
})

test('more rows than announced change nothing, a broker may not import, and six imports at once are too many', async () => {
  const id = await begin(1)
  const { status } = await add(id, [
    [2, 'Sandra', nextNumber()],
    [3, 'Rui', nextNumber()],
  ])
  expect([status, (await find(id))['received']]).toEqual([422, 0])
  expect((await asAna.call(`/api/imports/${id}/rows`, { rows: [[2, 'Eu', nextNumber()]] })).status).toBe(403)
  for (let n = 0; n < 4; n += 1) await begin(1)
  const sixth = await asAdmin.call('/api/imports', {
    id: randomUUID(), fileName: 'lista.csv', total: 1, destination: 'inbox',
  }) // prettier-ignore
  expect([sixth.status, sixth.body]).toMatchObject([409, { error: { code: 'import.too-many' } }])
  expect((await asAdmin.call(`/api/imports/${id}/stop`, {})).status).toBe(200)
  expect((await list()).length).toBe(4)
})

test('refused rows are deleted after their time, and so are imports whose rows stopped coming', async () => {
  await bringIn([[2, 'Sandra', 'nada']])
  await begin(5)
  await db.exec(`update portal.imports set created_at = now() - interval '40 days'`)
  const { rows } = await db.query(`select portal.forget_imports(now() - interval '30 days', 1000) as n`)
  expect(rows).toEqual([{ n: 1 }])
  expect([await count('portal.imports'), await count('portal.import_rows where data is not null')]).toEqual([
    1, 0,
  ])
})

test('a batch reads its own rows, however many wait', async () => {
  const rolledBack = new Error('rolled back')
  let read = NaN
  const run = db.transaction(async (query) => {
    const readSoFar = async () =>
      (
        await query<{ rows: number }>(
          `select (seq_tup_read + idx_tup_fetch)::integer as rows from pg_stat_xact_user_tables where relname = 'import_rows'`,
        )
      ).rows[0]!.rows
    await query(
      `with one as (
         insert into portal.imports (id, file_name, destination, source, total, received, state, made_by, sheets)
         values (gen_random_uuid(), 'lista.csv', 'inbox', 'importacao', 5000, 5000, 'running', gen_random_uuid(), '[]') returning id
       )
       insert into portal.import_rows (import_id, place, data, outcome)
       select one.id, n, jsonb_build_object('name', 'Sandra', 'number', (5511960000000 + n)::text,
         'key', portal.number_key((5511960000000 + n)::text), 'numbers', '[]'::jsonb), 'waiting'
       from one, generate_series(1, 5000) n`,
    )
    const before = await readSoFar()
    const { rows } = await query(`select portal.import_step(10) ->> 'added' as added`)
    expect(rows).toEqual([{ added: '10' }])
    read = (await readSoFar()) - before
    throw rolledBack
  })
  await expect(run).rejects.toBe(rolledBack)
  expect(read).toBeLessThan(500)
})
