-- One conversation of an agent by its lead, wherever it stands in the list: what is open is read again by itself (SPEC.md 2.13).

create function portal.agent_talk(p_agent_id integer, p_lead public.whatsapp_contacts) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', p_lead.id, 'name', p_lead.name, 'number', p_lead.number, 'notes', p_lead.notes, 'status', p_lead.status,
    'unread_count', p_lead.unread_count, 'created_at', p_lead.created_at,
    'remarketing_sent_at', p_lead.remarketing_sent_at,
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

create or replace function public.get_agent_conversations(
  p_agent_id integer,
  p_search text default null,
  p_before_at bigint default null,
  p_before_id bigint default null
) returns setof jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  words text[] := regexp_split_to_array(nullif(btrim(portal.fold(p_search)), ''), '\s+');
  digits text := case when p_search !~ '[[:alpha:]]' then nullif(regexp_replace(p_search, '[^0-9]', '', 'g'), '') end;
  since bigint := case when words is null then extract(epoch from now() - interval '30 days') else 0 end;
begin
  perform portal.require_admin();
  return query
    select portal.agent_talk(p_agent_id, c)
    from portal.agent_leads(p_agent_id) c join portal.people p on p.id = c.person_id
    where c.last_message_timestamp >= since
      and (p_before_at is null or (c.last_message_timestamp, c.id) < (p_before_at, p_before_id))
      and (
        words is null
        or not exists (select from unnest(words) as word where strpos(portal.fold(coalesce(c.name, '')), word) = 0)
        or regexp_replace(c.number, '[^0-9]', '', 'g') like '%' || digits || '%'
        or (length(digits) between 10 and 13 and p.number_key = portal.number_key(digits))
      )
    order by c.last_message_timestamp desc, c.id desc
    limit 50;
end $$;

create function public.get_agent_conversation(p_agent_id integer, p_contact_id bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  talk jsonb;
begin
  perform portal.require_admin();
  select portal.agent_talk(p_agent_id, c) into talk from public.whatsapp_contacts c
  where c.id = p_contact_id and c.last_message_id is not null and p_agent_id in (select portal.agents_of(c.id));
  if talk is null then
    raise exception 'Conversa não encontrada.' using errcode = 'PT404';
  end if;
  return talk;
end $$;
comment on function public.get_agent_conversation(integer, bigint) is
  'One of an agent''s conversations by its lead, however old, as get_agent_conversations answers it. Administrators only; 404 for a lead that is not this agent''s or has no message.';
grant execute on function public.get_agent_conversation(integer, bigint) to authenticated, service_role;
