-- Answers of agents: settings, facts, prices of models, and each turn from the first message it read to its end. A turn
-- is deleted only with its lead. Pauses are in 13_agents.sql.

create table portal.agent_settings (
  agent_id integer primary key references public.prompts_agents on delete cascade,
  mode text not null default 'suggest' check (mode in ('off', 'suggest', 'after_hours', 'new_people', 'answer')),
  month_limit_micros bigint check (month_limit_micros between 0 and 1000000000000),
  most_in_ten_minutes integer not null default 6 check (most_in_ten_minutes between 1 and 60),
  most_a_day integer not null default 20 check (most_a_day between 1 and 500),
  new_people_since timestamptz,
  follows_up boolean not null default false
);
comment on table portal.agent_settings is 'Settings of each agent, one row. Administrators, by functions.';
comment on column portal.agent_settings.mode is
  'off: it does nothing. suggest: it writes drafts that the broker sees above the composer. The other modes also answer by themselves, see portal.answering_agent. On the central instance after_hours answers outside working hours, new_people answers new people at any hour, and answer answers everybody.';
comment on column portal.agent_settings.new_people_since is
  'When the mode became new_people. People who had a conversation before that get no answer from the agent. Null: the mode is another one.';
comment on column portal.agent_settings.month_limit_micros is
  'How many millionths of a real it may spend in a month of the portal''s time zone; then it is silent. Null: no limit.';
comment on column portal.agent_settings.most_in_ten_minutes is
  'How many answers one person may get within ten minutes while no person of ours writes. After that it calls a broker.';
comment on column portal.agent_settings.most_a_day is
  'How many answers one person may get within 24 hours while no person of ours writes. After that it calls a broker.';
comment on column portal.agent_settings.follows_up is
  'True: the agent begins plans for leads that do not answer it, from published templates. This works only in the modes new_people and answer.';
alter table portal.agent_settings enable row level security;

create function portal.keep_agent_settings() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into portal.agent_settings (agent_id) values (new.id) on conflict do nothing;
  return null;
end $$;
comment on function portal.keep_agent_settings() is 'Trigger: a new agent starts in mode suggest.';
create trigger keep_agent_settings after insert on public.prompts_agents
  for each row execute function portal.keep_agent_settings();

create table portal.agent_names (
  agent_id integer primary key,
  name text not null,
  development text,
  removed_at timestamptz
);
comment on table portal.agent_names is
  'The name of each agent. The row of a removed agent stays if the agent has turns or tests, because their costs are kept. Triggers of prompts_agents write it. Server only.';
comment on column portal.agent_names.removed_at is 'When the agent was removed; null while it exists.';
alter table portal.agent_names enable row level security;

create function portal.keep_agent_name() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into portal.agent_names (agent_id, name, development) values (new.id, new.nome_agente, new.empreendimento)
  on conflict (agent_id) do update
  set name = excluded.name, development = excluded.development, removed_at = null;
  return null;
end $$;
comment on function portal.keep_agent_name() is 'Trigger: keeps the agent''s current name.';
create trigger keep_agent_name after insert or update of nome_agente, empreendimento on public.prompts_agents
  for each row execute function portal.keep_agent_name();

create function portal.note_removed_agent() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from portal.agent_turns t where t.agent_id = old.id)
    or exists (select from portal.agent_bench_runs r where r.agent_id = old.id) then
    update portal.agent_names n set removed_at = now() where n.agent_id = old.id;
  else
    delete from portal.agent_names n where n.agent_id = old.id;
  end if;
  return null;
end $$;
comment on function portal.note_removed_agent() is
  'Trigger: marks the name of a removed agent as removed if the agent has turns or tests, else deletes it.';
create trigger note_removed_agent after delete on public.prompts_agents
  for each row execute function portal.note_removed_agent();

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
comment on table portal.agent_facts is
  'Facts that administrators entered for an agent. The agent states none after its last day. It also states facts of its development''s record (portal.valid_facts). Administrators, by functions.';
comment on column portal.agent_facts.valid_until is
  'The last day on which the fact may be stated, in the portal''s time zone. Null: no limit. A price must have one.';
alter table portal.agent_facts enable row level security;

create table portal.model_prices (
  model text primary key check (btrim(model) <> '' and length(model) <= 200),
  input_micros bigint not null check (input_micros between 0 and 1000000000000),
  output_micros bigint not null check (output_micros between 0 and 1000000000000),
  minute_micros bigint not null default 0 check (minute_micros between 0 and 1000000000000)
);
comment on table portal.model_prices is
  'Prices of models in millionths of a real: for a million tokens read, a million tokens written, and a minute of transcribed voice. Administrators, by functions.';
alter table portal.model_prices enable row level security;

create table portal.model_endpoints (
  model text primary key check (btrim(model) <> '' and length(model) <= 200),
  mark text not null,
  learnt jsonb not null default '{}',
  tried_at timestamptz not null,
  found jsonb,
  failure jsonb
);
comment on table portal.model_endpoints is
  'What the portal has found out about a model at its endpoint. It has no data of leads. The server writes it, administrators read it.';
comment on column portal.model_endpoints.mark is
  'A hash of address, name and key. If one of them changes, the model is tested again and what was found out is discarded.';
comment on column portal.model_endpoints.learnt is
  'How to call the model, as server/agents/engine/learnt.ts reads it: {tokensName, hasNoTemperature, hasNoTools, isReasoning}.';
comment on column portal.model_endpoints.found is
  'The result of the last test, as server/agents/engine/trial.ts writes it. Null while the first test runs.';
comment on column portal.model_endpoints.failure is
  'The last failed call, {at, fault, said}. Null if a later call succeeded.';
alter table portal.model_endpoints enable row level security;

create table portal.agent_bench_runs (
  id bigint generated always as identity primary key,
  agent_id integer not null references portal.agent_names,
  started_by text not null default portal.actor(),
  model text not null,
  prompt_version bigint,
  cases integer not null check (cases > 0),
  results jsonb not null default '[]',
  cost_micros bigint not null default 0,
  began_at timestamptz not null,
  ended_at timestamptz,
  texts_mark text
);
comment on table portal.agent_bench_runs is
  'Runs of an agent over test conversations. Shipped conversations are made up and contain no data of leads. Administrators, by functions.';
comment on column portal.agent_bench_runs.prompt_version is
  'The newest version of the prompts when the run began. Only in runs that are older than the column texts_mark.';
comment on column portal.agent_bench_runs.texts_mark is
  'Fingerprint of the six tested texts, see portal.texts_mark. Null: not known.';
comment on column portal.agent_bench_runs.results is
  'The results so far, [{id, fault, body}]. fault is null for a test that passed.';
comment on column portal.agent_bench_runs.ended_at is
  'When the run ended. Null while it runs, and for good if its portal crashed.';
create index agent_bench_runs_agent on portal.agent_bench_runs (agent_id, id desc);
comment on index portal.agent_bench_runs_agent is
  'Serves finding the last runs of an agent, and adding up their cost.';
alter table portal.agent_bench_runs enable row level security;

create table portal.bench_cases (
  id bigint generated always as identity primary key,
  agent_id integer not null references public.prompts_agents on delete cascade,
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  operation_id uuid not null unique,
  title text not null check (btrim(title) <> '' and length(title) <= 80),
  lines jsonb not null check (jsonb_typeof(lines) = 'array' and jsonb_array_length(lines) between 1 and 30),
  hands_over boolean not null,
  made_by text not null default portal.actor(),
  made_at timestamptz not null default now()
);
comment on table portal.bench_cases is
  'Conversations of an agent that administrators turned into tests. They contain no name, number or address of the person, and are deleted with the lead all the same. Administrators, by functions.';
comment on column portal.bench_cases.lines is '[{by (lead, agent, human, campaign), kind, text}], the oldest first.';
comment on column portal.bench_cases.hands_over is
  'True if the agent has to call a broker; else it has to answer by itself.';
create index bench_cases_agent on portal.bench_cases (agent_id, id);
comment on index portal.bench_cases_agent is 'Serves an agent''s runs and their removal.';
create index bench_cases_contact on portal.bench_cases (contact_id);
comment on index portal.bench_cases_contact is
  'Serves finding a person''s tests, moving them in a merge, and their removal with the lead.';
alter table portal.bench_cases enable row level security;

create table portal.agent_turns (
  id bigint generated always as identity primary key,
  operation_id uuid not null unique default gen_random_uuid(),
  kind text not null check (kind in ('answer', 'suggestion')),
  agent_id integer not null references portal.agent_names,
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  state text not null check (state in ('waiting', 'thinking', 'proposed', 'sent', 'silent', 'stale', 'refused', 'failed')),
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
  bubbles integer not null default 1,
  tries integer not null default 0,
  "instanceName" text,
  message_id bigint references public.whatsapp_messages on delete set null,
  steps jsonb not null default '[]',
  read_mark text,
  is_estimated boolean not null default false,
  is_unpriced boolean not null default false,
  missing text,
  check ((state in ('waiting', 'thinking')) = (ended_at is null)),
  check ((state = 'thinking') = (leased_until is not null))
);
comment on table portal.agent_turns is
  'Each turn of an agent in a lead''s conversation, with its result. Functions of the server write it, administrators read it.';
comment on column portal.agent_turns.operation_id is
  'The operation under which the turn''s tools run, so that a repeated call of a tool changes nothing.';
comment on column portal.agent_turns.state is
  'waiting (for the lead to finish writing), thinking (the model is called), proposed (a draft for a person), sent, silent (no answer is needed), stale (something happened meanwhile), refused (by the portal''s rules), failed (the model gave no usable answer, or portals crashed during the turn).';
comment on column portal.agent_turns.reason is
  'Why the turn ended so: a code of src/domain/agent/turn.ts. For a silent turn the model''s own words, or the code automatic.';
comment on column portal.agent_turns.base_message is
  'The newest message that the turn read. It does not take later ones into account.';
comment on column portal.agent_turns.body is 'The text that the model wrote, even if the portal refused it.';
comment on column portal.agent_turns.sources is
  'The facts that the text states, [{label, value, at}]. at is the day on which the fact was written.';
comment on column portal.agent_turns.bubbles is 'How many messages of the lead came while the turn waited, the first one included.';
comment on column portal.agent_turns.tries is
  'How often a portal claimed the turn. After a crash a portal claims it again. A claim that was put off because of a hidden id does not count.';
comment on column portal.agent_turns."instanceName" is
  'The instance through which the agent answers: a central one, or a broker''s own. If the lead has another owner by then, the agent does not answer. Null for drafts.';
comment on column portal.agent_turns.message_id is 'The message that it put into the queue; null: none.';
comment on column portal.agent_turns.steps is 'Calls of tools, [{name, args, result, visitId (only of a booked visit)}]. Each was executed once.';
comment on column portal.agent_turns.read_mark is
  'Fingerprint of the lead''s messages that the turn read, see portal.read_mark. If one of them is edited or deleted before the answer is queued, a new turn answers them.';
comment on column portal.agent_turns.cost_micros is
  'What it cost in millionths of a real. Each call is added at the price of its time.';
comment on column portal.agent_turns.missing is
  'What the refused text stated without a source: an amount, a promise, an address or a language. Null: the text was not refused for this.';
