-- Reports: one definition of each metric, the counts from which reports are read, and the lists behind them.


-- The definition of each metric, and the leads of a filter. portal.lead_delta repeats the definitions for the counts.

create view portal.leads with (security_invoker = true) as
select
  c.id,
  c."instanceName" as broker_name,
  c.name as nome_lead,
  c.number as number_lead,
  c.created_at,
  c.created_at at time zone (select portal.time_zone()) as local_created_at,
  c.status as kanban_lead,
  c.empreendimento,
  c.source,
  coalesce(c.campaign, 'sem campanha') as campaign,
  extract(epoch from c.first_response_at - c.first_incoming_at) as response_seconds,
  (c.first_incoming_at is not null and c.first_response_at is null)
    or (c.left_contact_at is not null and c.first_incoming_at is null and c.first_contacted_at is null) as is_unanswered,
  c.won_at is not null as is_won,
  case when c.first_contacted_at < coalesce(c.first_incoming_at, 'infinity')
    then greatest(0, extract(epoch from c.first_contacted_at - c.left_contact_at)) end as contact_seconds,
  case
    when c.first_response_at is not null or (c.first_incoming_at is null and c.first_contacted_at is not null) then null
    when c.waiting_since is null and (select k.kind <> 'open' from public.kanban_stages k where k.slug = c.status) then null
    else coalesce(c.first_incoming_at, c.left_contact_at)
  end as waiting_since,
  c.left_contact_at is not null and c.first_incoming_at is null and c.first_contacted_at is null as is_uncontacted
from public.whatsapp_contacts c
where c.source <> 'teste';
comment on view portal.leads is
  'Leads with their metrics. Merged contacts are one lead, and leads with the source ''teste'' count in no figure. The row rules of whatsapp_contacts apply.';
comment on column portal.leads.local_created_at is
  'When the lead was created, as wall-clock time in the portal''s time zone; days and hours of reports use it.';
comment on column portal.leads.response_seconds is
  'Seconds from the first incoming message to the first outgoing one by a person (not by a campaign or agent); null while unanswered.';
comment on column portal.leads.is_unanswered is
  'True: the lead wrote and no person answered, or it left a contact without writing and no person wrote to it.';
comment on column portal.leads.is_won is
  'True: the lead once reached a stage of kind won, even if it is elsewhere now.';
comment on column portal.leads.contact_seconds is
  'Seconds from the arrival by a form, a portal or Meta to the first message by a person. Null if the lead wrote before that, or nobody has written.';
comment on column portal.leads.is_uncontacted is
  'True: the lead left a contact without writing, and no person has written to it. It counts as unanswered, too.';
comment on column portal.leads.waiting_since is
  'Since when an unanswered lead waits: from its first message, else from its arrival. Null also for a won or lost lead that has not written since.';
grant select on portal.leads to authenticated, service_role;

-- Refuses dates far in the past or future. A report also reads as many days before the period, and those must be valid
-- dates, too.
create function portal.period(p_start timestamp, p_end timestamp, out starts_at timestamptz, out ends_at timestamptz)
language plpgsql stable set search_path = '' as $$
begin
  if p_end < p_start then
    raise exception 'O fim do período vem antes do início.' using errcode = '22023';
  end if;
  -- Accepts more years than its message says, because the comparison with the longest period reads another century
  -- back.
  if p_start < '1800-01-01' or p_start >= '2201-01-01' or p_end < '1800-01-01' or p_end >= '2201-01-01' then
    raise exception 'Escolha datas entre os anos 2000 e 2100.' using errcode = '22023';
  end if;
  starts_at := coalesce(p_start at time zone portal.time_zone(), '-infinity');
  ends_at := coalesce((date_trunc('second', p_end) + interval '1 second') at time zone portal.time_zone(), 'infinity');
