-- Agents begin to speak: how each works, its facts, what models cost, and the turns. Agents that exist stay switched off.

create table portal.agent_settings (
  agent_id integer primary key references public.prompts_agents on delete cascade,
  mode text not null default 'suggest' check (mode in ('off', 'suggest', 'after_hours', 'answer')),
  month_limit_micros bigint check (month_limit_micros between 0 and 1000000000000)
);
comment on table portal.agent_settings is 'How an agent works, a row each. Administrators, by functions.';
comment on column portal.agent_settings.mode is
  'off; suggest (drafts above the broker''s box); after_hours and answer (answers leads of its central instance by itself).';
comment on column portal.agent_settings.month_limit_micros is 'Millionths of a real that it may spend in a month of the portal''s zone; null: no limit.';
alter table portal.agent_settings enable row level security;

create function portal.keep_agent_settings() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into portal.agent_settings (agent_id) values (new.id) on conflict do nothing;
  return null;
end $$;
comment on function portal.keep_agent_settings() is 'Trigger: a new agent begins by suggesting.';
create trigger keep_agent_settings after insert on public.prompts_agents
  for each row execute function portal.keep_agent_settings();

insert into portal.agent_settings (agent_id, mode) select id, 'off' from public.prompts_agents;

create table portal.agent_facts (
  id bigint generated always as identity primary key,
  agent_id integer not null references public.prompts_agents on delete cascade,
  label text not null check (btrim(label) <> '' and length(label) <= 120),
  value text not null check (btrim(value) <> '' and length(value) <= 2000),
  is_price boolean not null default false,
  valid_until date,
  updated_at timestamptz not null default now(),
  updated_by text not null default portal.actor(),
  unique (agent_id, label),
  check (not is_price or valid_until is not null)
);
comment on table portal.agent_facts is 'What an agent may say of its development; a price only from a row that has not expired. Administrators, by functions.';
comment on column portal.agent_facts.valid_until is 'The last day, in the portal''s zone, on which it may be said; null: it holds. A price has one.';
alter table portal.agent_facts enable row level security;

create table portal.model_prices (
  model text primary key check (btrim(model) <> '' and length(model) <= 200),
  input_micros bigint not null check (input_micros between 0 and 1000000000000),
  output_micros bigint not null check (output_micros between 0 and 1000000000000)
);
comment on table portal.model_prices is 'What a model costs: millionths of a real for a million tokens read, and written. Administrators, by functions.';
alter table portal.model_prices enable row level security;

create table portal.agent_turns (
  id bigint generated always as identity primary key,
  operation_id uuid not null unique default gen_random_uuid(),
  kind text not null check (kind in ('suggestion')),
  agent_id integer not null references public.prompts_agents on delete cascade,
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  state text not null check (state in ('waiting', 'thinking', 'proposed', 'sent', 'stale', 'refused', 'failed')),
  reason text,
  base_message bigint,
  began_at timestamptz not null,
  due_at timestamptz not null,
  claimed_by uuid,
  leased_until timestamptz,
  body text,
  sources jsonb not null default '[]',
  model text,
  prompt_version bigint,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cost_micros bigint not null default 0,
  dismissed_at timestamptz,
  ended_at timestamptz,
  check ((state in ('waiting', 'thinking')) = (ended_at is null)),
  check ((state = 'thinking') = (leased_until is not null))
);
comment on table portal.agent_turns is
  'Each time an agent was to say something to a lead, and what became of it. Written by functions of the server, read by administrators.';
comment on column portal.agent_turns.operation_id is 'What its tools do is done once, by this.';
comment on column portal.agent_turns.state is
  'waiting (for the lead to finish writing), thinking (with the model), proposed (a draft for a person), sent, stale (overtaken), refused (by our own rules), failed (no model answered).';
