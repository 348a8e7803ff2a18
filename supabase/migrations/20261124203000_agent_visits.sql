-- An agent finds and books a visit in the hours of the broker whom the rotation chose, ends a conversation, and stops where our
-- own detector hears that it is to.

alter table portal.visits add column held_for text references public.brokers ("instanceName") on update cascade on delete set null;
comment on column portal.visits.held_for is
  'The broker in whose hours an agent booked it, while the lead is still with a central instance; null: the owner of the lead.';
create index visits_held on portal.visits (held_for);
comment on index portal.visits_held is 'Serves the removal of a broker.';
drop function portal.book_visit(bigint, timestamptz, text);

create or replace function portal.is_taken(p_instance text, p_starts_at timestamptz, p_but bigint) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from portal.actions a
    join public.whatsapp_contacts c on c.id = a.contact_id
    join public.brokers b on b."instanceName" = c."instanceName"
    left join portal.visits v on v.action_id = a.id
    where a.kind = 'visit' and a.finished_at is null and a.id is distinct from p_but
      and case when b.central_since is not null then coalesce(v.held_for, c."instanceName") else c."instanceName" end = p_instance
      and a.due_at > p_starts_at - portal.visit_length() and a.due_at < p_starts_at + portal.visit_length())
$$;
comment on function portal.is_taken(text, timestamptz, bigint) is
  'Whether a visit that begins then would meet another one of the broker''s, p_but aside. Server only.';

create function portal.book_visit(
  p_lead bigint, p_broker text, p_starts_at timestamptz, p_place text, p_operation_id uuid, p_now timestamptz
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  action bigint;
begin
  if not portal.lock_lead(p_lead) then return portal.visit_answer('unknown_lead'); end if;
  perform pg_advisory_xact_lock(108004, hashtext(p_broker));
  if not exists (
    select from portal.free_slots(p_broker, greatest(p_now, p_starts_at - interval '1 day'), 2) s where s.starts_at = p_starts_at) then
    return portal.visit_answer('taken');
  end if;
  insert into portal.actions (contact_id, kind, due_at, note, seen_at, operation_id)
  values (p_lead, 'visit', p_starts_at, left(coalesce(btrim(p_place), ''), 200), p_now, p_operation_id) returning id into action;
  update portal.visits v set held_for = p_broker where v.action_id = action;
  return portal.visit_answer('saved', action);
end $$;
comment on function portal.book_visit(bigint, text, timestamptz, text, uuid, timestamptz) is
  'An agent books a visit of a lead in a free hour of a broker''s, who may not have the lead yet: {success, code, message, action_id}, code saved, taken (or outside the hours) or unknown_lead. Server only.';

create function portal.visit_of(p_contact_id bigint, p_now timestamptz) returns text
language sql stable security definer set search_path = '' as $$
  select to_char(a.due_at at time zone portal.time_zone(), 'YYYY-MM-DD HH24:MI')
  from portal.actions a
  where a.contact_id = p_contact_id and a.kind = 'visit' and a.finished_at is null and a.due_at > p_now
  order by a.due_at, a.id limit 1
$$;
comment on function portal.visit_of(bigint, timestamptz) is
  'When a lead''s next visit is booked, as YYYY-MM-DD HH:MM in the portal''s zone; null without one. Server only.';

create or replace function portal.turn_material(p_turn portal.agent_turns, p_now timestamptz) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'turnId', p_turn.id, 'kind', p_turn.kind,
    'agent', jsonb_build_object('name', a.nome_agente, 'development', a.empreendimento,
      'texts', jsonb_build_array(a.introducao_atendimento, a.regras_atendimento, a.atendimento_atendimento,
        a.introducao_agendamento, a.regras_agendamento, a.atendimento_agendamento)),
    'facts', portal.valid_facts(a.id, p_now),
    'lead', jsonb_build_object('name', c.name, 'stage', k.name, 'development', c.empreendimento, 'notes', left(c.notes, 1000)),
    'lines', portal.turn_lines(c.id, p_turn.base_message),
    'visit', portal.visit_of(c.id, p_now),
    'now', to_char(p_now at time zone portal.time_zone(), 'YYYY-MM-DD HH24:MI'))
  from public.prompts_agents a, public.whatsapp_contacts c
  join public.kanban_stages k on k.slug = c.status
  where a.id = p_turn.agent_id and c.id = p_turn.contact_id
$$;
comment on function portal.turn_material(portal.agent_turns, timestamptz) is
  'All that the model is told for a turn, {turnId, kind, agent, facts, lead, lines, visit, now}, as server/agents/turns/turn-store.ts reads it. Server only.';

