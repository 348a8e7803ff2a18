-- What one account may ask at once: lists of 500, cursors that a server can have made, 50 open actions and texts of a lead.

create function portal.require_few(p_list anyarray) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  if cardinality(p_list) > 500 then
    raise exception 'Escolha no máximo 500 de cada vez.' using errcode = 'PT422', hint = 'list.long';
  end if;
  return true;
end $$;
comment on function portal.require_few(anyarray) is
  'Refuses a list of more than 500 as 422: each row is held against it, so that a long one of one account would keep all others waiting. True, so that it may stand in a query.';
grant execute on function portal.require_few(anyarray) to authenticated, service_role;

create or replace function portal.changed_since(p_board text, p_cursor text) returns bigint[]
language plpgsql stable security definer set search_path = '' as $$
declare
  board portal.board_sequences;
  -- No server runs so many transactions at once that its cursor is longer; each change is held against all that are named.
  parts constant text[] := case when length(p_cursor) <= 20000 then regexp_match(p_cursor,
    '^([0-9a-z]+)\.([0-9]{1,18})(?:\.([0-9]{1,18}):([0-9]{1,18}):([0-9,]*))?$') end;
  counted constant bigint := parts[2];
  begins constant bigint := parts[3];
  ends constant bigint := parts[4];
  running constant bigint[] := array(select r.xid::bigint from unnest(string_to_array(parts[5], ',')) as r (xid) where r.xid <> '');
begin
  select * into board from portal.board_sequences s where s."instanceName" = p_board;
  if parts[1] is distinct from board.epoch then return null; end if;
  if ends is null then
    -- A device that comes from an earlier version, which counted.
    if counted > board.value then return null; end if;
    return array(
      select distinct h.contact_id from portal.board_changes h
      where h."instanceName" = p_board and (h.xid > 0 or h.seq > counted));
  end if;
  if ends > pg_snapshot_xmax(pg_current_snapshot())::text::bigint then return null; end if;
  return array(
    select distinct h.contact_id from portal.board_changes h
    where h."instanceName" = p_board and h.xid >= begins and (h.xid >= ends or h.xid = any (running)));
end $$;

create or replace function public.get_leads_by_brokers(p_brokers text[] default null)
returns table (
  broker_name text,
  nome_lead text,
  number_lead text,
  last_interaction timestamptz,
  kanban_lead text,
  profile_pic_url text,
  created_at timestamptz,
  contact_id bigint
)
language sql stable set search_path = '' as $$
  select c."instanceName", c.name, c.number, to_timestamp(c.last_message_timestamp), c.status, c.profile_pic_url,
    c.created_at, c.id
  from public.whatsapp_contacts c
  where portal.require_few(p_brokers) and c."instanceName" is not null
    and (coalesce(cardinality(p_brokers), 0) = 0 or c."instanceName" = any (p_brokers))
  order by c.last_message_timestamp desc nulls last, c.id desc
$$;

create or replace function public.order_quick_replies(p_ids uuid[]) returns integer
language sql volatile set search_path = '' as $$
  with placed as (
    update public.quick_replies q set order_index = wanted.place
    from unnest(p_ids) with ordinality wanted (id, place)
    where q.id = wanted.id and portal.require_few(p_ids)
    returning q.id
  )
  select count(*)::integer from placed
$$;

create or replace function public.get_dashboard_data_by_params(
  p_broker_names text[] default null,
  p_start_date timestamp default null,
  p_end_date timestamp default null,
  p_empreendimentos text[] default null
) returns json
language sql stable set search_path = '' as $$
  -- The period is looked at before its days are counted, which those of no calendar cannot be.
  select portal.dashboard(p_broker_names, p_empreendimentos, p_start_date, p_end_date)
  from portal.period(p_start_date, p_end_date)
  where portal.require_few(p_broker_names) and portal.require_few(p_empreendimentos)
$$;

