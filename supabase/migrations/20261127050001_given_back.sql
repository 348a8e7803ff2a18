-- A broker gives a conversation back to the agent, and sees how much of it the agent led.

alter table portal.agent_handovers add column given_back_at timestamptz;
comment on column portal.agent_handovers.given_back_at is 'When the broker gave the conversation back to the agent; nobody is waited for since.';

create or replace function portal.broker_called_at(p_contact_id bigint) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select h.at from portal.agent_handovers h join portal.agent_turns t on t.id = h.turn_id
  where h.contact_id = p_contact_id and h.given_back_at is null and t.ended_at is not null and not exists (
    select from public.whatsapp_messages m
    where m.contact_id = h.contact_id and m.type = 'outgoing' and m.author = 'human' and m.id > t.base_message)
  order by h.id limit 1
$$;
comment on function portal.broker_called_at(bigint) is
  'When an agent first called a broker into a conversation in which no person has written since, and which was not given back; null where nobody is waited for. Server only.';

create or replace function portal.handover_of(p_contact_id bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  lead bigint := portal.lead_to_write(null, p_contact_id, null);
begin
  return (
    select jsonb_build_object('at', h.at, 'wants', h.wants, 'said', h.said, 'missing', h.missing,
      'lines', said.lines, 'firstId', said.first_id, 'lastId', said.last_id)
    from portal.agent_handovers h join portal.agent_turns t on t.id = h.turn_id
    cross join lateral (
      select count(*) as lines, min(m.id) as first_id, max(m.id) as last_id from public.whatsapp_messages m
      where m.contact_id = lead and m.id <= greatest(t.base_message, t.message_id) and m.deleted_at is null
        and m.id > coalesce((
          select max(o.id) from public.whatsapp_messages o
          where o.contact_id = lead and o.type = 'outgoing' and o.author is distinct from 'agent'
            and o.id <= greatest(t.base_message, t.message_id)), 0)
    ) said
    where h.contact_id = lead and h.given_back_at is null and not exists (
      select from public.whatsapp_messages m
      where m.contact_id = lead and m.type = 'outgoing' and m.author = 'human' and m.id > t.base_message)
    order by h.id desc limit 1);
end $$;
comment on function portal.handover_of(bigint) is
  'The card of a conversation that an agent handed over, {at, wants, said, missing, lines (how many agent and lead wrote by themselves until then), firstId, lastId (of these)}, until a person has written or given it back; else null. 401, 404 and 409 are those of portal.lead_to_write. By the server only.';

create function portal.possible_agent(p_contact_id bigint, p_now timestamptz) returns integer
language sql stable security definer set search_path = '' as $$
  select a.id
  from public.whatsapp_contacts c cross join public.prompts_agents a
  join portal.agent_settings s on s.agent_id = a.id
  where c.id = p_contact_id and portal.has_agent_model() and s.mode in ('after_hours', 'answer') and a.paused_at is null
    and portal.answers_here(a.id, c)
    and coalesce(portal.month_spent(a.id, p_now) < s.month_limit_micros, true)
    and not exists (
      select from portal.roleta_cases k
      join public.brokers b on b."instanceName" = c."instanceName" and b.central_since is not null
      where k.contact_id = c.id and k.state in ('waiting', 'offered', 'watched', 'pool', 'inbox'))
  order by a.id limit 1
$$;
comment on function portal.possible_agent(bigint, timestamptz) is
  'The agent that answers a lead by itself at some hour, were it not for a person who wrote or was called; null where none does. Server only.';

create function portal.baton_of(p_contact_id bigint, p_agent_id integer) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when exists (select from portal.people p where p.id = c.person_id and p.opted_out_at is not null) then 'stopped'
    when exists (
      select from portal.agent_pauses p
      where p.agent_id = p_agent_id and p.person_id = c.person_id and (p.paused_until is null or p.paused_until > now())
        -- An administrator's, or made by a line of another broker to the same person: neither is this one's to end.
        and (p.reason = 'person' or not exists (
          select from public.whatsapp_messages m
          where m.contact_id = c.id and m.type = 'outgoing' and m.author = 'human'
            and m."timestamp" = extract(epoch from p.paused_at)::bigint))) then 'stopped'
    when portal.is_broker_called(c.id) or portal.pause_of(p_agent_id, c.person_id) is not null then 'broker'
    else 'assistant' end
  from public.whatsapp_contacts c
  where c.id = p_contact_id and p_agent_id is not null
$$;
comment on function portal.baton_of(bigint, integer) is
  'Who holds a conversation in which an agent answers at some hour: assistant; broker, who wrote in it or was called and may give it back; stopped (the person opted out, or somebody else paused the agent); null without an agent. Server only.';

create function portal.passing_of(p_contact_id bigint, p_now timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  lead bigint := portal.lead_to_write(null, p_contact_id, null);
begin
  return jsonb_build_object('handover', portal.handover_of(lead), 'baton', portal.baton_of(lead, portal.possible_agent(lead, p_now)));
end $$;
comment on function portal.passing_of(bigint, timestamptz) is
  'How a conversation passes between assistant and broker: {handover (portal.handover_of), baton (portal.baton_of)}. 401, 404 and 409 are those of portal.lead_to_write. By the server only.';

create function portal.return_to_agent(p_contact_id bigint, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  lead public.whatsapp_contacts;
  agent integer;
  baton text;
begin
  -- The lead first, as everybody does who writes about one.
  select c.* into lead from public.whatsapp_contacts c
  where c.id = portal.lead_to_write(null, p_contact_id, null) for no key update;
  agent := portal.possible_agent(lead.id, p_now);
  baton := portal.baton_of(lead.id, agent);
  if baton is null then
    raise exception 'O assistente não atende nesta conversa.' using errcode = 'PT409', hint = 'assistant.elsewhere';
  elsif baton = 'stopped' then
    raise exception 'O assistente está pausado nesta conversa.' using errcode = 'PT409', hint = 'assistant.stopped';
  elsif baton = 'broker' then
    delete from portal.agent_pauses p where p.agent_id = agent and p.person_id = lead.person_id;
    update portal.agent_handovers h set given_back_at = p_now where h.contact_id = lead.id and h.given_back_at is null;
    perform portal.audit('agent.given-back', (select a.nome_agente from public.prompts_agents a where a.id = agent),
      jsonb_build_object('contactId', lead.id));
    perform portal.tell('{"kind": "agents"}');
    -- What the lead wrote last is answered now.
    if lead.last_message_type = 'incoming' then perform portal.plan_answer(lead.id, p_now); end if;
  end if;
  return jsonb_build_object('isAnsweredNow', portal.answering_agent(lead.id, p_now) is not null);
end $$;
comment on function portal.return_to_agent(bigint, timestamptz) is
  'The asking broker gives one of the own conversations back to the agent that answers in it at some hour, audited; again changes nothing. {isAnsweredNow (else outside the hours alone)}. 409 assistant.elsewhere where no agent answers, assistant.stopped where somebody else paused it or the person opted out; 401, 404 and other 409 are those of portal.lead_to_write. By the server only.';