comment on column portal.agent_turns.is_estimated is
  'True: for some calls the endpoint returned no number of tokens, so the portal estimated it.';
comment on column portal.agent_turns.is_unpriced is
  'True: some calls were made while the model had no price, so cost_micros leaves them out.';
create index agent_turns_contact on portal.agent_turns (contact_id, id desc);
comment on index portal.agent_turns_contact is
  'Serves finding the turns of a conversation, and their removal with it.';
create index agent_turns_month on portal.agent_turns (agent_id, began_at);
comment on index portal.agent_turns_month is
  'Serves adding up an agent''s cost in a month, and the check whether it has any turn.';
create index agent_turns_lease on portal.agent_turns (leased_until) where state = 'thinking';
comment on index portal.agent_turns_lease is 'Serves finding turns whose portal crashed while it called the model.';
create unique index agent_turns_waiting on portal.agent_turns (contact_id) where state = 'waiting';
comment on index portal.agent_turns_waiting is
  'Allows one waiting turn for each conversation. Further messages of the lead extend it.';
create unique index agent_turns_thinking on portal.agent_turns (contact_id) where state = 'thinking' and kind = 'answer';
comment on index portal.agent_turns_thinking is 'Allows one answer in state thinking for each conversation; drafts do not count.';
create index agent_turns_due on portal.agent_turns (due_at) where state = 'waiting';
comment on index portal.agent_turns_due is 'Serves the turns that are due.';
create index agent_turns_message on portal.agent_turns (message_id);
comment on index portal.agent_turns_message is 'Serves finding the turn of a message, and the removal of a message.';
create unique index agent_turns_suggestion on portal.agent_turns (contact_id, base_message, agent_id) where kind = 'suggestion';
comment on index portal.agent_turns_suggestion is
  'Allows one draft of an agent for each message. A repeated request gets the same draft.';
alter table portal.agent_turns enable row level security;
insert into portal.throttle_rules (kind, free_attempts, first_wait_seconds, longest_wait_seconds, forgets_one_in_seconds) values
  ('assist', 60, 5, 60, 10); -- requests for a draft: enough for a person who opens one conversation after another

create function portal.move_turns() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- If both leads have an open answer, that of the merged lead ends. That of the kept lead answers both.
  update portal.agent_turns t
  set state = 'stale', reason = 'joined', ended_at = now(), leased_until = null, claimed_by = null
  where t.contact_id = new.gone_contact_id and t.kind = 'answer' and t.ended_at is null and exists (
    select from portal.agent_turns k
    where k.contact_id = new.kept_contact_id and k.kind = 'answer' and k.ended_at is null);
  update portal.agent_turns t set contact_id = new.kept_contact_id where t.contact_id = new.gone_contact_id;
  update portal.agent_handovers h set contact_id = new.kept_contact_id where h.contact_id = new.gone_contact_id;
  update portal.bench_cases b set contact_id = new.kept_contact_id where b.contact_id = new.gone_contact_id;
  -- The broker's last message to the merged lead pauses the agent in the kept conversation, too.
  perform portal.pause_after(m, new.kept_contact_id) from public.whatsapp_messages m
  where m.id = (
    select l.id from public.whatsapp_messages l
    where l.contact_id = new.gone_contact_id and l.type = 'outgoing' and l.author = 'human'
    order by l."timestamp" desc, l.id desc limit 1);
  return null;
end $$;
comment on function portal.move_turns() is
  'Trigger: moves to the kept lead of a merge the other lead''s turns, its calls of brokers, the tests that were made of it, and the pause after its broker''s last message.';
create trigger move_turns after insert on portal.contact_merges
  for each row execute function portal.move_turns();


-- Functions that collect what the model gets in a turn.

create function portal.cost_of(p_model text, p_input bigint, p_output bigint) returns bigint
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select ceil((p_input::numeric * p.input_micros + p_output::numeric * p.output_micros) / 1000000)::bigint
    from portal.model_prices p where p.model = p_model), 0)
$$;
comment on function portal.cost_of(text, bigint, bigint) is
  'What one call costs, in millionths of a real, rounded up. 0 for a model without a price. Server only.';

create function portal.has_price(p_model text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from portal.model_prices p where p.model = p_model)
$$;
comment on function portal.has_price(text) is
  'Whether an administrator has set a price of a model; 0 is a price, too. Server only.';

create function portal.month_spent(p_agent_id integer, p_now timestamptz) returns bigint
language sql stable security definer set search_path = '' as $$
  select coalesce(sum(spent.cost_micros), 0)::bigint
  from (
    select t.cost_micros, t.began_at from portal.agent_turns t where t.agent_id = p_agent_id
    union all
    select r.cost_micros, r.began_at from portal.agent_bench_runs r where r.agent_id = p_agent_id
  ) spent
  where spent.began_at >= date_trunc('month', p_now at time zone portal.time_zone()) at time zone portal.time_zone()
$$;
comment on function portal.month_spent(integer, timestamptz) is
  'What an agent has spent in the current month, tests included, in millionths of a real. Server only.';

create function portal.agent_for(p_contact_id bigint) returns integer
language sql stable security definer set search_path = '' as $$
  select a.id from public.whatsapp_contacts c
  join public.prompts_agents a on a.empreendimento = c.empreendimento or a."instanceName" = c."instanceName"
  where c.id = p_contact_id
  order by a.empreendimento = c.empreendimento desc nulls last, a.id limit 1
$$;
comment on function portal.agent_for(bigint) is
  'The agent for a lead''s conversation: that of its development, else that of its instance. Null without one. Server only.';

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
  'Why an agent may not even propose a draft in a conversation: off, paused (by an administrator), opted-out, or budget. Null: it may. Server only.';

create function portal.valid_facts(p_agent_id integer, p_now timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  typed jsonb := (
    select coalesce(jsonb_agg(jsonb_build_object('label', f.label, 'value', f.value, 'isPrice', f.is_price,
      'at', (f.updated_at at time zone portal.time_zone())::date) order by f.label), '[]')
    from portal.agent_facts f
    where f.agent_id = p_agent_id
      and coalesce(f.valid_until >= (p_now at time zone portal.time_zone())::date, true));
begin
  return typed || portal.record_facts(
    (select portal.development_of(a.empreendimento) from public.prompts_agents a where a.id = p_agent_id), p_now);
end $$;
comment on function portal.valid_facts(integer, timestamptz) is
  'Facts that an agent may state now, [{label, value, isPrice, at}]: those that administrators entered, then those of its development''s record. at is the day on which each was written. Server only.';

create table portal.transcripts (
  message_id bigint primary key references public.whatsapp_messages on delete cascade,
  body text not null,
  model text not null,
  at timestamptz not null default now(),
  cost_micros bigint not null default 0
);
comment on table portal.transcripts is
  'Transcripts of voice messages, one for each, deleted with the message. The server writes them, and shows them to persons who may hear the message.';
comment on column portal.transcripts.cost_micros is
  'The cost in millionths of a real, at the price of that time. If two calls were made at once, the cost of both.';
alter table portal.transcripts enable row level security;
create index transcripts_at on portal.transcripts (at);
comment on index portal.transcripts_at is 'Serves adding up the cost of transcripts in a period.';

create function portal.keep_transcript(p_message_id bigint, p_body text, p_model text, p_seconds numeric) returns void
language sql volatile security definer set search_path = '' as $$
  insert into portal.transcripts as t (message_id, body, model, cost_micros)
  select m.id, p_body, p_model, coalesce(ceil(coalesce(p_seconds, (m.content ->> 'seconds')::numeric, 0) * p.minute_micros / 60), 0)
  from public.whatsapp_messages m left join portal.model_prices p on p.model = p_model
  where m.id = p_message_id
  on conflict (message_id) do update set cost_micros = t.cost_micros + excluded.cost_micros
$$;
comment on function portal.keep_transcript(bigint, text, text, numeric) is
  'Stores the transcript of a voice message and its cost, rounded up to a millionth of a real. p_seconds null: the length that WhatsApp gave. Of two calls at once the first text stays, and both costs are added. Server only.';

create function portal.is_said(p_message public.whatsapp_messages) returns boolean
language sql immutable set search_path = '' as $$
  select p_message.kind in ('text', 'audio', 'image', 'video', 'document', 'sticker', 'location', 'contact')
$$;
comment on function portal.is_said(public.whatsapp_messages) is
  'Whether an agent answers this kind of message: text, voice, file, location, contact. Not notes, calls, unknown kinds and deleted messages. Server only.';

create function portal.read_mark(p_contact_id bigint, p_up_to bigint) returns text
language sql stable security definer set search_path = '' as $$
  select md5(string_agg(said.id || ' ' || said.body, chr(1) order by said.id))
  from (
    select m.id, m.body from public.whatsapp_messages m
    where m.contact_id = p_contact_id and m.id <= p_up_to and m.type = 'incoming' and portal.is_said(m)
      and m.id > coalesce((
        select max(t.base_message) from portal.agent_turns t
        where t.contact_id = p_contact_id and t.kind = 'answer' and t.state = 'sent' and t.base_message < p_up_to), 0)
    order by m.id desc limit 30
  ) said
$$;
comment on function portal.read_mark(bigint, bigint) is
  'Fingerprint of the last 30 messages of the lead up to p_up_to that no answer of an agent has covered. Null if there is none. Server only.';

create function portal.turn_messages(p_contact_id bigint, p_up_to bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('by', case message.type when 'incoming' then 'lead' else message.author end,
    'kind', message.kind, 'text', left(coalesce(heard.body, message.body), 2000)) order by message.said_at, message.id), '[]')
  from (
    -- An agent's answer stands right after the messages that its turn had read. Messages of the lead that came
    -- before the answer was sent stand after it, because it does not answer them.
    select m.*, least(m."timestamp", (
      select max(r."timestamp") from portal.agent_turns t
      join public.whatsapp_messages r on r.contact_id = t.contact_id and r.id <= t.base_message
      where t.contact_id = m.contact_id and t.message_id = m.id)) as said_at
    from public.whatsapp_messages m
    where m.contact_id = p_contact_id and m.id <= p_up_to and m.deleted_at is null and m.delivery is distinct from 'failed'
      and m.type <> 'note'
    order by m."timestamp" desc, m.id desc limit 30
  ) message
  left join portal.transcripts heard on heard.message_id = message.id
$$;
comment on function portal.turn_messages(bigint, bigint) is
  'The last thirty messages of a conversation up to p_up_to, oldest first: [{by (lead, human, agent, campaign), kind, text (of a voice message its transcript)}]. An agent''s answer stands before the messages that its turn had not read. Server only.';

create function portal.visit_of(p_contact_id bigint, p_now timestamptz) returns text
language sql stable security definer set search_path = '' as $$
  select to_char(a.due_at at time zone portal.time_zone(), 'YYYY-MM-DD HH24:MI')
  from portal.actions a
  where a.contact_id = p_contact_id and a.kind = 'visit' and a.finished_at is null and a.due_at > p_now
  order by a.due_at, a.id limit 1
$$;
comment on function portal.visit_of(bigint, timestamptz) is
  'The time of a lead''s next visit, as YYYY-MM-DD HH:MM in the portal''s time zone; null without one. Server only.';

