// Stages added, renamed, sorted and removed: the rules, repeats, and two administrators at the same time.
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { asUser } from '#server/db/as-user.ts'
import type { Query } from '#server/db/database.ts'
import { onPostgres, openBase } from '#tests/support/database.ts'
import { makeBroker, makeContact, signIn, signInAdmin, untilLockAwaited } from '#tests/support/make.ts'

type Answer = { success: boolean; code: string; message: string | null; slug?: string; leads?: number }
type Row = { id: number; name: string; slug: string; order_index: number; kind: string }

const base = await openBase()
const ana = await makeBroker(base.db)
const asAna = await signIn(base.db, ana)
const asAdmin = await signInAdmin(base.db)
const asOther = await signInAdmin(base.db)

async function call(name: string, args: Record<string, string | number | null>, claims = asAdmin) {
  const names = Object.keys(args)
  const { rows } = await asUser(base.db, claims, (query) =>
    query<{ answer: Answer }>(
      `select public.${name}(${names.map((key, at) => `${key} => $${at + 1}`).join(', ')}) as answer`,
      Object.values(args),
    ),
  )
  if (!rows[0]) throw new Error('no answer')
  return rows[0].answer
}
const add = (name: string, slug: string, more: Record<string, string> = {}) =>
  call('add_stage', { p_name: name, p_slug: slug, ...more })
const stages = async () =>
  (
    await base.db.query<Row>(
      'select id, name, slug, order_index, kind from public.kanban_stages order by order_index',
    )
  ).rows
const slugs = async () => (await stages()).map(({ slug }) => slug)
const places = async () => (await stages()).map(({ order_index }) => order_index)
async function idOf(wanted: string): Promise<number> {
  const found = (await stages()).find(({ slug }) => slug === wanted)
  if (!found) throw new Error(`no stage ${wanted}`)
  return found.id
}

const FIRST = ['new', 'conversa', 'negociacao', 'fechado', 'arquivado']
beforeEach(async () => {
  await base.db.query(`delete from public.kanban_stages where slug <> all ($1::text[])`, [
    `{${FIRST.join(',')}}`,
  ])
  await base.db.query(
    `update public.kanban_stages s set order_index = o.place
     from unnest($1::text[]) with ordinality o (slug, place) where o.slug = s.slug`,
    [`{${FIRST.join(',')}}`],
  )
})

test('a new stage is last, also if an earlier removal left a gap', async () => {
  await base.db.query(`update public.kanban_stages set order_index = 40 where slug = 'arquivado'`)
  expect(await add('  Visita marcada ', 'visita_marcada', { p_kind: 'won' })).toEqual({
    success: true,
    code: 'done',
    message: null,
    slug: 'visita_marcada',
  })
  expect((await stages()).at(-1)).toMatchObject({ name: 'Visita marcada', kind: 'won', order_index: 6 })
  expect(await places()).toEqual([1, 2, 3, 4, 5, 6])
})

test('a new stage gets an unused colour, and keeps it', async () => {
  const hues = async () =>
    (
      await base.db.query<{ slug: string; hue: string }>(
        'select slug, hue from public.kanban_stages order by id',
      )
    ).rows
  const standing = (await hues()).map(({ hue }) => hue)
  expect(standing).toEqual(['new', 'conversa', 'negociacao', 'closed', 'arquivado'])
  // 'Visita' and 'Proposta' had the same colour while it came from the slug.
  for (const slug of ['visita', 'proposta', 'documentos', 'contrato']) await add(slug, slug)
  expect((await hues()).slice(5)).toEqual([
    { slug: 'visita', hue: 'contacted' },
    { slug: 'proposta', hue: 'remarketing-sent' },
    { slug: 'documentos', hue: 'default' },
    { slug: 'contrato', hue: 'qualified' },
  ])
  await call('remove_stage', { p_id: await idOf('proposta') })
  await add('Vistoria', 'vistoria')
  expect((await hues()).at(-1)).toEqual({ slug: 'vistoria', hue: 'remarketing-sent' })
  // If all nine are used, the least used is next; two in one statement differ.
  await base.db.query(
    `insert into public.kanban_stages (name, slug, order_index) values ('A', 'a', 20), ('B', 'b', 21)`,
  )
  const last = (await hues()).slice(-2).map(({ hue }) => hue)
  expect(new Set(last).size).toBe(2)
})