end $$;
comment on function portal.period(timestamp, timestamp) is
  'Instants [starts_at, ends_at) of a period: ''2026-11-01T00:00:00Z'' is read as wall-clock time in the portal''s time zone, whatever its suffix; the end is exclusive at the next second; a missing bound is open. 22023 if the end is before the start, or a bound is far outside the years 2000 to 2100.';
grant execute on function portal.period(timestamp, timestamp) to authenticated, service_role;

-- The function has no search_path and uses only qualified names. Otherwise Postgres would not inline it into the
-- calling query.
create function portal.leads_of(p_brokers text[], p_empreendimentos text[], p_starts_at timestamptz, p_ends_at timestamptz)
returns setof portal.leads
language sql stable as $$
  select l.*
  from portal.leads l
  where l.created_at >= p_starts_at and l.created_at < p_ends_at
    and (coalesce(cardinality(p_brokers), 0) = 0 or l.broker_name = any (p_brokers))
    and (coalesce(cardinality(p_empreendimentos), 0) = 0 or l.empreendimento = any (p_empreendimentos))
$$;
comment on function portal.leads_of(text[], text[], timestamptz, timestamptz) is
  'Leads created in [start, end) of these brokers (instance names) and developments; an empty list means all.';
grant execute on function portal.leads_of(text[], text[], timestamptz, timestamptz) to authenticated, service_role;

create function portal.dashboard(p_brokers text[], p_empreendimentos text[], p_start timestamp, p_end timestamp) returns json
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
  'Metrics of the leads of a period: totalLeads; avgResponseTimeHours over answeredLeads, null without any; unansweredLeads; avgLeadsPerDay = total / calendar days; conversionRate in percent = leads that reached a won stage / leads; four charts, counts descending, weekdays from day_number 0 = Sunday; previous: the same figures of as many days before, null for an open period.';
grant execute on function portal.dashboard(text[], text[], timestamp, timestamp) to authenticated, service_role;


-- Counts of leads by day and month, exact at any time. A dashboard of a million leads reads a few thousand rows.
-- Writers only append what changed, so that no writer waits for another. A fold adds the changes up every two seconds,
-- and readers add those that are not folded yet.

-- Counts for a broker and a development together exist by month only. For the days at either end of such a period the
-- leads themselves are counted.
create table portal.lead_rollup (
  level smallint not null check (level between 0 and 3),
  grain text not null check (grain in ('day', 'month')),
  instance text not null,
  development text not null,
  start date not null,
  dimension text not null check (dimension in ('total', 'status', 'source', 'campaign', 'weekday')),
  value text not null,
  leads bigint not null,
  answered bigint not null,
  unanswered bigint not null,
  won bigint not null,
  response_seconds numeric not null,
  primary key (level, grain, instance, development, start, dimension, value)
);
comment on table portal.lead_rollup is
  'Counts of leads by the local day or month of their arrival. Only portal.count_leads reads it, together with portal.lead_deltas.';
comment on column portal.lead_rollup.level is
  '0: all leads. 1: by broker. 2: by development; the other column is empty. 3: by both, by month only.';
comment on column portal.lead_rollup.instance is 'The owner''s instance name, empty for leads without a broker.';
comment on column portal.lead_rollup.dimension is
  'What the column value counts by. weekday (0 is Sunday) exists for months only, because a day has just one.';
create index lead_rollup_empty on portal.lead_rollup (level) where leads = 0;
comment on index portal.lead_rollup_empty is 'Serves removing rows whose counts are zero.';
alter table portal.lead_rollup enable row level security;

create table portal.lead_deltas (
  day date not null,
  instance text not null,
  development text not null,
  status text not null,
  source text not null,
  campaign text not null,
  leads integer not null,
  answered integer not null,
  unanswered integer not null,
  won integer not null,
  response_seconds numeric not null
);
comment on table portal.lead_deltas is
  'Changes of the counts that are not folded yet. The numbers are negative for the state of a lead before its change.';
alter table portal.lead_deltas enable row level security;
-- The rows have no key and may be equal. Logical replication needs the whole row to find the one that was deleted.
alter table portal.lead_deltas replica identity full;

