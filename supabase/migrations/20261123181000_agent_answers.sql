-- Agents answer by themselves on central instances: planned as leads write, let out by one gate, a broker called where they cannot.

alter table portal.agent_turns drop constraint agent_turns_kind_check;
alter table portal.agent_turns add constraint agent_turns_kind_check check (kind in ('answer', 'suggestion'));
alter table portal.agent_turns
  add bubbles integer not null default 1,
  add tries integer not null default 0,
  add "instanceName" text,
  add message_id bigint references public.whatsapp_messages on delete set null,
  add steps jsonb not null default '[]';
comment on column portal.agent_turns.bubbles is 'Messages of the lead that it answers together.';
comment on column portal.agent_turns.tries is 'How often it was claimed; a portal may have ended meanwhile.';
comment on column portal.agent_turns."instanceName" is 'The central instance it answers over: another owner since, and it does not.';
comment on column portal.agent_turns.message_id is 'The line that went into the queue.';
comment on column portal.agent_turns.steps is 'What tools did, [{name, args, result}], each once by the turn.';
comment on column portal.agent_turns.sources is 'Facts that it said, {label, value, at}: at is the day the fact was written.';
create unique index agent_turns_waiting on portal.agent_turns (contact_id) where state = 'waiting';
comment on index portal.agent_turns_waiting is 'One turn at a time waits in a conversation: what the lead writes meanwhile extends it.';
create unique index agent_turns_thinking on portal.agent_turns (contact_id) where state = 'thinking' and kind = 'answer';
comment on index portal.agent_turns_thinking is 'One answer at a time is thought of in a conversation.';
create index agent_turns_due on portal.agent_turns (due_at) where state = 'waiting';
comment on index portal.agent_turns_due is 'Serves the turns whose lead has finished writing.';
create index agent_turns_message on portal.agent_turns (message_id);
comment on index portal.agent_turns_message is 'Serves the turn of a line, and the removal of one.';

-- An answer by itself: planned as the lead writes, claimed once the lead rests, let into the queue by one gate in one transaction.

create table portal.agent_handovers (
  id bigint generated always as identity primary key,
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  turn_id bigint not null unique references portal.agent_turns on delete cascade,
  at timestamptz not null,
  wants text not null default '' check (length(wants) <= 400),
  said text not null default '' check (length(said) <= 400),
  missing text not null default '' check (length(missing) <= 400)
);
comment on table portal.agent_handovers is
  'When an agent called a broker into a conversation, and what the broker is to know: what the lead wants, what was said, what is missing.';
create index agent_handovers_contact on portal.agent_handovers (contact_id, id desc);
comment on index portal.agent_handovers_contact is 'Serves the cards of a conversation, and their removal with it.';
alter table portal.agent_handovers enable row level security;

create function portal.has_agent_model() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from portal.settings s where s.key = 'agent_model' and s.value <> 'null')
$$;
comment on function portal.has_agent_model() is 'Whether the portal has a model that writes, as it said at its start. Server only.';

create function portal.is_after_hours(p_now timestamptz) returns boolean
language sql stable security definer set search_path = '' as $$
  select extract(isodow from l.at) = 7 or extract(hour from l.at) not between 8 and 19
  from (select p_now at time zone portal.time_zone()) as l (at)
$$;
comment on function portal.is_after_hours(timestamptz) is
  'From 20h to 8h and on Sundays, in the portal''s zone: when an agent of mode after_hours answers. Server only.';

create function portal.answering_agent(p_contact_id bigint, p_now timestamptz) returns integer
language sql stable security definer set search_path = '' as $$
  select a.id
  from public.whatsapp_contacts c
  join public.brokers b on b."instanceName" = c."instanceName" and b.central_since is not null
  join public.prompts_agents a on a."instanceName" = c."instanceName"
  join portal.agent_settings s on s.agent_id = a.id
  where c.id = p_contact_id and portal.has_agent_model() and portal.turn_silence(a.id, c.id, p_now) is null
    and (s.mode = 'answer' or s.mode = 'after_hours' and portal.is_after_hours(p_now))
    and not exists (
      select from portal.roleta_cases k
      where k.contact_id = c.id and k.state in ('waiting', 'offered', 'watched', 'pool', 'inbox'))
  order by a.id limit 1
