// Conversions to Meta: which steps of a lead become events, each once; the event's state after each answer; and the
// persons of whom nothing is reported.
import { expect, test } from 'vitest'
import { createConversionWorker } from '#server/conversions/worker.ts'
import type { Verdict } from '#server/conversions/meta.ts'
import { asUser } from '#server/db/as-user.ts'
import type { SqlValue } from '#server/db/database.ts'
import { manualClock } from '#tests/support/clock.ts'
import { databasesOf, onPostgres, openBase } from '#tests/support/database.ts'
import { silentLog } from '#tests/support/gateway.ts'
import { asking, makeBroker, makeContact, signIn, signInAdmin } from '#tests/support/make.ts'

const base = await openBase()
const { db } = base
const admin = await signInAdmin(db)
const camila = await makeBroker(db)
const TOKEN = 'EAAB-the-token-of-the-agency'
const NOTHING = { status: 200, fault: null, code: null, subcode: null, trace: null }
const TAKEN: Verdict = { ...NOTHING, became: 'sent', trace: 'T1' }

type Sent = { dataset: string; token: string; body: string }
type Row = {
  step: string
  target: string
  state: string
  event_id: string
  tries: number
  fault: string | null
}

const askAs = asking(db)
const ask = <T>(sql: string, values: readonly SqlValue[] = []) => askAs<T>(admin, sql, values)
const NAMES = { qualified: 'Lead qualificado', visit: 'Visita feita', sale: 'Venda' }
const set = (target: string, isOn: boolean, names: object = NAMES) =>
  ask('public.set_conversion_target($1, $2, $3, $4, $5::jsonb, $6)', [
    target, isOn, '123', target === 'messaging' ? '555' : '', JSON.stringify(names), 'negociacao',
  ]) // prettier-ignore
const give = (target: string) =>
  db.query(
    `insert into portal.conversion_targets (target, token, token_tail) values ($1, 'sealed', 'ency')
     on conflict (target) do update set token = excluded.token`,
    [target],
  )
const move = (id: number, status: string) =>
  db.query('update public.whatsapp_contacts set status = $2 where id = $1', [id, status])
async function visit(id: number) {
  const { rows } = await db.query<{ id: number }>(
    `insert into portal.actions (contact_id, kind, due_at, seen_at) values ($1, 'visit', now() - interval '1 hour', now()) returning id`,
    [id],
  )
  await db.query(`update portal.actions set outcome = 'done', finished_at = now() where id = $1`, [
    rows[0]!.id,
  ])
}
const lead = async (columns: Record<string, SqlValue> = {}) =>
  (await makeContact(db, camila.instanceName, { name: 'João Silva', value_cents: 85_000_000, ...columns })).id
const rowsOf = async (id: number): Promise<Row[]> =>
  (
    await db.query<Row>(
      'select step, target, state, event_id, tries, fault from portal.conversions where contact_id = $1 order by id',
      [id],
    )
  ).rows
const stepsOf = async (id: number) =>
  (await rowsOf(id)).map(({ step, target, state }) => `${step} ${target} ${state}`)

/** A portal whose events `answer` answers. `sent` has the events that were sent. */
function portal(answer: (sent: Sent) => Verdict | Promise<Verdict>, database = db) {
  const clock = manualClock()
  const sent: Sent[] = []
  const worker = createConversionWorker({
    db: database,
    clock,
    log: silentLog,
    decrypt: (encrypted) => (encrypted === 'sealed' ? TOKEN : null),
    send: async (event) => {
      sent.push(event)
      return answer(event)
    },
  })
  return {
    clock,
    sent,
    /** New events happen at the clock's time. */
    run: async () => {
      await db.query(
        `update portal.conversions set due_at = $1, happened_at = $1 where state = 'waiting' and tries = 0 and decided_by is null and leased_until is null`,
        [new Date(clock.now()).toISOString()],
      )
      const stop = worker.start()
      worker.wake()
      await worker.settled()
      await stop()
    },
  }
}
const eventOf = ({ body }: Sent) => (JSON.parse(body) as { data: Record<string, unknown>[] }).data[0]!
const clear = () => db.exec('delete from portal.conversions; delete from portal.conversion_targets')

