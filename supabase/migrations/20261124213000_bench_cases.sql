-- A conversation of an agent becomes a test of it, without what tells who the person is.

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
  'Conversations of an agent that administrators made into tests, without the person''s name, numbers and addresses; they go with the lead all the same. Administrators, by functions.';
comment on column portal.bench_cases.lines is '[{by (lead, agent, human, campaign), kind, text}], the oldest first.';
comment on column portal.bench_cases.hands_over is 'Whether a broker is to be called; else the agent is to answer by itself.';
create index bench_cases_agent on portal.bench_cases (agent_id, id);
comment on index portal.bench_cases_agent is 'Serves an agent''s runs and their removal.';
create index bench_cases_contact on portal.bench_cases (contact_id);
comment on index portal.bench_cases_contact is 'Serves what is held of a person, a merge and a removed lead.';
alter table portal.bench_cases enable row level security;

create function portal.bench_cases_of(p_agent_id integer) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'title', c.title, 'lines', c.lines, 'handsOver', c.hands_over) order by c.id), '[]')
  from portal.bench_cases c where c.agent_id = p_agent_id
$$;
comment on function portal.bench_cases_of(integer) is
  'The tests that administrators made for an agent, [{id, title, lines, handsOver}], the oldest first. Server only.';

create function portal.case_material(p_agent_id integer, p_turn bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  perform portal.require_admin();
  select jsonb_build_object('contactId', c.id, 'name', c.name, 'lines', portal.turn_lines(c.id, t.base_message)) into answer
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
  'What a test is made of: {contactId, name (the lead''s, to be taken out), lines (what the turn read)}. 404 for an unknown turn, 409 for one that read nothing. Administrators, by the server only.';

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
    perform portal.tell('{"kind": "agents"}');
  end if;
  return jsonb_build_object('id', made);
end $$;
comment on function portal.add_bench_case(integer, jsonb) is
  'Keeps a conversation as a test, {operationId, contactId, title, lines, handsOver}, audited; answers {id}, of a repeat the same. 404 for an unknown agent, 409 for more than 30. Administrators, by the server only.';

create function portal.remove_bench_case(p_agent_id integer, p_case bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  delete from portal.bench_cases c where c.id = p_case and c.agent_id = p_agent_id;
  if found then
    perform portal.audit('agent.cases', (select a.nome_agente from public.prompts_agents a where a.id = p_agent_id));
    perform portal.tell('{"kind": "agents"}');
  end if;
end $$;
comment on function portal.remove_bench_case(integer, bigint) is
  'The agent is not tried with this any more; again changes nothing. Administrators, by the server only.';

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
  update portal.bench_cases b set contact_id = new.kept_contact_id where b.contact_id = new.gone_contact_id;
  return null;
end $$;
comment on function portal.move_turns() is 'Trigger: a lead that becomes one with another takes its turns, and the tests made of them, along.';

create or replace function portal.begin_bench(p_agent_id integer, p_model text, p_cases integer, p_now timestamptz) returns jsonb
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
    -- What is published is tried beside a draft, unless this model was tried with it before.
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
  'Begins a run of the conversations over an agent''s texts as they would be published, and one over the published ones where a draft differs from them and they were not tried yet: {name, development, runs [{runId, texts}], own (its administrators'' cases, as portal.bench_cases_of), facts (what it may say now)}; p_cases: how many are shipped. 404 for an unknown agent, 409 while one runs. Administrators, by the server only.';

create or replace function portal.bench_of(p_agent_id integer) returns jsonb
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
    'draft', (
      select jsonb_build_object('by', (array_agg(d.saved_by order by d.id desc))[1], 'at', max(d.saved_at),
        'fields', jsonb_agg(d.field order by d.field))
      from portal.prompt_drafts d where d.agent_id = p_agent_id having count(*) > 0),
    'run', portal.bench_run_view(run), 'before', portal.bench_run_view(compared), 'own', portal.bench_cases_of(p_agent_id));
end $$;
comment on function portal.bench_of(integer) is
  'How an agent was tried: {isCurrent (run is of the texts as they would be published), mark (of these texts), draft {by, at, fields} or null, run, before, own (portal.bench_cases_of)}. With a draft run is the last of it and before the last of the published texts; without one the last two. Administrators, by the server only.';

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
    select a.id, a.created_at, to_jsonb(a) - 'account_id' || coalesce((
      select jsonb_build_object('visit', to_jsonb(v)) from portal.visits v where v.action_id = a.id), '{}')
    from portal.actions a where p_place = 'actions' and a.contact_id = any ((s).contacts)
    union all
    select t.id, t.created_at, to_jsonb(t) - 'account_id'
    from portal.scheduled_messages t where p_place = 'scheduled' and t.contact_id = any ((s).contacts)
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
    select 7881299347898368 + b.id, b.made_at, to_jsonb(b) - 'operation_id'
    from portal.bench_cases b where p_place = 'turns' and b.contact_id = any ((s).contacts)
    union all
    select 6755399441055744 + v.message_id, v.at, to_jsonb(v)
    from portal.transcripts v join public.whatsapp_messages m on m.id = v.message_id
    where p_place = 'turns' and m.contact_id = any ((s).contacts)
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
      or q.kind = 'offer' and q.subject in (select c.id from portal.roleta_cases c where c.contact_id = any ((s).contacts))
      or q.kind = 'unsent' and q.subject in (select t.id from portal.scheduled_messages t where t.contact_id = any ((s).contacts))
      or q.kind in ('visit', 'outcome') and q.subject in (select v.id from portal.actions v where v.contact_id = any ((s).contacts)))
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
    union all
    select 6755399441055744 + r.id, i.created_at, jsonb_build_object('reason', r.fault, 'row', r.data)
    from portal.import_rows r join portal.imports i on i.id = r.import_id
    where p_place = 'aside' and r.data is not null and portal.body_names(r.data::text, s)
  ) found
  where found.id > p_after
  order by found.id
  limit p_limit
$$;