$$;
comment on function portal.answering_agent(bigint, timestamptz) is
  'The agent that answers a lead by itself now: only on its central instance, and until a broker is called; null where nobody does. Server only.';

create function portal.call_broker(p_contact_id bigint, p_now timestamptz) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  lead public.whatsapp_contacts;
  opened bigint;
begin
  select c.* into lead from public.whatsapp_contacts c
  join public.brokers b on b."instanceName" = c."instanceName" and b.central_since is not null
  where c.id = p_contact_id for no key update of c;
  if not found or exists (
    select from portal.roleta_cases k
    where k.contact_id = p_contact_id and k.state in ('waiting', 'offered', 'watched', 'pool', 'inbox')) then
    return false;
  end if;
  opened := portal.open_case(lead.id, lead.empreendimento, lead.source, p_now);
  update portal.lead_intakes i set case_id = opened where i.contact_id = lead.id and i.case_id is null;
  return true;
end $$;
comment on function portal.call_broker(bigint, timestamptz) is
  'A lead of a central instance goes to the rotation, unless it is on its way already; whether it went now. Server only.';

create function portal.plan_answer(p_contact_id bigint, p_now timestamptz) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  agent integer := portal.answering_agent(p_contact_id, p_now);
  lead public.whatsapp_contacts;
  begun timestamptz;
begin
  if agent is null then return false; end if;
  select c.* into lead from public.whatsapp_contacts c where c.id = p_contact_id;
  if portal.pause_of(agent, lead.person_id) is not null then return false; end if;
  -- Whoever writes on and on is counted from the first line that has no answer.
  begun := coalesce(
    (select t.began_at from portal.agent_turns t
     where t.contact_id = lead.id and t.kind = 'answer' and t.state = 'thinking'), p_now);
  insert into portal.agent_turns as t (kind, agent_id, contact_id, state, began_at, due_at, "instanceName")
  values ('answer', agent, lead.id, 'waiting', begun, p_now + interval '8 seconds', lead."instanceName")
  on conflict (contact_id) where state = 'waiting' do update
  set bubbles = t.bubbles + 1,
    due_at = greatest(t.due_at, least(p_now + interval '8 seconds', t.began_at + interval '40 seconds'));
  return true;
end $$;
comment on function portal.plan_answer(bigint, timestamptz) is
  'A lead wrote: makes or extends the one waiting turn, due eight seconds after the last line and forty after the first at most. False where no agent answers. Server only.';

create function portal.plan_turn() returns trigger
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
    and not exists (
      select from public.whatsapp_messages m
      where m.contact_id = new.contact_id and m.type = 'outgoing' and m.author = 'human') then
    -- An agent had the lead, and does not answer any more.
    perform portal.call_broker(new.contact_id, now());
  end if;
  return null;
end $$;
comment on function portal.plan_turn() is
  'Trigger: what a lead writes to a central instance is answered by its agent; where that answers no more, a broker is called.';
create trigger plan_turn after insert on public.whatsapp_messages
  for each row when (new.type = 'incoming') execute function portal.plan_turn();

create function portal.turn_gate(p_turn portal.agent_turns, p_now timestamptz, p_body text, p_sources jsonb) returns text
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
    when pause ->> 'reason' in ('portal', 'phone') then 'human'
    when pause is not null then 'paused'
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
    when exists (
      select from jsonb_array_elements(p_sources) as said
      where not exists (
        select from jsonb_array_elements(portal.valid_facts(p_turn.agent_id, p_now)) as fact
        where fact ->> 'label' = said ->> 'label' and fact ->> 'value' = said ->> 'value')) then 'price'
  end;