test('off by default: steps leave no row, and nothing is sent', async () => {
  await clear()
  const id = await lead()
  await move(id, 'negociacao')
  await visit(id)
  await move(id, 'fechado')
  await give('crm')
  await set('crm', false)
  const again = await lead()
  await move(again, 'fechado')
  const { sent, run } = portal(() => TAKEN)
  await run()
  expect([...(await rowsOf(id)), ...(await rowsOf(again)), ...sent]).toEqual([])
})

test('what lacks an id or the token is not turned on', async () => {
  await clear()
  await expect(set('crm', true)).rejects.toThrow('informe o conjunto de dados, o token.')
  await give('messaging')
  await expect(ask(`public.set_conversion_target('messaging', true, '123', '', '{}', null)`)).rejects.toThrow(
    'conta do WhatsApp (WABA)',
  )
  for (const wrong of [
    `'other', false, '', '', '{}', null`,
    `'crm', false, 'x', '', '{}', null`,
    `'crm', false, '', '', '[]', null`,
    `'crm', false, '', '', '{"lost": "x"}', null`,
    `'crm', false, '', '', '{"sale": 1}', null`,
    `'crm', false, '', '', '{}', 'fechado'`,
  ])
    await expect(ask(`public.set_conversion_target(${wrong})`)).rejects.toThrow(/números|nomes|estágio/)
})

test('qualified, visited and sold: each once, whatever moves back and forth', async () => {
  await clear()
  await give('crm')
  await set('crm', true)
  const id = await lead({ email: 'joao@example.com' })
  await move(id, 'conversa')
  expect(await rowsOf(id)).toEqual([])
  for (const status of ['negociacao', 'conversa', 'negociacao']) await move(id, status)
  await visit(id)
  await visit(id)
  for (const status of ['fechado', 'negociacao', 'fechado']) await move(id, status)
  expect(await stepsOf(id)).toEqual(['qualified crm waiting', 'visit crm waiting', 'sale crm waiting'])
  const { sent, run } = portal(() => TAKEN)
  await run()
  await run()
  expect(sent.map(eventOf).map(({ event_id, event_name }) => [event_id, event_name])).toEqual([
    [`${id}-qualified`, 'Lead qualificado'],
    [`${id}-visit`, 'Visita feita'],
    [`${id}-sale`, 'Venda'],
  ])
  expect(sent[0]).toMatchObject({ dataset: '123', token: TOKEN })
  expect(eventOf(sent[2]!)['custom_data']).toMatchObject({ currency: 'BRL', value: 850_000 })
  for (const status of ['conversa', 'fechado']) await move(id, status)
  expect(await stepsOf(id)).toEqual(['qualified crm sent', 'visit crm sent', 'sale crm sent'])
  const straight = await lead()
  await move(straight, 'fechado')
  expect(await stepsOf(straight)).toEqual(['qualified crm waiting', 'sale crm waiting'])
})

