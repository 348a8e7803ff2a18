// Limits of one account's requests: lists, cursors, actions per lead and times, so that nobody waits for a long
// request.
import { expect, test } from 'vitest'
import { asUser } from '#server/db/as-user.ts'
import type { SqlValue } from '#server/db/database.ts'
import { openBase } from '#tests/support/database.ts'
import { makeBroker, makeContact, makeQuickReply, signIn, signInAdmin } from '#tests/support/make.ts'
import { callAs, schedule } from '#tests/support/scheduled.ts'

const base = await openBase()
const ana = await makeBroker(base.db)
const asAna = await signIn(base.db, ana)
const asAdmin = await signInAdmin(base.db)

const inDays = (days: number) => new Date(Date.now() + days * 864e5).toISOString()

/** Required arguments besides a list, by function. */
const BESIDE: Record<string, string> = {
  get_leads_of_figure: `p_figure => 'total', `,
  get_leads_behind_figure: `p_figure => 'total', `,
  count_leads_of_figure: `p_figure => 'total', `,
  get_leads_of_value: `p_figure => 'lost', `,
  count_leads_of_value: `p_figure => 'lost', `,
  get_results: `p_from => current_date, p_to => current_date, `,
  get_result_leads: `p_figure => 'won', p_from => current_date, p_to => current_date, `,
  search_messages: `p_query => 'abc', `,
  transferir_leads: `p_broker_name => 'corretor_x', `,
}
const LIST: Record<string, string> = {
  'text[]': `array(select n::text from generate_series(1, 3000) n)`,
  'bigint[]': `array(select n::bigint from generate_series(1, 3000) n)`,
  'uuid[]': `array(select gen_random_uuid() from generate_series(1, 3000))`,
}

test('a function that takes a list refuses a long one with a message, for each of its lists', async () => {
  const { rows: lists } = await base.db.query<{ name: string; argument: string; type: string }>(
    `select p.proname as name, p.proargnames[a.at] as argument, format_type(a.type, null) as type
     from pg_proc p, unnest(p.proargtypes::oid[]) with ordinality a (type, at)
     join pg_type t on t.oid = a.type and t.typcategory = 'A'
     where p.pronamespace = 'public'::regnamespace order by 1, 2`,
  )
  expect(lists.length).toBeGreaterThan(20)
  for (const { name, argument, type } of lists)
    await expect(
      asUser(base.db, asAdmin, (query) =>
        query(`select public.${name}(${BESIDE[name] ?? ''}${argument} => ${LIST[type]})`),
      ),
      `${name}, ${argument}`,
    ).rejects.toMatchObject({ code: 'PT422', message: expect.stringMatching(/ (de cada|por) vez\.$/) })
})

test('a list of five hundred is accepted', async () => {
  const reply = await makeQuickReply(base.db, ana.id)
  const { rows } = await asUser(base.db, asAna, (query) =>
    query<{ placed: number }>(
      `select public.order_quick_replies($1 || array(select gen_random_uuid() from generate_series(1, 499))) as placed`,
      [`{${reply.id}}`],
    ),
  )
  expect(rows).toEqual([{ placed: 1 }])
})

test('a cursor longer than any real one belongs to no board', async () => {
  await makeContact(base.db, ana.instanceName)
  const sync = (cursor: string | null) =>
    callAs<{ cursor: string; reset: boolean }>(base.db, asAna, 'sync_board', {
      p_instance: ana.instanceName,
      p_cursor: cursor,
    })
  const { cursor } = await sync(null)
  expect(await sync(`${cursor}1`)).toMatchObject({ reset: false })
  expect(await sync(`${cursor}${'1,'.repeat(10_000)}1`)).toMatchObject({ reset: true })
})

test('a lead has at most fifty open actions, visits included, and space again once one is finished', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  const save = (more = {}) =>
    callAs<{ action_id: number }>(base.db, asAna, 'action_save', {
      p_contact_id: id,
      p_kind: 'call',
      p_due_at: inDays(1),
      ...more,
    })
  const { action_id: first } = await save()
  for (let n = 1; n < 50; n++) await save()
  const many = { code: 'PT422', message: 'Este lead já tem 50 próximos passos. Conclua um deles antes.' }
  await expect(save()).rejects.toMatchObject(many)
  const visit = { p_contact_id: id, p_starts_at: inDays(2) }
  await expect(callAs(base.db, asAna, 'visit_save', visit)).rejects.toMatchObject(many)
  expect(await save({ p_action_id: first, p_due_at: inDays(3) })).toMatchObject({ action_id: first })
  await callAs(base.db, asAna, 'action_finish', {
    p_contact_id: id,
    p_outcome: 'done',
    p_action_id: first,
  })
  expect(await callAs(base.db, asAna, 'visit_save', visit)).toMatchObject({ code: 'saved' })
})

test('a lead has at most fifty scheduled messages, and space again once one is cancelled', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  const later = () => schedule(base.db, asAna, id, { p_due_at: inDays(1) })
  const { scheduled_id: first } = await later()
  for (let n = 1; n < 50; n++) await later()
  await expect(later()).rejects.toMatchObject({
    code: 'PT422',
    message: 'Este lead já tem 50 mensagens agendadas. Cancele uma delas antes.',
  })
  await callAs(base.db, asAna, 'message_unschedule', { p_contact_id: id, p_scheduled_id: first })
  expect(await later()).toMatchObject({ code: 'saved' })
})

test('infinite times are replaced by the nearest possible one, or refused with a message', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  const call = (name: string, given: Record<string, SqlValue>) =>
    callAs(base.db, asAna, name, { p_contact_id: id, ...given })
  const visit = { p_starts_at: inDays(4), p_remind_text: 'Até amanhã!' }
  for (const seen of ['-infinity', 'infinity']) {
    const given = { p_seen_at: seen, p_due_at: inDays(1) }
    expect(await call('action_save', { ...given, p_kind: 'call' })).toMatchObject({ code: 'saved' })
    const text = { ...given, p_text: 'Oi!', p_unless_answered: null }
    expect(await call('message_schedule', text)).toMatchObject({ code: 'saved' })
  }
  await expect(call('visit_save', { ...visit, p_remind_at: 'infinity' })).rejects.toMatchObject({
    code: 'PT422',
    message: 'Escolha um dia no próximo ano.',
  })
})
