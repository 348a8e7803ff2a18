-- The dashboard over the roll-up: whole days are read from it, the rest from the leads themselves (PRODUCT.md 4.6, 4.7, 5).

create function portal.asked_brokers(p_brokers text[]) returns text[]
language sql stable set search_path = '' as $$
  select case
    when portal.is_admin() or portal.is_service() then case when cardinality(p_brokers) > 0 then p_brokers end
    when coalesce(cardinality(p_brokers), 0) = 0 or portal.my_instance() = any (p_brokers) then array_remove(array[portal.my_instance()], null)
    else '{}'
  end
$$;
comment on function portal.asked_brokers(text[]) is
  'Instance names that a question about these brokers may be answered for: null = all, leads of nobody included; a broker gets the own name or none.';

create type portal.lead_count as (
  dimension text,
  value text,
  leads bigint,
  answered bigint,
  unanswered bigint,
  won bigint,
  response_seconds numeric
);
comment on type portal.lead_count is 'How many leads have a value of a dimension (total, status, source, campaign, weekday), and what is measured of them.';

create function portal.count_plain_leads(
  p_brokers text[], p_empreendimentos text[], p_starts_at timestamptz, p_ends_at timestamptz, p_is_total_only boolean
) returns setof portal.lead_count
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
begin
  if p_starts_at >= p_ends_at then return; end if;
  return query
    select x.dimension, x.value, sum(d.leads), sum(d.answered), sum(d.unanswered), sum(d.won), sum(d.response_seconds)
    from (select portal.time_zone()) as here (zone),
      public.whatsapp_contacts c,
      portal.lead_delta(c, 1, here.zone) d,
      lateral (values ('total', ''), ('status', d.status), ('source', d.source), ('campaign', d.campaign),
        ('weekday', extract(dow from d.day)::text)) as x (dimension, value)
    where (x.dimension = 'total' or not p_is_total_only)
      and c.created_at >= p_starts_at and c.created_at < p_ends_at
      and (p_brokers is null or c."instanceName" = any (p_brokers))
      and (coalesce(cardinality(p_empreendimentos), 0) = 0 or c.empreendimento = any (p_empreendimentos))
    group by x.dimension, x.value;
end $$;
comment on function portal.count_plain_leads(text[], text[], timestamptz, timestamptz, boolean) is
  'Leads created in [start, end), counted one by one; p_brokers as portal.asked_brokers answers.';

create function portal.count_whole_days(
  p_brokers text[], p_empreendimentos text[], p_first_day date, p_after_day date, p_is_total_only boolean
) returns setof portal.lead_count
language plpgsql stable set search_path = '' as $$
declare
  asked_level smallint := case when p_brokers is not null then 1 when cardinality(p_empreendimentos) > 0 then 2 else 0 end;
  instances text[] := coalesce(p_brokers, '{""}');
  developments text[] := case when asked_level = 2 then p_empreendimentos else '{""}' end;
  first_month date := date_trunc('month', p_first_day::timestamp + interval '1 month - 1 day')::date;
  after_month date := date_trunc('month', p_after_day::timestamp)::date;
  dimensions text[] := case when p_is_total_only then '{total}' else '{total,status,source,campaign,weekday}' end;