create or replace function public.relatorio_leads_kanban_periodo2(
  p_brokers text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null
) returns table (broker_name text, kanban_lead text, stage_name text, order_index integer, total_leads bigint)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
begin
  perform portal.require_few(p_brokers);
  return query
    select l.broker_name, l.kanban_lead, s.name, s.order_index, count(*)
    from portal.leads_of(p_brokers, null, span.starts_at, span.ends_at) l
    join public.kanban_stages s on s.slug = l.kanban_lead
    group by l.broker_name, l.kanban_lead, s.name, s.order_index
    order by l.broker_name, s.order_index;
end $$;

create or replace function public.relatorio_leads_por_horario(
  p_instances text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null
) returns table (hora integer, total_leads bigint)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
begin
  perform portal.require_few(p_instances);
  return query
    select hours.hour, count(l.id)
    from generate_series(0, 23) as hours (hour)
    left join portal.leads_of(p_instances, null, span.starts_at, span.ends_at) l
      on extract(hour from l.local_created_at) = hours.hour
    group by hours.hour
    order by hours.hour;
end $$;

create or replace function public.get_brokers_by_empreendimento(p_empreendimentos text[] default null) returns setof text
language sql stable set search_path = '' as $$
  select b."instanceName"
  from public.brokers b
  where portal.require_few(p_empreendimentos) and (
    coalesce(cardinality(p_empreendimentos), 0) = 0
    or exists (
      select from public.whatsapp_contacts c
      where c."instanceName" = b."instanceName" and c.empreendimento = any (p_empreendimentos))
    or exists (
      select from public.roleta_corretores s
      where s."instanceName" = b."instanceName" and s."roletaName" = any (p_empreendimentos)))
  order by b."instanceName"
$$;

create or replace function public.get_leads_of_figure(
  p_figure text,
  p_value text default null,
  p_broker_names text[] default null,
  p_empreendimentos text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null,
  p_cursor timestamptz default null,
  p_id_cursor bigint default null
) returns table (
  id bigint,
  nome_lead text,
  number_lead text,
  created_at timestamptz,
  kanban_lead text,
  empreendimento text,
  broker_name text
)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
  is_any_broker boolean := coalesce(cardinality(p_broker_names), 0) = 0;
  is_any_development boolean := coalesce(cardinality(p_empreendimentos), 0) = 0;
  -- Beside the row comparison, so that both bounds lead to the same place of an index: one of them is where a scan starts,
  -- and which one depends on the version of Postgres.
  ends_at timestamptz := least(span.ends_at, p_cursor + interval '1 microsecond');
begin
  perform portal.require_few(p_broker_names), portal.require_few(p_empreendimentos);
  perform portal.require_figure(p_figure, p_value);
  return query
    select l.id, l.nome_lead, l.number_lead, l.created_at, l.kanban_lead, l.empreendimento, l.broker_name
    from
      (select distinct unnest(case when is_any_broker then '{""}' else p_broker_names end)) as b (name)
      cross join (select distinct unnest(case when is_any_development then '{""}' else p_empreendimentos end)) as d (name)
      cross join lateral (
        select *
        from portal.leads o
        where (is_any_broker or o.broker_name = b.name)
          and (is_any_development or o.empreendimento = d.name)
          and o.created_at >= span.starts_at and o.created_at < ends_at
          and (o.created_at, o.id) < (coalesce(p_cursor, 'infinity'), coalesce(p_id_cursor, 0))
          and portal.makes_figure(o, p_figure, p_value)
        order by o.created_at desc, o.id desc
        limit 20
      ) l
    order by l.created_at desc, l.id desc
    limit 20;
end $$;

create or replace function public.count_leads_of_figure(
  p_figure text,
  p_value text default null,
  p_broker_names text[] default null,
  p_empreendimentos text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null
) returns bigint
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
begin
  perform portal.require_few(p_broker_names), portal.require_few(p_empreendimentos);
  perform portal.require_figure(p_figure, p_value);
  return (
    select count(*)
    from portal.leads_of(p_broker_names, p_empreendimentos, span.starts_at, span.ends_at) l
    where portal.makes_figure(l, p_figure, p_value)
  );
end $$;

