// General rules of the schema, checked in the catalogue: row security everywhere, a comment on everything, an index for
// every foreign key, a fixed search path in functions.
import { expect, test } from 'vitest'
import { openBase } from '#tests/support/database.ts'

const base = await openBase()

/** Names that a query reports as faulty. */
async function faults(sql: string): Promise<string[]> {
  return (await base.db.query<{ name: string }>(sql)).rows.map((row) => row.name).toSorted()
}

const OURS = `n.nspname in ('public', 'portal')`

test("every table has row security, every view runs with the caller's rights", async () => {
  expect(
    await faults(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where ${OURS} and (
         c.relkind in ('r', 'p') and not c.relrowsecurity
         or c.relkind = 'v' and not coalesce(c.reloptions @> '{security_invoker=true}', false)
         or c.relkind in ('m', 'f'))`,
    ),
  ).toEqual([])
})

test('every table, view, own index, function and policy has a comment', async () => {
  expect(
    await faults(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where ${OURS} and c.relkind in ('r', 'p', 'v', 'i')
         and not (c.relkind = 'i' and exists (select from pg_constraint k where k.conindid = c.oid and k.contype in ('p', 'u', 'x')))
         and obj_description(c.oid, 'pg_class') is null
       union all
       select p.oid::regprocedure::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where ${OURS} and obj_description(p.oid, 'pg_proc') is null
       union all
       select 'policy ' || polname || ' on ' || polrelid::regclass from pg_policy
       where polname <> 'service_role_all' and obj_description(oid, 'pg_policy') is null`,
    ),
  ).toEqual([])
})

