-- Agents may answer on a broker's own number outside the hours, where that broker wants it.

create table portal.own_assistants (
  broker_id uuid primary key references public.brokers on delete cascade,
  since timestamptz not null default now()
);
comment on table portal.own_assistants is
  'Brokers on whose own number the agents may answer outside the hours; nobody else turns it on. By functions.';
alter table portal.own_assistants enable row level security;

create function portal.own_assistant() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  instance text := portal.require_broker();
begin
  return (
    select jsonb_build_object('isOn', o.broker_id is not null, 'isAvailable', b.central_since is null and portal.has_agent_model())
    from public.brokers b left join portal.own_assistants o on o.broker_id = b.id where b."instanceName" = instance);
end $$;
comment on function portal.own_assistant() is
  'Whether agents may answer on the asking broker''s own number outside the hours: {isOn, isAvailable (there is a model that writes)}. Brokers, by the server only.';

create function portal.set_own_assistant(p_is_on boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  instance text := portal.require_broker();
begin
  if p_is_on then
    insert into portal.own_assistants (broker_id) select b.id from public.brokers b where b."instanceName" = instance
    on conflict do nothing;
  else
    delete from portal.own_assistants o using public.brokers b where b.id = o.broker_id and b."instanceName" = instance;
  end if;
end $$;
comment on function portal.set_own_assistant(boolean) is
  'Lets agents answer on the asking broker''s own number outside the hours, or not any more. Brokers, by the server only.';

create function portal.is_broker_called(p_contact_id bigint) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from portal.agent_handovers h join portal.agent_turns t on t.id = h.turn_id
    where h.contact_id = p_contact_id and t.ended_at is not null and not exists (
      select from public.whatsapp_messages m
      where m.contact_id = h.contact_id and m.type = 'outgoing' and m.author = 'human' and m.id > t.base_message))
$$;
comment on function portal.is_broker_called(bigint) is
  'Whether an agent has handed a conversation over and no person has written in it since. Server only.';

create or replace function portal.answering_agent(p_contact_id bigint, p_now timestamptz) returns integer
language sql stable security definer set search_path = '' as $$
  select a.id
  from public.whatsapp_contacts c
  join public.brokers b on b."instanceName" = c."instanceName"
  left join portal.own_assistants o on o.broker_id = b.id
  join public.prompts_agents a on case when b.central_since is not null then a."instanceName" = c."instanceName"
    else o.broker_id is not null and a.id = portal.agent_for(c.id) end
  join portal.agent_settings s on s.agent_id = a.id
  where c.id = p_contact_id and portal.has_agent_model() and portal.turn_silence(a.id, c.id, p_now) is null
    and (s.mode = 'answer' and b.central_since is not null
      or s.mode in ('after_hours', 'answer') and portal.is_after_hours(p_now))
    and case when b.central_since is null then not portal.is_broker_called(c.id) else not exists (
      select from portal.roleta_cases k
      where k.contact_id = c.id and k.state in ('waiting', 'offered', 'watched', 'pool', 'inbox')) end
  order by a.id limit 1
$$;
comment on function portal.answering_agent(bigint, timestamptz) is
  'The agent that answers a lead by itself now, until a broker is called: on its central instance as its mode says, on a broker''s own number outside the hours where that broker wants it; null where nobody does. Server only.';

create or replace function portal.hand_over_turn(p_turn portal.agent_turns, p_now timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- On a broker's own number the broker is there already, and gets the card alone.
  if not portal.call_broker(p_turn.contact_id, p_now) and exists (
    select from public.whatsapp_contacts c
    join public.brokers b on b."instanceName" = c."instanceName" and b.central_since is not null
    where c.id = p_turn.contact_id) then
    return;
  end if;
  -- Where the model wrote no card, the last words of both are one.
  insert into portal.agent_handovers (contact_id, turn_id, at, wants, said)
  select p_turn.contact_id, p_turn.id, p_now,
    coalesce((
      select left(string_agg(l.body, E'\n' order by l.id), 400) from (
        select m.id, m.body from public.whatsapp_messages m
        where m.contact_id = p_turn.contact_id and m.type = 'incoming' and m.deleted_at is null
        order by m.id desc limit 2) l), ''),
    coalesce((
      select left(m.body, 400) from public.whatsapp_messages m
      where m.contact_id = p_turn.contact_id and m.type = 'outgoing' and m.author = 'agent' and m.id <> coalesce(p_turn.message_id, 0)
      order by m.id desc limit 1), '')
  on conflict (turn_id) do nothing;
end $$;
comment on function portal.hand_over_turn(portal.agent_turns, timestamptz) is
  'Calls a broker into a turn''s conversation, and leaves a card of what was said. Server only.';