create or replace function public.get_response_times(
  p_broker_names text[] default null,
  p_empreendimentos text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null
) returns json
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
begin
  perform portal.require_few(p_broker_names), portal.require_few(p_empreendimentos);
  return (
    select json_build_object(
      'answeredLeads', count(l.response_seconds),
      'unansweredLeads', count(*) filter (where l.is_unanswered),
      'meanHours', round(avg(l.response_seconds) / 3600, 6),
      'medianHours', round((percentile_cont(0.5) within group (order by l.response_seconds) / 3600)::numeric, 6),
      'p90Hours', round((percentile_cont(0.9) within group (order by l.response_seconds) / 3600)::numeric, 6),
      'withinFiveMinutes', count(*) filter (where l.response_seconds <= 300),
      'withinFiveMinutesRate', round(
        100.0 * count(*) filter (where l.response_seconds <= 300)
          / nullif(count(l.response_seconds) + count(*) filter (where l.is_unanswered and not l.is_uncontacted), 0),
        4),
      'wroteUnansweredLeads', count(*) filter (where l.is_unanswered and not l.is_uncontacted),
      'leftContact', json_build_object(
        'answeredLeads', count(l.contact_seconds),
        'unansweredLeads', count(*) filter (where l.is_uncontacted),
        'medianHours', round((percentile_cont(0.5) within group (order by l.contact_seconds) / 3600)::numeric, 6),
        'p90Hours', round((percentile_cont(0.9) within group (order by l.contact_seconds) / 3600)::numeric, 6),
        'withinFiveMinutes', count(*) filter (where l.contact_seconds <= 300),
        'withinFiveMinutesRate', round(
          100.0 * count(*) filter (where l.contact_seconds <= 300)
            / nullif(count(l.contact_seconds) + count(*) filter (where l.is_uncontacted), 0),
          4)
      )
    )
    from portal.leads_of(p_broker_names, p_empreendimentos, span.starts_at, span.ends_at) l
  );
end $$;

create or replace function public.get_leads_behind_figure(
  p_figure text,
  p_value text default null,
  p_broker_names text[] default null,
  p_empreendimentos text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null,
  p_cursor timestamptz default null,
  p_id_cursor bigint default null
) returns table (
  id bigint,
  nome_lead text,
  number_lead text,
  created_at timestamptz,
  kanban_lead text,
  empreendimento text,
  broker_name text,
  response_seconds numeric,
  waiting_since timestamptz
)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
  is_any_broker boolean := coalesce(cardinality(p_broker_names), 0) = 0;
  is_any_development boolean := coalesce(cardinality(p_empreendimentos), 0) = 0;
  -- Beside the row comparison, so that both bounds lead to the same place of an index: one of them is where a scan starts,
  -- and which one depends on the version of Postgres.
  ends_at timestamptz := least(span.ends_at, p_cursor + interval '1 microsecond');
begin
  perform portal.require_few(p_broker_names), portal.require_few(p_empreendimentos);
  perform portal.require_figure(p_figure, p_value);
  return query
    select l.id, l.nome_lead, l.number_lead, l.created_at, l.kanban_lead, l.empreendimento, l.broker_name,
      case when p_figure = 'contacted-within-five-minutes' then l.contact_seconds
        else coalesce(l.response_seconds, l.contact_seconds) end,
      l.waiting_since
    from
      (select distinct unnest(case when is_any_broker then '{""}' else p_broker_names end)) as b (name)
      cross join (select distinct unnest(case when is_any_development then '{""}' else p_empreendimentos end)) as d (name)
      cross join lateral (
        select *
        from portal.leads o
        where (is_any_broker or o.broker_name = b.name)
          and (is_any_development or o.empreendimento = d.name)
          and o.created_at >= span.starts_at and o.created_at < ends_at
          and (o.created_at, o.id) < (coalesce(p_cursor, 'infinity'), coalesce(p_id_cursor, 0))
          and portal.makes_figure(o, p_figure, p_value)
        order by o.created_at desc, o.id desc
        limit 20
      ) l
    order by l.created_at desc, l.id desc
    limit 20;
end $$;

create function portal.require_free_step(p_lead bigint) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if (select count(*) from portal.actions a where a.contact_id = p_lead and a.finished_at is null) >= 50 then
    raise exception 'Este lead já tem 50 próximos passos. Conclua um deles antes.' using errcode = 'PT422', hint = 'action.many';
  end if;
