-- A card says who wrote last: an assistant's words are not the broker's.

alter table public.whatsapp_contacts add column last_message_author text;
comment on column public.whatsapp_contacts.last_message_author is 'agent where an assistant wrote the newest message; else null.';

create or replace function portal.carry(contacts bigint[]) returns void
language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  -- One order for all writers, and after the wait a snapshot that has what the one before wrote.
  perform from public.whatsapp_contacts c where c.id = any (contacts) order by c.id for no key update;
  update public.whatsapp_contacts c
  set
    last_message_id = newest.id,
    last_message_body = newest.body,
    last_message_timestamp = newest."timestamp",
    last_message_type = newest.type,
    last_message_kind = newest.kind,
    last_message_delivery = newest.delivery,
    last_message_author = newest.author,
    unread_count = unread.count,
    first_incoming_at = to_timestamp(incoming."timestamp"),
    first_response_at = to_timestamp(response."timestamp"),
    first_contacted_at = to_timestamp(contacted."timestamp"),
    waiting_since = waiting.since
  from unnest(contacts) as touched (id)
  join public.whatsapp_contacts known on known.id = touched.id
  left join lateral (
    select m.id, left(m.body, 300) as body, m."timestamp", m.type, m.kind, m.delivery,
      case when m.type = 'outgoing' and m.author = 'agent' then m.author end as author
    from public.whatsapp_messages m where m.contact_id = touched.id
    order by m."timestamp" desc, m.id desc limit 1
  ) newest on true
  cross join lateral (
    select count(*)::integer from public.whatsapp_messages m
    where m.contact_id = touched.id and m.type = 'incoming' and not m.read
  ) unread (count)
  left join lateral (
    select m."timestamp", m.id from public.whatsapp_messages m
    where m.contact_id = touched.id and m.type = 'incoming'
    order by m."timestamp", m.id limit 1
  ) incoming on true
  left join lateral (
    select m."timestamp" from public.whatsapp_messages m
    where m.contact_id = touched.id and m.type = 'outgoing' and m.author = 'human' and m.delivery <> 'failed'
      and m."timestamp" >= incoming."timestamp" and (m."timestamp" > incoming."timestamp" or m.id > incoming.id)
    order by m."timestamp", m.id limit 1
  ) response on true
  left join lateral (
    select min(m."timestamp") as "timestamp" from public.whatsapp_messages m
    where m.contact_id = touched.id and m.type = 'outgoing' and m.author = 'human' and m.delivery <> 'failed'
      and m."timestamp" >= floor(extract(epoch from known.left_contact_at))
      and known.left_contact_at is not null
  ) contacted on true
  left join lateral (
    select m."timestamp", m.id from public.whatsapp_messages m
    where m.contact_id = touched.id and m.type = 'outgoing' and m.delivery <> 'failed'
    order by m."timestamp" desc, m.id desc limit 1
  ) answered on true
  cross join lateral (
    select least(
      -- The first in the order of the index: however long somebody waits, one row is read.
      (select to_timestamp(m."timestamp") from public.whatsapp_messages m
        where m.contact_id = touched.id and m.type = 'incoming'
          and (m."timestamp", m.id) > (coalesce(answered."timestamp", 0), coalesce(answered.id, 0))
          and m."timestamp" > coalesce(floor(extract(epoch from known.quiet_at))::bigint, -1)
        order by m."timestamp", m.id limit 1),
      (select min(i.received_at) from portal.lead_intakes i
        where i.contact_id = touched.id and i.received_at > coalesce(known.quiet_at, '-infinity')
          and i.received_at > to_timestamp(coalesce(answered."timestamp", 0))))
  ) waiting (since)
  where c.id = touched.id
    and (c.last_message_id, c.last_message_body, c.last_message_timestamp, c.last_message_type, c.last_message_kind,
        c.last_message_delivery, c.last_message_author, c.unread_count, c.first_incoming_at, c.first_response_at,
        c.first_contacted_at, c.waiting_since)
      is distinct from (newest.id, newest.body, newest."timestamp", newest.type, newest.kind,
        newest.delivery, newest.author, unread.count, to_timestamp(incoming."timestamp"), to_timestamp(response."timestamp"), to_timestamp(contacted."timestamp"),
        waiting.since);
end $$;
comment on function portal.carry(bigint[]) is
  'Writes on each contact what its messages say: the newest one, the unread count, the first incoming and the first human answer to it, and since when the lead waits for us. For the triggers, and after a bulk load without them.';

create or replace function portal.board_leads(p_board text, p_contacts bigint[]) returns json
language plpgsql stable set search_path = '' as $$
declare
  -- What stands on every lead of a board is looked up once.
  broker_number text := (select b.broker_number from public.brokers b where b."instanceName" = p_board);
  today constant bigint := portal.day_began();
  -- Where no rotation has a target of its own, no lead is asked for its.
  has_targets constant boolean := exists (select from public.roletas r where r.target_minutes is not null);
begin
  return (
    select coalesce(json_agg(lead), '[]')
    from (
      select
        c.id, c.name, c.number, c.notes, c.status, c.unread_count,
        date_trunc('second', c.created_at) as created_at,
        date_trunc('second', c.updated_at) as updated_at,
        case
          -- Whoever comes in by a form is read like whoever writes.
          when arrival.received_at is not null then json_build_object(
            'body', left(coalesce(arrival.message, 'Deixou o contato'), 300),
            'timestamp', floor(extract(epoch from arrival.received_at))::bigint,
            'type', 'incoming', 'kind', 'text', 'delivery', null)
          when c.last_message_id is not null then json_build_object(
            'body', c.last_message_body,
            'timestamp', c.last_message_timestamp,
            'type', c.last_message_type,
            'kind', c.last_message_kind,
            'delivery', c.last_message_delivery)
        end as last_message,
        -- Mostly the same as the message's, and so next to it.
        floor(extract(epoch from c.waiting_since))::bigint as waiting_since,
        -- Mostly the same on neighbours, and side by side so that it costs next to nothing compressed.
        c.remarketing_sent_at, c.last_message_author as last_author,
        c.person_id in (select p.id from portal.people p where p.opted_out_at is not null) as opted_out,
        case when has_targets and c.waiting_since is not null then (
          select r.target_minutes * 60 from portal.roleta_cases a join public.roletas r on r.id = a.roleta_id
          where a.contact_id = c.id order by a.id desc limit 1) end as target,
        c.next, c.later, case when (c.done -> -1 ->> 'at')::bigint >= today then c.done end as done, c.source, c.empreendimento,
        c.profile_pic_url, broker_number, p_board as "instanceName"
      from (
        select o.* from public.whatsapp_contacts o
        where o."instanceName" = p_board and (p_contacts is null or o.id = any (p_contacts))
        -- Not even begun for a broker's board.
        union all
        select o.* from public.whatsapp_contacts o where p_board = '' and o."instanceName" is null
      ) c
      -- The first message to a central instance is an arrival, too, and stands as the message that it is.
      left join lateral (
        select i.message, i.received_at from portal.lead_intakes i
        where c.left_contact_at is not null and i.contact_id = c.id and i.key_id is not null
          and i.received_at > to_timestamp(coalesce(c.last_message_timestamp, 0))
        order by i.id desc limit 1
      ) arrival on true
    ) lead
  );
end $$;
comment on function portal.board_leads(text, bigint[]) is
  'Leads of a board as sync_board shows them: the named ones, or all of them with null; of the board '''' always all.';

update public.whatsapp_contacts c set last_message_author = m.author
from public.whatsapp_messages m
where c.last_message_type = 'outgoing' and m.id = c.last_message_id and m.author = 'agent';
