-- An agent's conversations are leads as every board shows them: who asked to be left alone included. Replaces 20261121116003.

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
    select jsonb_build_object(
      'id', c.id, 'name', c.name, 'number', c.number, 'notes', c.notes, 'status', c.status,
      'unread_count', c.unread_count, 'created_at', c.created_at, 'remarketing_sent_at', c.remarketing_sent_at,
      'opted_out', p.opted_out_at is not null,
      'profile_pic_url', c.profile_pic_url, 'instanceName', c."instanceName",
      'last_message', jsonb_build_object(
        'body', c.last_message_body, 'timestamp', c.last_message_timestamp, 'type', c.last_message_type,
        'kind', c.last_message_kind, 'delivery', c.last_message_delivery),
      'last_author', (
        select m.author from public.whatsapp_messages m where m.id = c.last_message_id and m.type = 'outgoing'),
      'pause', portal.pause_of(p_agent_id, c.person_id))
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
