// Very many leads of one broker at once, created inside the database: for benchmarks of boards and dashboards.
import type { Database } from '#server/db/database.ts'
import { reserveIds } from '#server/demo/seed/insert.ts'

type Bulk = { instanceName: string; count: number; seed: number }

/** Maximum messages of a lead; odd ones are the lead's. */
const MAX_TURNS = 5

/**
 * Adds `count` leads with up to five messages each over the last ninety days, in stages that fit their age. The
 * same seed makes the same leads; another seed, other people.
 */
export async function seedLeads(db: Database, { instanceName, count, seed }: Bulk): Promise<void> {
  await db.transaction(async (query) => {
    const contacts = await reserveIds(query, 'public.whatsapp_contacts', count)
    const messages = await reserveIds(query, 'public.whatsapp_messages', count * MAX_TURNS)
    const people = await reserveIds(query, 'portal.people', count)
    // Inserts rows with the values that triggers would compute; triggers only add the board's change numbers.
    await query(
      `alter table public.whatsapp_contacts disable trigger guard_contact, disable trigger record_first_stage`,
    )
    await query(`alter table public.whatsapp_messages disable trigger user`)
    await query(BULK_LEADS, [count, seed, contacts, messages, people, instanceName])
    for (const statement of [PEOPLE, CONTACTS, IDENTITIES, MESSAGES, HISTORY]) await query(statement)
    await query(`set constraints all immediate`)
    await query(`alter table public.whatsapp_messages enable trigger user`)
    await query(
      `alter table public.whatsapp_contacts enable trigger guard_contact, enable trigger record_first_stage`,
    )
  })
  await db.exec(
    'analyze portal.people, public.whatsapp_contacts, public.whatsapp_messages, portal.stage_history',
  )
}

const chance = (salt: number, outOf: number) =>
  `abs(hashint8extended(i, $2::bigint * 16 + ${salt}) % ${outOf})`

const BULK_LEADS = `
  create temporary table bulk_leads on commit drop as
  select *, created + (turns - 1) * gap as last
  from (
    select
      $6::text as instance, $3::bigint + i as contact_id, $4::bigint + i * ${MAX_TURNS} as message_id, $5::bigint + i as person_id,
      '55' || (array[11, 12, 13, 15, 19, 21, 31, 41, 51, 61])[1 + $2::int % 10] || '9'
        || lpad(($2::bigint / 10 * 10000000 + i)::text, 8, '0') as number,
      (array['Ana', 'Bruno', 'Carla', 'Diego', 'Elisa', 'Fábio', 'Gabriela', 'Hugo', 'Isabela', 'João'])[1 + ${chance(1, 10)}]
        || ' ' || (array['Almeida', 'Barbosa', 'Cardoso', 'Duarte', 'Esteves', 'Freitas', 'Gomes'])[1 + ${chance(2, 7)}] as name,
      (array['new', 'new', 'new', 'conversa', 'conversa', 'negociacao', 'fechado', 'arquivado', 'arquivado'])[
        1 + ${chance(3, 9)}] as status,
      (array['instagram', 'facebook', 'google', 'site', 'indicacao', 'midia-fisica'])[1 + ${chance(4, 6)}] as source,
      (array['Mirante do Lago', 'Jardim das Acácias', 'Reserva Ipê', 'Vista Serrana', 'Porto Aurora'])[1 + ${chance(5, 5)}]
        as development,
      extract(epoch from now())::bigint - 86400 - ${chance(6, 89 * 86_400)} as created,
      (1 + ${chance(7, MAX_TURNS)})::int as turns,
      30 + ${chance(8, 14_400)} as gap
    from generate_series(0, $1::bigint - 1) as i
  ) as drawn`

const PEOPLE = `
  insert into portal.people (id, number_key, created_at) overriding system value
  select person_id, portal.number_key(number), to_timestamp(created) from bulk_leads`

const BODY = (turn: string) => `(array[
  'Bom dia! Ainda tem unidade de 3 quartos?', 'Tem, sim! Quer conhecer o decorado?', 'Quero, pode ser no sábado?',
  'Combinado, te espero às 10h.', 'Obrigada! Até sábado.'])[${turn}]`

const CONTACTS = `
  insert into public.whatsapp_contacts (id, "instanceName", person_id, name, number, status, source, empreendimento,
    last_message_id, last_message_body, last_message_timestamp, last_message_type, last_message_kind,
    last_message_delivery, unread_count, first_incoming_at, first_response_at, won_at, created_at, updated_at, waiting_since)
  overriding system value
  select contact_id, instance, person_id, name, number, status, source, development,
    message_id + turns - 1, ${BODY('turns')}, last,
    case turns % 2 when 1 then 'incoming' else 'outgoing' end, 'text', case turns % 2 when 0 then 'read' end, turns % 2,
    to_timestamp(created), case when turns > 1 then to_timestamp(created + gap) end,
    case status when 'fechado' then to_timestamp(last) end, to_timestamp(created), to_timestamp(last),
    case turns % 2 when 1 then to_timestamp(last) end
  from bulk_leads`

const IDENTITIES = `
  insert into portal.identities (jid, "instanceName", person_id, first_seen_at)
  select number || '@s.whatsapp.net', instance, person_id, to_timestamp(created) from bulk_leads`

const MESSAGES = `
  insert into public.whatsapp_messages (id, contact_id, "instanceName", message_id, body, "timestamp", type, read, delivery,
    created_at)
  overriding system value
  select l.message_id + turn - 1, l.contact_id, l.instance, 'BULK' || (l.message_id + turn - 1), ${BODY('turn')},
    l.created + (turn - 1) * l.gap, case turn % 2 when 1 then 'incoming' else 'outgoing' end,
    turn < l.turns or turn % 2 = 0, case turn % 2 when 0 then 'read' end, to_timestamp(l.created + (turn - 1) * l.gap)
  from bulk_leads l, generate_series(1, l.turns) as turn`

const HISTORY = `
  insert into portal.stage_history (contact_id, from_status, to_status, changed_by, changed_at)
  select contact_id, null as from_status, 'new', 'portal', to_timestamp(created) as changed_at from bulk_leads
  union all
  select contact_id, 'new', status, substr(instance, length('corretor_') + 1), to_timestamp(last) from bulk_leads where status <> 'new'
  order by changed_at, from_status nulls first`
