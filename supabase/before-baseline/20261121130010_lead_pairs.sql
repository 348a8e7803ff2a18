-- Counts of leads by broker and development at once, by the month (PRODUCT.md 5): a question about both is read from the
-- months, and only the days that a month has too few or too many of are counted from the leads.

alter table portal.lead_rollup
  drop constraint lead_rollup_level_check,
  add constraint lead_rollup_level_check check (level between 0 and 3);
comment on column portal.lead_rollup.level is
  '0 all leads, 1 by broker, 2 by development, the other of the two being empty; 3 by both, by the month only.';

-- What is there already: what is noted is added up as before, then the pairs come from the leads themselves.
do $$
declare
  zone text := portal.time_zone();
begin
  lock table public.whatsapp_contacts in share row exclusive mode;
  perform pg_advisory_xact_lock(hashtextextended('portal.lead_rollup', 0));
  perform portal.fold_lead_deltas();
  insert into portal.lead_rollup
  select 3, 'month', d.instance, d.development, date_trunc('month', d.day)::date, x.dimension, x.value,
    sum(d.leads), sum(d.answered), sum(d.unanswered), sum(d.won), sum(d.response_seconds)
  from public.whatsapp_contacts c, portal.lead_delta(c, 1, zone) d,
    lateral (values ('total', ''), ('status', d.status), ('source', d.source), ('campaign', d.campaign),
      ('weekday', extract(dow from d.day)::text)) as x (dimension, value)
  group by 3, 4, 5, 6, 7;
end $$;

create or replace function portal.fold_lead_deltas() returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  folded bigint;
begin
  -- One at a time; a second portal leaves it to the first.
  if not pg_try_advisory_xact_lock(hashtextextended('portal.lead_rollup', 0)) then return 0; end if;
  with
    noted as (delete from portal.lead_deltas returning *),
    spread as (
      select l.level, g.grain, l.instance, l.development, g.start, x.dimension, x.value,
        sum(n.leads) as leads, sum(n.answered) as answered, sum(n.unanswered) as unanswered, sum(n.won) as won,
        sum(n.response_seconds) as response_seconds
      from noted n
      cross join lateral (values
        (0, '', ''), (1, n.instance, ''), (2, '', n.development), (3, n.instance, n.development)
      ) as l (level, instance, development)
      cross join lateral (values ('day', n.day), ('month', date_trunc('month', n.day)::date)) as g (grain, start)
      cross join lateral (values
        ('total', ''), ('status', n.status), ('source', n.source), ('campaign', n.campaign),
        ('weekday', extract(dow from n.day)::text)) as x (dimension, value)
      where g.grain = 'month' or (x.dimension <> 'weekday' and l.level < 3)
      group by 1, 2, 3, 4, 5, 6, 7
    ),
    added as (
      insert into portal.lead_rollup as r
      select * from spread
      on conflict (level, grain, instance, development, start, dimension, value) do update
      set
        leads = r.leads + excluded.leads,
        answered = r.answered + excluded.answered,
        unanswered = r.unanswered + excluded.unanswered,
        won = r.won + excluded.won,
        response_seconds = r.response_seconds + excluded.response_seconds
    )
  select count(*) into folded from noted;
  delete from portal.lead_rollup where leads = 0;
  return folded;
end $$;

create or replace function portal.count_whole_days(
  p_brokers text[], p_empreendimentos text[], p_first_day date, p_after_day date, p_is_total_only boolean
) returns setof portal.lead_count
language plpgsql stable set search_path = '' as $$
declare
  asked_level smallint := (p_brokers is not null)::integer + 2 * coalesce(cardinality(p_empreendimentos) > 0, false)::integer;
  instances text[] := coalesce(p_brokers, '{""}');
  developments text[] := case when asked_level >= 2 then p_empreendimentos else '{""}' end;
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
      and (p_brokers is null or d.instance = any (instances))
      and (asked_level < 2 or d.development = any (developments));
end $$;
comment on function portal.count_whole_days(text[], text[], date, date, boolean) is
  'Leads of the local days [first, after) from the roll-up and the notes not folded yet; of some brokers and some developments at once in whole months only. Rows of one value may come several times, to be added up.';

create or replace function portal.count_leads(
  p_brokers text[], p_empreendimentos text[], p_start timestamp, p_end timestamp, p_is_total_only boolean
) returns setof portal.lead_count
language plpgsql stable security definer set search_path = '' as $$
declare
  span record := portal.period(p_start, p_end);
  zone text := portal.time_zone();
  asked text[] := portal.asked_brokers(p_brokers);
  first_day date := date_trunc('day', coalesce(p_start + interval '1 day - 1 microsecond', '-infinity'))::date;
  after_day date := date_trunc('day', coalesce(p_end + interval '1 second', 'infinity'))::date;
begin
  if asked is not null and cardinality(p_empreendimentos) > 0 then
    -- The nearest borders of months, inside the period or out of it: no more than half a month is left at either end.
    first_day := date_trunc('month', coalesce(p_start + interval '15 days', '-infinity'))::date;
    after_day := date_trunc('month', coalesce(p_end + interval '15 days 1 second', 'infinity'))::date;
  end if;
  if first_day >= after_day then
    return query select * from portal.count_plain_leads(asked, p_empreendimentos, span.starts_at, span.ends_at, p_is_total_only);
    return;
  end if;
  return query select * from portal.count_whole_days(asked, p_empreendimentos, first_day, after_day, p_is_total_only);
  -- What these days have too few or too many at either end; nothing, as the screens ask about brokers or developments.
  return query
    select edge.dimension, edge.value, side.sign * edge.leads, side.sign * edge.answered, side.sign * edge.unanswered,
      side.sign * edge.won, side.sign * edge.response_seconds
    from
      (values (first_day::timestamp at time zone zone, after_day::timestamp at time zone zone)) as days (starts_at, ends_at),
      lateral (values
        (1, span.starts_at, days.starts_at), (-1, days.starts_at, span.starts_at),
        (1, days.ends_at, span.ends_at), (-1, span.ends_at, days.ends_at)) as side (sign, starts_at, ends_at),
      portal.count_plain_leads(asked, p_empreendimentos, side.starts_at, side.ends_at, p_is_total_only) edge;
end $$;