create function portal.turn_material(p_turn portal.agent_turns, p_now timestamptz) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'turnId', p_turn.id, 'kind', p_turn.kind,
    'agent', jsonb_build_object('name', a.nome_agente, 'development', a.empreendimento,
      'texts', jsonb_build_array(a.introducao_atendimento, a.regras_atendimento, a.atendimento_atendimento,
        a.introducao_agendamento, a.regras_agendamento, a.atendimento_agendamento)),
    'facts', portal.valid_facts(a.id, p_now),
    'lead', jsonb_build_object('name', c.name, 'stage', k.name, 'development', c.empreendimento, 'notes', left(c.notes, 1000)),
    'lines', portal.turn_messages(c.id, p_turn.base_message),
    'visit', portal.visit_of(c.id, p_now),
    'now', to_char(p_now at time zone portal.time_zone(), 'YYYY-MM-DD HH24:MI'))
  from public.prompts_agents a, public.whatsapp_contacts c
  join public.kanban_stages k on k.slug = c.status
  where a.id = p_turn.agent_id and c.id = p_turn.contact_id
$$;
comment on function portal.turn_material(portal.agent_turns, timestamptz) is
  'What the model gets in a turn: {turnId, kind, agent, facts, lead, lines, visit, now}, as server/agents/turns/turn-store.ts reads it. Server only.';

create function portal.note_model_use(p_turn bigint, p_model text, p_input bigint, p_output bigint, p_is_estimated boolean) returns void
language sql volatile security definer set search_path = '' as $$
  update portal.agent_turns t
  set model = p_model, input_tokens = t.input_tokens + p_input, output_tokens = t.output_tokens + p_output,
    cost_micros = t.cost_micros + portal.cost_of(p_model, p_input, p_output),
    is_estimated = t.is_estimated or p_is_estimated, is_unpriced = t.is_unpriced or not portal.has_price(p_model)
  where t.id = p_turn
$$;
comment on function portal.note_model_use(bigint, text, bigint, bigint, boolean) is
  'Adds the cost of one call of the model to its turn, whatever the result was. p_is_estimated: the endpoint returned no number of tokens. Server only.';

create function portal.turn_voices(p_turn bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(unheard.id order by unheard.id), '[]')
  from (
    select m.id from portal.agent_turns t
    join public.whatsapp_messages m on m.contact_id = t.contact_id and m.id <= t.base_message
    where t.id = p_turn and m.type = 'incoming' and m.kind = 'audio' and m.deleted_at is null
      and not exists (select from portal.transcripts h where h.message_id = m.id)
      and m.id > coalesce((
        select max(s.base_message) from portal.agent_turns s
        where s.contact_id = t.contact_id and s.kind = 'answer' and s.state = 'sent'), 0)
    order by m.id desc limit 5
  ) unheard
$$;
comment on function portal.turn_voices(bigint) is
  'Ids of the newest five voice messages that a turn answers and that have no transcript. Server only.';