comment on column portal.agent_turns.reason is 'Why it ended so; a code of src/domain/agent-turn.ts.';
comment on column portal.agent_turns.base_message is 'The newest message that it read; what came after is not in it.';
comment on column portal.agent_turns.body is 'What the model wrote, refused words included.';
comment on column portal.agent_turns.sources is 'Facts that it said, {label, at}: at is the day the fact was written.';
comment on column portal.agent_turns.cost_micros is 'Millionths of a real, added up call by call at the price of the model then.';
create index agent_turns_contact on portal.agent_turns (contact_id, id desc);
comment on index portal.agent_turns_contact is 'Serves the turns of a conversation, and their removal with it.';
create index agent_turns_month on portal.agent_turns (agent_id, began_at);
comment on index portal.agent_turns_month is 'Serves what an agent spent in a month, and its removal.';
create index agent_turns_lease on portal.agent_turns (leased_until) where state = 'thinking';
comment on index portal.agent_turns_lease is 'Serves turns whose portal ended while it asked the model.';
create unique index agent_turns_suggestion on portal.agent_turns (contact_id, base_message) where kind = 'suggestion';
comment on index portal.agent_turns_suggestion is 'One draft a message: who asks again gets the same.';
alter table portal.agent_turns enable row level security;
insert into portal.throttle_rules (kind, free_attempts, first_wait_seconds, longest_wait_seconds, forgets_one_in_seconds) values
  ('assist', 60, 5, 60, 10);   -- drafts asked of the model: a person who opens one conversation after the other

create function portal.move_turns() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update portal.agent_turns t set contact_id = new.kept_contact_id where t.contact_id = new.gone_contact_id;
  return null;
end $$;
comment on function portal.move_turns() is 'Trigger: a lead that becomes one with another takes its turns along.';
create trigger move_turns after insert on portal.contact_merges
  for each row execute function portal.move_turns();


-- What a turn is made from.

create function portal.cost_of(p_model text, p_input bigint, p_output bigint) returns bigint
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select ceil((p_input::numeric * p.input_micros + p_output::numeric * p.output_micros) / 1000000)::bigint
    from portal.model_prices p where p.model = p_model), 0)
$$;
comment on function portal.cost_of(text, bigint, bigint) is
  'Millionths of a real of one call, rounded up; 0 for a model without a price. Server only.';

create function portal.month_spent(p_agent_id integer, p_now timestamptz) returns bigint
language sql stable security definer set search_path = '' as $$
  select coalesce(sum(t.cost_micros), 0)::bigint from portal.agent_turns t
  where t.agent_id = p_agent_id
    and t.began_at >= date_trunc('month', p_now at time zone portal.time_zone()) at time zone portal.time_zone()
$$;
comment on function portal.month_spent(integer, timestamptz) is
  'Millionths of a real that an agent spent since its month began. Server only.';

create function portal.agent_for(p_contact_id bigint) returns integer
language sql stable security definer set search_path = '' as $$
  select a.id from public.whatsapp_contacts c
  join public.prompts_agents a on a.empreendimento = c.empreendimento or a."instanceName" = c."instanceName"
  where c.id = p_contact_id
  order by a.empreendimento = c.empreendimento desc nulls last, a.id limit 1
$$;
comment on function portal.agent_for(bigint) is
  'The one agent that speaks in a lead''s conversation: that of its development before that of its instance; null without one. Server only.';

create function portal.turn_silence(p_agent_id integer, p_contact_id bigint, p_now timestamptz) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when s.mode = 'off' then 'off'
    when a.paused_at is not null then 'paused'
    when exists (
      select from portal.agent_pauses p where p.agent_id = a.id and p.person_id = c.person_id and p.reason = 'person'
        and (p.paused_until is null or p.paused_until > p_now)) then 'paused'
    when exists (select from portal.people p where p.id = c.person_id and p.opted_out_at is not null) then 'opted-out'
    when portal.month_spent(a.id, p_now) >= s.month_limit_micros then 'budget'
  end
  from public.prompts_agents a
  join portal.agent_settings s on s.agent_id = a.id
  join public.whatsapp_contacts c on c.id = p_contact_id
  where a.id = p_agent_id