end $$;
comment on function portal.require_free_step(bigint) is
  'Refuses, as 422, one more next action of a locked lead that has 50 open ones: its card carries them all, to every device. Server only.';

create or replace function public.action_save(
  p_contact_id bigint, p_kind text, p_due_at timestamptz, p_note text default '', p_seen_at timestamptz default null,
  p_action_id bigint default null, p_action_operation uuid default null,
  p_operation_id uuid default null, p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  lead bigint;
  action bigint;
begin
  if answer is not null then return answer; end if;
  if p_kind is null or p_kind not in ('call', 'message', 'visit', 'task') then
    raise exception 'Escolha ligar, mensagem, visita ou tarefa.' using errcode = 'PT422';
  end if;
  if p_due_at is null or p_due_at not between now() - interval '1 year' and now() + interval '2 years' then
    raise exception 'Escolha um dia nos próximos dois anos.' using errcode = 'PT422';
  end if;
  if length(btrim(p_note)) > 200 then
    raise exception 'A anotação do próximo passo pode ter até 200 caracteres.' using errcode = 'PT422';
  end if;
  lead := portal.asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  if not portal.lock_lead(lead) then
    return portal.end_operation(account, p_operation_id, 'action.save', portal.action_answer('unknown_lead'));
  end if;
  -- Finished elsewhere meanwhile, it is still to be done by whoever sets it anew.
  action := portal.open_action(lead, p_action_id, account, p_action_operation);
  if action is null then
    perform portal.require_free_step(lead);
    insert into portal.actions (contact_id, kind, due_at, note, seen_at, account_id, operation_id)
    values (lead, p_kind, p_due_at, coalesce(btrim(p_note), ''), least(coalesce(p_seen_at, now()), now()), account, p_operation_id)
    returning id into action;
  else
    update portal.actions
    set kind = p_kind, due_at = p_due_at, note = coalesce(btrim(p_note), ''),
      seen_at = greatest(seen_at, least(coalesce(p_seen_at, now()), now()))
    where id = action;
  end if;
  return portal.end_operation(account, p_operation_id, 'action.save', portal.action_answer('saved', action));
end $$;
comment on function public.action_save(bigint, text, timestamptz, text, timestamptz, bigint, uuid, uuid, text, text) is
  'Sets what is to be done next for a lead: p_kind call, message, visit or task, at p_due_at. p_seen_at: up to when what the lead wrote had been seen (null: now); what came later still waits. p_action_id, or p_action_operation while only the operation is known: the open action that it takes the place of; one that was finished meanwhile stays finished, and this is a new one. A broker for the own leads, an administrator for all. The lead is p_contact_id, else p_number_lead on the board of p_broker_name. p_operation_id: a repeat by the same account gets the stored answer. Answers {success, code, message, action_id}, code saved or unknown_lead. 401 once the session has ended; 422 for another kind, a day out of reach, a note of more than 200 characters or a lead with 50 open ones.';

create or replace function public.get_agent_costs(
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
      select coalesce(json_agg(json_build_object('name', a.nome_agente, 'micros', said.micros + tried.micros,
        'benchMicros', tried.micros, 'conversations', said.conversations, 'answers', said.answers)
        order by said.micros + tried.micros desc, a.nome_agente), '[]')
      from public.prompts_agents a
      cross join lateral (
        select coalesce(sum(t.cost_micros), 0)::bigint as micros, count(distinct t.contact_id) as conversations,
          count(*) filter (where t.state = 'sent') as answers
        from portal.agent_turns t
        where t.agent_id = a.id and t.began_at >= span.starts_at and t.began_at < span.ends_at
      ) said
      cross join lateral (
        select coalesce(sum(r.cost_micros), 0)::bigint as micros from portal.agent_bench_runs r
        where r.agent_id = a.id and r.began_at >= span.starts_at and r.began_at < span.ends_at
      ) tried
      where (coalesce(cardinality(p_empreendimentos), 0) = 0 or a.empreendimento = any (p_empreendimentos))
        and (said.conversations > 0 or tried.micros > 0)),
    'voices', (
      select json_build_object('count', count(*), 'micros', coalesce(sum(v.cost_micros), 0)::bigint)
      from portal.transcripts v
      join public.whatsapp_messages m on m.id = v.message_id
      join public.whatsapp_contacts c on c.id = m.contact_id
      where v.at >= span.starts_at and v.at < span.ends_at
        and (coalesce(cardinality(p_empreendimentos), 0) = 0 or c.empreendimento = any (p_empreendimentos))));
