// Consistency queries that must find nothing: derived values that differ from their source, impossible times.
import type { Query } from '#server/db/database.ts'

const CONTACTS = 'public.whatsapp_contacts'

export async function countRows(db: { query: Query }, from: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`select count(*) from ${from}`)
  return rows[0]?.count ?? -1
}

/** The board's derived values, computed directly from messages and history. */
const CARRIED = `
  select c.id,
    (select m.id from public.whatsapp_messages m where m.contact_id = c.id order by m."timestamp" desc, m.id desc limit 1)
      as last_message_id,
    (select count(*) from public.whatsapp_messages m where m.contact_id = c.id and m.type = 'incoming' and not m.read)
      as unread_count,
    (select to_timestamp(min(m."timestamp")) from public.whatsapp_messages m where m.contact_id = c.id and m.type = 'incoming')
      as first_incoming_at,
    (select to_timestamp(min(m."timestamp")) from public.whatsapp_messages m
     where m.contact_id = c.id and m.type = 'outgoing' and m.author = 'human' and m.delivery <> 'failed'
       and (m."timestamp", m.id) > (select i."timestamp", i.id from public.whatsapp_messages i
         where i.contact_id = c.id and i.type = 'incoming' order by 1, 2 limit 1)) as first_response_at,
    (select min(h.changed_at) from portal.stage_history h
     where h.contact_id = c.id and h.to_status in (select slug from public.kanban_stages where kind = 'won')) as won_at
  from public.whatsapp_contacts c`

/** Contacts whose derived values differ from their messages and moves. */
export const UNTRUE_CONTACTS = `public.whatsapp_contacts c join (${CARRIED}) plain using (id)
  left join public.whatsapp_messages m on m.id = plain.last_message_id
  where (c.last_message_id, c.last_message_body, c.last_message_timestamp, c.last_message_type, c.last_message_kind,
      c.last_message_delivery, c.last_message_author, c.unread_count, c.first_incoming_at, c.first_response_at, c.won_at)
    is distinct from (plain.last_message_id, left(m.body, 300), m."timestamp", m.type, m.kind, m.delivery,
      case when m.type = 'outgoing' and m.author = 'agent' then 'agent' end, plain.unread_count, plain.first_incoming_at, plain.first_response_at, plain.won_at)
    or c.status <> (select h.to_status from portal.stage_history h where h.contact_id = c.id order by h.id desc limit 1)`

export const DISABLED_TRIGGERS = `pg_trigger where not tgisinternal and tgenabled <> 'O'`

/** Messages before their contact or after `now`, epoch seconds. */
export const mistimedMessages = (
  now: number,
) => `public.whatsapp_messages m join ${CONTACTS} c on c.id = m.contact_id
  where m."timestamp" < extract(epoch from c.created_at) or m."timestamp" > ${now} or c.updated_at > to_timestamp(${now})`

/** Campaigns whose counts differ from their list of recipients. */
export const UNTRUE_CAMPAIGNS = `public.remarketing_campaigns c
  where (c.total_contacts, c.processed_contacts) <>
    (select count(*)::integer, count(r.accepted_at)::integer from public.campaign_recipients r where r.campaign_id = c.id)`