$$;
comment on function portal.turn_silence(integer, bigint, timestamptz) is
  'Why an agent may not even suggest in a conversation: off, paused (by an administrator), opted-out, budget; null where it may. Server only.';

create function portal.valid_facts(p_agent_id integer, p_now timestamptz) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('label', f.label, 'value', f.value, 'isPrice', f.is_price,
    'at', (f.updated_at at time zone portal.time_zone())::date) order by f.label), '[]')
  from portal.agent_facts f
  where f.agent_id = p_agent_id
    and coalesce(f.valid_until >= (p_now at time zone portal.time_zone())::date, true)
$$;
comment on function portal.valid_facts(integer, timestamptz) is
  'What an agent may say now, [{label, value, isPrice, at}]: the day each was written. Server only.';

create function portal.turn_lines(p_contact_id bigint, p_up_to bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('by', case line.type when 'incoming' then 'lead' else line.author end,
    'kind', line.kind, 'text', left(line.body, 2000)) order by line."timestamp", line.id), '[]')
  from (
    select m.* from public.whatsapp_messages m
    where m.contact_id = p_contact_id and m.id <= p_up_to and m.deleted_at is null and m.delivery is distinct from 'failed'
    order by m."timestamp" desc, m.id desc limit 30
  ) line
$$;
comment on function portal.turn_lines(bigint, bigint) is
  'The last thirty lines of a conversation up to a message, the oldest first: [{by (lead, human, agent, campaign), kind, text}]. Server only.';

create function portal.turn_material(p_turn portal.agent_turns, p_now timestamptz) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'turnId', p_turn.id, 'kind', p_turn.kind,
    'agent', jsonb_build_object('name', a.nome_agente, 'development', a.empreendimento,
      'texts', jsonb_build_array(a.introducao_atendimento, a.regras_atendimento, a.atendimento_atendimento,
        a.introducao_agendamento, a.regras_agendamento, a.atendimento_agendamento)),
    'facts', portal.valid_facts(a.id, p_now),
    'lead', jsonb_build_object('name', c.name, 'stage', k.name, 'development', c.empreendimento, 'notes', left(c.notes, 1000)),
    'lines', portal.turn_lines(c.id, p_turn.base_message),
    'now', to_char(p_now at time zone portal.time_zone(), 'YYYY-MM-DD HH24:MI'))
  from public.prompts_agents a, public.whatsapp_contacts c
  join public.kanban_stages k on k.slug = c.status
  where a.id = p_turn.agent_id and c.id = p_turn.contact_id
$$;
comment on function portal.turn_material(portal.agent_turns, timestamptz) is
  'All that the model is told for a turn, {turnId, kind, agent, facts, lead, lines, now}, as server/agents/turns/turn-store.ts reads it. Server only.';

create function portal.note_turn_usage(p_turn bigint, p_model text, p_input bigint, p_output bigint) returns void
language sql volatile security definer set search_path = '' as $$
  update portal.agent_turns t
  set model = p_model, input_tokens = t.input_tokens + p_input, output_tokens = t.output_tokens + p_output,
    cost_micros = t.cost_micros + portal.cost_of(p_model, p_input, p_output)
  where t.id = p_turn
$$;
comment on function portal.note_turn_usage(bigint, text, bigint, bigint) is
  'Adds what one call to the model cost, whatever comes of it. Server only.';

create function portal.end_lost_turns(p_now timestamptz) returns void
language sql volatile security definer set search_path = '' as $$
  update portal.agent_turns t
  set state = 'failed', reason = 'interrupted', ended_at = p_now, leased_until = null, claimed_by = null
  where t.state = 'thinking' and t.kind = 'suggestion' and t.leased_until < p_now
$$;
comment on function portal.end_lost_turns(timestamptz) is 'Drafts whose portal ended while it asked the model have failed. Server only.';


-- A draft for the broker who reads: asked for by the screen, written by the model between two of these calls.

create function portal.suggestion_view(p_turn portal.agent_turns) returns jsonb
language sql immutable set search_path = '' as $$
  select case when p_turn.state = 'proposed' and p_turn.dismissed_at is null then
    jsonb_build_object('id', p_turn.id, 'text', p_turn.body, 'sources', p_turn.sources, 'model', p_turn.model) end