test('a WhatsApp ad’s lead goes by its conversation; a step without a name there goes by the CRM', async () => {
  await clear()
  await give('crm')
  await give('messaging')
  await set('crm', true)
  await set('messaging', true, { qualified: 'QualifiedLead', visit: '', sale: 'Purchase' })
  const [ad, form] = [await lead(), await lead()]
  await db.query(
    `insert into portal.lead_clicks (contact_id, kind, value, at) values ($1, 'ctwa_clid', 'ARAk', now())`,
    [ad],
  )
  for (const id of [ad, form]) {
    await move(id, 'negociacao')
    await visit(id)
  }
  expect(await stepsOf(ad)).toEqual(['qualified messaging waiting', 'visit crm waiting'])
  expect(await stepsOf(form)).toEqual(['qualified crm waiting', 'visit crm waiting'])
  const { sent, run } = portal(() => TAKEN)
  await run()
  expect(eventOf(sent[0]!)).toMatchObject({
    event_name: 'QualifiedLead',
    action_source: 'business_messaging',
    user_data: { whatsapp_business_account_id: '555', ctwa_clid: 'ARAk' },
  })
  // A step that was queued for one target is never queued for the other.
  await set('messaging', false)
  await move(ad, 'conversa')
  await move(ad, 'negociacao')
  expect(await stepsOf(ad)).toEqual(['qualified messaging sent', 'visit crm sent'])
})

test('nothing of who opted out, is a test, or is private to a broker; nor of an import', async () => {
  await clear()
  await give('crm')
  await set('crm', true)
  const [out, tested, hidden, imported, later, erased] = await Promise.all([
    lead(), lead({ source: 'teste' }), lead(), lead(), lead(), lead(),
  ]) // prettier-ignore
  await db.query(
    'update portal.people set opted_out_at = now() where id = (select person_id from public.whatsapp_contacts where id = $1)',
    [out],
  )
  await db.query(
    `insert into portal.private_contacts ("instanceName", form_hashes)
     select $2, array[portal.opt_out_hash(p.number_key)] from public.whatsapp_contacts c join portal.people p on p.id = c.person_id where c.id = $1`,
    [hidden, (await makeBroker(db)).instanceName],
  )
  await db.transaction(async (query) => {
    await query(`select set_config('portal.importing', 'on', true)`)
    await query(`update public.whatsapp_contacts set status = 'fechado' where id = $1`, [imported])
  })
  for (const id of [out, tested, hidden, later, erased]) await move(id, 'fechado')
  for (const id of [out, tested, hidden, imported]) expect(await rowsOf(id)).toEqual([])
  await db.query(
    'update portal.people set opted_out_at = now() where id = (select person_id from public.whatsapp_contacts where id = $1)',
    [later],
  )
  await db.query('delete from public.whatsapp_contacts where id = $1', [erased])
  const { sent, run } = portal(() => TAKEN)
  await run()
  expect([...sent, ...(await rowsOf(later)), ...(await rowsOf(erased))]).toEqual([])
})

test('a retry is the same event after growing pauses; a refusal is final until a person sends it again', async () => {
  await clear()
  await give('crm')
  await set('crm', true, { sale: 'Venda' })
  const id = await lead()
  await move(id, 'fechado')
  let answer: Verdict = { ...NOTHING, became: 'again', status: 429, fault: 'status' }
  const { clock, sent, run } = portal(() => answer)
  await run()
  await run()
  expect(sent).toHaveLength(1)
  for (const minutes of [1, 2, 4]) {
    clock.advance(minutes * 60_000 - 1)
    await run()
    const before = sent.length
    clock.advance(1)
    await run()
    expect(sent).toHaveLength(before + 1)
  }
  expect(new Set(sent.map(({ body }) => body)).size).toBe(1)
  answer = {
    ...NOTHING,
    became: 'refused',
    status: 400,
    fault: 'Nome inválido',
    code: 100,
    subcode: 2_804_066,
    trace: 'T2',
  }
  clock.advance(8 * 60_000)
  await run()
  clock.advance(86_400_000)
  await run()
  expect(sent).toHaveLength(5)
  const [listed] = await ask<Record<string, unknown>[]>(`public.get_conversions('refused')`)
  expect(listed).toMatchObject({
    leadId: id,
    fault: 'Nome inválido',
    code: 100,
    subcode: 2_804_066,
    trace: 'T2',
    tries: 5,
  })
  await expect(ask('public.decide_conversion($1, $2)', [Number(listed?.['id']), 'sent'])).rejects.toThrow(
    'não espera',
  )
  answer = TAKEN
  await set('crm', true, { sale: 'Purchase' })
  await ask('public.decide_conversion($1, $2)', [Number(listed?.['id']), 'again'])
  await db.query('update portal.conversions set due_at = $2 where contact_id = $1', [
    id,
    new Date(clock.now()).toISOString(),
  ])
  await run()
  expect(await rowsOf(id)).toMatchObject([{ state: 'sent', event_id: `${id}-sale` }])
  const { event_name, ...rest } = eventOf(sent.at(-1)!)
  expect(event_name).toBe('Purchase')
  expect(eventOf(sent[0]!)).toMatchObject(rest)
})

