-- A conversation that a person took calls no broker, so that the agent answers when it is given back.

create or replace function portal.plan_turn() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Read back from before, or so late that whoever is there has seen to it.
  if coalesce(current_setting('portal.history', true), '') = 'on'
    or new."timestamp" < extract(epoch from now() - interval '1 hour') then
    return null;
  end if;
  if not portal.plan_answer(new.contact_id, now()) and exists (
    select from portal.lead_intakes i
    where i.contact_id = new.contact_id and i.case_id is null and i.key_id is null)
    and not exists (
      select from portal.roleta_cases k where k.contact_id = new.contact_id)
    -- Whoever took the conversation sees to it, with or without a word yet.
    and not exists (
      select from public.whatsapp_contacts c, portal.agents_of(c.id) as agent
      where c.id = new.contact_id and portal.pause_of(agent, c.person_id) is not null)
    and not exists (
      select from public.whatsapp_messages m
      where m.contact_id = new.contact_id and m.type = 'outgoing' and m.author = 'human') then
    -- An agent had the lead, and does not answer any more.
    perform portal.call_broker(new.contact_id, now());
  end if;
  return null;
end $$;
comment on function portal.plan_turn() is
  'Trigger: what a lead writes to a central instance is answered by its agent; where that answers no more and nobody took the conversation, a broker is called.';

create or replace function portal.turn_gate(p_turn portal.agent_turns, p_now timestamptz, p_body text, p_sources jsonb) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  lead public.whatsapp_contacts;
  silence text := portal.turn_silence(p_turn.agent_id, p_turn.contact_id, p_now);
  pause jsonb;
begin
  select c.* into lead from public.whatsapp_contacts c where c.id = p_turn.contact_id;
  pause := portal.pause_of(p_turn.agent_id, lead.person_id);
  return case
    when exists (
      select from public.whatsapp_messages m
      where m.contact_id = lead.id and m.type = 'outgoing' and m.author = 'human' and m.id > p_turn.base_message) then 'human'
    when pause is not null then 'human'
    when silence is not null then silence
    -- Left behind by a portal that ended, it may have read what another turn read as well.
    when exists (
      select from portal.agent_turns t
      where t.contact_id = lead.id and t.state = 'sent' and t.base_message >= p_turn.base_message) then 'answered'
    when lead."instanceName" is distinct from p_turn."instanceName" then 'owner'
    when portal.answering_agent(lead.id, p_now) is distinct from p_turn.agent_id then
      case when exists (
        select from portal.roleta_cases k
        where k.contact_id = lead.id and k.state in ('waiting', 'offered', 'watched', 'pool', 'inbox')) then 'called'
      else 'off' end
    when p_turn.began_at > p_now - interval '2 minutes' and exists (
      select from public.whatsapp_messages m
      where m.contact_id = lead.id and m.type = 'incoming' and m.id > p_turn.base_message) then 'newer'
    when p_body in (
      select m.body from public.whatsapp_messages m
      where m.contact_id = lead.id and m.type = 'outgoing' and m.author = 'agent'
      order by m.id desc limit 2) then 'repeated'
    -- What it says is booked was called off while it thought.
    when p_body is not null and exists (
      select from jsonb_array_elements(p_turn.steps) as step
      join portal.actions a on a.id = (step ->> 'visitId')::bigint
      where a.finished_at is not null) then 'promise'
    when exists (
      select from jsonb_array_elements(p_sources) as said
      where not exists (
        select from jsonb_array_elements(portal.valid_facts(p_turn.agent_id, p_now)) as fact
        where fact ->> 'label' = said ->> 'label' and fact ->> 'value' = said ->> 'value')) then 'price'
  end;
end $$;
comment on function portal.turn_gate(portal.agent_turns, timestamptz, text, jsonb) is
  'Why an answer may not go out: human, answered, paused, off, opted-out, budget, owner, called, newer, repeated, promise (the visit that it booked is off), price (a fact that it says is not valid any more); null where it may. Whoever calls holds the lead. Server only.';