test('two names with one slug get two slugs; a name is not used twice', async () => {
  await add('Proposta', 'proposta')
  expect(await add('Proposta!', 'proposta')).toMatchObject({ code: 'done', slug: 'proposta_2' })
  expect(await add('Proposta?', 'proposta')).toMatchObject({ code: 'done', slug: 'proposta_3' })
  expect(await add(' pROPOSTA ', 'proposta')).toMatchObject({
    success: false,
    code: 'taken',
    message: 'Já existe um estágio com este nome.',
  })
  expect((await add('   ', 'x')).code).toBe('blank')
  expect((await add('x'.repeat(61), 'x')).code).toBe('long')
})

test('a rename keeps slug and leads; the stage of new contacts can be renamed, and stays open', async () => {
  const lead = await makeContact(base.db, ana.instanceName, { status: 'conversa' })
  const id = await idOf('conversa')
  expect((await call('save_stage', { p_id: id, p_name: ' Em conversa ', p_kind: 'won' })).code).toBe('done')
  expect((await call('save_stage', { p_id: id, p_name: 'Em conversa' })).code).toBe('already')
  expect((await call('save_stage', { p_id: id, p_name: 'novos contatos' })).code).toBe('taken')
  expect((await stages())[1]).toMatchObject({ name: 'Em conversa', slug: 'conversa', kind: 'won' })
  const { rows } = await base.db.query('select status from public.whatsapp_contacts where id = $1', [lead.id])
  expect(rows).toEqual([{ status: 'conversa' }])
  await call('save_stage', { p_id: id, p_name: 'Conversa', p_kind: 'open' })

  const first = await idOf('new')
  expect((await call('save_stage', { p_id: first, p_name: 'Chegaram' })).code).toBe('done')
  expect((await call('save_stage', { p_id: first, p_kind: 'lost' })).code).toBe('default')
  await call('save_stage', { p_id: first, p_name: 'Novos Contatos' })
  expect((await call('save_stage', { p_id: 9_999, p_name: 'X' })).code).toBe('unknown_stage')
})

test('a stage moves one place up or down, not past the ends, and all are numbered from 1', async () => {
  const id = await idOf('negociacao')
  await call('move_stage', { p_id: id, p_step: -1 })
  expect(await slugs()).toEqual(['new', 'negociacao', 'conversa', 'fechado', 'arquivado'])
  await call('move_stage', { p_id: id, p_step: 2 })
  expect(await slugs()).toEqual(['new', 'conversa', 'fechado', 'negociacao', 'arquivado'])
  expect((await call('move_stage', { p_id: id, p_step: 9 })).code).toBe('done')
  expect((await call('move_stage', { p_id: id, p_step: 1 })).code).toBe('already')
  expect(await slugs()).toEqual(['new', 'conversa', 'fechado', 'arquivado', 'negociacao'])
  expect(await places()).toEqual([1, 2, 3, 4, 5])
})

test("a removed stage's leads go to the first one, with history, and the rest is renumbered", async () => {
  await add('Visita', 'visita')
  const id = await idOf('visita')
  await call('move_stage', { p_id: id, p_step: -4 })
  const lead = await makeContact(base.db, ana.instanceName, { status: 'visita' })
  expect(await call('remove_stage', { p_id: id })).toMatchObject({ success: true, code: 'done', leads: 1 })
  const { rows } = await base.db.query(
    `select c.status, h.from_status, h.to_status from public.whatsapp_contacts c
     join portal.stage_history h on h.contact_id = c.id where c.id = $1 order by h.id desc limit 1`,
    [lead.id],
  )
  expect(rows).toEqual([{ status: 'new', from_status: 'visita', to_status: 'new' }])
  expect(await slugs()).toEqual(FIRST)
  expect(await places()).toEqual([1, 2, 3, 4, 5])
  expect(await call('remove_stage', { p_id: id })).toMatchObject({ success: true, code: 'already', leads: 0 })
  expect(await call('remove_stage', { p_id: await idOf('new') })).toMatchObject({
    success: false,
    code: 'default',
  })
})

test('a repeated operation changes nothing more and answers alike', async () => {
  const op = () => ({ p_operation_id: randomUUID() })
  const added = op()
  const [first, second] = [await add('Visita', 'visita', added), await add('Visita', 'visita', added)]
  expect(second).toEqual(first)
  const id = await idOf('visita')
  const step = { p_id: id, p_step: -1, ...op() }
  await call('move_stage', step)
  await call('move_stage', step)
  expect(await slugs()).toEqual(['new', 'conversa', 'negociacao', 'fechado', 'visita', 'arquivado'])
})