$$;
comment on function portal.suggestion_view(portal.agent_turns) is
  'A draft as the broker sees it, {id, text, sources, model}; null where there is none to show. Server only.';

create function portal.begin_suggestion(p_contact_id bigint, p_claimer uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  lead bigint := portal.lead_to_write(null, p_contact_id, null);
  agent integer := portal.agent_for(lead);
  newest public.whatsapp_messages;
  turn portal.agent_turns;
begin
  perform portal.end_lost_turns(p_now);
  select m.* into newest from public.whatsapp_messages m where m.contact_id = lead
  order by m."timestamp" desc, m.id desc limit 1;
  if newest.type is distinct from 'incoming' or newest.deleted_at is not null or agent is null
    or portal.turn_silence(agent, lead, p_now) is not null then
    return '{"turn": null, "suggestion": null}';
  end if;
  select * into turn from portal.agent_turns t
  where t.contact_id = lead and t.base_message = newest.id and t.kind = 'suggestion' for update;
  if turn.id is null then
    insert into portal.agent_turns
      (kind, agent_id, contact_id, state, base_message, began_at, due_at, claimed_by, leased_until, prompt_version)
    values ('suggestion', agent, lead, 'thinking', newest.id, p_now, p_now, p_claimer, p_now + interval '90 seconds',
      (select max(v.id) from public.prompt_versions v where v.agent_id = agent))
    on conflict do nothing returning * into turn;
  elsif turn.state = 'failed' and turn.ended_at < p_now - interval '1 minute' then
    -- It may go better now; what the first try cost stays.
    update portal.agent_turns t set state = 'thinking', reason = null, ended_at = null, claimed_by = p_claimer,
      leased_until = p_now + interval '90 seconds'
    where t.id = turn.id returning * into turn;
  else
    return jsonb_build_object('turn', null, 'suggestion', portal.suggestion_view(turn));
  end if;
  return jsonb_build_object('turn', case when turn.id is not null then portal.turn_material(turn, p_now) end, 'suggestion', null);
end $$;
comment on function portal.begin_suggestion(bigint, uuid, timestamptz) is
  'A draft for the newest message of a lead of the asking person''s: {turn, suggestion}. turn is what the model is told, for whoever asked first; suggestion what it wrote before; both null where the newest line is ours, the agent is off or paused, the person opted out, the month''s limit is reached, or the draft is being written, was refused or put away. 401, 404 and 409 are those of portal.lead_to_write. By the server only.';

create function portal.settle_suggestion(
  p_turn bigint, p_claimer uuid, p_now timestamptz, p_state text, p_reason text, p_body text, p_sources jsonb
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  turn portal.agent_turns;
  is_overtaken boolean;
begin
  select * into turn from portal.agent_turns t
  where t.id = p_turn and t.state = 'thinking' and t.claimed_by = p_claimer for update;
  if not found then return null; end if;
  is_overtaken := exists (
    select from public.whatsapp_messages m where m.contact_id = turn.contact_id and m.id > turn.base_message);
  update portal.agent_turns t
  set state = case when is_overtaken then 'stale' else p_state end,
    reason = case when is_overtaken then 'newer' else p_reason end,
    body = p_body, sources = p_sources, ended_at = p_now, leased_until = null, claimed_by = null
  where t.id = turn.id returning * into turn;
  return portal.suggestion_view(turn);
end $$;
comment on function portal.settle_suggestion(bigint, uuid, timestamptz, text, text, text, jsonb) is
  'The end of a draft: proposed, refused or failed, or stale where something was written meanwhile; answers what is to be shown. Server only.';

create function portal.dismiss_suggestion(p_turn bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_member();
  update portal.agent_turns t set dismissed_at = coalesce(t.dismissed_at, now())
  from public.whatsapp_contacts c
  where t.id = p_turn and t.kind = 'suggestion' and c.id = t.contact_id
    and (portal.is_admin() or c."instanceName" = portal.my_instance());
  if not found then
    raise exception 'Sugestão não encontrada.' using errcode = 'PT404', hint = 'suggestion.unknown';
  end if;
end $$;
comment on function portal.dismiss_suggestion(bigint) is
  'Puts a draft away: it is not shown again for its message. 404 for one of another broker''s lead. By the server only.';


-- How an agent works, as its administrator sets it.

create function portal.agent_setup(p_agent_id integer, p_now timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  if not exists (select from public.prompts_agents a where a.id = p_agent_id) then
    raise exception 'Agente não encontrado.' using errcode = 'PT404', hint = 'agent.unknown';
  end if;
  return (
    select jsonb_build_object('mode', s.mode, 'monthLimitMicros', s.month_limit_micros,
      'spentMicros', portal.month_spent(p_agent_id, p_now),
      'conversations', (
        select count(distinct t.contact_id) from portal.agent_turns t
        where t.agent_id = p_agent_id
          and t.began_at >= date_trunc('month', p_now at time zone portal.time_zone()) at time zone portal.time_zone()),
      'prices', (
        select coalesce(jsonb_agg(jsonb_build_object('model', p.model, 'inputMicros', p.input_micros,
          'outputMicros', p.output_micros) order by p.model), '[]') from portal.model_prices p),
      'facts', (
        select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'label', f.label, 'value', f.value, 'isPrice', f.is_price,
          'validUntil', f.valid_until,
          'isExpired', coalesce(f.valid_until < (p_now at time zone portal.time_zone())::date, false)) order by f.label), '[]')
        from portal.agent_facts f where f.agent_id = p_agent_id))
    from portal.agent_settings s where s.agent_id = p_agent_id);
end $$;
comment on function portal.agent_setup(integer, timestamptz) is
  'How an agent works: {mode, monthLimitMicros, spentMicros, conversations (of this month), prices, facts}. Administrators, by the server only; 404 for an unknown agent.';

create function portal.save_agent_setup(p_agent_id integer, p_wanted jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  before portal.agent_settings;
  named text := (select a.nome_agente from public.prompts_agents a where a.id = p_agent_id);
begin
  perform portal.require_admin();
  select * into before from portal.agent_settings s where s.agent_id = p_agent_id for update;
  if not found then
    raise exception 'Agente não encontrado.' using errcode = 'PT404', hint = 'agent.unknown';
  end if;
  update portal.agent_settings s
  set mode = coalesce(p_wanted ->> 'mode', s.mode),
    month_limit_micros = case when p_wanted ? 'monthLimitMicros' then (p_wanted ->> 'monthLimitMicros')::bigint
      else s.month_limit_micros end
  where s.agent_id = p_agent_id;
  if p_wanted ->> 'mode' <> before.mode then
    perform portal.audit('agent.mode', named, jsonb_build_object('from', before.mode, 'to', p_wanted ->> 'mode'));
  end if;
  if p_wanted ? 'monthLimitMicros' and (p_wanted ->> 'monthLimitMicros')::bigint is distinct from before.month_limit_micros then
    perform portal.audit('agent.limit', named);
  end if;
  perform portal.tell('{"kind": "agents"}');
end $$;
comment on function portal.save_agent_setup(integer, jsonb) is
  'Sets {mode, monthLimitMicros} of an agent, either alone, audited. Administrators, by the server only; 404 for an unknown agent.';

create function portal.save_agent_fact(p_agent_id integer, p_fact jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  saved bigint;
begin
  perform portal.require_admin();
  if not exists (select from public.prompts_agents a where a.id = p_agent_id) then
    raise exception 'Agente não encontrado.' using errcode = 'PT404', hint = 'agent.unknown';
  elsif (p_fact ->> 'isPrice')::boolean and p_fact ->> 'validUntil' is null then
    raise exception 'Um preço precisa do último dia em que vale.' using errcode = 'PT422', hint = 'fact.no-end';
  elsif exists (
    select from portal.agent_facts f
    where f.agent_id = p_agent_id and f.label = btrim(p_fact ->> 'label') and f.id is distinct from (p_fact ->> 'id')::bigint) then
    raise exception 'Já existe um fato com este nome.' using errcode = 'PT409', hint = 'fact.taken';
  end if;
  if p_fact ->> 'id' is null then
    insert into portal.agent_facts (agent_id, label, value, is_price, valid_until)
    values (p_agent_id, btrim(p_fact ->> 'label'), btrim(p_fact ->> 'value'), (p_fact ->> 'isPrice')::boolean,
      (p_fact ->> 'validUntil')::date)
    returning id into saved;
  else
    update portal.agent_facts f
    set label = btrim(p_fact ->> 'label'), value = btrim(p_fact ->> 'value'), is_price = (p_fact ->> 'isPrice')::boolean,
      valid_until = (p_fact ->> 'validUntil')::date, updated_at = now(), updated_by = portal.actor()
    where f.id = (p_fact ->> 'id')::bigint and f.agent_id = p_agent_id returning f.id into saved;
    if saved is null then
      raise exception 'Este fato não existe mais.' using errcode = 'PT404', hint = 'fact.unknown';
    end if;
  end if;
  perform portal.audit('agent.facts', (select a.nome_agente from public.prompts_agents a where a.id = p_agent_id));
  perform portal.tell('{"kind": "agents"}');
  return jsonb_build_object('id', saved);
end $$;
comment on function portal.save_agent_fact(integer, jsonb) is
  'Adds or (with its id) changes a fact {id, label, value, isPrice, validUntil}, audited; answers {id}. 404 for an unknown agent or fact, 409 for a name that another has, 422 for a price without its last day. Administrators, by the server only.';

create function portal.remove_agent_fact(p_agent_id integer, p_fact bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  delete from portal.agent_facts f where f.id = p_fact and f.agent_id = p_agent_id;
  if found then
    perform portal.audit('agent.facts', (select a.nome_agente from public.prompts_agents a where a.id = p_agent_id));
    perform portal.tell('{"kind": "agents"}');
  end if;
end $$;
comment on function portal.remove_agent_fact(integer, bigint) is
  'From now on the agent does not say this; again changes nothing. Administrators, by the server only.';

create function portal.save_model_price(p_model text, p_input bigint, p_output bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  insert into portal.model_prices (model, input_micros, output_micros) values (p_model, p_input, p_output)
  on conflict (model) do update set input_micros = excluded.input_micros, output_micros = excluded.output_micros;
  perform portal.audit('agent.price', p_model);
end $$;
comment on function portal.save_model_price(text, bigint, bigint) is
  'What a model costs from now on, in millionths of a real for a million tokens read and written; what was spent stays as it was. Administrators, by the server only.';


-- What the turns hold of a person.

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

create or replace function portal.held_places() returns text[]
language sql immutable set search_path = '' as $$
  select array['person', 'addresses', 'leads', 'messages', 'stages', 'actions', 'owners', 'intakes', 'distribution', 'campaigns', 'agents',
    'turns', 'pauses', 'merges', 'operations', 'pushes', 'waiting', 'aside']
$$;


-- The list of agents says how each works.

create or replace function portal.agent_list() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(row_to_json(listed) order by portal.fold(listed.name)), '[]')
    from (
      select a.id, a.nome_agente as name, a.empreendimento as development, a."instanceName", a.paused_at as "pausedAt",
        btrim(a.introducao_atendimento || a.regras_atendimento || a.atendimento_atendimento, E' \t\r\n') <> '' as "hasPrompt",
        s.dead_at is not null as "isDead",
        -- What answers reads the prompts with a token of its own.
        exists (
          select from portal.service_tokens t
          where t.revoked_at is null and t.expires_at > now() and t.grants && array['prompts:read', 'prompts:write']
        ) as "hasEngine",
        own.mode
      from public.prompts_agents a join portal.agent_settings own on own.agent_id = a.id
      left join portal.instance_states s using ("instanceName")
    ) listed
  );
end $$;