test('every table can be replicated logically: it has a primary key or a replica identity', async () => {
  expect(
    await faults(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname in ('public', 'portal', 'auth', 'supabase_migrations') and c.relkind in ('r', 'p')
         and c.relreplident <> 'f'
         and not exists (
           select from pg_index i
           where i.indrelid = c.oid and (i.indisreplident or (c.relreplident = 'd' and i.indisprimary)))`,
    ),
  ).toEqual([])
})

/** Foreign keys of few rows, which a rare removal may look through, while an index would cost every write. */
const LOOKED_THROUGH = [
  'portal.throttle throttle_kind_fkey', // its rules are never removed
  'portal.webhook_aside webhook_aside_instanceName_fkey', // a handful in thirty days
]

test('every foreign key has an index that begins with its columns', async () => {
  expect(
    await faults(
      `select k.conrelid::regclass || ' ' || k.conname as name from pg_constraint k join pg_namespace n on n.oid = k.connamespace
       where k.contype = 'f' and ${OURS} and not exists (
         select from pg_index i
         where i.indrelid = k.conrelid and i.indpred is null
           and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey)`,
    ),
  ).toEqual(LOOKED_THROUGH)
})

test('every function fixes its search path, or is SQL to be inlined into the calling query', async () => {
  expect(
    await faults(
      `select p.oid::regprocedure::text as name from pg_proc p
       join pg_namespace n on n.oid = p.pronamespace join pg_language l on l.oid = p.prolang
       where ${OURS} and not coalesce(p.proconfig @> array['search_path=""'], false)
         and not (l.lanname = 'sql' and not p.prosecdef and p.proconfig is null and p.provolatile <> 'v')`,
    ),
  ).toEqual([])
  expect(
    await faults(
      `select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where ${OURS} and p.proconfig is null`,
    ),
  ).toEqual([
    'portal.answers_campaign(bigint,timestamp with time zone)',
    'portal.is_held_back(bigint,timestamp with time zone)',
    'portal.lead_delta(whatsapp_contacts,integer,text)',
    'portal.leads_of(text[],text[],timestamp with time zone,timestamp with time zone)',
    'portal.makes_figure(portal.leads,text,text)',
    'portal.result_group(text,text[],text,jsonb)',
    'portal.segment_drawn(text,text,text)',
  ])
})

test('every message is dated with its second, truncated and not rounded', async () => {
  expect(
    await faults(
      `select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where ${OURS} and p.prosrc ~ '(?<!floor\\()extract\\(epoch from (now\\(\\)|p_now)\\)::bigint'`,
    ),
  ).toEqual([])
})

test('functions called by GET do not write', async () => {
  const { rows } = await base.db.query<{ name: string }>(
    `select proname as name from pg_proc where pronamespace = 'public'::regnamespace and provolatile = 'v' order by 1`,
  )
  expect(rows.map((row) => row.name)).toEqual([
    'action_finish',
    'action_save',
    'action_snooze',
    'add_stage',
    'ask_private',
    'atualizar_status_lead',
    'authenticate_admin',
    'authenticate_broker',
    'calendar_renew',
    'decide_conversion',
    'deletar_chat_history_por_empreendimento',
    'import_spend',
    'interest_add',
    'interest_remove',
    'lead_add',
    'lead_fields',
    'lead_mute',
    'lead_pass',
    'lead_private',
    'lead_public',
    'lead_take',
    'lead_unread',
    'mark_read',
    'material_send',
    'message_delete',
    'message_edit',
    'message_react',
    'message_schedule',
    'message_unschedule',
    'move_stage',
    'note_export',
    'order_quick_replies',
    'pause_agent',
    'pause_conversation',
    'plan_start',
    'plan_stop',
    'plan_template_save',
    'remove_quick_reply',
    'remove_stage',
    'remove_test_lead',
    'rename_lead',
    'replay_conversions',
    'save_campaign_settings',
    'save_lead_notes',
    'save_prompt',
    'save_quick_reply',
    'save_stage',
    'segment_remove',
    'segment_save',
    'send_test_lead',
    'set_answer_target',
    'set_brand',
    'set_broker_password',
    'set_conversion_target',
    'set_conversion_test',
    'set_roleta_ativa',
    'set_spend',
    'transferir_leads',
    'undo_opt_out',
    'update_coluna_prompt',
    'visit_hours_save',
    'visit_outcome',
    'visit_save',
    'warn_of_lead',
  ])
})

test('no policy lets anon or public in', async () => {
  expect(
    await faults(
      `select policyname || ' on ' || schemaname || '.' || tablename as name from pg_policies
       where roles && '{public,anon}'::name[]`,
    ),
  ).toEqual([])
})

test('the stages of a new portal', async () => {
  const { rows } = await base.db.query(
    'select name, slug, order_index, kind from public.kanban_stages order by order_index',
  )
  expect(rows).toEqual([
    { name: 'Novos Contatos', slug: 'new', order_index: 1, kind: 'open' },
    { name: 'Conversa', slug: 'conversa', order_index: 2, kind: 'open' },
    { name: 'Negociação', slug: 'negociacao', order_index: 3, kind: 'open' },
    { name: 'Fechado', slug: 'fechado', order_index: 4, kind: 'won' },
    { name: 'Arquivado', slug: 'arquivado', order_index: 5, kind: 'lost' },
  ])
})

test('no trigger changes how statements are planned, because that holds for all it calls', async () => {
  const { rows } = await base.db.query(
    `select proname from pg_proc where pronamespace = 'portal'::regnamespace and prorettype = 'trigger'::regtype
       and exists (select from unnest(proconfig) as setting where setting like 'enable%')`,
  )
  expect(rows).toEqual([])
})

test('a trigger joins its old and new rows fully, because the plan cached for one row serves a thousand', async () => {
  const { rows } = await base.db.query(
    `select proname from pg_proc where pronamespace = 'portal'::regnamespace and prorettype = 'trigger'::regtype
       and regexp_replace(prosrc, '--[^\\n]*|\\mfull join\\M', '', 'g') ~ '\\m(old|new)_rows\\s+\\w+\\s+([a-z]+ )?join (old|new)_rows\\M'`,
  )
  expect(rows).toEqual([])
})