-- The function has no search_path and uses only qualified names. Otherwise Postgres would not inline it into the
-- calling statement.
create function portal.lead_delta(lead public.whatsapp_contacts, sign integer, zone text) returns setof portal.lead_deltas
language sql stable as $$
  select
    (lead.created_at at time zone zone)::date,
    coalesce(lead."instanceName", ''),
    coalesce(lead.empreendimento, ''),
    lead.status,
    lead.source,
    coalesce(lead.campaign, 'sem campanha'),
    sign,
    sign * (lead.first_response_at - lead.first_incoming_at is not null)::integer,
    sign * ((lead.first_incoming_at is not null and lead.first_response_at is null)
      or (lead.left_contact_at is not null and lead.first_incoming_at is null and lead.first_contacted_at is null))::integer,
    sign * (lead.won_at is not null)::integer,
    sign * coalesce(extract(epoch from lead.first_response_at - lead.first_incoming_at), 0)
  where lead.source <> 'teste'
$$;
comment on function portal.lead_delta(public.whatsapp_contacts, integer, text) is
  'What one lead adds to the counts, multiplied by sign (-1 for its state before a change). A test lead adds nothing. The definitions are those of the view portal.leads.';

-- Reads the time zone once a statement. A subselect would read it for each lead and make counting many times slower.
create function portal.note_lead_counts() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  zone text := portal.time_zone();
begin
  if tg_op = 'INSERT' then
    insert into portal.lead_deltas
    select d.* from new_rows n, portal.lead_delta(n, 1, zone) d;
  elsif tg_op = 'DELETE' then
    insert into portal.lead_deltas
    select d.* from old_rows o, portal.lead_delta(o, -1, zone) d;
  else
    insert into portal.lead_deltas
    select d.*
    from old_rows o
      full join new_rows n on n.id = o.id, -- full: see portal.record_moves
      lateral (
        select * from portal.lead_delta(o, -1, zone)
        union all
        select * from portal.lead_delta(n, 1, zone)
      ) d
    -- Skips updates that change none of these columns; most are messages.
    where (n."instanceName", n.empreendimento, n.status, n.source, n.campaign, n.created_at,
        n.first_incoming_at, n.first_response_at, n.won_at, n.left_contact_at, n.first_contacted_at)
      is distinct from (o."instanceName", o.empreendimento, o.status, o.source, o.campaign, o.created_at,
        o.first_incoming_at, o.first_response_at, o.won_at, o.left_contact_at, o.first_contacted_at);
  end if;
  return null;
end $$;
comment on function portal.note_lead_counts() is 'Trigger: appends how a write changed the counts of leads.';
create trigger note_new_lead_counts after insert on public.whatsapp_contacts
  referencing new table as new_rows for each statement execute function portal.note_lead_counts();
create trigger note_changed_lead_counts after update on public.whatsapp_contacts
  referencing old table as old_rows new table as new_rows for each statement execute function portal.note_lead_counts();
create trigger note_removed_lead_counts after delete on public.whatsapp_contacts
  referencing old table as old_rows for each statement execute function portal.note_lead_counts();

create function portal.fold_lead_deltas() returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  folded bigint;
begin
  -- Only one fold runs at a time; a second portal skips it.
  if not pg_try_advisory_xact_lock(hashtextextended('portal.lead_rollup', 0)) then return 0; end if;
  with
    noted as (delete from portal.lead_deltas where ctid = any (array(select d.ctid from portal.lead_deltas d limit 1000)) returning *),
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
comment on function portal.fold_lead_deltas() is
  'Adds at most 1,000 changes of portal.lead_deltas to portal.lead_rollup; returns how many there were. The portal calls it every two seconds. All figures are the same before and after.';

