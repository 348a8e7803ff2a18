-- Who holds a conversation of an agent: the agent, a person, or nobody yet, because a broker was called and has not come.

create function portal.broker_called_at(p_contact_id bigint) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select h.at from portal.agent_handovers h join portal.agent_turns t on t.id = h.turn_id
  where h.contact_id = p_contact_id and t.ended_at is not null and not exists (
    select from public.whatsapp_messages m
    where m.contact_id = h.contact_id and m.type = 'outgoing' and m.author = 'human' and m.id > t.base_message)
  order by h.id limit 1
$$;
comment on function portal.broker_called_at(bigint) is
  'When an agent first called a broker into a conversation in which no person has written since; null where nobody is waited for. Server only.';

create or replace function portal.is_broker_called(p_contact_id bigint) returns boolean
language sql stable security definer set search_path = '' as $$
  select portal.broker_called_at(p_contact_id) is not null
$$;
comment on function portal.is_broker_called(bigint) is
  'Whether an agent has handed a conversation over and no person has written in it since. Server only.';

create or replace function portal.agent_turns_of(p_agent_id integer, p_contact_id bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'kind', t.kind, 'state', t.state, 'reason', t.reason,
      'beganAt', t.began_at, 'dueAt', t.due_at, 'endedAt', t.ended_at, 'bubbles', t.bubbles, 'body', t.body,
      'sources', t.sources, 'steps', t.steps, 'model', t.model, 'costMicros', t.cost_micros,
      'inputTokens', t.input_tokens, 'outputTokens', t.output_tokens, 'promptVersion', t.prompt_version,
      'messageId', t.message_id, 'number', t.number) order by t.id desc), '[]')
    from (
      select l.*, row_number() over (order by l.id) as number from portal.agent_turns l where l.agent_id = p_agent_id and l.contact_id = p_contact_id
      order by l.id desc limit 50
    ) t);
end $$;
comment on function portal.agent_turns_of(integer, bigint) is
  'The last fifty turns of an agent in a conversation, the newest first, each with its number from the first on and the line that it sent. Administrators, by the server only.';

create function portal.agent_holder(p_agent_id integer, p_lead public.whatsapp_contacts) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when exists (
      select from portal.agent_pauses p
      where p.agent_id = p_agent_id and p.person_id = p_lead.person_id and (p.paused_until is null or p.paused_until > now()))
      then 'person'
    when portal.is_broker_called(p_lead.id) then 'waiting'
    else 'agent'
  end
$$;
comment on function portal.agent_holder(integer, public.whatsapp_contacts) is
  'Who holds a conversation of an agent: person (the agent is paused there), waiting (for a broker whom it called), agent. Server only.';

create function public.get_agent_holders(p_agent_id integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select jsonb_build_object('agent', count(*) filter (where held.holder = 'agent'),
      'waiting', count(*) filter (where held.holder = 'waiting'))
    from (
      select portal.agent_holder(p_agent_id, c) as holder from portal.agent_leads(p_agent_id) c
      where c.last_message_timestamp >= extract(epoch from now() - interval '30 days')
    ) held);
end $$;
comment on function public.get_agent_holders(integer) is
  'How many conversations of the last 30 days are with an agent, and how many wait for a broker whom it called: {agent, waiting}, as get_agent_conversations lists them by p_holder. Administrators only.';
grant execute on function public.get_agent_holders(integer) to authenticated, service_role;

create or replace function portal.agent_talk(p_agent_id integer, p_lead public.whatsapp_contacts) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', p_lead.id, 'name', p_lead.name, 'number', p_lead.number, 'notes', p_lead.notes, 'status', p_lead.status,
    'unread_count', p_lead.unread_count, 'created_at', p_lead.created_at,
    'remarketing_sent_at', p_lead.remarketing_sent_at,
    'waiting_since', floor(extract(epoch from p_lead.waiting_since))::bigint, 'next', p_lead.next, 'later', p_lead.later,
    'source', p_lead.source, 'empreendimento', p_lead.empreendimento,
    'opted_out', exists (select from portal.people p where p.id = p_lead.person_id and p.opted_out_at is not null),
    'profile_pic_url', p_lead.profile_pic_url, 'instanceName', p_lead."instanceName",
    'last_message', jsonb_build_object(
      'body', p_lead.last_message_body, 'timestamp', p_lead.last_message_timestamp, 'type', p_lead.last_message_type,
      'kind', p_lead.last_message_kind, 'delivery', p_lead.last_message_delivery),
    'last_author', (
      select m.author from public.whatsapp_messages m where m.id = p_lead.last_message_id and m.type = 'outgoing'),
    'pause', portal.pause_of(p_agent_id, p_lead.person_id),
    'called_at', floor(extract(epoch from portal.broker_called_at(p_lead.id)))::bigint)
$$;
comment on function portal.agent_talk(integer, public.whatsapp_contacts) is
  'A lead as public.get_agent_conversations and public.get_agent_conversation answer it. Server only.';

drop function public.get_agent_conversations(integer, text, bigint, bigint);
create function public.get_agent_conversations(
  p_agent_id integer,
  p_search text default null,
  p_before_at bigint default null,
  p_before_id bigint default null,
  p_holder text default null
) returns setof jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  words text[] := regexp_split_to_array(nullif(btrim(portal.fold(p_search)), ''), '\s+');
  digits text := case when p_search !~ '[[:alpha:]]' then nullif(regexp_replace(p_search, '[^0-9]', '', 'g'), '') end;
  since bigint := case when words is null then extract(epoch from now() - interval '30 days') else 0 end;
begin
  perform portal.require_admin();
  if p_holder not in ('agent', 'waiting') then
    raise exception 'p_holder é agent ou waiting.' using errcode = 'PT422', hint = 'agent.holder';
  end if;
  return query
    select portal.agent_talk(p_agent_id, c)
    from portal.agent_leads(p_agent_id) c join portal.people p on p.id = c.person_id
    where c.last_message_timestamp >= since
      and (p_holder is null or portal.agent_holder(p_agent_id, c) = p_holder)
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
comment on function public.get_agent_conversations(integer, text, bigint, bigint, text) is
  'The conversations of an agent''s development, the newest 50, or those before (p_before_at, p_before_id): of the last 30 days, or with p_search all whose name or number has it, whatever the accents and the form; with p_holder only those that portal.agent_holder says so of (agent, waiting; 422 for another word). Lead as in sync_board, with last_author (human, agent, campaign; null when the lead wrote last), pause {reason, by, since, until} or null, and called_at: the second since when a broker who was called is waited for, or null. Administrators only.';
grant execute on function public.get_agent_conversations(integer, text, bigint, bigint, text) to authenticated, service_role;
