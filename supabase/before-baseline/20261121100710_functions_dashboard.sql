-- The dashboard's calls of SPEC.md 7.1, over the metrics of portal.leads. A broker gets the own leads, an administrator all.

create function public.get_dashboard_data_by_params(
  p_broker_names text[] default null,
  p_start_date timestamp default null,
  p_end_date timestamp default null,
  p_empreendimentos text[] default null
) returns json
language sql stable set search_path = '' as $$
  select portal.dashboard(p_broker_names, p_empreendimentos, p_start_date, p_end_date)
$$;
comment on function public.get_dashboard_data_by_params(text[], timestamp, timestamp, text[]) is
  'The filtered dashboard (SPEC.md 2.6, 2.7, 3): {kpi, charts, period}, as portal.dashboard says. Brokers by instance name; none named = all; a date left out = open. 22023 when the end is before the start.';

create function public.get_dashboard_overview_data() returns json
language sql stable set search_path = '' as $$
  select portal.dashboard(null, null, (today - 29)::timestamp, today + time '23:59:59')
  from (select (now() at time zone portal.time_zone())::date) as clock (today)
$$;
comment on function public.get_dashboard_overview_data() is
  'The dashboard of the last 30 days, today included (SPEC.md 2.6, PRODUCT.md 4.7): {kpi, charts, period}, as portal.dashboard says. Also by GET.';

create function public.get_leads_with_filters_and_pagination(
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
begin
  return query
    select l.id, l.nome_lead, l.number_lead, l.created_at, l.kanban_lead, l.empreendimento, l.broker_name
    from portal.leads_of(p_broker_names, p_empreendimentos, span.starts_at, span.ends_at) l
    where (l.created_at, l.id) < (coalesce(p_cursor, 'infinity'), coalesce(p_id_cursor, 0))
    order by l.created_at desc, l.id desc
    limit 20;
end $$;
comment on function public.get_leads_with_filters_and_pagination(text[], text[], timestamp, timestamp, timestamptz, bigint) is
  'A page of 20 leads for ''Detalhamento de Leads'' (SPEC.md 2.6, 9), the newest first. p_cursor and p_id_cursor are created_at, exactly as answered, and id of the last row seen, so that leads that come in meanwhile shift nothing. Filters as in get_dashboard_data_by_params. 22023 when the end is before the start.';

create function public.buscar_leads_paginados(
  p_broker_names text[] default null,
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
language sql stable set search_path = '' as $$
  select * from public.get_leads_with_filters_and_pagination(
    p_broker_names, null, p_data_inicio, p_data_fim, p_cursor, p_id_cursor)
$$;
comment on function public.buscar_leads_paginados(text[], timestamp, timestamp, timestamptz, bigint) is
  'get_leads_with_filters_and_pagination without a choice of developments (SPEC.md 7.1).';

create function public.relatorio_leads_kanban_periodo2(
  p_brokers text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null
) returns table (broker_name text, kanban_lead text, stage_name text, order_index integer, total_leads bigint)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
begin
  return query
    select l.broker_name, l.kanban_lead, s.name, s.order_index, count(*)
    from portal.leads_of(p_brokers, null, span.starts_at, span.ends_at) l
    join public.kanban_stages s on s.slug = l.kanban_lead
    group by l.broker_name, l.kanban_lead, s.name, s.order_index
    order by l.broker_name, s.order_index;
end $$;
comment on function public.relatorio_leads_kanban_periodo2(text[], timestamp, timestamp) is
  'Leads of a period by broker (instance name, null for those of removed brokers) and the stage where they are now (SPEC.md 7.1). Filters as in get_dashboard_data_by_params.';

create function public.relatorio_leads_por_horario(
  p_instances text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null
) returns table (hora integer, total_leads bigint)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
begin
  return query
    select hours.hour, count(l.id)
    from generate_series(0, 23) as hours (hour)
    left join portal.leads_of(p_instances, null, span.starts_at, span.ends_at) l
      on extract(hour from l.local_created_at) = hours.hour
    group by hours.hour
    order by hours.hour;
end $$;
comment on function public.relatorio_leads_por_horario(text[], timestamp, timestamp) is
  'Leads of a period by the hour of the day they came in, all 24 hours, in the portal''s zone (SPEC.md 7.1). Filters as in get_dashboard_data_by_params.';

create function public.get_available_empreendimentos() returns table (empreendimento text, lead_count bigint)
language sql stable set search_path = '' as $$
  select c.empreendimento, count(*)
  from public.whatsapp_contacts c
  where c.empreendimento is not null
  group by c.empreendimento
  order by c.empreendimento
$$;
comment on function public.get_available_empreendimentos() is
  'Developments that leads asked for, with how many of those the caller may see (SPEC.md 2.7, 7.1). Also by GET.';

create function public.get_brokers_by_empreendimento(p_empreendimentos text[] default null) returns setof text
language sql stable set search_path = '' as $$
  select b."instanceName"
  from public.brokers b
  where coalesce(cardinality(p_empreendimentos), 0) = 0
    or exists (
      select from public.whatsapp_contacts c
      where c."instanceName" = b."instanceName" and c.empreendimento = any (p_empreendimentos))
    or exists (
      select from public.roleta_corretores s
      where s."instanceName" = b."instanceName" and s."roletaName" = any (p_empreendimentos))
  order by b."instanceName"
$$;
comment on function public.get_brokers_by_empreendimento(text[]) is
  'Instance names of the brokers with a lead of these developments or a seat in their rotations; none named = all brokers (SPEC.md 2.7, 7.1).';

grant execute on function
  public.get_dashboard_data_by_params(text[], timestamp, timestamp, text[]),
  public.get_dashboard_overview_data(),
  public.get_leads_with_filters_and_pagination(text[], text[], timestamp, timestamp, timestamptz, bigint),
  public.buscar_leads_paginados(text[], timestamp, timestamp, timestamptz, bigint),
  public.relatorio_leads_kanban_periodo2(text[], timestamp, timestamp),
  public.relatorio_leads_por_horario(text[], timestamp, timestamp),
  public.get_available_empreendimentos(),
  public.get_brokers_by_empreendimento(text[])
  to authenticated, service_role;