begin
  if p_first_day >= p_after_day then return; end if;
  if first_month >= after_month then
    first_month := p_after_day;
    after_month := p_after_day;
  end if;
  return query
    select r.dimension, r.value, r.leads, r.answered, r.unanswered, r.won, r.response_seconds
    from portal.lead_rollup r
    where r.level = asked_level and r.grain = 'month'
      and r.instance = any (instances) and r.development = any (developments) and r.dimension = any (dimensions)
      and r.start >= first_month and r.start < after_month;
  return query
    with days as (
      select r.*
      from portal.lead_rollup r
      where r.level = asked_level and r.grain = 'day'
        and r.instance = any (instances) and r.development = any (developments) and r.dimension = any (dimensions)
        and r.start >= p_first_day and r.start < first_month
      union all
      select r.*
      from portal.lead_rollup r
      where r.level = asked_level and r.grain = 'day'
        and r.instance = any (instances) and r.development = any (developments) and r.dimension = any (dimensions)
        and r.start >= after_month and r.start < p_after_day
    )
    select x.dimension, x.value, d.leads, d.answered, d.unanswered, d.won, d.response_seconds
    from days d
    cross join lateral (
      select d.dimension, d.value
      union all
      select 'weekday', extract(dow from d.start)::text where d.dimension = 'total' and not p_is_total_only
    ) x (dimension, value);
  return query
    select x.dimension, x.value, d.leads::bigint, d.answered::bigint, d.unanswered::bigint, d.won::bigint, d.response_seconds
    from portal.lead_deltas d
    cross join lateral (values ('total', ''), ('status', d.status), ('source', d.source), ('campaign', d.campaign),
      ('weekday', extract(dow from d.day)::text)) as x (dimension, value)
    where x.dimension = any (dimensions)
      and d.day >= p_first_day and d.day < p_after_day
      and (asked_level <> 1 or d.instance = any (instances))
      and (asked_level <> 2 or d.development = any (developments));
end $$;
comment on function portal.count_whole_days(text[], text[], date, date, boolean) is
  'Leads of the local days [first, after) from the roll-up and the notes not folded yet; of some brokers or of some developments, not both. Rows of one value may come several times, to be added up.';

create function portal.count_leads(
  p_brokers text[], p_empreendimentos text[], p_start timestamp, p_end timestamp, p_is_total_only boolean
) returns setof portal.lead_count
language plpgsql stable security definer set search_path = '' as $$
declare
  span record := portal.period(p_start, p_end);
  zone text := portal.time_zone();
  asked text[] := portal.asked_brokers(p_brokers);
  first_day date := case when p_start is null then '-infinity' else (date_trunc('day', p_start + interval '1 day - 1 microsecond'))::date end;
  after_day date := case when p_end is null then 'infinity' else (date_trunc('day', p_end + interval '1 second'))::date end;
begin
  if first_day >= after_day or (asked is not null and cardinality(p_empreendimentos) > 0) then
    return query select * from portal.count_plain_leads(asked, p_empreendimentos, span.starts_at, span.ends_at, p_is_total_only);
    return;
  end if;
  return query select * from portal.count_whole_days(asked, p_empreendimentos, first_day, after_day, p_is_total_only);
  -- What is left of a day at either end; nothing, as the screens ask.
  return query
    select edge.*
    from
      (values
        (p_start, span.starts_at, first_day::timestamp at time zone zone),
        (p_end, after_day::timestamp at time zone zone, span.ends_at)) as side (bound, starts_at, ends_at),
      portal.count_plain_leads(asked, p_empreendimentos, side.starts_at, side.ends_at, p_is_total_only) edge
    where side.bound is not null;
end $$;
comment on function portal.count_leads(text[], text[], timestamp, timestamp, boolean) is
  'Counts of the leads of a period that the asker may see, exact at the moment of asking; none named = all; on wish the total alone. Rows of one value may come several times, to be added up. 22023 when the end is before the start.';

create function portal.first_lead_day(p_brokers text[], p_empreendimentos text[]) returns date
language sql stable security definer set search_path = '' as $$
  select min(c.created_at at time zone portal.time_zone())::date
  from public.whatsapp_contacts c
  where (portal.asked_brokers(p_brokers) is null or c."instanceName" = any (portal.asked_brokers(p_brokers)))
    and (coalesce(cardinality(p_empreendimentos), 0) = 0 or c.empreendimento = any (p_empreendimentos))
$$;
comment on function portal.first_lead_day(text[], text[]) is 'The local day of the first lead of a filter that the asker may see, null without one; where a period without a start begins.';

