-- Who waits in a rotation is with no agent, and a central instance is no broker.

create or replace function portal.answers_here(p_agent_id integer, p_lead public.whatsapp_contacts) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.brokers b
    left join portal.own_assistants o on o.broker_id = b.id
    join public.prompts_agents a on a.id = p_agent_id
    where b."instanceName" = p_lead."instanceName" and case
      when b.central_since is not null then a."instanceName" = b."instanceName" and not exists (
        select from portal.roleta_cases k
        where k.contact_id = p_lead.id and k.state in ('waiting', 'offered', 'watched', 'pool', 'inbox'))
      else o.broker_id is not null and a.id = portal.agent_for(p_lead.id) end)
$$;
comment on function portal.answers_here(integer, public.whatsapp_contacts) is
  'Whether a lead is where an agent of a mode that answers does so: on its central instance until a broker is looked for, or on the number of a broker who wants it outside the hours. Server only.';

create or replace function portal.agent_holder(p_agent_id integer, p_lead public.whatsapp_contacts) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when exists (
      select from portal.agent_pauses p
      where p.agent_id = p_agent_id and p.person_id = p_lead.person_id and (p.paused_until is null or p.paused_until > now()))
      then 'person'
    when portal.is_broker_called(p_lead.id) then 'waiting'
    when portal.answers_here(p_agent_id, p_lead) then 'agent'
    else 'broker'
  end
$$;
comment on function portal.agent_holder(integer, public.whatsapp_contacts) is
  'Who holds a conversation of an agent: person (the agent is paused there), waiting (for a broker whom it called), agent, broker (on a number on which the agent does not answer, or on the way to a broker). Server only.';

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
    'answers_here', portal.answers_here(p_agent_id, p_lead),
    'has_broker', exists (
      select from public.brokers b where b."instanceName" = p_lead."instanceName" and b.central_since is null),
    'called_at', floor(extract(epoch from portal.broker_called_at(p_lead.id)))::bigint)
$$;
comment on function portal.agent_talk(integer, public.whatsapp_contacts) is
  'A lead as public.get_agent_conversations and public.get_agent_conversation answer it. Server only.';

create or replace function portal.possible_agent(p_contact_id bigint, p_now timestamptz) returns integer
language sql stable security definer set search_path = '' as $$
  select a.id
  from public.whatsapp_contacts c cross join public.prompts_agents a
  join portal.agent_settings s on s.agent_id = a.id
  where c.id = p_contact_id and portal.has_agent_model() and s.mode in ('after_hours', 'answer') and a.paused_at is null
    and portal.answers_here(a.id, c)
    and coalesce(portal.month_spent(a.id, p_now) < s.month_limit_micros, true)
  order by a.id limit 1
$$;
comment on function portal.possible_agent(bigint, timestamptz) is
  'The agent that answers a lead by itself at some hour, were it not for a person who wrote or was called; null where none does. Server only.';