test('each change notifies administrators, and is a change of every board', async () => {
  const heard: string[] = []
  const stop = await base.db.listen(
    'portal',
    (payload) => heard.push(payload),
    () => undefined,
  )
  await call('move_stage', { p_id: await idOf('conversa'), p_step: 1 })
  await expect
    .poll(() => heard.map((payload) => JSON.parse(payload) as unknown))
    .toEqual(expect.arrayContaining([{ kind: 'stages' }, { kind: 'board', instanceName: ana.instanceName }]))
  await stop()
})

test('a broker changes no stage', async () => {
  const id = await idOf('conversa')
  const calls: [string, Record<string, string | number>][] = [
    ['add_stage', { p_name: 'X', p_slug: 'x' }],
    ['save_stage', { p_id: id, p_name: 'X' }],
    ['move_stage', { p_id: id, p_step: 1 }],
    ['remove_stage', { p_id: id }],
  ]
  for (const [name, args] of calls)
    await expect(call(name, args, asAna)).rejects.toMatchObject({ code: '42501' })
  expect(await slugs()).toEqual(FIRST)
})

onPostgres.describe('several connections', () => {
  test('simultaneous changes of two administrators both apply, and the order stays complete', async () => {
    const names = Array.from({ length: 6 }, (_, n) => `Etapa ${n}`)
    await Promise.all(names.map((name, n) => add(name, `etapa_${n % 2}`)))
    const ids = (await stages()).map(({ id }) => id)
    const last = ids.at(-1) ?? 0
    await Promise.all([
      ...ids.flatMap((id, at) => [
        call('move_stage', { p_id: id, p_step: at % 2 === 0 ? 1 : -1 }),
        call('move_stage', { p_id: id, p_step: at % 3 === 0 ? 2 : -1 }, asOther),
      ]),
      call('remove_stage', { p_id: last }),
      call('remove_stage', { p_id: last }, asOther),
      add('Mais uma', 'etapa_0'),
      // Through the table's own endpoint, as another client may.
      asUser(base.db, asOther, (query) =>
        query('update public.kanban_stages set name = $1 where id = $2', ['De fora', ids[6] ?? 0]),
      ),
    ])
    const after = await stages()
    expect(after).toHaveLength(11)
    expect(new Set(after.map(({ slug }) => slug)).size).toBe(11)
    expect(after.map(({ order_index }) => order_index)).toEqual(after.map((_, at) => at + 1))
  })

  test('a lead moved into a stage during its removal ends up in the first one', async () => {
    await add('Visita', 'visita')
    const id = await idOf('visita')
    const lead = await makeContact(base.db, ana.instanceName)
    let removing: Promise<Answer> | undefined
    await base.db.transaction(async (query) => {
      await query(`select portal.move_lead($1, $2, 'visita', null)`, [ana.instanceName, lead.id])
      removing = call('remove_stage', { p_id: id })
      await untilLockAwaited(base.db)
    })
    expect(await removing).toMatchObject({ code: 'done', leads: 1 })
    const { rows } = await base.db.query('select status from public.whatsapp_contacts where id = $1', [
      lead.id,
    ])
    expect(rows).toEqual([{ status: 'new' }])
  })

  const isWon = async (id: number) =>
    (
      await base.db.query<{ is: boolean }>(
        'select won_at is not null as is from public.whatsapp_contacts where id = $1',
        [id],
      )
    ).rows[0]?.is
  const moveTo = (query: Query, id: number, slug: string) =>
    query('select portal.move_lead($1, $2, $3, null)', [ana.instanceName, id, slug])
  const mark = (query: Query, slug: string, kind: string) =>
    query('update public.kanban_stages set kind = $2 where slug = $1', [slug, kind])

  test('a lead moved into a stage while it is marked as won is won', async () => {
    await add('Visita', 'visita')
    const lead = await makeContact(base.db, ana.instanceName)
    const marking = await base.db.transaction(async (query) => {
      await mark(query, 'visita', 'won')
      const moving = moveTo(base.db.query, lead.id, 'visita')
      await untilLockAwaited(base.db)
      return { moving }
    })
    await marking.moving
    expect(await isWon(lead.id)).toBe(true)
  })

  test('a lead moved on to a won stage while its own loses the mark stays won', async () => {
    await add('Visita', 'visita', { p_kind: 'won' })
    const lead = await makeContact(base.db, ana.instanceName)
    await moveTo(base.db.query, lead.id, 'visita')
    const moving = await base.db.transaction(async (query) => {
      await moveTo(query, lead.id, 'fechado')
      const marking = mark(base.db.query, 'visita', 'open')
      await untilLockAwaited(base.db)
      return { marking }
    })
    await moving.marking
    expect(await isWon(lead.id)).toBe(true)
  })
})