create function portal.dashboard_kpi(p_total portal.lead_count, p_days integer) returns json
language sql immutable set search_path = '' as $$
  select json_build_object(
    'totalLeads', coalesce(p_total.leads, 0),
    'avgResponseTimeHours', round(p_total.response_seconds / nullif(p_total.answered, 0) / 3600, 6),
    'avgLeadsPerDay', round(coalesce(p_total.leads, 0)::numeric / greatest(p_days, 1), 4),
    'conversionRate', round(coalesce(100.0 * p_total.won / nullif(p_total.leads, 0), 0), 4),
    'answeredLeads', coalesce(p_total.answered, 0),
    'unansweredLeads', coalesce(p_total.unanswered, 0)
  )
$$;
comment on function portal.dashboard_kpi(portal.lead_count, integer) is 'The figures of a period of so many days from its total (PRODUCT.md 4.7).';

create or replace function portal.dashboard(p_brokers text[], p_empreendimentos text[], p_start timestamp, p_end timestamp) returns json
language plpgsql stable set search_path = '' as $$
declare
  today date := (now() at time zone portal.time_zone())::date;
  days integer := greatest(
    coalesce(p_end::date, today)
      - coalesce(p_start::date, portal.first_lead_day(p_brokers, p_empreendimentos), today) + 1,
    1);
  counts portal.lead_count[];
  total portal.lead_count;
  before portal.lead_count;
begin
  counts := array(
    select row(c.dimension, c.value, sum(c.leads), sum(c.answered), sum(c.unanswered), sum(c.won), sum(c.response_seconds))::portal.lead_count
    from portal.count_leads(p_brokers, p_empreendimentos, p_start, p_end, false) c
    group by c.dimension, c.value
    having sum(c.leads) > 0
  );
  select c.* into total from unnest(counts) c where c.dimension = 'total';
  if p_start is not null and p_end is not null then
    select 'total', '', sum(c.leads), sum(c.answered), sum(c.unanswered), sum(c.won), sum(c.response_seconds) into before
    from portal.count_leads(
      p_brokers, p_empreendimentos, p_start - days * interval '1 day', p_end - days * interval '1 day', true) c;
  end if;
  return json_build_object(
    'kpi', portal.dashboard_kpi(total, days),
    'charts', json_build_object(
      'statusDistribution', (select coalesce(json_agg(x), '[]') from (
        select c.value as status, c.leads as count from unnest(counts) c where c.dimension = 'status' order by 2 desc, 1) x),
      'leadSource', (select coalesce(json_agg(x), '[]') from (
        select c.value as source, c.leads as count from unnest(counts) c where c.dimension = 'source' order by 2 desc, 1) x),
      'leadsByDayOfWeek', (select coalesce(json_agg(x), '[]') from (
        select
          (array['domingo', 'segunda-feira', 'terça-feira', 'quarta-feira', 'quinta-feira', 'sexta-feira', 'sábado'])[
            c.value::integer + 1] as day_name,
          c.value::integer as day_number, c.leads as count
        from unnest(counts) c where c.dimension = 'weekday' order by 2) x),
      'leadsByCampaign', (select coalesce(json_agg(x), '[]') from (
        select c.value as campaign, c.leads as count from unnest(counts) c where c.dimension = 'campaign' order by 2 desc, 1) x)
    ),
    'period', json_build_object('start', p_start, 'end', p_end, 'days', days),
    'previous', case when p_start is not null and p_end is not null then json_build_object(
      'kpi', portal.dashboard_kpi(before, days),
      'start', p_start - days * interval '1 day',
      'end', p_end - days * interval '1 day'
    ) end
  );
end $$;
comment on function portal.dashboard(text[], text[], timestamp, timestamp) is
  'Metrics of the leads of a period (PRODUCT.md 4.7): totalLeads; avgResponseTimeHours over the answeredLeads, null without one; unansweredLeads beside it; avgLeadsPerDay = total / calendar days; conversionRate in percent = leads that reached a won stage / leads; the four charts of SPEC.md 3, counts descending, weekdays from day_number 0 = Sunday; and as previous the figures of as many days before, null for an open period.';

grant execute on function
  portal.asked_brokers(text[]),
  portal.count_leads(text[], text[], timestamp, timestamp, boolean),
  portal.first_lead_day(text[], text[]),
  portal.dashboard_kpi(portal.lead_count, integer)
  to authenticated, service_role;