/** Two leads that were just sold, while only sales are reported. */
async function twoSold() {
  await clear()
  await give('crm')
  await set('crm', true, { sale: 'Venda' })
  const leads = [await lead(), await lead()] as const
  for (const id of leads) await move(id, 'fechado')
  return leads
}

test('a refused token stops the target; events wait, and go once an administrator turned it on again', async () => {
  const [one, two] = await twoSold()
  let answer: Verdict = {
    ...NOTHING,
    became: 'stop',
    status: 401,
    fault: 'Error validating access token',
    code: 190,
  }
  const { sent, run } = portal(() => answer)
  await run()
  await run()
  expect(sent).toHaveLength(1)
  const [, crm] = await ask<{ target: string; state: string; fault: string; counts: object }[]>(
    'public.get_conversion_targets()',
  )
  expect(crm).toMatchObject({
    target: 'crm',
    state: 'stopped',
    fault: 'Error validating access token',
    counts: { waiting: 2 },
  })
  const { rows } = await db.query(`select 1 from portal.audit_log where action = 'conversion.stopped'`)
  expect(rows).toHaveLength(1)
  // Steps of a stopped target are queued.
  const three = await lead()
  await move(three, 'fechado')
  expect(await stepsOf(three)).toEqual(['sale crm waiting'])
  answer = TAKEN
  await set('crm', true, { sale: 'Venda' })
  await run()
  expect([...(await stepsOf(one)), ...(await stepsOf(two)), ...(await stepsOf(three))]).toEqual(
    Array.from({ length: 3 }, () => 'sale crm sent'),
  )
})

test('seven days are told, a second more is too late', async () => {
  const [intime, late] = await twoSold()
  const { clock, sent, run } = portal(() => ({ ...TAKEN, became: 'again' }))
  await run()
  const week = 7 * 86_400_000
  const at = (ms: number) => new Date(ms).toISOString()
  clock.advance(week)
  await db.query('update portal.conversions set due_at = $2, happened_at = $3 where contact_id = $1', [
    intime,
    at(clock.now()),
    at(clock.now() - week),
  ])
  await db.query('update portal.conversions set due_at = $2, happened_at = $3 where contact_id = $1', [
    late,
    at(clock.now()),
    at(clock.now() - week - 1_000),
  ])
  sent.length = 0
  await run()
  expect(sent.map(eventOf).map(({ event_id }) => event_id)).toEqual([`${intime}-sale`])
  expect(await stepsOf(late)).toEqual(['sale crm late'])
})