create function portal.turn_lines(p_turn bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select portal.turn_messages(t.contact_id, t.base_message) from portal.agent_turns t where t.id = p_turn
$$;
comment on function portal.turn_lines(bigint) is
  'The conversation of a turn (portal.turn_messages), read again after its voice messages were transcribed. Server only.';

create function portal.end_lost_turns(p_now timestamptz) returns void
language sql volatile security definer set search_path = '' as $$
  update portal.agent_turns t
  set state = 'failed', reason = 'interrupted', ended_at = p_now, leased_until = null, claimed_by = null
  where t.state = 'thinking' and t.kind = 'suggestion' and t.leased_until < p_now
$$;
comment on function portal.end_lost_turns(timestamptz) is
  'Sets drafts to failed if their portal crashed while it waited for the model. Server only.';


-- Drafts for the broker who reads a conversation. The screen asks for one; the model writes it between
-- portal.begin_suggestion and portal.settle_suggestion.

create function portal.suggestion_view(p_turn portal.agent_turns) returns jsonb
language sql immutable set search_path = '' as $$
  select case when p_turn.state = 'proposed' and p_turn.dismissed_at is null then
    jsonb_build_object('id', p_turn.id, 'text', p_turn.body, 'sources', p_turn.sources, 'model', p_turn.model) end
$$;
comment on function portal.suggestion_view(portal.agent_turns) is
  'A draft as the broker sees it, {id, text, sources, model}. Null if there is nothing to show. Server only.';

create function portal.begin_suggestion(p_contact_id bigint, p_claimer uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  lead bigint := portal.lead_to_write(null, p_contact_id, null);
  agent integer := portal.agent_for(lead);
  newest public.whatsapp_messages;
  turn portal.agent_turns;
  is_own boolean := false;
begin
  perform portal.end_lost_turns(p_now);
  select m.* into newest from public.whatsapp_messages m
  where m.contact_id = lead and (m.type = 'outgoing' or portal.is_said(m) or m.deleted_at is not null)
  order by m."timestamp" desc, m.id desc limit 1;
  if newest.type is distinct from 'incoming' or newest.deleted_at is not null or agent is null
    or portal.turn_silence(agent, lead, p_now) is not null
    -- An agent has answered the message, or is about to, so no draft is paid for.
    or exists (
      select from portal.agent_turns t
      where t.contact_id = lead and t.kind = 'answer'
        and (t.state in ('waiting', 'thinking') or t.state = 'sent' and t.base_message >= newest.id)) then
    return '{"turn": null, "suggestion": null, "isBeingWritten": false}';
  end if;
  select * into turn from portal.agent_turns t
  where t.contact_id = lead and t.base_message = newest.id and t.kind = 'suggestion' and t.agent_id = agent for update;
  if turn.id is null then
    insert into portal.agent_turns
      (kind, agent_id, contact_id, state, base_message, began_at, due_at, claimed_by, leased_until, prompt_version)
    values ('suggestion', agent, lead, 'thinking', newest.id, p_now, p_now, p_claimer, p_now + interval '90 seconds',
      (select max(v.id) from public.prompt_versions v where v.agent_id = agent))
    on conflict do nothing returning * into turn;
    is_own := turn.id is not null;
  elsif turn.state = 'failed' and turn.ended_at < p_now - interval '1 minute' then
    -- A draft that failed more than a minute ago is tried again. The cost of the first attempt stays.
    update portal.agent_turns t set state = 'thinking', reason = null, ended_at = null, claimed_by = p_claimer,
      leased_until = p_now + interval '90 seconds'
    where t.id = turn.id returning * into turn;
    is_own := true;
  end if;
  return jsonb_build_object(
    'turn', case when is_own then portal.turn_material(turn, p_now) end,
    'suggestion', portal.suggestion_view(turn),
    -- If there is no row, another request is just beginning the draft.
    'isBeingWritten', not is_own and coalesce(turn.state, 'thinking') = 'thinking');
end $$;
comment on function portal.begin_suggestion(bigint, uuid, timestamptz) is
  'Begins or finds the draft for the newest message of a lead of the caller: {turn, suggestion, isBeingWritten}. The first caller gets turn, the input for the model. suggestion is a finished draft. isBeingWritten: another caller was first; ask again later. All three are empty if the newest message is ours or deleted, there is no agent, or the agent answers by itself, is off or paused. They are also empty if the person opted out, the month''s limit is reached, or the draft was refused, dismissed, overtaken by a newer message, or failed within a minute. 401, 404 and 409 as portal.lead_to_write. Through the server only.';

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
    select from public.whatsapp_messages m
    where m.contact_id = turn.contact_id and m.id > turn.base_message and (m.type = 'outgoing' or portal.is_said(m)));
  update portal.agent_turns t
  set state = case when is_overtaken then 'stale' else p_state end,
    reason = case when is_overtaken then 'newer' else p_reason end,
    body = p_body, sources = p_sources, ended_at = p_now, leased_until = null, claimed_by = null
  where t.id = turn.id returning * into turn;
  return portal.suggestion_view(turn);
end $$;
comment on function portal.settle_suggestion(bigint, uuid, timestamptz, text, text, text, jsonb) is
  'Settles a draft as proposed, refused or failed, or as stale if anybody wrote meanwhile. Returns what to show. Server only.';

create function portal.dismiss_suggestion(p_turn bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_member();
  update portal.agent_turns t set dismissed_at = coalesce(t.dismissed_at, now())
  from public.whatsapp_contacts c
  where t.id = p_turn and t.kind = 'suggestion' and c.id = t.contact_id
    and portal.reaches(c."instanceName");
  if not found then
    raise exception 'Sugestão não encontrada.' using errcode = 'PT404', hint = 'suggestion.unknown';
  end if;
end $$;
comment on function portal.dismiss_suggestion(bigint) is
  'Dismisses a draft: it is not shown again for its message. 404 for another broker''s lead. Through the server only.';


-- Answers that an agent gives by itself. A turn is planned when the lead writes, claimed when the lead has paused, then
-- checked and queued in one transaction.

create table portal.agent_handovers (
  id bigint generated always as identity primary key,
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  turn_id bigint not null unique references portal.agent_turns on delete cascade,
  at timestamptz not null,
  wants text not null default '' check (length(wants) <= 400),
  said text not null default '' check (length(said) <= 400),
  missing text not null default '' check (length(missing) <= 400),
  given_back_at timestamptz
);
comment on table portal.agent_handovers is
  'Each call of a broker by an agent, with a card for the broker: what the lead wants, what was said, what is missing.';
comment on column portal.agent_handovers.given_back_at is
  'When the broker gave the conversation back to the agent. From then on no broker is expected. Null: not given back.';
create index agent_handovers_contact on portal.agent_handovers (contact_id, id desc);
comment on index portal.agent_handovers_contact is
  'Serves finding the cards of a conversation, and their removal with it.';
alter table portal.agent_handovers enable row level security;

create function portal.has_agent_model() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from portal.settings s where s.key = 'agent_model' and s.value <> 'null')
$$;
comment on function portal.has_agent_model() is
  'Whether the portal has a text model. The portal process records this when it starts. Server only.';

create function portal.is_after_hours(p_now timestamptz) returns boolean
language sql stable security definer set search_path = '' as $$
  select extract(isodow from l.at) = 7 or extract(hour from l.at) not between 8 and 19
  from (select p_now at time zone portal.time_zone()) as l (at)
$$;
comment on function portal.is_after_hours(timestamptz) is
  'Whether it is between 20h and 8h, or Sunday, in the portal''s time zone. An agent of mode after_hours answers then. Server only.';

create table portal.own_assistants (
  broker_id uuid primary key references public.brokers on delete cascade,
  since timestamptz not null default now()
);
comment on table portal.own_assistants is
  'Brokers who let agents answer on their own number outside working hours. Only the broker can turn this on. Written by functions.';
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
  'Whether agents may answer on the calling broker''s own number outside working hours: {isOn, isAvailable (there is a text model, and the broker''s instance is not central)}. Brokers, through the server only.';

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
  'Allows or forbids agents to answer on the calling broker''s own number outside working hours. Brokers, through the server only.';

create function portal.awaited_call(p_contact_id bigint) returns portal.agent_handovers
language sql stable security definer set search_path = '' as $$
  select h from portal.agent_handovers h join portal.agent_turns t on t.id = h.turn_id
  where h.contact_id = p_contact_id and h.given_back_at is null and t.ended_at is not null and not exists (
    select from public.whatsapp_messages m
    where m.contact_id = h.contact_id and m.type = 'outgoing' and m.author = 'human' and m.id > t.base_message)
  order by h.id limit 1
$$;
comment on function portal.awaited_call(bigint) is
  'The first call of a broker into a conversation that still waits: no person has written since, and the broker has not given it back. Null: no broker is expected. Server only.';

create function portal.broker_called_at(p_contact_id bigint) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select (portal.awaited_call(p_contact_id)).at
$$;
comment on function portal.broker_called_at(bigint) is
  'When the call that portal.awaited_call returns was made. Null: no broker is expected. Server only.';

create function portal.broker_called_for(p_contact_id bigint) returns text
language sql stable security definer set search_path = '' as $$
  select t.reason from portal.agent_turns t where t.id = (portal.awaited_call(p_contact_id)).turn_id
$$;
comment on function portal.broker_called_for(bigint) is
  'Why the call that portal.awaited_call returns was made: the reason with which its turn ended. Null: no broker is expected. Server only.';

create function portal.is_broker_called(p_contact_id bigint) returns boolean
language sql stable security definer set search_path = '' as $$
  select portal.broker_called_at(p_contact_id) is not null
$$;
comment on function portal.is_broker_called(bigint) is
  'Whether portal.awaited_call finds a call of a broker that still waits. Server only.';

create function portal.is_new_person(p_agent_id integer, p_contact_id bigint) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  lead public.whatsapp_contacts;
  since bigint := (
    select floor(extract(epoch from s.new_people_since)) from portal.agent_settings s where s.agent_id = p_agent_id);
  first_at bigint;
  answered_at bigint;
begin
  select c.* into lead from public.whatsapp_contacts c where c.id = p_contact_id;
  select min(m."timestamp") filter (where m.type = 'incoming'),
    min(m."timestamp") filter (where m.type = 'outgoing' and m.author = 'agent')
  into first_at, answered_at from public.whatsapp_messages m where m.contact_id = lead.id;
  return not exists (
    select from public.whatsapp_contacts c join public.whatsapp_messages m on m.contact_id = c.id
    where c.person_id = lead.person_id and m.type <> 'note' and (
      m."timestamp" < coalesce(since, 0)
      or m."timestamp" < first_at
      -- A broker or a campaign wrote to the lead before an agent did.
      or c.id = lead.id and m.type = 'outgoing' and m.author <> 'agent' and (answered_at is null or m."timestamp" < answered_at)));
end $$;
comment on function portal.is_new_person(integer, bigint) is
  'Whether an agent of mode new_people may answer a lead. Nobody may have written to or from the person, on any instance, before the lead''s first message or before the mode was set. In this conversation no broker and no campaign may have written before an agent''s first answer. Server only.';

create function portal.answering_agent(p_contact_id bigint, p_now timestamptz) returns integer
language sql stable security definer set search_path = '' as $$
  select a.id
  from public.whatsapp_contacts c
  join public.brokers b on b."instanceName" = c."instanceName"
  left join portal.own_assistants o on o.broker_id = b.id
  join public.prompts_agents a on case when b.central_since is not null then a."instanceName" = c."instanceName"
    else o.broker_id is not null and a.id = portal.agent_for(c.id) end
  join portal.agent_settings s on s.agent_id = a.id
  where c.id = p_contact_id and portal.has_agent_model() and portal.turn_silence(a.id, c.id, p_now) is null
    and (s.mode in ('new_people', 'answer') and b.central_since is not null
      or s.mode in ('after_hours', 'new_people', 'answer') and portal.is_after_hours(p_now))
    and (s.mode <> 'new_people' or portal.is_new_person(a.id, c.id))
    and case when b.central_since is null then not portal.is_broker_called(c.id) else not exists (
      select from portal.roleta_cases k
      where k.contact_id = c.id and k.state in ('waiting', 'offered', 'watched', 'pool', 'inbox')) end
  order by a.id limit 1
$$;
comment on function portal.answering_agent(bigint, timestamptz) is
  'The agent that answers a lead by itself now, until it calls a broker. On a central instance its mode decides. On a broker''s own number an agent in any mode but off and suggest answers outside working hours, if the broker allows it. Pauses after a person wrote (portal.pause_of) are not looked at. Null without one. Server only.';

create function portal.call_broker(p_contact_id bigint, p_now timestamptz) returns boolean
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
  -- The rotation chose this broker when the visit was booked, so the lead goes to that broker.
  if held is not null then perform portal.give_lead(opened, held, 'given', p_now); end if;
  return true;
end $$;
comment on function portal.call_broker(bigint, timestamptz) is
  'Opens a case for a lead of a central instance, unless one is open. If a visit is booked, the lead goes to the broker of that visit. Returns whether a case was opened. Server only.';

create function portal.hand_over_turn(p_turn portal.agent_turns, p_now timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  lead bigint;
begin
  -- On a broker's own number no case is opened; the broker only gets the card.
  if not portal.call_broker(p_turn.contact_id, p_now) and exists (
    select from public.whatsapp_contacts c
    join public.brokers b on b."instanceName" = c."instanceName" and b.central_since is not null
    where c.id = p_turn.contact_id) then
    return;
  end if;
  -- If the broker already had the person, the leads were merged. The conversation then belongs to that broker's lead.
  select t.contact_id into lead from portal.agent_turns t where t.id = p_turn.id;
  -- If the model wrote no card, the last messages of both sides become the card.
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
  'Calls a broker into the conversation of a turn, with a card that says what was written. On a central instance it does nothing if the lead''s case is already open. Server only.';

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
  -- If the lead writes while a turn is thinking, the time counts from the beginning of that turn.
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
  'Called when a lead has written. Creates or extends the waiting turn. It is due eight seconds after the last message, but at most forty seconds after the first. Returns false if no agent answers. Server only.';

create function portal.may_be_answered(p_message public.whatsapp_messages) returns boolean
language sql stable set search_path = '' as $$
  select portal.is_said(p_message) and p_message."timestamp" >= extract(epoch from now() - interval '1 hour')
$$;
comment on function portal.may_be_answered(public.whatsapp_messages) is
  'Whether an agent may answer a reported message: the lead wrote it within the last hour. Older ones, reported after an outage, are left to a person. Server only.';

create function portal.speaking_agent(p_message public.whatsapp_messages, p_now timestamptz) returns integer
language sql stable security definer set search_path = '' as $$
  select answering.agent
  from public.whatsapp_contacts c cross join lateral (select portal.answering_agent(c.id, p_now) as agent) answering
  where c.id = p_message.contact_id and portal.may_be_answered(p_message) and portal.pause_of(answering.agent, c.person_id) is null
$$;
comment on function portal.speaking_agent(public.whatsapp_messages, timestamptz) is
  'The agent that will answer a reported message. Null: none. Server only.';

create function portal.plan_turn() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(current_setting('portal.history', true), '') = 'on' or not (portal.is_said(new) or new.kind = 'call')
    -- The text was recognised as an automatic reply.
    or coalesce(current_setting('portal.automated', true), '') = 'on' then
    return null;
  end if;
  -- A lead who calls wants to speak to a person, so no agent answers a call with a text.
  if not (portal.may_be_answered(new) and portal.plan_answer(new.contact_id, now())) and exists (
    select from portal.lead_intakes i
    where i.contact_id = new.contact_id and i.case_id is null and i.key_id is null)
    and not exists (
      select from portal.roleta_cases k where k.contact_id = new.contact_id)
    -- A person who took the conversation is responsible for it, even before writing.
    and not exists (
      select from public.whatsapp_contacts c, portal.agents_of(c.id) as agent
      where c.id = new.contact_id and portal.pause_of(agent, c.person_id) is not null)
    and not exists (
      select from public.whatsapp_messages m
      where m.contact_id = new.contact_id and m.type = 'outgoing'
        -- A message that was reported late may have been answered already, by a person or by the agent.
        and (m.author = 'human' or m."timestamp" >= new."timestamp" and not portal.may_be_answered(new))) then
    -- The lead has no broker yet, and no agent answers this message, so a broker is called.
    perform portal.call_broker(new.contact_id, now());
  end if;
  return null;
end $$;
comment on function portal.plan_turn() is
  'Trigger: plans an agent''s answer to a lead''s message (portal.is_said). On a central instance a broker is called instead if the lead telephoned, the agent no longer answers, or the message was reported late. None is called if the lead already had a case, or a person has taken the conversation.';
create trigger plan_turn after insert on public.whatsapp_messages
  for each row when (new.type = 'incoming') execute function portal.plan_turn();

create function portal.is_braked(p_agent_id integer, p_person_id bigint, p_now timestamptz) returns boolean
language sql stable security definer set search_path = '' as $$
  select count(t.id) filter (where t.ended_at > p_now - interval '10 minutes') >= s.most_in_ten_minutes
    or count(t.id) >= s.most_a_day
  from portal.agent_settings s
  left join public.whatsapp_contacts c on c.person_id = p_person_id
  left join portal.agent_turns t on t.contact_id = c.id and t.kind = 'answer' and t.state = 'sent'
    and t.ended_at > p_now - interval '24 hours'
    and coalesce(t.message_id, t.base_message) > coalesce((
      select max(m.id) from public.whatsapp_contacts own join public.whatsapp_messages m on m.contact_id = own.id
      where own.person_id = p_person_id and m.type = 'outgoing' and m.author = 'human'), 0)
  where s.agent_id = p_agent_id
  group by s.agent_id
$$;
comment on function portal.is_braked(integer, bigint, timestamptz) is
  'Whether agents have answered a person, on all instances, as often as this agent''s limits allow while no person of ours wrote. Server only.';

create function portal.pause_for_machine(p_turn portal.agent_turns, p_now timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  lead public.whatsapp_contacts;
begin
  insert into portal.agent_pauses as p (agent_id, person_id, reason, paused_by, paused_at)
  select p_turn.agent_id, c.person_id, 'automatic', portal.actor(), p_now
  from public.whatsapp_contacts c where c.id = p_turn.contact_id
  on conflict (agent_id, person_id) do update
  set reason = excluded.reason, paused_by = excluded.paused_by, paused_at = excluded.paused_at, paused_until = null
  where p.paused_until <= p_now;
  if not found then return; end if;
  select c.* into lead from public.whatsapp_contacts c where c.id = p_turn.contact_id;
  perform portal.push(lead."instanceName", 'machine', 'machine-' || lead.id, lead.id, interval '0');
  -- A central instance has no broker, so the administrators get the push.
  if exists (select from public.brokers b where b."instanceName" = lead."instanceName" and b.central_since is not null) then
    perform portal.push_administrators('machine', 'machine-' || lead.id, lead.id);
  end if;
end $$;
comment on function portal.pause_for_machine(portal.agent_turns, timestamptz) is
  'The lead''s texts look like automatic replies. Pauses the agent for this person until somebody resumes it, and sends one push: to the broker, or to the administrators for a central instance. Server only.';

create function portal.hidden_answer_at(p_contact_id bigint) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select to_timestamp(max(m."timestamp"))
  from public.whatsapp_contacts c
  join public.whatsapp_contacts h on h."instanceName" = c."instanceName" and h.id <> c.id and h.number is null
  join public.whatsapp_messages m on m.contact_id = h.id
  where c.id = p_contact_id
    and m.type = 'outgoing' and m.author = 'human' and m.delivery is distinct from 'failed'
    and m."timestamp" > extract(epoch from now() - interval '24 hours')
    -- If a message came in under the hidden id, it belongs to another person.
    and not exists (select from public.whatsapp_messages i where i.contact_id = h.id and i.type = 'incoming')
    and m."timestamp" >= (
      select min(f."timestamp") from public.whatsapp_messages f where f.contact_id = c.id and f.type = 'incoming')
    -- If this lead's own hidden id is known, no other hidden id can be this lead's.
    and not exists (
      select from portal.identities i
      where i.person_id = c.person_id and i."instanceName" = c."instanceName" and i.jid like '%@lid')
$$;
comment on function portal.hidden_answer_at(bigint) is
  'When a broker last wrote on the phone to a hidden id that may belong to this lead. Such a contact is on the same instance, has no number and no incoming message, and the broker wrote within a day and after the lead first wrote. Null without one, and if the lead''s own hidden id is known. Server only.';

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
    when pause is not null then 'human'
    when portal.hidden_answer_at(lead.id) is not null then 'unclear'
    when silence is not null then silence
    when portal.is_braked(p_turn.agent_id, lead.person_id, p_now) then 'braked'
    -- After a crash another turn may have answered the same messages already.
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
      where m.contact_id = lead.id and m.type = 'incoming' and m.id > p_turn.base_message and portal.is_said(m)) then 'newer'
    when portal.read_mark(lead.id, p_turn.base_message) is null then 'withdrawn'
    when portal.read_mark(lead.id, p_turn.base_message) is distinct from p_turn.read_mark then 'changed'
    when p_body in (
      select m.body from public.whatsapp_messages m
      where m.contact_id = lead.id and m.type = 'outgoing' and m.author = 'agent'
      order by m.id desc limit 2) then 'repeated'
    -- The text confirms a visit that was cancelled meanwhile, or is over.
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
  'Why an answer may not be sent; null if it may. human (a person wrote, or the agent is paused for this person); unclear (a broker may have answered, see portal.hidden_answer_at); answered; paused; off; opted-out; budget; braked (too many answers while no person of ours wrote); owner (the lead has another one); called; newer; withdrawn (the lead deleted all messages that it answers); changed (some of them were edited or deleted); repeated; promise (its visit was cancelled or is over); price (a stated fact has expired). portal.settle_answer has locked the lead, portal.claim_turn has not. Server only.';

create function portal.hindered_state(p_reason text) returns text
language sql immutable strict set search_path = '' as $$
  select case when p_reason in ('newer', 'changed', 'withdrawn', 'human', 'unclear', 'answered', 'owner', 'called') then 'stale' else 'refused' end
$$;
comment on function portal.hindered_state(text) is
  'The state of a turn that portal.turn_gate stopped: stale or refused. Server only.';

create function portal.may_clear(p_contact_id bigint, p_now timestamptz) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(portal.hidden_answer_at(p_contact_id) > p_now - interval '2 minutes', false)
$$;
comment on function portal.may_clear(bigint, timestamptz) is
  'Whether the gateway may still find out whose hidden id a broker wrote to. It needs about twenty seconds, if it succeeds at all. Server only.';

create function portal.end_turn(p_turn bigint, p_now timestamptz, p_state text, p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  turn portal.agent_turns;
  refused integer;
begin
  update portal.agent_turns t
  set state = p_state, reason = p_reason, ended_at = p_now, leased_until = null, claimed_by = null
  where t.id = p_turn returning * into turn;
  -- A silent turn's reason is a text of the model and must not be read as a code.
  if p_state = 'silent' then return; end if;
  if p_reason in ('newer', 'changed') or p_reason = 'unclear' and portal.may_clear(turn.contact_id, p_now) then
    perform portal.plan_answer(turn.contact_id, p_now)
    where not exists (select from portal.agent_turns t where t.contact_id = turn.contact_id and t.state = 'waiting');
  elsif p_state = 'failed' or p_reason in ('unclear', 'off', 'paused', 'budget', 'braked', 'too-many-steps') then
    perform portal.hand_over_turn(turn, p_now);
  elsif p_state = 'refused' and p_reason in ('price', 'promise', 'address', 'leak', 'empty', 'too-long', 'repeated') then
    select count(*) into refused from portal.agent_turns t
    where t.contact_id = turn.contact_id and t.kind = 'answer' and t.state = 'refused'
      and t.id > coalesce((
        select max(s.id) from portal.agent_turns s
        where s.contact_id = turn.contact_id and s.kind = 'answer' and s.state = 'sent'), 0);
    -- After the first refusal a new turn tries again, perhaps with other words. After the second a broker is called.
    if refused >= 2 or not portal.plan_answer(turn.contact_id, p_now) then
      perform portal.hand_over_turn(turn, p_now);
    end if;
  end if;
end $$;
comment on function portal.end_turn(bigint, timestamptz, text, text) is
  'Ends an answer that is not sent. One that was overtaken by a message or a change of the lead is planned again, and so is one that met an unclear hidden id which may still become clear. One whose text was refused is tried once more. After a failure, a second refusal, or at a limit a broker is called. Nothing follows if the lead needs no answer, or a person has the conversation. Server only.';

create function portal.release_leads() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  turn record;
begin
  for turn in
    select t.id, t.contact_id from portal.agent_turns t
    where t.agent_id = old.id and t.kind = 'answer' and t.ended_at is null order by t.contact_id
  loop
    -- Locks the lead first, as every writer does.
    perform from public.whatsapp_contacts c where c.id = turn.contact_id for no key update;
    perform portal.end_turn(turn.id, now(), 'refused', 'off');
  end loop;
  return old;
end $$;
comment on function portal.release_leads() is
  'Trigger: when an agent is removed, calls a broker for each lead that waits for its answer.';
create trigger release_leads before delete on public.prompts_agents
  for each row execute function portal.release_leads();

create function portal.claim_turn(p_claimer uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  turn portal.agent_turns;
  hindrance text;
begin
  -- Skips a lead that another transaction is changing. Others lock the lead before its turns, so waiting for it here
  -- could be a deadlock.
  select t.* into turn from portal.agent_turns t join public.whatsapp_contacts c on c.id = t.contact_id
  where t.kind = 'answer' and (
    t.state = 'waiting' and t.due_at <= p_now and not exists (
      select from portal.agent_turns o where o.contact_id = t.contact_id and o.state = 'thinking' and o.kind = 'answer')
    or t.state = 'thinking' and t.leased_until < p_now)
  order by t.due_at, t.id limit 1 for update of t skip locked for no key update of c skip locked;
  if not found then return null; end if;
  if turn.tries >= 3 then
    perform portal.end_turn(turn.id, p_now, 'failed', 'interrupted');
    return '{}';
  end if;
  update portal.agent_turns t
  set state = 'thinking', claimed_by = p_claimer, leased_until = p_now + interval '150 seconds', tries = t.tries + 1,
    base_message = read.up_to, read_mark = portal.read_mark(t.contact_id, read.up_to),
    prompt_version = (select max(v.id) from public.prompt_versions v where v.agent_id = t.agent_id)
  from (
    -- Deleted messages count, too. Otherwise a broker's message before a deleted one would seem newer than all that the
    -- turn read.
    select max(m.id) as up_to from public.whatsapp_messages m
    where m.contact_id = turn.contact_id and m.type = 'incoming' and (portal.is_said(m) or m.deleted_at is not null)) read
  where t.id = turn.id returning t.* into turn;
  hindrance := portal.turn_gate(turn, p_now, null, '[]');
  if hindrance = 'unclear' and portal.may_clear(turn.contact_id, p_now) and not exists (
    select from portal.agent_turns t where t.contact_id = turn.contact_id and t.state = 'waiting') then
    -- The turn is tried again in ten seconds, when the gateway may know to whom the broker wrote.
    update portal.agent_turns t
    set state = 'waiting', claimed_by = null, leased_until = null, tries = t.tries - 1, due_at = p_now + interval '10 seconds'
    where t.id = turn.id;
    return '{}';
  end if;
  if hindrance is not null then
    perform portal.end_turn(turn.id, p_now, portal.hindered_state(hindrance), hindrance);
    return '{}';
  end if;
  return portal.turn_material(turn, p_now);
end $$;
comment on function portal.claim_turn(uuid, timestamptz) is
  'Claims the next due answer for a portal; returns portal.turn_material. {} if a turn ended without the model or was put off, null if none is due. A turn of a crashed portal is claimed again, three times in all. Server only.';

create function portal.settle_answer(
  p_turn bigint, p_claimer uuid, p_now timestamptz, p_state text, p_reason text, p_body text, p_sources jsonb
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  lead bigint := (select t.contact_id from portal.agent_turns t where t.id = p_turn);
  turn portal.agent_turns;
  hindrance text;
  message bigint;
begin
  -- Locks the lead first, as every writer does. No message of a person can then come between the check and the queue.
  perform from public.whatsapp_contacts c where c.id = lead for no key update;
  select t.* into turn from portal.agent_turns t
  where t.id = p_turn and t.state = 'thinking' and t.claimed_by = p_claimer for update;
  if not found then return null; end if;
  update portal.agent_turns t set body = p_body, sources = p_sources where t.id = p_turn;
  hindrance := portal.turn_gate(turn, p_now, case p_state when 'sent' then p_body end, p_sources);
  if hindrance is not null or p_state <> 'sent' then
    perform portal.end_turn(p_turn, p_now,
      coalesce(portal.hindered_state(hindrance), case p_state when 'machine' then 'silent' else p_state end),
      coalesce(hindrance, p_reason));
    if hindrance is null and p_state = 'silent' then perform portal.need_no_answer(lead, turn.operation_id, p_now); end if;
    if hindrance is null and p_state = 'machine' then perform portal.pause_for_machine(turn, p_now); end if;
    return (select jsonb_build_object('state', t.state, 'reason', t.reason, 'instanceName', null) from portal.agent_turns t where t.id = p_turn);
  end if;
  insert into public.whatsapp_messages
    (contact_id, "instanceName", "from", from_number, body, "timestamp", type, kind, author, delivery, operation_id)
  select c.id, c."instanceName", s.owner_jid, split_part(split_part(s.owner_jid, '@', 1), ':', 1), p_body,
    floor(extract(epoch from now()))::bigint, 'outgoing', 'text', 'agent', 'queued', turn.operation_id
  from public.whatsapp_contacts c left join portal.instance_states s using ("instanceName") where c.id = lead
  returning id into message;
  insert into portal.outgoing (message_id) values (message);
  update portal.agent_turns t
  set state = 'sent', reason = p_reason, ended_at = p_now, leased_until = null, claimed_by = null, message_id = message
  where t.id = p_turn returning * into turn;
  if p_reason in ('person', 'handed-over', 'booked') then perform portal.hand_over_turn(turn, p_now); end if;
  return jsonb_build_object('state', 'sent', 'reason', p_reason, 'instanceName', turn."instanceName");
end $$;
comment on function portal.settle_answer(bigint, uuid, timestamptz, text, text, text, jsonb) is
  'Settles an answer: checks it and queues it, or ends it with a reason. Returns {state, reason, instanceName}. silent: no answer is needed, and the lead stops waiting. machine: silent, and the agent pauses for this person. A sent answer with the reason person, handed-over or booked calls a broker, too. Null if another portal has the turn by now. Server only.';

create function portal.withdraw_overtaken(p_message_id bigint) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  turn portal.agent_turns;
  is_answered boolean;
begin
  select t.* into turn from portal.agent_turns t where t.message_id = p_message_id;
  if not found then return false; end if;
  is_answered := exists (
    select from public.whatsapp_messages m
    where m.contact_id = turn.contact_id and m.type = 'outgoing' and m.author = 'human' and m.id > turn.base_message);
  if not is_answered and portal.hidden_answer_at(turn.contact_id) is null then return false; end if;
  delete from public.whatsapp_messages m where m.id = p_message_id;
  update portal.agent_turns t set state = 'stale', reason = case when is_answered then 'human' else 'unclear' end where t.id = turn.id;
  -- The answer is planned again for a time when the gateway may know to whom the broker wrote.
  if not is_answered
    and not exists (select from portal.agent_turns t where t.contact_id = turn.contact_id and t.state = 'waiting')
    and not portal.plan_answer(turn.contact_id, now()) then
    perform portal.hand_over_turn(turn, now());
  end if;
  return true;
end $$;
comment on function portal.withdraw_overtaken(bigint) is
  'Withdraws an agent''s message from queue and conversation, if a person has written since the messages that its turn read, or may have under a hidden id. Returns whether it did. Server only.';

create function portal.wanted_day(p_args jsonb) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select (p_args ->> 'dia')::date::timestamp at time zone portal.time_zone()
$$;
comment on function portal.wanted_day(jsonb) is
  'The beginning of the day {dia} on which the lead wants a visit, as the model says. The server has validated it. Null without one. Server only.';

create function portal.wanted_slot(p_args jsonb) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select ((p_args ->> 'dia')::date + (p_args ->> 'hora')::time) at time zone portal.time_zone()
$$;
comment on function portal.wanted_slot(jsonb) is
  'The hour {dia, hora} at which the lead wants a visit, as the model says. The server has validated it. Null without both. Server only.';

create function portal.pay_seats(p_roleta integer, p_credits jsonb) returns void
language sql volatile security definer set search_path = '' as $$
  update public.roleta_corretores s set credit = paid.credit::integer
  from jsonb_each_text(coalesce(p_credits, '{}')) as paid ("instanceName", credit), public.roletas r
  where r.id = p_roleta and s."roletaName" = r.empreendimento and s."instanceName" = paid."instanceName"
    and s.credit <> paid.credit::integer
$$;
comment on function portal.pay_seats(integer, jsonb) is
  'Stores the credits after the rotation chose a broker for a visit, so that this broker''s turn is used up. Server only.';

create function portal.visit_choice(p_turn bigint, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  lead public.whatsapp_contacts;
  roleta integer;
begin
  perform portal.take_roleta_turn();
  select c.* into lead from public.whatsapp_contacts c
  where c.id = (select t.contact_id from portal.agent_turns t where t.id = p_turn);
  roleta := portal.roleta_for(lead.id, lead.empreendimento);
  return jsonb_build_object('keeper', portal.keeper_of(lead.id), 'roletaId', roleta, 'moment', portal.moment_of(p_now),
    'seats', coalesce(portal.roleta_seats(roleta, '{}', p_now), '[]'));
end $$;
comment on function portal.visit_choice(bigint, timestamptz) is
  'Locks the rotations and returns what choosing the broker of a visit needs: {keeper, roletaId, moment, seats}, as src/domain/rotation/rotation.ts takes them. Runs in the transaction of portal.turn_tool. Server only.';

create function portal.need_no_answer(p_contact_id bigint, p_operation_id uuid, p_now timestamptz) returns void
language sql volatile security definer set search_path = '' as $$
  insert into portal.actions (contact_id, kind, due_at, seen_at, operation_id, finished_at, outcome)
  select p_contact_id, 'none', p_now, p_now, p_operation_id, p_now, 'not_needed'
  where not exists (
    select from portal.actions a where a.contact_id = p_contact_id and a.operation_id = p_operation_id and a.kind = 'none')
$$;
comment on function portal.need_no_answer(bigint, uuid, timestamptz) is
  'Called when an agent finds that the lead''s last messages need no answer: the lead stops waiting. A retry of the operation changes nothing. Server only.';

create function portal.propose_material(p_turn portal.agent_turns, p_what text, p_now timestamptz) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  development text;
begin
  select d.name into development
  from public.whatsapp_contacts c
  join public.prompts_agents g on g.id = p_turn.agent_id
  join public.developments d on d.id = coalesce(portal.development_of(c.empreendimento), portal.development_of(g.empreendimento))
  where c.id = p_turn.contact_id and d.archived_at is null
    and (d.latitude is not null or exists (select from public.development_media m where m.development_id = d.id));
  if not found then return 'Não há material cadastrado: chame o corretor.'; end if;
  insert into portal.actions (contact_id, kind, due_at, note, seen_at)
  values (p_turn.contact_id, 'message', p_now,
    left('Mandar material: ' || development || coalesce(' (' || nullif(btrim(p_what), '') || ')', ''), 200), 'epoch');
  return 'O corretor vai mandar o material do ' || development || '. Diga isso ao lead, sem prometer hora.';
end $$;
comment on function portal.propose_material(portal.agent_turns, text, timestamptz) is
  'Sets a due action that proposes to the broker to send material of the lead''s development, else of the agent''s. Nothing is sent. Returns the text for the model. Server only.';

create function portal.turn_tool(p_turn bigint, p_claimer uuid, p_name text, p_args jsonb, p_now timestamptz) returns text
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
    when 'material' then
      answer := portal.propose_material(turn, p_args ->> 'o_que', p_now);
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
    when 'nada_a_dizer' then
      -- If the model has called a broker in this turn, it has to tell the lead.
      answer := case when exists (select from portal.agent_handovers h where h.turn_id = turn.id)
        then 'O corretor foi chamado: avise o lead.' else 'Nada será enviado.' end;
    when 'encerrar' then
      perform portal.need_no_answer(turn.contact_id, turn.operation_id, p_now);
      answer := 'Conversa encerrada. Despeça-se em uma frase.';
    when 'sair' then
      perform portal.opt_out(turn.contact_id, floor(extract(epoch from p_now))::bigint);
      answer := 'Não receberá mais mensagens.';
    else answer := 'Esta ferramenta não existe.';
  end case;
  update portal.agent_turns t
  set steps = t.steps || jsonb_strip_nulls(jsonb_build_object('name', p_name, 'args', p_args - 'choice', 'result', answer,
    'visitId', case when booked ->> 'code' = 'saved' then booked -> 'action_id' end)) where t.id = turn.id;
  return answer;
end $$;
comment on function portal.turn_tool(bigint, uuid, text, jsonb, timestamptz) is
  'Executes a tool for the model and returns the text for the model. Each tool runs once a turn; a repeat gets the same text. buscar_fatos and agendar_visita run again for other arguments, agendar_visita only until a visit is booked: buscar_fatos {tema}, anotar_interesse {texto}, lembrar {texto}, material {o_que}, chamar_corretor {quer, dito, falta}, agendar_visita {dia, hora, lugar, choice {broker, roletaId, credits} of the rotation}, encerrar {}, nada_a_dizer {reason}. sair {} comes from the portal''s own detector. Null if another portal has the turn by now. Server only.';


-- What persons see of turns: the administrator in a conversation, and the broker who takes it over.

create function portal.agent_turns_of(p_agent_id integer, p_contact_id bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'kind', t.kind, 'state', t.state, 'reason', t.reason,
      'beganAt', t.began_at, 'dueAt', t.due_at, 'endedAt', t.ended_at, 'bubbles', t.bubbles, 'body', t.body,
      'sources', t.sources, 'steps', t.steps, 'model', t.model, 'costMicros', t.cost_micros, 'isUnpriced', t.is_unpriced, 'isEstimated', t.is_estimated, 'missing', t.missing,
      'inputTokens', t.input_tokens, 'outputTokens', t.output_tokens, 'version', (
        select count(*) from public.prompt_versions v where v.agent_id = p_agent_id and v.id <= t.prompt_version),
      'messageId', t.message_id, 'number', t.number) order by t.id desc), '[]')
    from (
      select l.*, row_number() over (order by l.id) as number from portal.agent_turns l where l.agent_id = p_agent_id and l.contact_id = p_contact_id
      order by l.id desc limit 50
    ) t);
end $$;
comment on function portal.agent_turns_of(integer, bigint) is
  'The last fifty turns of an agent in a conversation, newest first, each with its number, the version of the texts that it read (as in public.get_agent_info) and the message it sent. Administrators, through the server only.';

create function portal.handover_of(p_contact_id bigint) returns jsonb
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
      where m.contact_id = lead and m.id <= greatest(t.base_message, t.message_id) and m.type <> 'note' and m.deleted_at is null
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
  'The card of a conversation that an agent handed over: {at, wants, said, missing, lines (number of messages since a broker or a campaign last wrote, up to the agent''s last one), firstId, lastId (of these)}. Null once a person has written, or the broker gave it back. 401, 404 and 409 as portal.lead_to_write. Through the server only.';

create function portal.possible_agent(p_contact_id bigint, p_now timestamptz) returns integer
language sql stable security definer set search_path = '' as $$
  select a.id
  from public.whatsapp_contacts c cross join public.prompts_agents a
  join portal.agent_settings s on s.agent_id = a.id
  where c.id = p_contact_id and portal.has_agent_model() and s.mode in ('after_hours', 'new_people', 'answer') and a.paused_at is null
    and (s.mode <> 'new_people' or portal.is_new_person(a.id, c.id))
    and portal.answers_here(a.id, c)
    and coalesce(portal.month_spent(a.id, p_now) < s.month_limit_micros, true)
  order by a.id limit 1
$$;
comment on function portal.possible_agent(bigint, timestamptz) is
  'The agent that would answer a lead at some hour if no person had written and no broker were called. Null without one. Server only.';

create function portal.baton_of(p_contact_id bigint, p_agent_id integer) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when exists (select from portal.people p where p.id = c.person_id and p.opted_out_at is not null) then 'stopped'
    when exists (
      select from portal.agent_pauses p
      where p.agent_id = p_agent_id and p.person_id = c.person_id and (p.paused_until is null or p.paused_until > now())
        -- An administrator set the pause, or another broker's message to the same person caused it. This broker may not
        -- end it.
        and (p.reason = 'person' or p.reason <> 'automatic' and not exists (
          select from public.whatsapp_messages m
          where m.contact_id = c.id and m.type = 'outgoing' and m.author = 'human'
            and m."timestamp" = extract(epoch from p.paused_at)::bigint))) then 'stopped'
    when portal.is_broker_called(c.id) or portal.pause_of(p_agent_id, c.person_id) is not null then 'broker'
    else 'assistant' end
  from public.whatsapp_contacts c
  where c.id = p_contact_id and p_agent_id is not null
$$;
comment on function portal.baton_of(bigint, integer) is
  'Who has a conversation that an agent answers at some hour. assistant: the agent answers. broker: the broker wrote in it, was called, or has to look at possible automatic replies, and may give it back. stopped: the person opted out, or somebody else paused the agent. Null without an agent. Server only.';

create function portal.passing_of(p_contact_id bigint, p_now timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  lead bigint := portal.lead_to_write(null, p_contact_id, null);
begin
  return jsonb_build_object('handover', portal.handover_of(lead), 'baton', portal.baton_of(lead, portal.possible_agent(lead, p_now)));
end $$;
comment on function portal.passing_of(bigint, timestamptz) is
  'Who has a conversation, assistant or broker: {handover (portal.handover_of), baton (portal.baton_of)}. 401, 404 and 409 as portal.lead_to_write. Through the server only.';

create function portal.return_to_agent(p_contact_id bigint, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  lead public.whatsapp_contacts;
  agent integer;
  baton text;
begin
  -- Locks the lead first, as every writer does.
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
    perform portal.publish('{"kind": "agents"}');
    -- The agent then answers the lead's last message, if it answers at this hour.
    if lead.last_message_type = 'incoming' then perform portal.plan_answer(lead.id, p_now); end if;
  end if;
  return jsonb_build_object('isAnsweredNow', portal.answering_agent(lead.id, p_now) is not null);
end $$;
comment on function portal.return_to_agent(bigint, timestamptz) is
  'The calling broker gives one of its conversations back to its agent; audited; a repeat changes nothing. Returns {isAnsweredNow (false: only outside working hours)}. 409 assistant.elsewhere if no agent answers there, assistant.stopped if somebody else paused it or the person opted out. 401, 404 and other 409 as portal.lead_to_write. Through the server only.';

-- Settings of an agent, for its administrator.

create function portal.agent_setup(p_agent_id integer, p_now timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  if not exists (select from public.prompts_agents a where a.id = p_agent_id) then
    raise exception 'Agente não encontrado.' using errcode = 'PT404', hint = 'agent.unknown';
  end if;
  return (
    select jsonb_build_object('mode', s.mode, 'monthLimitMicros', s.month_limit_micros,
      'mostInTenMinutes', s.most_in_ten_minutes, 'mostADay', s.most_a_day, 'followsUp', s.follows_up,
      'spentMicros', portal.month_spent(p_agent_id, p_now),
      'conversations', (
        select count(distinct t.contact_id) from portal.agent_turns t
        where t.agent_id = p_agent_id
          and t.began_at >= date_trunc('month', p_now at time zone portal.time_zone()) at time zone portal.time_zone()),
      'isUnpriced', exists (
        select from portal.agent_turns t
        where t.agent_id = p_agent_id and t.is_unpriced
          and t.began_at >= date_trunc('month', p_now at time zone portal.time_zone()) at time zone portal.time_zone()),
      'prices', (
        select coalesce(jsonb_agg(jsonb_build_object('model', p.model, 'inputMicros', p.input_micros,
          'outputMicros', p.output_micros, 'minuteMicros', p.minute_micros) order by p.model), '[]') from portal.model_prices p),
      'facts', (
        select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'label', f.label, 'value', f.value, 'isPrice', f.is_price,
          'validUntil', f.valid_until,
          'isExpired', coalesce(f.valid_until < (p_now at time zone portal.time_zone())::date, false)) order by f.label), '[]')
        from portal.agent_facts f where f.agent_id = p_agent_id),
      'recordId', portal.development_of((select a.empreendimento from public.prompts_agents a where a.id = p_agent_id)),
      'recordFacts', portal.record_facts(
        portal.development_of((select a.empreendimento from public.prompts_agents a where a.id = p_agent_id)), p_now))
    from portal.agent_settings s where s.agent_id = p_agent_id);
end $$;
comment on function portal.agent_setup(integer, timestamptz) is
  'Settings of an agent: {mode, monthLimitMicros, mostInTenMinutes, mostADay, followsUp, spentMicros, conversations (of this month), isUnpriced (part of this month has no price), prices, facts, recordId and recordFacts (of its development, see portal.record_facts)}. Administrators, through the server only; 404 for an unknown agent.';

create function portal.bench_cases_of(p_agent_id integer) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'title', c.title, 'lines', c.lines, 'handsOver', c.hands_over) order by c.id), '[]')
  from portal.bench_cases c where c.agent_id = p_agent_id