create function portal.rebuild_lead_rollup() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  zone text := portal.time_zone();
begin
  -- Locks all writers out, because they would count by the previous time zone.
  lock table public.whatsapp_contacts in share row exclusive mode;
  perform pg_advisory_xact_lock(hashtextextended('portal.lead_rollup', 0));
  delete from portal.lead_deltas;
  delete from portal.lead_rollup;
  insert into portal.lead_deltas
  select d.* from public.whatsapp_contacts c, portal.lead_delta(c, 1, zone) d;
  while portal.fold_lead_deltas() > 0 loop end loop;
  return null;
end $$;
comment on function portal.rebuild_lead_rollup() is
  'Trigger: counts all leads again after a change of the time zone, because that moves leads to other days.';
create trigger rebuild_lead_rollup after update of value on portal.settings
  for each row when (new.key = 'time_zone' and old.value is distinct from new.value)
  execute function portal.rebuild_lead_rollup();


-- Reads the dashboard from the counts: whole days from portal.lead_rollup, the rest from the leads.

create function portal.asked_brokers(p_brokers text[]) returns text[]
language sql stable set search_path = '' as $$
  select case
    when portal.is_admin() or portal.is_service() then case when cardinality(p_brokers) > 0 then p_brokers end
    else array(
      select distinct seen.name from unnest(portal.led_instances() || portal.my_instance()) as seen (name)
      where seen.name is not null and (coalesce(cardinality(p_brokers), 0) = 0 or seen.name = any (p_brokers)))
  end
$$;
comment on function portal.asked_brokers(text[]) is
  'Instance names whose figures the caller may see. Null means all, including leads without a broker. A broker gets its own name or none, a gerente those of the asked ones that it leads.';
grant execute on function portal.asked_brokers(text[]) to authenticated, service_role;

create type portal.lead_count as (
  dimension text,
  value text,
  leads bigint,
  answered bigint,
  unanswered bigint,
  won bigint,
  response_seconds numeric
);
comment on type portal.lead_count is
  'How many leads have a value of a dimension (total, status, source, campaign, weekday), with their metrics.';

create function portal.count_plain_leads(
  p_brokers text[], p_empreendimentos text[], p_starts_at timestamptz, p_ends_at timestamptz, p_is_total_only boolean
) returns setof portal.lead_count
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  zone text := portal.time_zone();
begin
  if p_starts_at >= p_ends_at then return; end if;
  return query
    select x.dimension, x.value, sum(d.leads), sum(d.answered), sum(d.unanswered), sum(d.won), sum(d.response_seconds)
    from public.whatsapp_contacts c,
      portal.lead_delta(c, 1, zone) d,
      lateral (values ('total', ''), ('status', d.status), ('source', d.source), ('campaign', d.campaign),
        ('weekday', extract(dow from d.day)::text)) as x (dimension, value)
    where (x.dimension = 'total' or not p_is_total_only)
      and c.created_at >= p_starts_at and c.created_at < p_ends_at
      and (p_brokers is null or c."instanceName" = any (p_brokers))
      and (coalesce(cardinality(p_empreendimentos), 0) = 0 or c.empreendimento = any (p_empreendimentos))
    group by x.dimension, x.value;
end $$;
comment on function portal.count_plain_leads(text[], text[], timestamptz, timestamptz, boolean) is
  'Counts the leads created in [start, end) one by one. p_brokers is what portal.asked_brokers returned.';

