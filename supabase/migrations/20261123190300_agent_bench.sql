-- Agents are tried with shipped conversations before they answer by themselves.

create table portal.agent_bench_runs (
  id bigint generated always as identity primary key,
  agent_id integer not null references public.prompts_agents on delete cascade,
  started_by text not null default portal.actor(),
  model text not null,
  prompt_version bigint,
  cases integer not null check (cases > 0),
  results jsonb not null default '[]',
  cost_micros bigint not null default 0,
  began_at timestamptz not null,
  ended_at timestamptz
);
comment on table portal.agent_bench_runs is
  'Each time an agent was tried with the shipped conversations, which are made up: nothing of a lead. Administrators, by functions.';
comment on column portal.agent_bench_runs.prompt_version is 'The newest text of the agent as the run began.';
comment on column portal.agent_bench_runs.results is '[{id, fault, body}] as cases end; fault null where the case passed.';
comment on column portal.agent_bench_runs.ended_at is 'Null while it runs, and for ever where its portal ended.';
create index agent_bench_runs_agent on portal.agent_bench_runs (agent_id, id desc);
comment on index portal.agent_bench_runs_agent is 'Serves the last runs of an agent, what they cost, and their removal.';
alter table portal.agent_bench_runs enable row level security;

create or replace function portal.month_spent(p_agent_id integer, p_now timestamptz) returns bigint
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
  'Millionths of a real that an agent spent since its month began. Server only.';

create function portal.newest_text(p_agent_id integer) returns bigint
language sql stable security definer set search_path = '' as $$
  select max(v.id) from public.prompt_versions v where v.agent_id = p_agent_id
$$;
comment on function portal.newest_text(integer) is 'The version that an agent''s texts have by now; null before the first. Server only.';

create function portal.begin_bench(p_agent_id integer, p_model text, p_cases integer, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  run bigint;
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
  insert into portal.agent_bench_runs (agent_id, model, prompt_version, cases, began_at)
  values (p_agent_id, p_model, portal.newest_text(p_agent_id), p_cases, p_now) returning id into run;
  return (
    select jsonb_build_object('runId', run, 'name', a.nome_agente, 'development', a.empreendimento,
      'texts', jsonb_build_array(a.introducao_atendimento, a.regras_atendimento, a.atendimento_atendimento,
        a.introducao_agendamento, a.regras_agendamento, a.atendimento_agendamento))
    from public.prompts_agents a where a.id = p_agent_id);
end $$;
comment on function portal.begin_bench(integer, text, integer, timestamptz) is
  'Begins a run of the shipped conversations over an agent''s present texts, {runId, name, development, texts}. 404 for an unknown agent, 409 while one runs. Administrators, by the server only.';

create function portal.note_bench(p_run bigint, p_result jsonb, p_input bigint, p_output bigint, p_now timestamptz) returns void
language sql volatile security definer set search_path = '' as $$
  update portal.agent_bench_runs r
  set results = r.results || p_result, cost_micros = r.cost_micros + portal.cost_of(r.model, p_input, p_output),
    ended_at = case when jsonb_array_length(r.results) + 1 >= r.cases then p_now end
  where r.id = p_run and r.ended_at is null
$$;
comment on function portal.note_bench(bigint, jsonb, bigint, bigint, timestamptz) is
  'One conversation of a run ended, {id, fault, body}, and what it cost; the last one ends the run. Server only.';

create function portal.bench_of(p_agent_id integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select jsonb_build_object('isCurrent', coalesce(max(last.prompt_version) filter (where last.place = 1), 0)
        = coalesce(portal.newest_text(p_agent_id), 0),
      'runs', coalesce(jsonb_agg(jsonb_build_object('id', last.id, 'by', last.started_by, 'model', last.model,
        'beganAt', last.began_at, 'endedAt', last.ended_at, 'cases', last.cases, 'results', last.results)
        order by last.place), '[]'))
    from (
      select r.*, row_number() over (order by r.id desc) as place
      from portal.agent_bench_runs r where r.agent_id = p_agent_id order by r.id desc limit 2
    ) last);
end $$;
comment on function portal.bench_of(integer) is
  'The last two runs of an agent, the newest first, and whether the newest is of its present texts: {isCurrent, runs}. Administrators, by the server only.';

create function portal.require_bench(p_agent_id integer, p_is_asked_twice boolean) returns integer
language plpgsql stable security definer set search_path = '' as $$
declare
  run portal.agent_bench_runs;
  failed integer;
begin
  select * into run from portal.agent_bench_runs r where r.agent_id = p_agent_id and r.ended_at is not null
  order by r.id desc limit 1;
  if run.id is null or coalesce(run.prompt_version, 0) <> coalesce(portal.newest_text(p_agent_id), 0) then
    raise exception 'Antes, rode os testes.' using errcode = 'PT409', hint = 'agent.untested';
  end if;
  select count(*) into failed from jsonb_array_elements(run.results) as result where result ->> 'fault' is not null;
  if failed > 0 and not p_is_asked_twice then
    raise exception '%', case failed when 1 then '1 conversa de teste falhou.' else failed || ' conversas de teste falharam.' end
      using errcode = 'PT409', hint = 'agent.failing';
  end if;
  return failed;
end $$;
comment on function portal.require_bench(integer, boolean) is
  'How many conversations of the last run failed; 409 agent.untested without a finished run of the present texts, agent.failing where some failed and nobody was asked twice. Server only.';

create or replace function portal.save_agent_setup(p_agent_id integer, p_wanted jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  before portal.agent_settings;
  named text := (select a.nome_agente from public.prompts_agents a where a.id = p_agent_id);
  failed integer;
begin
  perform portal.require_admin();
  select * into before from portal.agent_settings s where s.agent_id = p_agent_id for update;
  if not found then
    raise exception 'Agente não encontrado.' using errcode = 'PT404', hint = 'agent.unknown';
  end if;
  if p_wanted ->> 'mode' in ('after_hours', 'answer') and before.mode not in ('after_hours', 'answer') then
    failed := portal.require_bench(p_agent_id, coalesce((p_wanted ->> 'isAskedTwice')::boolean, false));
  end if;
  update portal.agent_settings s
  set mode = coalesce(p_wanted ->> 'mode', s.mode),
    month_limit_micros = case when p_wanted ? 'monthLimitMicros' then (p_wanted ->> 'monthLimitMicros')::bigint
      else s.month_limit_micros end
  where s.agent_id = p_agent_id;
  if p_wanted ->> 'mode' <> before.mode then
    perform portal.audit('agent.mode', named, jsonb_build_object('from', before.mode, 'to', p_wanted ->> 'mode', 'failed', failed));
  end if;
  if p_wanted ? 'monthLimitMicros' and (p_wanted ->> 'monthLimitMicros')::bigint is distinct from before.month_limit_micros then
    perform portal.audit('agent.limit', named);
  end if;
  perform portal.tell('{"kind": "agents"}');
end $$;
comment on function portal.save_agent_setup(integer, jsonb) is
  'Sets {mode, monthLimitMicros} of an agent, either alone, audited. A mode that answers by itself asks for the bench first, as portal.require_bench; isAskedTwice: in spite of failures. Administrators, by the server only; 404 for an unknown agent.';