test('a process that dies between sending and the answer leaves an unsure event, which is never sent by itself', async () => {
  await clear()
  await give('crm')
  await set('crm', true, { sale: 'Venda' })
  const id = await lead()
  await move(id, 'fechado')
  // A process claims the event and dies before the answer.
  const dead = portal(() => TAKEN)
  await db.query('update portal.conversions set due_at = $1, happened_at = $1', [
    new Date(dead.clock.now()).toISOString(),
  ])
  const claim = (atMs: number) =>
    db.query<{ claimed: { eventId: string }[] }>(
      `select portal.claim_conversions(gen_random_uuid(), $1, 60, 5) as claimed`,
      [new Date(atMs).toISOString()],
    )
  expect((await claim(dead.clock.now())).rows[0]!.claimed).toMatchObject([{ eventId: `${id}-sale` }])
  const next = portal(() => TAKEN)
  next.clock.advance(59_999)
  await next.run()
  expect(await rowsOf(id)).toMatchObject([{ state: 'waiting' }])
  next.clock.advance(1)
  await next.run()
  next.clock.advance(86_400_000)
  await next.run()
  expect(next.sent).toEqual([])
  expect(await rowsOf(id)).toMatchObject([{ state: 'unsure', fault: 'lost', tries: 1 }])
  const [{ id: row }] = await ask<[{ id: number }]>(`public.get_conversions('unsure')`)
  await ask('public.decide_conversion($1, $2)', [row, 'sent'])
  await next.run()
  expect(next.sent).toEqual([])
  expect(await stepsOf(id)).toEqual(['sale crm sent'])
  await expect(ask('public.decide_conversion($1, $2)', [row, 'again'])).rejects.toThrow('não espera')
  await expect(ask('public.decide_conversion($1, $2)', [row, 'forget'])).rejects.toThrow('Escolha')
})

test('an administrator sends all refused or unsure events again at once; those past seven days stay', async () => {
  await clear()
  await give('crm')
  await set('crm', true, { sale: 'Venda' })
  const [old, unsure] = [await lead(), await lead()]
  const refused = [await lead(), await lead(), await lead()]
  for (const id of [old, unsure, ...refused]) await move(id, 'fechado')
  await db.query(`update portal.conversions set state = 'refused', name = 'Errado', tries = 3`)
  await db.query(
    `update portal.conversions set happened_at = now() - interval '168 hours 1 second' where contact_id = $1`,
    [old],
  )
  await db.query(`update portal.conversions set state = 'unsure' where contact_id = $1`, [unsure])
  const stranger = await signIn(db, camila)
  await expect(
    asUser(db, stranger, (query) => query(`select public.replay_conversions('refused')`)),
  ).rejects.toThrow('administrador')
  for (const wrong of [`'sent'`, `'waiting'`, 'null'])
    await expect(ask(`public.replay_conversions(${wrong})`)).rejects.toThrow('Só as recusadas')
  expect(await ask(`public.replay_conversions('refused')`)).toEqual({ again: 3, left: 0, late: 1 })
  expect(await ask(`public.replay_conversions('refused')`)).toEqual({ again: 0, left: 0, late: 1 })
  expect(await ask(`public.replay_conversions('unsure')`)).toEqual({ again: 1, left: 0, late: 0 })
  const { rows } = await db.query<{ contact_id: number; name: string; state: string; tries: number }>(
    'select contact_id, name, state, tries from portal.conversions order by id',
  )
  expect(rows).toEqual([
    { contact_id: old, name: 'Errado', state: 'refused', tries: 3 },
    { contact_id: unsure, name: 'Errado', state: 'waiting', tries: 0 },
    ...refused.map((id) => ({ contact_id: id, name: 'Venda', state: 'waiting', tries: 0 })),
  ])
  const { rows: deeds } = await db.query<{ subject: string; details: object }>(
    `select subject, details from portal.audit_log where action = 'conversion.replayed' order by id`,
  )
  expect(deeds).toEqual([
    { subject: 'refused', details: { count: 3 } },
    { subject: 'unsure', details: { count: 1 } },
  ])
})

test('sending again takes at most 500 at once, the oldest first', async () => {
  await clear()
  await give('crm')
  await db.query(
    `with made as (
       insert into public.whatsapp_contacts (person_id, "instanceName", name)
       select portal.person_of('551190' || lpad(n::text, 7, '0')), $1, 'Lead ' || n from generate_series(1, 501) n returning id
     )
     insert into portal.conversions (contact_id, step, target, event_id, name, happened_at, state)
     select id, 'sale', 'crm', id || '-sale', 'Venda', now(), 'refused' from made order by id`,
    [camila.instanceName],
  )
  expect(await ask(`public.replay_conversions('refused')`)).toEqual({ again: 500, left: 1, late: 0 })
  const { rows } = await db.query<{ is_last: boolean }>(
    `select id = (select max(id) from portal.conversions) as is_last from portal.conversions where state = 'refused'`,
  )
  expect(rows).toEqual([{ is_last: true }])
})