end $$;

create or replace function portal.put_visit(
  p_lead bigint, p_starts_at timestamptz, p_place text, p_seen_at timestamptz, p_action bigint, p_account uuid, p_operation_id uuid
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  instance text := (select c."instanceName" from public.whatsapp_contacts c where c.id = p_lead);
  action bigint := p_action;
begin
  -- One booking at a time in a broker's week; after the wait a snapshot that has the one before.
  perform pg_advisory_xact_lock(108004, hashtext(coalesce(instance, '')));
  if portal.is_taken(instance, p_starts_at, p_action) then return portal.visit_answer('taken', p_action); end if;
  if action is null then
    perform portal.require_free_step(p_lead);
    insert into portal.actions (contact_id, kind, due_at, note, seen_at, account_id, operation_id)
    values (p_lead, 'visit', p_starts_at, p_place, p_seen_at, p_account, p_operation_id) returning id into action;
  else
    update portal.actions
    set kind = 'visit', due_at = p_starts_at, note = p_place, seen_at = greatest(seen_at, p_seen_at) where id = action;
  end if;
  return portal.visit_answer('saved', action);
end $$;

comment on function public.visit_save(bigint, timestamptz, text, timestamptz, text, text, timestamptz, bigint, uuid, uuid, text, text) is
  'Books a visit of a lead at p_starts_at in p_place, or moves the open action p_action_id (p_action_operation while only the operation is known) there; what was to be said of the old hour is taken back. p_confirm_text goes to the lead at once, p_remind_text at p_remind_at, each asked about as any text for later. p_seen_at: up to when what the lead wrote had been seen. A broker for the own leads, an administrator for all. The lead is p_contact_id, else p_number_lead on the board of p_broker_name. p_operation_id: a repeat by the same account gets the stored answer. Answers {success, code, message, action_id}, code saved, taken (another visit of the broker''s is then) or unknown_lead. 401 once the session has ended; 422 for a time out of reach, a place of more than 200, a text of more than 10,000 characters or a lead with 50 open actions.';

create or replace function portal.put_text(
  p_lead bigint, p_body text, p_due_at timestamptz, p_unless_answered boolean, p_seen_at timestamptz, p_action bigint,
  p_account uuid, p_operation_id uuid
) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  made portal.scheduled_messages;
begin
  if (select count(*) from portal.scheduled_messages s
    where s.contact_id = p_lead and s.state in ('waiting', 'asking', 'answered', 'refused')) >= 50 then
    raise exception 'Este lead já tem 50 mensagens agendadas. Cancele uma delas antes.' using errcode = 'PT422', hint = 'scheduled.many';
  end if;
  insert into portal.scheduled_messages
    (contact_id, body, due_at, unless_answered, seen_at, at_once, action_id, account_id, operation_id)
  values (p_lead, p_body, coalesce(p_due_at, now()), p_unless_answered, p_seen_at, p_due_at is null, p_action, p_account, p_operation_id)
  returning * into made;
  -- Written on a phone without a signal, it may come after the answer, or long after its time.
  update portal.scheduled_messages s
  set state = case when portal.was_answered(made) then 'answered' else 'asking' end,
    reason = case when not portal.was_answered(made) then 'late' end
  where s.id = made.id and not s.at_once and (portal.was_answered(made) or made.due_at < now() - interval '2 hours');
  return made.id;
end $$;
comment on function portal.put_text(bigint, text, timestamptz, boolean, timestamptz, bigint, uuid, uuid) is
  'Writes a text for later, null: now, whatever the hour; given up at once where the lead answered already, and asked about where its time is two hours over. Its id; 422 where 50 of the lead are open, which its card carries to every device. Server only.';

comment on function public.message_schedule(bigint, text, timestamptz, boolean, timestamptz, bigint, uuid, uuid, text, text) is
  'A text to a lead for later: goes at p_due_at, null: now. With p_unless_answered it is given up when the lead writes after p_seen_at, up to when what the lead wrote had been seen (null: now). Its time being two hours over when it comes here, it asks first. p_scheduled_id, or p_scheduled_operation while only the operation is known: the open text that it takes the place of. A broker for the own leads, an administrator for all. The lead is p_contact_id, else p_number_lead on the board of p_broker_name. p_operation_id: a repeat by the same account gets the stored answer. Answers {success, code, message, scheduled_id}, code saved, unknown_lead, gone (what was to change has left or was cancelled) or already (the same, where it was only to go now). 401 once the session has ended; 422 for an empty text, one of more than 10,000 characters, a time out of reach or a lead with 50 open ones.';

create or replace function public.get_value_and_losses(
  p_broker_names text[] default null,
  p_empreendimentos text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null
) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
begin
  perform portal.require_admin();
  perform portal.require_few(p_broker_names), portal.require_few(p_empreendimentos);
  return json_build_object(
    'open', (
      select coalesce(json_agg(json_build_object('stage', s.slug, 'leads', v.leads, 'cents', v.cents) order by s.order_index), '[]')
      from public.kanban_stages s
      join (
        select l.part, count(*) as leads, sum(l.value_cents) as cents
        from portal.valued_leads('open-value', p_broker_names, p_empreendimentos, null, null) l group by l.part
      ) v on v.part = s.slug),
    'won', (
      select json_build_object('leads', count(*), 'cents', coalesce(sum(l.value_cents), 0))
      from portal.valued_leads('won-value', p_broker_names, p_empreendimentos, span.starts_at, span.ends_at) l),
    'lost', (
      select coalesce(json_agg(json_build_object('reason', v.part, 'leads', v.leads, 'cents', v.cents) order by v.leads desc, v.part), '[]')
      from (
        select l.part, count(*) as leads, sum(l.value_cents) as cents
        from portal.valued_leads('lost', p_broker_names, p_empreendimentos, span.starts_at, span.ends_at) l group by l.part
      ) v));
end $$;

create or replace function public.get_leads_of_value(
  p_figure text,
  p_value text default null,
  p_broker_names text[] default null,
  p_empreendimentos text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null,
  p_cursor timestamptz default null,
  p_id_cursor bigint default null
) returns table (
  id bigint,
  nome_lead text,
  number_lead text,
  created_at timestamptz,
  kanban_lead text,
  empreendimento text,
  broker_name text,
  response_seconds numeric,
  waiting_since timestamptz
)
language plpgsql stable security definer set search_path = '' as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
begin
  perform portal.require_admin();
  perform portal.require_few(p_broker_names), portal.require_few(p_empreendimentos);
  return query
    select l.id, l.nome_lead, l.number_lead, l.created_at, l.kanban_lead, l.empreendimento, l.broker_name,
      coalesce(l.response_seconds, l.contact_seconds), l.waiting_since
    from portal.valued_leads(p_figure, p_broker_names, p_empreendimentos, span.starts_at, span.ends_at) w
    join portal.leads l using (id)
    where (p_value is null or w.part = p_value)
      and (l.created_at, l.id) < (coalesce(p_cursor, 'infinity'), coalesce(p_id_cursor, 0))
    order by l.created_at desc, l.id desc
    limit 20;
end $$;

create or replace function public.count_leads_of_value(
  p_figure text,
  p_value text default null,
  p_broker_names text[] default null,
  p_empreendimentos text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null
) returns bigint
language plpgsql stable security definer set search_path = '' as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
begin
  perform portal.require_admin();
  perform portal.require_few(p_broker_names), portal.require_few(p_empreendimentos);
  return (
    select count(*)
    from portal.valued_leads(p_figure, p_broker_names, p_empreendimentos, span.starts_at, span.ends_at) w
    where p_value is null or w.part = p_value
  );
end $$;