$$;
comment on function portal.bench_cases_of(integer) is
  'The tests that administrators made for an agent, [{id, title, lines, handsOver}], oldest first. Server only.';

create function portal.case_material(p_agent_id integer, p_turn bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  perform portal.require_admin();
  select jsonb_build_object('contactId', c.id, 'name', c.name, 'lines', portal.turn_messages(c.id, t.base_message)) into answer
  from portal.agent_turns t join public.whatsapp_contacts c on c.id = t.contact_id
  where t.id = p_turn and t.agent_id = p_agent_id;
  if answer is null then
    raise exception 'Este turno não existe mais.' using errcode = 'PT404', hint = 'turn.unknown';
  elsif answer -> 'lines' = '[]' then
    raise exception 'O agente ainda não leu esta conversa.' using errcode = 'PT409', hint = 'turn.unread';
  end if;
  return answer;
end $$;
comment on function portal.case_material(integer, bigint) is
  'What a test is made of: {contactId, name (of the lead, to be removed), lines (what the turn read)}. 404 for an unknown turn, 409 for one that read nothing. Administrators, through the server only.';

create function portal.add_bench_case(p_agent_id integer, p_case jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  made bigint;
begin
  perform portal.require_admin();
  perform from portal.agent_settings s where s.agent_id = p_agent_id for update;
  if not found then
    raise exception 'Agente não encontrado.' using errcode = 'PT404', hint = 'agent.unknown';
  end if;
  select c.id into made from portal.bench_cases c where c.operation_id = (p_case ->> 'operationId')::uuid;
  if made is null then
    if (select count(*) from portal.bench_cases c where c.agent_id = p_agent_id) >= 30 then
      raise exception 'Este agente já tem 30 testes seus. Exclua um antes.' using errcode = 'PT409', hint = 'case.too-many';
    end if;
    insert into portal.bench_cases (agent_id, contact_id, operation_id, title, lines, hands_over)
    values (p_agent_id, (p_case ->> 'contactId')::bigint, (p_case ->> 'operationId')::uuid, p_case ->> 'title',
      p_case -> 'lines', (p_case ->> 'handsOver')::boolean)
    returning id into made;
    perform portal.audit('agent.cases', (select a.nome_agente from public.prompts_agents a where a.id = p_agent_id));
    perform portal.publish('{"kind": "agents"}');
  end if;
  return jsonb_build_object('id', made);
end $$;
comment on function portal.add_bench_case(integer, jsonb) is
  'Stores a conversation as a test, {operationId, contactId, title, lines, handsOver}, audited; returns {id}, the same for a retry. 404 for an unknown agent, 409 for more than 30. Administrators, through the server only.';

create function portal.remove_bench_case(p_agent_id integer, p_case bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  delete from portal.bench_cases c where c.id = p_case and c.agent_id = p_agent_id;
  if found then
    perform portal.audit('agent.cases', (select a.nome_agente from public.prompts_agents a where a.id = p_agent_id));
    perform portal.publish('{"kind": "agents"}');
  end if;
end $$;
comment on function portal.remove_bench_case(integer, bigint) is
  'Deletes a test of an agent; a repeat changes nothing. Administrators, through the server only.';

create function portal.begin_bench(p_agent_id integer, p_model text, p_cases integer, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  drafted text[] := portal.agent_texts(p_agent_id, true);
  published text[] := portal.agent_texts(p_agent_id, false);
  own jsonb := portal.bench_cases_of(p_agent_id);
  all_cases integer := p_cases + jsonb_array_length(own);
  runs jsonb;
begin
  perform portal.require_admin();
  perform from portal.agent_settings s where s.agent_id = p_agent_id for update;
  if not found then
    raise exception 'Agente não encontrado.' using errcode = 'PT404', hint = 'agent.unknown';
  elsif exists (
    select from portal.agent_bench_runs r
    where r.agent_id = p_agent_id and r.ended_at is null and r.began_at > p_now - interval '15 minutes') then
    raise exception 'Os testes já estão rodando.' using errcode = 'PT409', hint = 'bench.running';
  end if;
  with tried (texts) as (
    -- The published texts are tested beside a draft, unless this model has run through the same number of tests with
    -- them before.
    select published where drafted <> published and not exists (
      select from portal.agent_bench_runs r
      where r.agent_id = p_agent_id and r.ended_at is not null and r.model = p_model and r.cases = all_cases
        and r.texts_mark = portal.texts_mark(published))
    union all
    select drafted
  ), begun as (
    insert into portal.agent_bench_runs (agent_id, model, texts_mark, cases, began_at)
    select p_agent_id, p_model, portal.texts_mark(t.texts), all_cases, p_now from tried t
    returning id, texts_mark
  )
  select jsonb_agg(jsonb_build_object('runId', b.id, 'texts', t.texts) order by b.id) into runs
  from begun b join tried t on portal.texts_mark(t.texts) = b.texts_mark;
  return (
    select jsonb_build_object('name', a.nome_agente, 'development', a.empreendimento, 'runs', runs, 'own', own,
      'facts', portal.valid_facts(p_agent_id, p_now))
    from public.prompts_agents a where a.id = p_agent_id);
end $$;
comment on function portal.begin_bench(integer, text, integer, timestamptz) is
  'Begins a test run over an agent''s texts as they would be published. If a draft differs from the published texts and those are untested with this model, begins a run over them, too. Returns {name, development, runs [{runId, texts}], own (portal.bench_cases_of), facts (that it may state now)}. p_cases: the number of shipped tests. 404 for an unknown agent, 409 while a run is going. Administrators, through the server only.';

create function portal.note_bench(p_run bigint, p_result jsonb, p_input bigint, p_output bigint, p_now timestamptz) returns void
language sql volatile security definer set search_path = '' as $$
  update portal.agent_bench_runs r
  set results = r.results || p_result, cost_micros = r.cost_micros + portal.cost_of(r.model, p_input, p_output),
    ended_at = case when jsonb_array_length(r.results) + 1 >= r.cases then p_now end
  where r.id = p_run and r.ended_at is null
$$;
comment on function portal.note_bench(bigint, jsonb, bigint, bigint, timestamptz) is
  'Records the result {id, fault, body} and cost of one test of a run; the last one ends the run. Server only.';

create function portal.bench_of(p_agent_id integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  drafted text := portal.texts_mark(portal.agent_texts(p_agent_id, true));
  published text := portal.texts_mark(portal.agent_texts(p_agent_id, false));
  run portal.agent_bench_runs;
  compared portal.agent_bench_runs;
begin
  perform portal.require_admin();
  select * into run from portal.agent_bench_runs r
  where r.agent_id = p_agent_id and (drafted = published or r.texts_mark = drafted) order by r.id desc limit 1;
  select * into compared from portal.agent_bench_runs r
  where r.agent_id = p_agent_id and r.id is distinct from run.id
    and case when drafted = published then r.id < run.id else r.texts_mark = published end
  order by r.id desc limit 1;
  return jsonb_build_object('isCurrent', coalesce(run.texts_mark = drafted, false), 'mark', drafted,
    'version', (select count(*) from public.prompt_versions v where v.agent_id = p_agent_id),
    'draft', (
      select jsonb_build_object('by', (array_agg(d.saved_by order by d.id desc))[1], 'at', max(d.saved_at),
        'fields', jsonb_agg(d.field order by d.field))
      from portal.prompt_drafts d where d.agent_id = p_agent_id having count(*) > 0),
    'run', portal.bench_run_view(run), 'before', portal.bench_run_view(compared), 'own', portal.bench_cases_of(p_agent_id));
end $$;
comment on function portal.bench_of(integer) is
  'Test results of an agent: {isCurrent (run tested the texts as they would be published), mark (of these texts), version (published, as in public.get_agent_info), draft {by, at, fields} or null, run, before, own (portal.bench_cases_of)}. With a draft, run is its last run and before the last run of the published texts. Without one they are the last two runs. Administrators, through the server only.';

create function portal.bench_run_view(p_run portal.agent_bench_runs) returns jsonb
language sql immutable set search_path = '' as $$
  select case when p_run.id is not null then
    jsonb_build_object('id', p_run.id, 'by', p_run.started_by, 'model', p_run.model, 'beganAt', p_run.began_at,
      'endedAt', p_run.ended_at, 'cases', p_run.cases, 'results', p_run.results) end
$$;
comment on function portal.bench_run_view(portal.agent_bench_runs) is
  'A run as the screen shows it, {id, by, model, beganAt, endedAt, cases, results}. Null without one. Server only.';

create function portal.require_bench(p_agent_id integer, p_is_asked_twice boolean) returns integer
language plpgsql stable security definer set search_path = '' as $$
declare
  failed integer := portal.failed_cases(p_agent_id, portal.agent_texts(p_agent_id, false));
begin
  if failed is null then
    raise exception 'Antes, rode os testes.' using errcode = 'PT409', hint = 'agent.untested';
  elsif failed > 0 and not p_is_asked_twice then
    raise exception '%', portal.cases_failed(failed) using errcode = 'PT409', hint = 'agent.failing';
  end if;
  return failed;
end $$;
comment on function portal.require_bench(integer, boolean) is
  'Number of failed tests of the last finished run over the published texts; 409 agent.untested without such a run, agent.failing if some failed and the administrator has not confirmed. Server only.';

create function portal.require_model() returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  writer text := (select s.value #>> '{}' from portal.settings s where s.key = 'agent_model');
begin
  if exists (select from portal.model_endpoints e where e.model = writer and e.learnt ? 'hasNoTools') then
    raise exception 'Este modelo não usa ferramentas: com ele o agente só sugere.' using errcode = 'PT409', hint = 'agent.no-tools';
  elsif writer is not null and not portal.has_price(writer) then
    raise exception 'Antes, informe o preço do modelo: sem ele o limite do mês não para o agente.'
      using errcode = 'PT409', hint = 'agent.no-price';
  end if;
end $$;
comment on function portal.require_model() is
  'Refuses a text model that may not answer by itself: 409 agent.no-tools if it has no tools, agent.no-price until an administrator has set its price. Server only.';

create function portal.save_agent_setup(p_agent_id integer, p_wanted jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  before portal.agent_settings;
  after portal.agent_settings;
  named text := (select a.nome_agente from public.prompts_agents a where a.id = p_agent_id);
  failed integer;
begin
  perform portal.require_admin();
  select * into before from portal.agent_settings s where s.agent_id = p_agent_id for update;
  if not found then
    raise exception 'Agente não encontrado.' using errcode = 'PT404', hint = 'agent.unknown';
  end if;
  if p_wanted ->> 'mode' in ('after_hours', 'new_people', 'answer')
    and before.mode not in ('after_hours', 'new_people', 'answer') then
    perform portal.require_model();
    failed := portal.require_bench(p_agent_id, coalesce((p_wanted ->> 'isAskedTwice')::boolean, false));
  end if;
  update portal.agent_settings s
  set mode = coalesce(p_wanted ->> 'mode', s.mode),
    month_limit_micros = case when p_wanted ? 'monthLimitMicros' then (p_wanted ->> 'monthLimitMicros')::bigint
      else s.month_limit_micros end,
    most_in_ten_minutes = coalesce((p_wanted ->> 'mostInTenMinutes')::integer, s.most_in_ten_minutes),
    most_a_day = coalesce((p_wanted ->> 'mostADay')::integer, s.most_a_day),
    follows_up = coalesce((p_wanted ->> 'followsUp')::boolean, s.follows_up),
    new_people_since = case when p_wanted ->> 'mode' <> 'new_people' then null
      when p_wanted ->> 'mode' = 'new_people' and s.mode <> 'new_people' then now() else s.new_people_since end
  where s.agent_id = p_agent_id returning * into after;
  -- An agent that already answered without a limit may go on.
  if after.mode in ('new_people', 'answer') and after.month_limit_micros is null
    and (before.mode not in ('new_people', 'answer') or before.month_limit_micros is not null) then
    raise exception 'Para responder sozinho a qualquer hora, o agente precisa de um limite por mês.' using errcode = 'PT409', hint = 'agent.no-limit';
  end if;
  if after.mode <> before.mode then
    perform portal.audit('agent.mode', named, jsonb_build_object('from', before.mode, 'to', after.mode, 'failed', failed));
  end if;
  if after.month_limit_micros is distinct from before.month_limit_micros then
    perform portal.audit('agent.limit', named);
  end if;
  if (after.most_in_ten_minutes, after.most_a_day) <> (before.most_in_ten_minutes, before.most_a_day) then
    perform portal.audit('agent.brake', named, jsonb_build_object('inTenMinutes', after.most_in_ten_minutes, 'aDay', after.most_a_day));
  end if;
  if after.follows_up <> before.follows_up then
    perform portal.audit('agent.follows-up', named, jsonb_build_object('isOn', after.follows_up));
  end if;
  perform portal.publish('{"kind": "agents"}');
end $$;
comment on function portal.save_agent_setup(integer, jsonb) is
  'Sets {mode, monthLimitMicros, mostInTenMinutes, mostADay, followsUp} of an agent, any subset, audited. A change from off or suggest to another mode requires a suitable model (portal.require_model) and passed tests (portal.require_bench; isAskedTwice: despite failures). 409 agent.no-limit for answering at any hour without a monthly limit, and for removing the limit. Administrators, through the server only; 404 for an unknown agent.';

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
  perform portal.publish('{"kind": "agents"}');
  return jsonb_build_object('id', saved);
end $$;
comment on function portal.save_agent_fact(integer, jsonb) is
  'Adds or (with its id) changes a fact {id, label, value, isPrice, validUntil}, audited; returns {id}. 404 for an unknown agent or fact, 409 for a label already in use, 422 for a price without its last day. Administrators, through the server only.';

create function portal.remove_agent_fact(p_agent_id integer, p_fact bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  delete from portal.agent_facts f where f.id = p_fact and f.agent_id = p_agent_id;
  if found then
    perform portal.audit('agent.facts', (select a.nome_agente from public.prompts_agents a where a.id = p_agent_id));
    perform portal.publish('{"kind": "agents"}');
  end if;
end $$;
comment on function portal.remove_agent_fact(integer, bigint) is
  'Deletes a fact of an agent; a repeat changes nothing. Administrators, through the server only.';

create function portal.save_model_price(p_model text, p_input bigint, p_output bigint, p_minute bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  insert into portal.model_prices (model, input_micros, output_micros, minute_micros)
  values (p_model, p_input, p_output, p_minute)
  on conflict (model) do update
  set input_micros = excluded.input_micros, output_micros = excluded.output_micros, minute_micros = excluded.minute_micros;
  perform portal.audit('agent.price', p_model);
end $$;
comment on function portal.save_model_price(text, bigint, bigint, bigint) is
  'Sets the price of a model from now on, in millionths of a real for a million tokens read and written and a minute transcribed; past costs stay. Administrators, through the server only.';

create function public.get_agent_costs(
  p_empreendimentos text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null
) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
begin
  perform portal.require_admin();
  perform portal.require_few(p_empreendimentos);
  return json_build_object(
    'agents', (
      select coalesce(json_agg(json_build_object('id', a.agent_id, 'name', a.name, 'isRemoved', a.removed_at is not null,
        'micros', said.micros + tried.micros, 'benchMicros', tried.micros, 'conversations', said.conversations,
        'answers', said.answers, 'isUnpriced', said.is_unpriced or tried.is_unpriced) order by said.micros + tried.micros desc, a.name, a.agent_id), '[]')
      from portal.agent_names a
      cross join lateral (
        select coalesce(sum(t.cost_micros), 0)::bigint as micros, count(distinct t.contact_id) as conversations,
          count(*) filter (where t.state = 'sent') as answers, coalesce(bool_or(t.is_unpriced), false) as is_unpriced
        from portal.agent_turns t
        where t.agent_id = a.agent_id and t.began_at >= span.starts_at and t.began_at < span.ends_at
      ) said
      cross join lateral (
        select coalesce(sum(r.cost_micros), 0)::bigint as micros,
          coalesce(bool_or(r.cost_micros = 0 and r.results <> '[]' and not portal.has_price(r.model)), false) as is_unpriced
        from portal.agent_bench_runs r
        where r.agent_id = a.agent_id and r.began_at >= span.starts_at and r.began_at < span.ends_at
      ) tried
      where (coalesce(cardinality(p_empreendimentos), 0) = 0 or a.development = any (p_empreendimentos))
        -- Leaves out agents that were removed before the period.
        and (a.removed_at is null or a.removed_at >= span.starts_at)
        and (said.conversations > 0 or tried.micros > 0 or tried.is_unpriced)),
    'voices', (
      select json_build_object('count', count(*), 'micros', coalesce(sum(v.cost_micros), 0)::bigint,
        'isUnpriced', coalesce(bool_or(v.cost_micros = 0 and not portal.has_price(v.model)), false))
      from portal.transcripts v
      join public.whatsapp_messages m on m.id = v.message_id
      join public.whatsapp_contacts c on c.id = m.contact_id
      where v.at >= span.starts_at and v.at < span.ends_at
        and (coalesce(cardinality(p_empreendimentos), 0) = 0 or c.empreendimento = any (p_empreendimentos))),
    'summaries', case when coalesce(cardinality(p_empreendimentos), 0) = 0 then (
      select json_build_object('count', coalesce(sum(s.count), 0)::bigint, 'inputTokens', coalesce(sum(s.input_tokens), 0)::bigint,
        'outputTokens', coalesce(sum(s.output_tokens), 0)::bigint, 'micros', coalesce(sum(s.cost_micros), 0)::bigint,
        'isUnpriced', coalesce(bool_or(s.is_unpriced), false))
      from portal.summary_costs s
      where s.month + (s.day - 1) between coalesce(p_data_inicio::date, '-infinity') and coalesce(p_data_fim::date, 'infinity')) end);
end $$;
comment on function public.get_agent_costs(text[], timestamp, timestamp) is
  'Costs of agents in a period (as of get_kpi_metrics), of the named developments or of all, in millionths of a real: {agents: [{id, name, isRemoved, micros (total), benchMicros (part for tests), conversations, answers (sent), isUnpriced (some use without a price)}], the most expensive first and only those with any use; voices: {count (transcribed voice messages), micros, isUnpriced}; summaries: {count (calls of the model for summaries of conversations), inputTokens, outputTokens, micros, isUnpriced}, null for named developments, because no summary belongs to one}. Erased persons are not included. Administrators only.';
grant execute on function public.get_agent_costs(text[], timestamp, timestamp) to authenticated, service_role;