create or replace function portal.call_broker(p_contact_id bigint, p_now timestamptz) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  lead public.whatsapp_contacts;
  opened bigint;
  held text;
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
  select v.held_for into held
  from portal.actions a join portal.visits v on v.action_id = a.id
  where a.contact_id = lead.id and a.finished_at is null and v.held_for is not null
    and exists (select from public.brokers b where b."instanceName" = v.held_for and b.central_since is null)
  order by a.due_at limit 1;
  -- The rotation chose before the visit was booked; the lead goes to no other.
  if held is not null then perform portal.give_lead(opened, held, 'given', p_now); end if;
  return true;
end $$;
comment on function portal.call_broker(bigint, timestamptz) is
  'A lead of a central instance goes to the rotation, unless it is on its way already, and with a visit to the broker in whose hours it was booked; whether it went now. Server only.';

create or replace function portal.hand_over_turn(p_turn portal.agent_turns, p_now timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  lead bigint;
begin
  -- On a broker's own number the broker is there already, and gets the card alone.
  if not portal.call_broker(p_turn.contact_id, p_now) and exists (
    select from public.whatsapp_contacts c
    join public.brokers b on b."instanceName" = c."instanceName" and b.central_since is not null
    where c.id = p_turn.contact_id) then
    return;
  end if;
  -- A broker who had the person already has the conversation under another lead now.
  select t.contact_id into lead from portal.agent_turns t where t.id = p_turn.id;
  -- Where the model wrote no card, the last words of both are one.
  insert into portal.agent_handovers (contact_id, turn_id, at, wants, said)
  select lead, p_turn.id, p_now,
    coalesce((
      select left(string_agg(l.body, E'\n' order by l.id), 400) from (
        select m.id, m.body from public.whatsapp_messages m
        where m.contact_id = lead and m.type = 'incoming' and m.deleted_at is null
        order by m.id desc limit 2) l), ''),
    coalesce((
      select left(m.body, 400) from public.whatsapp_messages m
      where m.contact_id = lead and m.type = 'outgoing' and m.author = 'agent' and m.id <> coalesce(p_turn.message_id, 0)
      order by m.id desc limit 1), '')
  on conflict (turn_id) do nothing;
end $$;
comment on function portal.hand_over_turn(portal.agent_turns, timestamptz) is
  'Calls a broker into a turn''s conversation, and leaves a card of what was said. Server only.';

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

create or replace function portal.settle_answer(
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
  where t.id = p_turn returning * into turn;
  if p_reason in ('person', 'handed-over', 'booked') then perform portal.hand_over_turn(turn, p_now); end if;
  return jsonb_build_object('state', 'sent', 'reason', p_reason, 'instanceName', turn."instanceName");
end $$;
comment on function portal.settle_answer(bigint, uuid, timestamptz, text, text, text, jsonb) is
  'The end of an answer: sent through the gate into the queue, or not, and why; {state, reason, instanceName}. p_reason person, handed-over or booked: a broker is called with it. Null for a turn that another portal has by now. Server only.';

create function portal.wanted_day(p_args jsonb) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select (p_args ->> 'dia')::date::timestamp at time zone portal.time_zone()
$$;
comment on function portal.wanted_day(jsonb) is 'When the day begins that a model asks a visit for, {dia}, which the server has read; null without one. Server only.';

create function portal.wanted_slot(p_args jsonb) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select ((p_args ->> 'dia')::date + (p_args ->> 'hora')::time) at time zone portal.time_zone()
$$;
comment on function portal.wanted_slot(jsonb) is 'The hour that a model asks a visit for, {dia, hora}, which the server has read; null without both. Server only.';

create function portal.pay_seats(p_roleta integer, p_credits jsonb) returns void
language sql volatile security definer set search_path = '' as $$
  update public.roleta_corretores s set credit = paid.credit::integer
  from jsonb_each_text(coalesce(p_credits, '{}')) as paid ("instanceName", credit), public.roletas r
  where r.id = p_roleta and s."roletaName" = r.empreendimento and s."instanceName" = paid."instanceName"
    and s.credit <> paid.credit::integer
$$;
comment on function portal.pay_seats(integer, jsonb) is
  'Keeps the credits of a decision of the rotation: who was chosen for a visit has had the turn. Server only.';

create function portal.visit_choice(p_turn bigint, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  lead public.whatsapp_contacts;
  roleta integer;
begin
  perform portal.take_roleta_turn();
  select c.* into lead from public.whatsapp_contacts c
  where c.id = (select t.contact_id from portal.agent_turns t where t.id = p_turn);
  roleta := portal.roleta_of(lead.empreendimento);
  return jsonb_build_object('keeper', portal.keeper_of(lead.id), 'roletaId', roleta, 'moment', portal.moment_of(p_now),
    'seats', coalesce(portal.roleta_seats(roleta, '{}', p_now), '[]'));
end $$;
comment on function portal.visit_choice(bigint, timestamptz) is
  'Takes the turn of the rotation and tells all that the broker of a visit is chosen by, {keeper, roletaId, moment, seats}, as src/domain/rotation/rotation.ts decides; in one transaction with portal.turn_tool. Server only.';

create or replace function portal.turn_tool(p_turn bigint, p_claimer uuid, p_name text, p_args jsonb, p_now timestamptz) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  turn portal.agent_turns;
  known jsonb;
  answer text;
  booked jsonb;
  wanted timestamptz;
begin
  perform from public.whatsapp_contacts c
  where c.id = (select t.contact_id from portal.agent_turns t where t.id = p_turn) for no key update;
  select t.* into turn from portal.agent_turns t
  where t.id = p_turn and t.state = 'thinking' and t.claimed_by = p_claimer for update;
  if not found then return null; end if;
  select step into known from jsonb_array_elements(turn.steps) as step
  where step ->> 'name' = p_name and (p_name not in ('buscar_fatos', 'agendar_visita') or step ? 'visitId' or step -> 'args' = p_args - 'choice') limit 1;
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
    when 'agendar_visita' then
      if portal.visit_of(turn.contact_id, p_now) is not null then
        answer := 'Visita agendada: ' || portal.visit_of(turn.contact_id, p_now) || '. Para mudar, chame o corretor.';
      elsif p_args -> 'choice' ->> 'broker' is null then
        answer := 'Nenhum corretor está livre agora. Chame o corretor.';
      else
        wanted := portal.wanted_slot(p_args);
        if wanted is not null then
          booked := portal.book_visit(turn.contact_id, p_args -> 'choice' ->> 'broker', wanted, p_args ->> 'lugar', turn.operation_id, p_now);
        end if;
        if booked ->> 'code' = 'saved' then
          perform portal.pay_seats((p_args -> 'choice' ->> 'roletaId')::integer, p_args -> 'choice' -> 'credits');
          answer := 'Visita agendada: ' || portal.visit_of(turn.contact_id, p_now) || '.';
        else
          select case when wanted is not null then 'Este horário não está livre. ' else '' end
            || coalesce('Horários livres: ' || string_agg(to_char(s.starts_at at time zone portal.time_zone(), 'YYYY-MM-DD HH24:MI'), ', '
              order by s.starts_at) || '.', 'Não há horário livre nestes dias.')
          into answer
          from (
            select f.starts_at from portal.free_slots(p_args -> 'choice' ->> 'broker', greatest(p_now, portal.wanted_day(p_args)), 7) f limit 6) s;
        end if;
      end if;
    when 'encerrar' then
      insert into portal.actions (contact_id, kind, due_at, seen_at, operation_id, finished_at, outcome)
      values (turn.contact_id, 'none', p_now, p_now, turn.operation_id, p_now, 'not_needed');
      answer := 'Conversa encerrada. Despeça-se em uma frase.';
    when 'sair' then
      perform portal.opt_out(turn.contact_id, extract(epoch from p_now)::bigint);
      answer := 'Não receberá mais mensagens.';
    else answer := 'Esta ferramenta não existe.';
  end case;
  update portal.agent_turns t
  set steps = t.steps || jsonb_strip_nulls(jsonb_build_object('name', p_name, 'args', p_args - 'choice', 'result', answer,
    'visitId', case when booked ->> 'code' = 'saved' then booked -> 'action_id' end)) where t.id = turn.id;
  return answer;
end $$;
comment on function portal.turn_tool(bigint, uuid, text, jsonb, timestamptz) is
  'Does what the model asked of a tool, once a turn (facts once a subject, hours once a day until one is booked), and answers what it is told of it: buscar_fatos {tema}, anotar_interesse {texto}, lembrar {texto}, chamar_corretor {quer, dito, falta}, agendar_visita {dia, hora, lugar, choice {broker, roletaId, credits} as the rotation made it}, encerrar {}; sair {} is our own detector''s. Null for a turn that another portal has by now. Server only.';
