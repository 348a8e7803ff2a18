-- Behind a figure: the leads that make it, and how fast leads were answered beyond the mean (SPEC.md 2.6, PRODUCT.md 4.7).

-- No search_path of its own, every name being qualified: only so is it planned as part of the query that asks.
create function portal.makes_figure(lead portal.leads, p_figure text, p_value text) returns boolean
language sql stable as $$
  select case p_figure
    when 'total' then true
    when 'answered' then lead.response_seconds is not null
    when 'unanswered' then lead.is_unanswered
    when 'won' then lead.is_won
    when 'within-five-minutes' then coalesce(lead.response_seconds <= 300, false)
    when 'status' then lead.kanban_lead = p_value
    when 'source' then lead.source = p_value
    when 'campaign' then lead.campaign = p_value
    when 'weekday' then extract(dow from lead.local_created_at)::text = p_value
  end
$$;
comment on function portal.makes_figure(portal.leads, text, text) is 'Whether a lead is counted in a figure of the dashboard, or in the part of a chart that value names.';

create function portal.require_figure(p_figure text, p_value text) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if p_figure in ('total', 'answered', 'unanswered', 'won', 'within-five-minutes') and p_value is null then return; end if;
  if p_figure in ('status', 'source', 'campaign') and p_value is not null then return; end if;
  if p_figure = 'weekday' and p_value ~ '^[0-6]$' then return; end if;
  raise exception 'Este número do painel não existe.' using errcode = '22023';
end $$;
comment on function portal.require_figure(text, text) is 'Refuses a figure that the dashboard does not have: 22023.';

create function public.get_leads_of_figure(
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
begin
  perform portal.require_figure(p_figure, p_value);
  return query
    select l.id, l.nome_lead, l.number_lead, l.created_at, l.kanban_lead, l.empreendimento, l.broker_name
    from portal.leads_of(p_broker_names, p_empreendimentos, span.starts_at, span.ends_at) l
    where (l.created_at, l.id) < (coalesce(p_cursor, 'infinity'), coalesce(p_id_cursor, 0))
      and portal.makes_figure(l, p_figure, p_value)
    order by l.created_at desc, l.id desc
    limit 20;
end $$;
comment on function public.get_leads_of_figure(text, text, text[], text[], timestamp, timestamp, timestamptz, bigint) is
  'A page of 20 of the leads that make a figure of the dashboard, the newest first: p_figure total, answered, unanswered, won, within-five-minutes, or status, source, campaign, weekday (0 = Sunday) with the p_value of a slice or bar. Filters and cursors as in get_leads_with_filters_and_pagination. 22023 for a figure that does not exist, and when the end is before the start.';

create function public.count_leads_of_figure(
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
  perform portal.require_figure(p_figure, p_value);
  return (
    select count(*)
    from portal.leads_of(p_broker_names, p_empreendimentos, span.starts_at, span.ends_at) l
    where portal.makes_figure(l, p_figure, p_value)
  );
end $$;
comment on function public.count_leads_of_figure(text, text, text[], text[], timestamp, timestamp) is
  'How many leads all pages of get_leads_of_figure have, which is the figure itself.';

create function public.get_response_times(
  p_broker_names text[] default null,
  p_empreendimentos text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null
) returns json
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
begin
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
          / nullif(count(l.response_seconds) + count(*) filter (where l.is_unanswered), 0),
        4)
    )
    from portal.leads_of(p_broker_names, p_empreendimentos, span.starts_at, span.ends_at) l
  );
end $$;
comment on function public.get_response_times(text[], text[], timestamp, timestamp) is
  'How fast the leads of a period were answered (PRODUCT.md 4.7): mean, median and p90 in hours over answeredLeads, null without one; unansweredLeads beside them; and of all who wrote, the percentage answered within five minutes, null when nobody wrote. Filters as in get_dashboard_data_by_params.';

grant execute on function
  portal.makes_figure(portal.leads, text, text),
  portal.require_figure(text, text),
  public.get_leads_of_figure(text, text, text[], text[], timestamp, timestamp, timestamptz, bigint),
  public.count_leads_of_figure(text, text, text[], text[], timestamp, timestamp),
  public.get_response_times(text[], text[], timestamp, timestamp)
  to authenticated, service_role;
