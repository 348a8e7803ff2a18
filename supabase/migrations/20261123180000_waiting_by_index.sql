-- Who waits since when is found by an index, and told of an agent's leads as of a board's.

drop index public.messages_answers;
create index messages_answers on public.whatsapp_messages (contact_id, "timestamp", id) include (author)
  where type = 'outgoing';
comment on index public.messages_answers is
  'Serves the first human answer to a lead, and the last answer of anybody. Not by delivery, which changes with every receipt.';

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
    unread_count = unread.count,
    first_incoming_at = to_timestamp(incoming."timestamp"),
    first_response_at = to_timestamp(response."timestamp"),
    first_contacted_at = to_timestamp(contacted."timestamp"),
    waiting_since = waiting.since
  from unnest(contacts) as touched (id)
  join public.whatsapp_contacts known on known.id = touched.id
  left join lateral (
    select m.id, left(m.body, 300) as body, m."timestamp", m.type, m.kind, m.delivery
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
        c.last_message_delivery, c.unread_count, c.first_incoming_at, c.first_response_at, c.first_contacted_at, c.waiting_since)
      is distinct from (newest.id, newest.body, newest."timestamp", newest.type, newest.kind,
        newest.delivery, unread.count, to_timestamp(incoming."timestamp"), to_timestamp(response."timestamp"), to_timestamp(contacted."timestamp"),
        waiting.since);
end $$;
comment on function portal.carry(bigint[]) is
  'Writes on each contact what its messages say: the newest one, the unread count, the first incoming and the first human answer to it, and since when the lead waits for us. For the triggers, and after a bulk load without them.';

create or replace function portal.agent_talk(p_agent_id integer, p_lead public.whatsapp_contacts) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', p_lead.id, 'name', p_lead.name, 'number', p_lead.number, 'notes', p_lead.notes, 'status', p_lead.status,
    'unread_count', p_lead.unread_count, 'created_at', p_lead.created_at,
    'remarketing_sent_at', p_lead.remarketing_sent_at,
    'waiting_since', floor(extract(epoch from p_lead.waiting_since))::bigint, 'next', p_lead.next,
    'source', p_lead.source, 'empreendimento', p_lead.empreendimento,
    'opted_out', exists (select from portal.people p where p.id = p_lead.person_id and p.opted_out_at is not null),
    'profile_pic_url', p_lead.profile_pic_url, 'instanceName', p_lead."instanceName",
    'last_message', jsonb_build_object(
      'body', p_lead.last_message_body, 'timestamp', p_lead.last_message_timestamp, 'type', p_lead.last_message_type,
      'kind', p_lead.last_message_kind, 'delivery', p_lead.last_message_delivery),
    'last_author', (
      select m.author from public.whatsapp_messages m where m.id = p_lead.last_message_id and m.type = 'outgoing'),
    'pause', portal.pause_of(p_agent_id, p_lead.person_id))
$$;
comment on function portal.agent_talk(integer, public.whatsapp_contacts) is
  'A lead as public.get_agent_conversations and public.get_agent_conversation answer it. Server only.';
