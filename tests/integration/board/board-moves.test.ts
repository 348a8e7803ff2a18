// Stages and moves: who may write a status, the history, when a lead counts as won, and the order and removal of
// stages.
import { expect, test } from 'vitest'
import { asUser } from '#server/db/as-user.ts'
import { openBase } from '#tests/support/database.ts'
import { makeAdmin, makeBroker, makeContact, makeStage, signIn, tryAs } from '#tests/support/make.ts'

const base = await openBase()

async function setUp() {
  const broker = await makeBroker(base.db)
  const admin = await makeAdmin(base.db)
  return {
    broker,
    admin,
    brokerClaims: await signIn(base.db, broker),
    adminClaims: await signIn(base.db, admin),
    lead: await makeContact(base.db, broker.instanceName),
  }
}

const historyOf = async (contactId: number) =>
  (
    await base.db.query(
      'select from_status, to_status, changed_by from portal.stage_history where contact_id = $1 order by id',
      [contactId],
    )
  ).rows

test('every stage of a lead is recorded with who set it', async () => {
  const { lead, admin, adminClaims } = await setUp()
  await asUser(base.db, adminClaims, (query) =>
    query(`update public.whatsapp_contacts set status = 'conversa' where id = $1`, [lead.id]),
  )
  await base.db.query(
    `update public.whatsapp_contacts set status = 'conversa', name = 'Outra' where id = $1`,
    [lead.id],
  )
  await base.db.query(`update public.whatsapp_contacts set status = 'arquivado' where id = $1`, [lead.id])
  expect(await historyOf(lead.id)).toEqual([
    { from_status: null, to_status: 'new', changed_by: 'portal' },
    { from_status: 'new', to_status: 'conversa', changed_by: admin.username },
    { from_status: 'conversa', to_status: 'arquivado', changed_by: 'portal' },
  ])
})

test('a broker writes name and notes but never changes the status directly', async () => {
  const { lead, brokerClaims } = await setUp()
  await tryAs(base.db, brokerClaims, async (query) => {
    const { rowCount } = await query(
      `update public.whatsapp_contacts set name = 'Nova', notes = 'Nota', status = status where id = $1`,
      [lead.id],
    )
    expect(rowCount).toBe(1)
  })
  await expect(
    tryAs(base.db, brokerClaims, (query) =>
      query(`update public.whatsapp_contacts set status = 'conversa' where id = $1`, [lead.id]),
    ),
  ).rejects.toMatchObject({
    code: '42501',
    message: expect.stringContaining('atualizar_status_lead') as string,
  })
})

test("won is recorded when the lead leaves the stage, and follows the stage's mark", async () => {
  const { lead } = await setUp()
  const wonAt = async () =>
    (
      await base.db.query<{ won_at: string | null }>(
        'select won_at from public.whatsapp_contacts where id = $1',
        [lead.id],
      )
    ).rows[0]?.won_at
  const move = (status: string) =>
    base.db.query('update public.whatsapp_contacts set status = $1 where id = $2', [status, lead.id])
  const mark = (slug: string, kind: string) =>
    base.db.query('update public.kanban_stages set kind = $1 where slug = $2', [kind, slug])
  const visit = await makeStage(base.db)
  await move(visit.slug)
  const reachedAt = (
    await base.db.query<{ changed_at: string }>(
      'select changed_at from portal.stage_history where contact_id = $1 order by id desc limit 1',
      [lead.id],
    )
  ).rows[0]?.changed_at
  expect(await wonAt()).toBeNull()
  await move('fechado')
  const firstWonAt = await wonAt()
  expect(firstWonAt).not.toBeNull()
  await move('conversa')
  expect(await wonAt()).toBe(firstWonAt)
  await mark(visit.slug, 'won')
  expect(await wonAt()).toBe(reachedAt)
  await mark(visit.slug, 'lost')
  expect(await wonAt()).toBe(firstWonAt)
})

test('renumbering by an upsert of {id, order_index} alone works, also for a full swap', async () => {
  const { adminClaims } = await setUp()
  const order = await tryAs(base.db, adminClaims, async (query) => {
    await query(
      `insert into public.kanban_stages (id, order_index)
       select id, row_number() over (order by order_index desc) from public.kanban_stages
       on conflict (id) do update set id = excluded.id, order_index = excluded.order_index`,
    )
    await query('set constraints all immediate')
    return (await query(`select slug from public.kanban_stages where id <= 5 order by order_index`)).rows
  })
  expect(order.map((stage) => stage['slug'])).toEqual([
    'arquivado',
    'fechado',
    'negociacao',
    'conversa',
    'new',
  ])
})

test('an upsert of an unknown id changes nothing', async () => {
  const { adminClaims } = await setUp()
  await expect(
    tryAs(base.db, adminClaims, (query) =>
      query(
        `insert into public.kanban_stages (id, order_index) values (99999, 77)
         on conflict (id) do update set order_index = excluded.order_index`,
      ),
    ),
  ).rejects.toMatchObject({ code: '23502' })
})

test('a new stage with a taken position goes to the end', async () => {
  const { adminClaims } = await setUp()
  await tryAs(base.db, adminClaims, async (query) => {
    const { rows } = await query<{ last: boolean }>(
      `insert into public.kanban_stages (name, slug, order_index) values ('Proposta', 'proposta', 2)
       returning order_index > (select max(order_index) from public.kanban_stages) as last`,
    )
    expect(rows[0]?.last).toBe(true)
    await query('set constraints all immediate')
  })
})

test('a removed stage leaves its leads in Novos Contatos, with history; new itself stays', async () => {
  const { adminClaims, broker } = await setUp()
  const stage = await makeStage(base.db)
  const lead = await makeContact(base.db, broker.instanceName, { status: stage.slug })
  await asUser(base.db, adminClaims, (query) =>
    query('delete from public.kanban_stages where id = $1', [stage.id]),
  )
  const { rows } = await base.db.query('select status from public.whatsapp_contacts where id = $1', [lead.id])
  expect(rows).toEqual([{ status: 'new' }])
  expect((await historyOf(lead.id)).at(-1)).toMatchObject({ from_status: stage.slug, to_status: 'new' })
  await expect(
    tryAs(base.db, adminClaims, (query) => query(`delete from public.kanban_stages where slug = 'new'`)),
  ).rejects.toMatchObject({ code: '42501' })
})

test("the API's calls in sequence: contacts to new by slug, then the stage", async () => {
  const { adminClaims, broker } = await setUp()
  const stage = await makeStage(base.db)
  await makeContact(base.db, broker.instanceName, { status: stage.slug })
  await tryAs(base.db, adminClaims, async (query) => {
    const moved = await query(`update public.whatsapp_contacts set status = 'new' where status = $1`, [
      stage.slug,
    ])
    expect(moved.rowCount).toBe(1)
    expect((await query('delete from public.kanban_stages where id = $1', [stage.id])).rowCount).toBe(1)
  })
})

test("a removed broker's leads go to the administrator", async () => {
  const { broker, lead, adminClaims } = await setUp()
  await asUser(base.db, adminClaims, (query) =>
    query('delete from public.brokers where "instanceName" = $1', [broker.instanceName]),
  )
  const { rows } = await base.db.query(
    'select "instanceName", status from public.whatsapp_contacts where id = $1',
    [lead.id],
  )
  expect(rows).toEqual([{ instanceName: null, status: 'new' }])
})