create function portal.count_whole_days(
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
  'Counts the leads of the local days [first, after) from portal.lead_rollup and portal.lead_deltas. For brokers and developments together the days must be whole months. A value may come in several rows, which the caller adds up.';

create function portal.count_leads(
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
    -- The nearest borders of months, inside or outside the period. At most half a month is left at either end.
    first_day := date_trunc('month', coalesce(p_start + interval '15 days', '-infinity'))::date;
    after_day := date_trunc('month', coalesce(p_end + interval '15 days 1 second', 'infinity'))::date;
  end if;
  if first_day >= after_day then
    return query select * from portal.count_plain_leads(asked, p_empreendimentos, span.starts_at, span.ends_at, p_is_total_only);
    return;
  end if;
  return query select * from portal.count_whole_days(asked, p_empreendimentos, first_day, after_day, p_is_total_only);
  -- Adds or subtracts the days between the period and these borders. Usually there are none, because screens filter by
  -- brokers or by developments.
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
comment on function portal.count_leads(text[], text[], timestamp, timestamp, boolean) is
  'Counts the leads of a period that the caller may see, exact at this moment. An empty list means all. With the last argument true, counts only the total. A value may come in several rows, which the caller adds up. 22023 if the end is before the start.';
grant execute on function portal.count_leads(text[], text[], timestamp, timestamp, boolean) to authenticated, service_role;

create function portal.first_lead_day(p_brokers text[], p_empreendimentos text[]) returns date
language sql stable security definer set search_path = '' as $$
  select min(c.created_at at time zone portal.time_zone())::date
  from public.whatsapp_contacts c
  where (portal.asked_brokers(p_brokers) is null or c."instanceName" = any (portal.asked_brokers(p_brokers)))
    and (coalesce(cardinality(p_empreendimentos), 0) = 0 or c.empreendimento = any (p_empreendimentos))
$$;
comment on function portal.first_lead_day(text[], text[]) is
  'The local day of the first lead of a filter that the caller may see, null without one; an open period starts there.';
grant execute on function portal.first_lead_day(text[], text[]) to authenticated, service_role;

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
comment on function portal.dashboard_kpi(portal.lead_count, integer) is
  'The key figures of a period of that many days, from its total.';
grant execute on function portal.dashboard_kpi(portal.lead_count, integer) to authenticated, service_role;


-- Public functions of the dashboard, from the metrics of portal.leads. A broker gets its own leads, a gerente those of
-- the brokers it leads, an administrator all.

create function public.get_dashboard_data_by_params(
  p_broker_names text[] default null,
  p_start_date timestamp default null,
  p_end_date timestamp default null,
  p_empreendimentos text[] default null
) returns json
language sql stable set search_path = '' as $$
  -- Checks the period before its days are counted, because counting fails for dates outside the calendar.
  select portal.dashboard(p_broker_names, p_empreendimentos, p_start_date, p_end_date)
  from portal.period(p_start_date, p_end_date)
  where portal.require_few(p_broker_names) and portal.require_few(p_empreendimentos)
$$;
comment on function public.get_dashboard_data_by_params(text[], timestamp, timestamp, text[]) is
  'The filtered dashboard: {kpi, charts, period}, see portal.dashboard. Brokers by instance name; an empty list means all; a missing date is open. 22023 if the end is before the start.';
grant execute on function public.get_dashboard_data_by_params(text[], timestamp, timestamp, text[]) to authenticated, service_role;

create function public.get_dashboard_overview_data() returns json
language sql stable set search_path = '' as $$
  select portal.dashboard(null, null, (today - 29)::timestamp, today + time '23:59:59')
  from (select (now() at time zone portal.time_zone())::date) as clock (today)
$$;
comment on function public.get_dashboard_overview_data() is
  'The dashboard of the last 30 days, today included: {kpi, charts, period}, see portal.dashboard. Also by GET.';
grant execute on function public.get_dashboard_overview_data() to authenticated, service_role;

-- Each page costs the same, wherever it is and whatever the filter. Every broker, development or pair of both has its
-- leads in index order, and a page merges the newest of each.
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
language sql stable set search_path = '' as $$
  select * from public.get_leads_of_figure(
    'total', null, p_broker_names, p_empreendimentos, p_data_inicio, p_data_fim, p_cursor, p_id_cursor)
$$;
comment on function public.get_leads_with_filters_and_pagination(text[], text[], timestamp, timestamp, timestamptz, bigint) is
  'A page of 20 leads for ''Detalhamento de Leads'', the newest first. p_cursor and p_id_cursor are created_at (exactly as returned) and id of the last row, so that new leads do not shift pages. Filters as in get_dashboard_data_by_params. 22023 if the end is before the start.';
grant execute on function public.get_leads_with_filters_and_pagination(text[], text[], timestamp, timestamp, timestamptz, bigint)
  to authenticated, service_role;

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
  'get_leads_with_filters_and_pagination without a filter for developments.';
grant execute on function public.buscar_leads_paginados(text[], timestamp, timestamp, timestamptz, bigint) to authenticated, service_role;

create function public.relatorio_leads_kanban_periodo2(
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
comment on function public.relatorio_leads_kanban_periodo2(text[], timestamp, timestamp) is
  'Leads of a period by broker (instance name, null for leads without a broker) and current stage. Filters as in get_dashboard_data_by_params.';
grant execute on function public.relatorio_leads_kanban_periodo2(text[], timestamp, timestamp) to authenticated, service_role;

create function public.relatorio_leads_por_horario(
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
comment on function public.relatorio_leads_por_horario(text[], timestamp, timestamp) is
  'Leads of a period by hour of arrival in the portal''s time zone, all 24 hours. Filters as in get_dashboard_data_by_params.';
grant execute on function public.relatorio_leads_por_horario(text[], timestamp, timestamp) to authenticated, service_role;

create function public.get_available_empreendimentos() returns table (empreendimento text, lead_count bigint)
language sql stable set search_path = '' as $$
  select c.empreendimento, count(*)
  from public.whatsapp_contacts c
  where c.empreendimento is not null
  group by c.empreendimento
  order by c.empreendimento
$$;
comment on function public.get_available_empreendimentos() is
  'Developments of leads, each with the number of leads that the caller may see. Also by GET.';
grant execute on function public.get_available_empreendimentos() to authenticated, service_role;

create function public.get_brokers_by_empreendimento(p_empreendimentos text[] default null) returns setof text
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
comment on function public.get_brokers_by_empreendimento(text[]) is
  'Instance names of the brokers with a lead of these developments or a seat in their rotations; an empty list means all brokers.';
grant execute on function public.get_brokers_by_empreendimento(text[]) to authenticated, service_role;


-- The leads behind a figure, and how response times are distributed.

-- The function has no search_path and uses only qualified names; otherwise Postgres would not inline it into the
-- calling query. Unanswered leads are separate from slow ones, because each figure has a list of its own.
create function portal.makes_figure(lead portal.leads, p_figure text, p_value text) returns boolean
language sql stable as $$
  select case p_figure
    when 'total' then true
    when 'answered' then lead.response_seconds is not null
    when 'unanswered' then lead.is_unanswered
    when 'won' then lead.is_won
    when 'within-five-minutes' then coalesce(lead.response_seconds <= 300, false)
    when 'answered-after' then coalesce(lead.response_seconds > p_value::numeric, false)
    when 'contacted' then lead.contact_seconds is not null
    when 'contacted-within-five-minutes' then coalesce(lead.contact_seconds <= 300, false)
    when 'contacted-after' then coalesce(lead.contact_seconds > p_value::numeric, false)
    when 'status' then lead.kanban_lead = p_value
    when 'source' then lead.source = p_value
    when 'campaign' then lead.campaign = p_value
    when 'weekday' then extract(dow from lead.local_created_at)::text = p_value
  end
$$;
comment on function portal.makes_figure(portal.leads, text, text) is
  'Whether a lead counts in a figure of the dashboard, or in the part of a chart that p_value names.';
grant execute on function portal.makes_figure(portal.leads, text, text) to authenticated, service_role;

create function portal.require_figure(p_figure text, p_value text) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if p_figure in ('total', 'answered', 'unanswered', 'won', 'within-five-minutes', 'contacted', 'contacted-within-five-minutes')
    and p_value is null then return; end if;
  if p_figure in ('status', 'source', 'campaign') and p_value is not null then return; end if;
  if p_figure = 'weekday' and p_value ~ '^[0-6]$' then return; end if;
  if p_figure in ('answered-after', 'contacted-after') and p_value ~ '^[0-9]{1,10}(\.[0-9]{1,6})?$' then return; end if;
  raise exception 'Este número do painel não existe.' using errcode = '22023';
end $$;
comment on function portal.require_figure(text, text) is
  'Raises 22023 for a figure that the dashboard does not have.';
grant execute on function portal.require_figure(text, text) to authenticated, service_role;

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
  is_any_broker boolean := coalesce(cardinality(p_broker_names), 0) = 0;
  is_any_development boolean := coalesce(cardinality(p_empreendimentos), 0) = 0;
  -- The query compares (created_at, id) with the cursor. This bound of created_at alone lets every version of Postgres
  -- begin its index scan at the cursor.
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
comment on function public.get_leads_of_figure(text, text, text[], text[], timestamp, timestamp, timestamptz, bigint) is
  'A page of 20 leads behind a figure of the dashboard, the newest first: p_figure total, answered, unanswered, won, within-five-minutes; contacted, contacted-within-five-minutes (of leads who left a contact); answered-after, contacted-after with seconds as p_value; or status, source, campaign, weekday (0 = Sunday) with the p_value of a slice or bar. Filters and cursors as in get_leads_with_filters_and_pagination. 22023 for an unknown figure, or if the end is before the start.';
grant execute on function public.get_leads_of_figure(text, text, text[], text[], timestamp, timestamp, timestamptz, bigint)
  to authenticated, service_role;

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
  perform portal.require_few(p_broker_names), portal.require_few(p_empreendimentos);
  perform portal.require_figure(p_figure, p_value);
  return (
    select count(*)
    from portal.leads_of(p_broker_names, p_empreendimentos, span.starts_at, span.ends_at) l
    where portal.makes_figure(l, p_figure, p_value)
  );
end $$;
comment on function public.count_leads_of_figure(text, text, text[], text[], timestamp, timestamp) is
  'Number of leads on all pages of get_leads_of_figure, which equals the figure.';
grant execute on function public.count_leads_of_figure(text, text, text[], text[], timestamp, timestamp) to authenticated, service_role;

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
comment on function public.get_response_times(text[], text[], timestamp, timestamp) is
  'Response times of the leads of a period. For leads who wrote: mean, median and p90 in hours over answeredLeads, null without any, wroteUnansweredLeads, and the percentage answered within five minutes, null if nobody wrote. leftContact has the same for leads who left a contact and did not write before a person wrote to them, from their arrival on. unansweredLeads is the sum of both. Filters as in get_dashboard_data_by_params.';
grant execute on function public.get_response_times(text[], text[], timestamp, timestamp) to authenticated, service_role;

create function public.get_lead_trend(
  p_broker_names text[] default null,
  p_empreendimentos text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null
) returns json
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
  last_day date := coalesce(p_data_fim::date, (now() at time zone portal.time_zone())::date);
  first_day date := least(coalesce(p_data_inicio::date, portal.first_lead_day(p_broker_names, p_empreendimentos)), last_day);
  days integer := last_day - first_day + 1;
  step text := case when days <= 31 then 'day' when days <= 217 then 'week' when days <= 961 then 'month' else 'year' end;
begin
  perform portal.require_few(p_broker_names), portal.require_few(p_empreendimentos);
  return (
    with
      steps as (
        select
          s.start,
          greatest(s.start::date, first_day) as first,
          least((s.start + ('1 ' || step)::interval)::date - 1, last_day) as last
        from generate_series(date_trunc(step, first_day::timestamp), last_day::timestamp, ('1 ' || step)::interval) as s (start)
      ),
      counts as (
        select
          date_trunc(step, l.local_created_at) as start,
          count(*) as leads,
          count(*) filter (where l.response_seconds is not null or l.contact_seconds is not null) as answered
        from portal.leads_of(p_broker_names, p_empreendimentos, span.starts_at, span.ends_at) l
        group by 1
      )
    select json_build_object('step', step, 'points', coalesce(json_agg(json_build_object(
      'from', s.first, 'to', s.last, 'leads', coalesce(c.leads, 0), 'answered', coalesce(c.answered, 0)) order by s.start), '[]'))
    from steps s
    left join counts c using (start)
  );
end $$;
comment on function public.get_lead_trend(text[], text[], timestamp, timestamp) is
  'How many leads of a period arrived, and how many of them a person answered: by day up to 31 days, by week (from Monday) up to 217, by month up to 961, else by year; each step with its first and last day inside the period, also those without a lead. An open period begins with the first lead. Filters as in get_dashboard_data_by_params. 22023 if the end is before the start.';
grant execute on function public.get_lead_trend(text[], text[], timestamp, timestamp) to authenticated, service_role;


-- Leads that rotations distributed, and the rows behind a figure of the dashboard.

-- Reads from the log of rotations what they distributed. Of the rows of one case, the last names the broker who got the
-- lead last.
create view portal.distributed_leads with (security_invoker = true) as
select
  e.case_id as id,
  c.name as nome_lead,
  c.number as number_lead,
  e.at as created_at,
  coalesce(r.empreendimento, k.development, '') as empreendimento,
  e."instanceName" as broker_name,
  e.id as event_id
from portal.roleta_events e
join portal.roleta_cases k on k.id = e.case_id
join public.whatsapp_contacts c on c.id = k.contact_id
left join public.roletas r on r.id = k.roleta_id
where e.kind in ('given', 'accepted', 'claimed');
comment on view portal.distributed_leads is
  'Each assignment of a lead by a rotation: the case, the lead, when, the development, and the broker. Only public.get_distributed_leads reads it.';

create function public.get_distributed_leads(
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null
) returns json
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
  is_everybody constant boolean := portal.is_admin() or portal.is_service();
  led constant text[] := portal.led_instances();
begin
  return (
    with leads as materialized (
      select distinct on (d.id) d.id, d.nome_lead, d.number_lead, d.created_at, d.empreendimento, d.broker_name
      from portal.distributed_leads d
      where d.created_at >= span.starts_at and d.created_at < span.ends_at
        and (is_everybody or d.broker_name = any (led))
      order by d.id, d.event_id desc
    )
    select json_build_object(
      'total', (select count(*) from leads),
      'leads', (select coalesce(json_agg(x), '[]') from (
        select * from leads l order by l.created_at desc, l.id desc limit 2000) x)
    )
  );
end $$;
comment on function public.get_distributed_leads(timestamp, timestamp) is
  'The leads that rotations gave to brokers in a period, each case of a lead once, with its last receiver and time: the total, and the newest 2,000, newest first. Those of the brokers it leads for a gerente, empty for other brokers. Period as in get_dashboard_data_by_params; 22023 if the end is before the start.';
grant execute on function public.get_distributed_leads(timestamp, timestamp) to authenticated, service_role;

create function public.get_leads_behind_figure(
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
  -- Repeats the comparison of rows as a simple bound, so that every version of Postgres begins its index scan at the
  -- same place.
  ends_at timestamptz := least(span.ends_at, p_cursor + interval '1 microsecond');
begin
  perform portal.require_few(p_broker_names), portal.require_few(p_empreendimentos);
  perform portal.require_figure(p_figure, p_value);
  return query
    select l.id, l.nome_lead, l.number_lead, l.created_at, l.kanban_lead, l.empreendimento, l.broker_name,
      case when p_figure in ('contacted', 'contacted-within-five-minutes', 'contacted-after') then l.contact_seconds
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
comment on function public.get_leads_behind_figure(text, text, text[], text[], timestamp, timestamp, timestamptz, bigint) is
  'As get_leads_of_figure, with response_seconds (time to the first answer) or waiting_since (since when the lead waits). Filters and cursors as in get_leads_with_filters_and_pagination. 22023 for an unknown figure, or if the end is before the start.';
grant execute on function public.get_leads_behind_figure(text, text, text[], text[], timestamp, timestamp, timestamptz, bigint)
  to authenticated, service_role;