end $$;
comment on function portal.turn_gate(portal.agent_turns, timestamptz, text, jsonb) is
  'Why an answer may not go out: human, answered, paused, off, opted-out, budget, owner, called, newer, repeated, price (a fact that it says is not valid any more); null where it may. Whoever calls holds the lead. Server only.';

create function portal.hindered_state(p_reason text) returns text
language sql immutable strict set search_path = '' as $$
  select case when p_reason in ('newer', 'human', 'answered', 'owner', 'called') then 'stale' else 'refused' end
$$;
comment on function portal.hindered_state(text) is 'How a turn ends that the gate holds back: overtaken by others, or refused. Server only.';

create function portal.end_turn(p_turn bigint, p_now timestamptz, p_state text, p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  turn portal.agent_turns;
  refused integer;
begin
  update portal.agent_turns t
  set state = p_state, reason = p_reason, ended_at = p_now, leased_until = null, claimed_by = null
  where t.id = p_turn returning * into turn;
  if p_reason = 'newer' then
    perform portal.plan_answer(turn.contact_id, p_now)
    where not exists (select from portal.agent_turns t where t.contact_id = turn.contact_id and t.state = 'waiting');
  elsif p_state = 'failed' or p_reason in ('off', 'paused', 'budget', 'too-many-steps') then
    perform portal.call_broker(turn.contact_id, p_now);
  elsif p_state = 'refused' and p_reason in ('price', 'promise', 'leak', 'empty', 'too-long', 'repeated') then
    select count(*) into refused from portal.agent_turns t
    where t.contact_id = turn.contact_id and t.kind = 'answer' and t.state = 'refused'
      and t.id > coalesce((
        select max(s.id) from portal.agent_turns s
        where s.contact_id = turn.contact_id and s.kind = 'answer' and s.state = 'sent'), 0);
    -- Once more, with other words perhaps; after that a person.
    if refused >= 2 or not portal.plan_answer(turn.contact_id, p_now) then
      perform portal.call_broker(turn.contact_id, p_now);
    end if;
  end if;
end $$;
comment on function portal.end_turn(bigint, timestamptz, text, text) is
  'Ends an answer that does not go out: overtaken it is planned anew, refused it is tried once more, and whatever else leaves the lead without an answer calls a broker. Server only.';

create function portal.claim_turn(p_claimer uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  turn portal.agent_turns;
  hindrance text;
begin
  select t.* into turn from portal.agent_turns t
  where t.kind = 'answer' and (
    t.state = 'waiting' and t.due_at <= p_now and not exists (
      select from portal.agent_turns o where o.contact_id = t.contact_id and o.state = 'thinking' and o.kind = 'answer')
    or t.state = 'thinking' and t.leased_until < p_now)
  order by t.due_at, t.id limit 1 for update skip locked;
  if not found then return null; end if;
  if turn.tries >= 3 then
    perform portal.end_turn(turn.id, p_now, 'failed', 'interrupted');
    return '{}';
  end if;
  update portal.agent_turns t
  set state = 'thinking', claimed_by = p_claimer, leased_until = p_now + interval '150 seconds', tries = t.tries + 1,
    base_message = (
      select max(m.id) from public.whatsapp_messages m where m.contact_id = t.contact_id and m.type = 'incoming'),
    prompt_version = (select max(v.id) from public.prompt_versions v where v.agent_id = t.agent_id)
  where t.id = turn.id returning * into turn;
  hindrance := portal.turn_gate(turn, p_now, null, '[]');
  if hindrance is not null then
    perform portal.end_turn(turn.id, p_now, portal.hindered_state(hindrance), hindrance);
    return '{}';
  end if;
  return portal.turn_material(turn, p_now);
end $$;
comment on function portal.claim_turn(uuid, timestamptz) is
  'The next answer for the portal that thinks of it, as portal.turn_material; {} where one ended without being thought of, null where none is due. One that a portal left behind is claimed again, three times in all. Server only.';

create function portal.settle_answer(
  p_turn bigint, p_claimer uuid, p_now timestamptz, p_state text, p_reason text, p_body text, p_sources jsonb
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  lead bigint := (select t.contact_id from portal.agent_turns t where t.id = p_turn);
  turn portal.agent_turns;
  hindrance text;
  line bigint;
begin
  -- The lead first, as everybody does who writes about one: no line of a person slips in between gate and queue.
  perform from public.whatsapp_contacts c where c.id = lead for no key update;
  select t.* into turn from portal.agent_turns t
  where t.id = p_turn and t.state = 'thinking' and t.claimed_by = p_claimer for update;
  if not found then return null; end if;
  update portal.agent_turns t set body = p_body, sources = p_sources where t.id = p_turn;
  hindrance := portal.turn_gate(turn, p_now, case p_state when 'sent' then p_body end, p_sources);
  if hindrance is not null or p_state <> 'sent' then
    perform portal.end_turn(p_turn, p_now,
      coalesce(portal.hindered_state(hindrance), p_state),
      coalesce(hindrance, p_reason));
    return (select jsonb_build_object('state', t.state, 'reason', t.reason, 'instanceName', null) from portal.agent_turns t where t.id = p_turn);
  end if;
  insert into public.whatsapp_messages
    (contact_id, "instanceName", "from", from_number, body, "timestamp", type, kind, author, delivery, operation_id)
  select c.id, c."instanceName", s.owner_jid, split_part(split_part(s.owner_jid, '@', 1), ':', 1), p_body,
    extract(epoch from now())::bigint, 'outgoing', 'text', 'agent', 'queued', turn.operation_id
  from public.whatsapp_contacts c left join portal.instance_states s using ("instanceName") where c.id = lead
  returning id into line;
  insert into portal.outgoing (message_id) values (line);
  update portal.agent_turns t
  set state = 'sent', reason = p_reason, ended_at = p_now, leased_until = null, claimed_by = null, message_id = line
  where t.id = p_turn;
  if p_reason in ('person', 'handed-over') then perform portal.call_broker(lead, p_now); end if;
  return jsonb_build_object('state', 'sent', 'reason', p_reason, 'instanceName', turn."instanceName");
end $$;
comment on function portal.settle_answer(bigint, uuid, timestamptz, text, text, text, jsonb) is
  'The end of an answer: sent through the gate into the queue, or not, and why; {state, reason, instanceName}. p_reason person or handed-over: a broker is called with it. Null for a turn that another portal has by now. Server only.';

create function portal.withdraw_overtaken(p_line bigint) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  turn portal.agent_turns;
begin
  select t.* into turn from portal.agent_turns t where t.message_id = p_line;
  if not found or not exists (
    select from public.whatsapp_messages m
    where m.contact_id = turn.contact_id and m.type = 'outgoing' and m.author = 'human' and m.id > turn.base_message) then
    return false;
  end if;
  update portal.agent_turns t set state = 'stale', reason = 'human' where t.id = turn.id;
  delete from public.whatsapp_messages m where m.id = p_line;
  return true;
end $$;
comment on function portal.withdraw_overtaken(bigint) is
  'Takes an agent''s line out of the queue and the conversation where a person has written since it was thought of; whether it did. Server only.';

create function portal.turn_tool(p_turn bigint, p_claimer uuid, p_name text, p_args jsonb, p_now timestamptz) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  turn portal.agent_turns;
  known jsonb;
  answer text;
begin
  perform from public.whatsapp_contacts c
  where c.id = (select t.contact_id from portal.agent_turns t where t.id = p_turn) for no key update;
  select t.* into turn from portal.agent_turns t
  where t.id = p_turn and t.state = 'thinking' and t.claimed_by = p_claimer for update;
  if not found then return null; end if;
  select step into known from jsonb_array_elements(turn.steps) as step
  where step ->> 'name' = p_name and (p_name <> 'buscar_fatos' or step -> 'args' = p_args) limit 1;
  if known is not null then return known ->> 'result'; end if;
  case p_name
    when 'buscar_fatos' then
      select coalesce(string_agg((fact ->> 'label') || ': ' || (fact ->> 'value'), E'\n'), 'Nenhum fato sobre isso.') into answer
      from jsonb_array_elements(portal.valid_facts(turn.agent_id, p_now)) as fact
      where portal.fold((fact ->> 'label') || ' ' || (fact ->> 'value'))
        ~ coalesce(nullif(array_to_string(regexp_split_to_array(
          regexp_replace(btrim(portal.fold(p_args ->> 'tema')), '[^a-z0-9 ]', '', 'g'), ' +'), '|'), ''), '.');
    when 'anotar_interesse' then
      update public.whatsapp_contacts c
      set notes = left(concat_ws(E'\n', nullif(c.notes, ''), 'Assistente: ' || left(btrim(p_args ->> 'texto'), 300)), 10000)
      where c.id = turn.contact_id and btrim(p_args ->> 'texto') <> '';
      answer := 'Anotado.';
    when 'lembrar' then
      insert into portal.actions (contact_id, kind, due_at, note, seen_at, operation_id)
      values (turn.contact_id, 'task', p_now + interval '1 day', left(btrim(coalesce(p_args ->> 'texto', '')), 200),
        'epoch', turn.operation_id);
      answer := 'Lembrete criado para amanhã.';
    when 'chamar_corretor' then
      insert into portal.agent_handovers (contact_id, turn_id, at, wants, said, missing)
      values (turn.contact_id, turn.id, p_now, left(coalesce(p_args ->> 'quer', ''), 400), left(coalesce(p_args ->> 'dito', ''), 400),
        left(coalesce(p_args ->> 'falta', ''), 400));
      answer := 'O corretor será chamado depois desta mensagem.';
    else answer := 'Esta ferramenta não existe.';
  end case;
  update portal.agent_turns t
  set steps = t.steps || jsonb_build_object('name', p_name, 'args', p_args, 'result', answer) where t.id = turn.id;
  return answer;
end $$;
comment on function portal.turn_tool(bigint, uuid, text, jsonb, timestamptz) is
  'Does what the model asked of a tool, once a turn (facts once a subject), and answers what it is told of it: buscar_fatos {tema}, anotar_interesse {texto}, lembrar {texto}, chamar_corretor {quer, dito, falta}. Null for a turn that another portal has by now. Server only.';

-- What stood there before.

create or replace function portal.move_turns() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- One conversation has one open turn: that of the lead that goes is answered in the other's.
  update portal.agent_turns t
  set state = 'stale', reason = 'joined', ended_at = now(), leased_until = null, claimed_by = null
  where t.contact_id = new.gone_contact_id and t.kind = 'answer' and t.ended_at is null and exists (
    select from portal.agent_turns k
    where k.contact_id = new.kept_contact_id and k.kind = 'answer' and k.ended_at is null);
  update portal.agent_turns t set contact_id = new.kept_contact_id where t.contact_id = new.gone_contact_id;
  update portal.agent_handovers h set contact_id = new.kept_contact_id where h.contact_id = new.gone_contact_id;
  return null;
end $$;

create or replace function portal.take_central() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  contact public.whatsapp_contacts;
  since timestamptz := (select b.central_since from public.brokers b where b."instanceName" = new."instanceName");
  is_history boolean := coalesce(current_setting('portal.history', true), '') = 'on';
  arrived_at timestamptz := case when is_history then to_timestamp(new."timestamp") else now() end;
  words text[];
  development text;
begin
  if since is null then return null; end if;
  select * into contact from public.whatsapp_contacts c where c.id = new.contact_id;
  if contact."instanceName" is distinct from new."instanceName" or contact.created_at < since
    or exists (select from portal.lead_intakes i where i.contact_id = contact.id) then
    return null;
  end if;
  words := regexp_split_to_array(upper(new.body), '[^A-Z0-9]+');
  select r.empreendimento into development from public.roletas r
  where r.text_code = any (words) order by array_position(words, r.text_code) limit 1;
  if development is null then
    select a.empreendimento into development from public.prompts_agents a where a."instanceName" = new."instanceName"
    order by a.id limit 1;
  end if;
  update public.whatsapp_contacts c set empreendimento = coalesce(c.empreendimento, development) where c.id = contact.id;
  insert into portal.lead_intakes (contact_id, case_id, name, number, source, campaign, development, message, received_at)
  values (contact.id,
    case when is_history then portal.open_old_case(contact.id, development, contact.source, arrived_at)
      -- Its agent speaks with the lead first, and calls a broker itself.
      when portal.answering_agent(contact.id, now()) is not null then null
      else portal.open_case(contact.id, development, contact.source, arrived_at) end,
    contact.name, contact.number, contact.source, contact.campaign, development, new.body, arrived_at);
  return null;
end $$;

create or replace function portal.pause_for_answer() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  answered_at timestamptz := to_timestamp(new."timestamp");
begin
  -- Long ago, and only read back now: whoever wrote is not in the conversation any more.
  if answered_at < now() - interval '24 hours' then return null; end if;
  -- An agent's own line that comes back before the gateway has answered, under an address of the person that is not known yet.
  if new.operation_id is null and exists (
    select from public.whatsapp_messages m
    where m."instanceName" = new."instanceName" and m.author = 'agent' and m.message_id is null
      and m.delivery in ('queued', 'unknown') and m.body = new.body and m.kind = new.kind) then
    return null;
  end if;
  insert into portal.agent_pauses as p (agent_id, person_id, reason, paused_by, paused_at, paused_until)
  select agent.id, c.person_id,
    case when new.operation_id is null then 'phone' else 'portal' end,
    case when new.operation_id is null then coalesce(regexp_replace(new."instanceName", '^corretor_', ''), 'portal')
      else portal.actor() end,
    answered_at, answered_at + interval '24 hours'
  from public.whatsapp_contacts c cross join portal.agents_of(c.id) as agent (id)
  where c.id = new.contact_id
  on conflict (agent_id, person_id) do update
  set reason = excluded.reason, paused_by = excluded.paused_by, paused_at = excluded.paused_at,
    paused_until = excluded.paused_until
  where p.paused_until < excluded.paused_until;
  return null;
end $$;

create or replace function public.pause_conversation(
  p_agent_id integer, p_contact_id bigint, p_is_paused boolean, p_minutes integer default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  person bigint;
begin
  perform portal.require_admin();
  if p_minutes not between 1 and 525600 then
    raise exception 'A pausa pode durar de um minuto a um ano.' using errcode = 'PT422';
  end if;
  select c.person_id into person from public.whatsapp_contacts c
  where c.id = p_contact_id and p_agent_id in (select portal.agents_of(c.id));
  if person is null then
    raise exception 'Conversa não encontrada.' using errcode = 'PT404';
  end if;
  if p_is_paused then
    insert into portal.agent_pauses (agent_id, person_id, reason, paused_by, paused_until)
    values (p_agent_id, person, 'person', portal.actor(), now() + make_interval(mins => p_minutes))
    on conflict (agent_id, person_id) do update
    set reason = excluded.reason, paused_by = excluded.paused_by, paused_at = excluded.paused_at,
      paused_until = excluded.paused_until;
  else
    delete from portal.agent_pauses p where p.agent_id = p_agent_id and p.person_id = person;
    -- What the lead wrote last is answered now.
    perform portal.plan_answer(c.id, now()) from public.whatsapp_contacts c
    where c.id = p_contact_id and c.last_message_type = 'incoming';
  end if;
  return portal.pause_of(p_agent_id, person);
end $$;

create or replace function portal.claim_line(instance text, claimer uuid, lease_seconds integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  queue portal.send_queues;
  next_line portal.outgoing;
  line public.whatsapp_messages;
  hindrance text;
  address text;
begin
  insert into portal.send_queues ("instanceName") select "instanceName" from public.brokers where "instanceName" = instance
  on conflict do nothing;
  select * into queue from portal.send_queues where "instanceName" = instance for update;
  if not found or queue.held_until > clock_timestamp() then return null; end if;
  if queue.holder <> claimer and queue.leased_until > clock_timestamp() then return null; end if;
  update portal.send_queues set holder = claimer, leased_until = clock_timestamp() + make_interval(secs => lease_seconds)
  where "instanceName" = instance;
  perform portal.lose_claims();
  loop
    select o.* into next_line
    from portal.outgoing o
    join public.whatsapp_messages m on m.id = o.message_id
    join public.whatsapp_contacts c on c.id = m.contact_id
    where o.claimed_at is null and c."instanceName" = instance
    -- What a person wrote is never held back by a campaign.
    order by o.recipient_id is not null, o.place limit 1
    for update of o skip locked;
    if next_line.message_id is null then
      -- Let go in the same breath: whoever queues a line after this finds the queue free.
      update portal.send_queues set leased_until = null where "instanceName" = instance;
      return null;
    end if;
    select * into line from public.whatsapp_messages where id = next_line.message_id;
    hindrance := portal.line_hindrance(next_line.recipient_id);
    if hindrance is not null then
      perform portal.withdraw_line(
        next_line.recipient_id, case hindrance when 'paused' then 'pending' else 'cancelled' end, nullif(hindrance, 'paused'));
      continue;
    end if;
    if line.author = 'agent' and portal.withdraw_overtaken(line.id) then continue; end if;
    update portal.outgoing set "instanceName" = instance, claimed_by = claimer, claimed_at = clock_timestamp()
    where message_id = line.id;
    address := portal.number_to_send(portal.address_of(line.contact_id, instance));
    exit when address is not null;
    perform portal.settle_unsent(line.id, 'failed', 'no-number');
  end loop;
  -- It goes out now, from its owner's instance, whenever it was queued.
  update public.whatsapp_messages
  set "instanceName" = instance, delivery_reason = null,
    "timestamp" = case when "timestamp" < extract(epoch from now()) - 60 then extract(epoch from now())::bigint else "timestamp" end
  where id = line.id
    and ("instanceName" <> instance or delivery_reason is not null or "timestamp" < extract(epoch from now()) - 60);
  return jsonb_build_object(
    'id', line.id, 'address', address, 'kind', line.kind, 'body', line.body, 'content', line.content,
    'typingMs', next_line.typing_ms,
    -- Another phone does not know the line that was answered to.
    'quotedId', (select m.message_id from public.whatsapp_messages m
      where m."instanceName" = instance and m.message_id = line.quoted ->> 'messageId')
  );
end $$;

create or replace function portal.held_rows(s portal.subject, p_place text, p_after bigint, p_limit integer) returns table (id bigint, at timestamp with time zone, data jsonb)
language sql stable security definer set search_path = '' as $$
  -- One place is asked for; the others are not begun. What is another person's is left out: who else a rotation weighed, and in a
  -- delivery that held several events, theirs.
  select found.id, found.at, found.data
  from (
    select p.id, p.created_at as at, jsonb_build_object('numberKey', p.number_key, 'optedOutAt', p.opted_out_at) as data
    from portal.people p where p_place = 'person' and p.id = any ((s).people)
    union all
    select row_number() over (order by i."instanceName", i.jid), i.first_seen_at, to_jsonb(i) - 'person_id'
    from portal.identities i where p_place = 'addresses' and i.person_id = any ((s).people)
    union all
    select c.id, c.created_at, to_jsonb(c) - 'person_id'
    from public.whatsapp_contacts c where p_place = 'leads' and c.id = any ((s).contacts)
    union all
    select m.id, to_timestamp(m."timestamp"), to_jsonb(m) || jsonb_build_object('raw', r.raw)
    from public.whatsapp_messages m left join portal.message_raw r on r.message_id = m.id
    where p_place = 'messages' and m.contact_id = any ((s).contacts)
    union all
    select h.id, h.changed_at, to_jsonb(h) - 'account_id'
    from portal.stage_history h where p_place = 'stages' and h.contact_id = any ((s).contacts)
    union all
    select a.id, a.created_at, to_jsonb(a) - 'account_id'
    from portal.actions a where p_place = 'actions' and a.contact_id = any ((s).contacts)
    union all
    select h.id, h.changed_at, to_jsonb(h) - 'account_id'
    from portal.owner_history h where p_place = 'owners' and h.contact_id = any ((s).contacts)
    union all
    select i.id, i.received_at, to_jsonb(i) - 'key_id'
    from portal.lead_intakes i where p_place = 'intakes' and i.contact_id = any ((s).contacts)
    union all
    select e.id, e.at, jsonb_build_object('case', c.id, 'contact_id', c.contact_id, 'development', c.development, 'state', c.state,
      'kind', e.kind, 'instanceName', e."instanceName", 'changed_by', e.changed_by)
    from portal.roleta_cases c join portal.roleta_events e on e.case_id = c.id
    where p_place = 'distribution' and c.contact_id = any ((s).contacts)
    union all
    select r.id, coalesce(r.accepted_at, c.created_at), to_jsonb(r) - 'person_id'
    from public.campaign_recipients r join public.remarketing_campaigns c on c.id = r.campaign_id
    where p_place = 'campaigns' and r.person_id = any ((s).people)
    union all
    select a.id, a.created_at, to_jsonb(a) from public.agent_chat_messages a
    where p_place = 'agents' and (portal.number_key(a.remotejid) = any ((s).keys) or a.remotejid = any ((s).addresses))
    union all
    select t.id, t.began_at, to_jsonb(t) - 'claimed_by' - 'operation_id'
    from portal.agent_turns t where p_place = 'turns' and t.contact_id = any ((s).contacts)
    union all
    select 4503599627370496 + h.id, h.at, to_jsonb(h)
    from portal.agent_handovers h where p_place = 'turns' and h.contact_id = any ((s).contacts)
    union all
    select row_number() over (order by p.agent_id), p.paused_at, to_jsonb(p) - 'person_id'
    from portal.agent_pauses p where p_place = 'pauses' and p.person_id = any ((s).people)
    union all
    select m.id, m.merged_at, jsonb_build_object('instanceName', m."instanceName", 'kept_before', m.kept_before,
      'gone_before', m.gone_before, 'jids', m.jids)
    from portal.contact_merges m
    where p_place = 'merges' and m.kept_person_id = any ((s).people) and m.gone_person_id = any ((s).people)
    union all
    select row_number() over (order by o.applied_at, o.operation_id), o.applied_at,
      jsonb_build_object('kind', o.kind, 'result', o.result)
    from portal.applied_operations o
    where p_place = 'operations' and o.kind in ('lead.note', 'lead.rename', 'message.send')
      and (o.result ->> 'contact_id')::bigint = any ((s).contacts || (s).former_contacts)
    union all
    select q.id, q.queued_at, jsonb_build_object('kind', q.kind, 'due_at', q.due_at)
    from portal.push_queue q
    where p_place = 'pushes' and (
      q.kind in ('lead', 'assigned', 'message') and q.subject = any ((s).contacts || (s).former_contacts)
      or q.kind = 'offer' and q.subject in (select c.id from portal.roleta_cases c where c.contact_id = any ((s).contacts)))
    union all
    select row_number() over (order by w.received_at, w.target), w.received_at, w.waited
    from portal.waiting_events w
    where p_place = 'waiting' and (w.target = any ((s).addresses) or w.waited::text ~ (s).pattern)
    union all
    select w.id, w.received_at, jsonb_build_object('reason', w.reason, 'events', portal.items_about(w.body, (s).pattern))
    from portal.webhook_aside w where p_place = 'aside' and w.body ~ (s).pattern
    union all
    -- Beyond the numbers of the others, so that one page follows the other.
    select 4503599627370496 + r.id, r.received_at, jsonb_build_object('reason', r.fault, 'body', r.body)
    from portal.intake_raw r where p_place = 'aside' and portal.body_names(r.body, s)
  ) found
  where found.id > p_after
  order by found.id
  limit p_limit
$$;