test('a test code goes along with each event until it is taken away', async () => {
  await clear()
  await give('crm')
  await set('crm', true, { sale: 'Venda' })
  for (const wrong of ['TEST 1', 'x'.repeat(41), '"'])
    await expect(ask('public.set_conversion_test($1, $2)', ['crm', wrong])).rejects.toThrow('Testar eventos')
  await expect(ask(`public.set_conversion_test('other', 'TEST1')`)).rejects.toThrow('Testar eventos')
  const { sent, run } = portal(() => TAKEN)
  const codes: unknown[] = []
  for (const code of ['TEST12345', ' ', null]) {
    await ask('public.set_conversion_test($1, $2)', ['crm', code])
    await move(await lead(), 'fechado')
    await run()
    const [, crm] = await ask<{ testCode: string }[]>('public.get_conversion_targets()')
    codes.push([
      crm?.testCode,
      (JSON.parse(sent.at(-1)!.body) as { test_event_code?: string }).test_event_code,
    ])
  }
  expect(codes).toEqual([
    ['TEST12345', 'TEST12345'],
    ['', undefined],
    ['', undefined],
  ])
  const { rows } = await db.query<{ details: object }>(
    `select details from portal.audit_log where action = 'conversion.test-set' order by id`,
  )
  expect(rows).toEqual([{ details: { code: 'TEST12345' } }, { details: { code: '' } }])
})

test('no row holds a name, a number, an e-mail or the token', async () => {
  await clear()
  await give('crm')
  await set('crm', true)
  const id = await lead({ name: 'Zuleica Raríssima', number: '5511987650321', email: 'zuleica@example.com' })
  await move(id, 'fechado')
  const { run } = portal(() => ({ ...TAKEN, became: 'unsure', fault: 'cut' }))
  await run()
  const { rows } = await db.query<{ words: string }>(
    'select string_agg(o::text, chr(10)) as words from portal.conversions o',
  )
  for (const plain of ['Zuleica', '87650321', 'zuleica@', TOKEN]) expect(rows[0]!.words).not.toContain(plain)
})

test('two leads that become one are told once', async () => {
  await clear()
  await give('crm')
  await set('crm', true, { sale: 'Venda' })
  const [kept, gone] = [await lead(), await lead()]
  await move(gone, 'fechado')
  const { sent, run } = portal(() => TAKEN)
  await run()
  await db.query('select portal.merge_contacts($1, $2)', [kept, gone])
  expect(await rowsOf(kept)).toMatchObject([{ state: 'sent', event_id: `${gone}-sale` }])
  await move(kept, 'conversa')
  await move(kept, 'fechado')
  await run()
  expect(sent).toHaveLength(1)
})

onPostgres.test('two portals send each event once', async () => {
  await clear()
  await give('crm')
  await set('crm', true, { sale: 'Venda' })
  const ids: number[] = []
  for (let count = 0; count < 20; count++) ids.push(await lead())
  for (const id of ids) await move(id, 'fechado')
  const portals = databasesOf(db).map((database) => portal(() => TAKEN, database))
  expect(portals).toHaveLength(2)
  await Promise.all(portals.map(({ run }) => run()))
  const told = portals.flatMap(({ sent }) => sent.map(eventOf).map(({ event_id }) => event_id))
  expect(told).toHaveLength(ids.length)
  expect(new Set(told)).toEqual(new Set(ids.map((id) => `${id}-sale`)))
})
