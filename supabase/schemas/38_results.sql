-- Results of a period for the agency, each team and each broker: one definition of each figure, the statistics that
-- figures need, and the lists behind them.


-- Statistics: these functions read no tables.

create function portal.answer_curve(p_groups text[], p_seconds double precision[], p_answered boolean[], p_within double precision)
returns table (grp text, spans integer, answered integer, p25 double precision, median double precision, p90 double precision, within_share double precision)
language sql immutable set search_path = '' as $$
  with told as (
    select t.grp, t.m, count(*) filter (where t.is_answered) as hit, count(*) as gone
    from unnest(p_groups, p_seconds, p_answered) as t (grp, m, is_answered) group by 1, 2
  ), risked as (
    select t.*, sum(t.gone) over (partition by t.grp order by t.m desc) as risk from told t
  ), curve as (
    select r.grp, r.m, r.hit, r.gone, case when bool_or(r.hit = r.risk) over w then 0
      else exp(sum(ln(case when r.hit = r.risk then 1 else 1 - r.hit::double precision / r.risk::double precision end)) over w) end as s
    from risked r window w as (partition by r.grp order by r.m)
  )
  -- The margin of 1e-9 is needed, because a half may be stored as 0.5000000000000001.
  select c.grp, sum(c.gone)::integer, sum(c.hit)::integer, min(c.m) filter (where c.s <= 0.75 + 1e-9),
    min(c.m) filter (where c.s <= 0.5 + 1e-9), min(c.m) filter (where c.s <= 0.1 + 1e-9),
    1 - coalesce(min(c.s) filter (where c.m <= p_within), 1)
  from curve c group by c.grp
$$;
comment on function portal.answer_curve(text[], double precision[], boolean[], double precision) is
  'Times until an answer for each group, by Kaplan-Meier: a wait without an answer counts as long as it lasted. p_seconds has the waits, p_answered which of them ended in an answer. Returns the first time at which a quarter, half and nine tenths are answered (null: not reached), and within_share, the share that is answered within p_within. Server only.';

create function portal.whole_percents(p_parts bigint[]) returns integer[]
language sql immutable set search_path = '' as $$
  with parts as (
    select u.place, u.part, sum(u.part) over () as total from unnest(p_parts) with ordinality as u (part, place)
  ), floored as (
    select p.place, p.total, floor(100 * p.part / nullif(p.total, 0)) as low, mod(100 * p.part, nullif(p.total, 0)) as rest from parts p
  ), ranked as (
    select f.*, row_number() over (order by f.rest desc, f.place) as turn, 100 - sum(f.low) over () as missing from floored f
  )
  select array_agg((r.low + (r.turn <= r.missing)::integer)::integer order by r.place) from ranked r
$$;
comment on function portal.whole_percents(bigint[]) is
  'Whole percents of parts, rounded so that they add up to 100 (largest remainder). All null if every part is 0. Server only.';

create function portal.wilson(p_hits bigint, p_of bigint, out low double precision, out high double precision)
language sql immutable set search_path = '' as $$
  select greatest(0, (s.middle - s.half) / s.scale), least(1, (s.middle + s.half) / s.scale)
  from (select 1.959963984540054::double precision as z, nullif(p_of, 0)::double precision as n) v
  cross join lateral (select p_hits / v.n as share) h
  cross join lateral (
    select h.share + v.z ^ 2 / (2 * v.n) as middle, v.z * sqrt(h.share * (1 - h.share) / v.n + v.z ^ 2 / (4 * v.n ^ 2)) as half,
      1 + v.z ^ 2 / v.n as scale
  ) s
$$;
comment on function portal.wilson(bigint, bigint) is
  'The 95 % confidence interval of a share, by Wilson. Null if p_of is 0. Server only.';

create function portal.rate(p_hits bigint, p_of bigint) returns numeric
language sql immutable set search_path = '' as $$ select round(100.0 * p_hits / nullif(p_of, 0), 1) $$;
comment on function portal.rate(bigint, bigint) is 'A percentage with one decimal. Null if p_of is 0. Server only.';

create function portal.rate_range(p_hits bigint, p_of bigint) returns jsonb
language sql immutable set search_path = '' as $$
  select case when p_of > 0 then jsonb_build_array(round((100 * w.low)::numeric), round((100 * w.high)::numeric)) end from portal.wilson(p_hits, p_of) w
$$;
comment on function portal.rate_range(bigint, bigint) is
  'The 95 % confidence interval in whole percents. Null if p_of is 0. Server only.';

create function portal.same_mix(p_groups text[], p_sources text[], p_hits bigint[], p_of bigint[])
returns table (grp text, share double precision)
language sql immutable set search_path = '' as $$
  with told as (
    select t.grp, t.source, sum(t.hits) as hits, sum(t.leads) as leads, sum(sum(t.leads)) over (partition by t.source) as weight
    from unnest(p_groups, p_sources, p_hits, p_of) as t (grp, source, hits, leads) group by 1, 2
  )
  select t.grp, (sum(t.weight * t.hits / t.leads) / sum(t.weight))::double precision from told t where t.leads > 0 group by t.grp
$$;
comment on function portal.same_mix(text[], text[], bigint[], bigint[]) is
  'The share of hits that each group would have if all groups had the same mix of sources. A source that a group does not have is left out for it. Server only.';

create function portal.period_before(p_from date, p_to date, out from_day date, out to_day date)
language plpgsql immutable set search_path = '' as $$
declare
  first_of constant date := date_trunc('month', p_from::timestamp)::date;
  months constant integer := (extract(year from p_to) - extract(year from p_from)) * 12 + extract(month from p_to) - extract(month from p_from) + 1;
begin
  if p_from = first_of and extract(day from p_to + 1) = 1 then
    from_day := (p_from::timestamp - make_interval(months => months))::date;
    to_day := p_from - 1;
  elsif p_from = first_of and months = 1 then
    from_day := (p_from::timestamp - interval '1 month')::date;
    to_day := least(from_day + (p_to - p_from), p_from - 1);
  else
    to_day := p_from - 1;
    from_day := to_day - (p_to - p_from);
  end if;
end $$;
comment on function portal.period_before(date, date) is
  'The days with which a period is compared. Whole months: as many whole months before. The first days of a month: the same days of the month before, or all of a shorter one. Else: as many days before. Server only.';

create function portal.opening_hours() returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_agg(jsonb_build_object('weekday', d, 'opens', '08:00', 'closes', '20:00')) from generate_series(1, 6) d
$$;
comment on function portal.opening_hours() is
  'Opening hours for reports: Monday to Saturday from 8h to 20h, the same hours in which targets count without a rotation. Server only.';

create function portal.opening_seconds(
  p_from timestamptz[], p_until timestamptz[], p_zone text, p_hours jsonb, p_holidays date[]
) returns double precision[]
language plpgsql stable set search_path = '' as $$
declare
  first_day constant date := (select min(f.at at time zone p_zone)::date - 1 from unnest(p_from) as f (at));
  last_day constant date := (select max(u.at at time zone p_zone)::date from unnest(p_until) as u (at));
  starts timestamptz[];
  ends timestamptz[];
  before double precision[];
begin
  select array_agg(o.opens order by o.opens), array_agg(o.closes order by o.opens), array_agg(o.sum - o.length order by o.opens)
  into starts, ends, before
  from (
    select lower(r.part) as opens, upper(r.part) as closes, l.length, sum(l.length) over (order by lower(r.part)) as sum
    from unnest((
      select range_agg(tstzrange(h.opens, h.closes))
      from (
        select (d.day + (r.row ->> 'opens')::time) at time zone p_zone as opens,
          (d.day + ((r.row ->> 'closes')::time <= (r.row ->> 'opens')::time)::integer + (r.row ->> 'closes')::time) at time zone p_zone as closes
        from (select first_day + n as day from generate_series(0, last_day - first_day) as n) d
        join jsonb_array_elements(p_hours) as r (row) on (r.row ->> 'weekday')::integer = extract(dow from d.day)
        where d.day <> all (coalesce(p_holidays, '{}'))
      ) h
      -- Leaves out hours that the change to summer time removes.
      where h.closes > h.opens
    )) as r (part)
    cross join lateral (select extract(epoch from upper(r.part) - lower(r.part))::double precision as length) l
  ) o;
  return array(
    select greatest(0, u.seconds - f.seconds)
    from unnest(p_from, p_until) with ordinality as t (since, until, place)
    cross join lateral (select coalesce(width_bucket(t.since, starts), 0) as i) fi
    cross join lateral (select coalesce(width_bucket(t.until, starts), 0) as i) ui
    cross join lateral (
      select case when fi.i = 0 then 0 else before[fi.i] + extract(epoch from least(t.since, ends[fi.i]) - starts[fi.i]) end as seconds) f
    cross join lateral (
      select case when ui.i = 0 then 0 else before[ui.i] + extract(epoch from least(t.until, ends[ui.i]) - starts[ui.i]) end as seconds) u
    order by t.place
  );
end $$;
comment on function portal.opening_seconds(timestamptz[], timestamptz[], text, jsonb, date[]) is
  'How many seconds of opening hours lie between each pair of instants. p_hours: rows of {weekday (0 is Sunday), opens, closes}. If closes is not after opens, it is on the next day. On a holiday nothing opens. Overlapping rows count once. Server only.';


-- Which broker had a lead when, and how long the lead waited there.

create function portal.owner_at(p_contact bigint, p_owner text, p_at timestamptz) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  change record;
begin
  select h.to_instance as owner into change from portal.owner_history h
  where h.contact_id = p_contact and date_trunc('second', h.changed_at) <= p_at order by h.id desc limit 1;
  if found then return change.owner; end if;
  select h.from_instance as owner into change from portal.owner_history h where h.contact_id = p_contact order by h.id limit 1;
  if found then return change.owner; end if;
  return p_owner;
end $$;
comment on function portal.owner_at(bigint, text, timestamptz) is
  'The instance that had a lead at an instant. p_owner is its present owner, for a lead that never changed hands. Null: no broker had it. Server only.';

-- The function has no search_path. Otherwise Postgres would not inline it into the calling query.
create function portal.result_group(p_level text, p_brokers text[], p_broker text, p_teams jsonb default null) returns text
language sql immutable as $$
  select case
    when p_brokers is not null and (p_broker is null or p_broker <> all (p_brokers)) then null
    when p_level = 'all' then ''
    when p_level = 'broker' then p_broker
    else p_teams ->> p_broker end
$$;
comment on function portal.result_group(text, text[], text, jsonb) is
  'The group to which a broker belongs in a report: '''' for the level all, its instance name for broker, its entry in p_teams for team. Null: the report leaves the broker out. p_brokers null: it leaves nobody out. Server only.';

create function portal.result_arrivals(p_from timestamptz, p_to timestamptz)
returns table (contact_id bigint, person_id bigint, owner text, at timestamptz, answered_at timestamptz, answered_by text, left_at timestamptz)
language sql stable security definer set search_path = '' as $$
  with touched as (
    select k.id, c.person_id, k.broker_name, k.received_at, k.answered_at
    from portal.clocks k join public.whatsapp_contacts c on c.id = k.id
    where k.received_at < p_to and (
      k.received_at >= p_from
      or c.last_message_timestamp >= extract(epoch from p_from) and k.received_at < p_to - interval '2160 hours'
      or exists (
        select from portal.owner_history h where h.contact_id = c.id and h.changed_at >= p_from and h.changed_at < p_to))
  ), seen as materialized (
    select * from touched
    union
    -- Adds the other leads of the same persons, because a person may be the lead of several brokers.
    select k.id, c.person_id, k.broker_name, k.received_at, k.answered_at
    from public.whatsapp_contacts c join portal.clocks k on k.id = c.id
    where c.person_id in (select t.person_id from touched t) and k.received_at < p_to
  ), arrivals as (
    select s.id, s.person_id, s.broker_name, s.received_at as at, s.answered_at from seen s
    union all
    select s.id, s.person_id, s.broker_name, r.at, (
      select to_timestamp(m."timestamp") from public.whatsapp_messages m
      where m.contact_id = s.id and m.type = 'outgoing' and m.author = 'human' and m.delivery <> 'failed'
        and (m."timestamp", m.id) > (floor(extract(epoch from r.at))::bigint, r.id)
      order by m."timestamp", m.id limit 1)
    from seen s
    cross join lateral (
      select e.at, e.id, e.is_arrival, lag(e.at) over (order by e.at, e.id) as before
      from (
        select to_timestamp(m."timestamp") as at, m.id, m.type = 'incoming' as is_arrival
        from public.whatsapp_messages m where m.contact_id = s.id and m.type <> 'note'
        union all
        select date_trunc('second', i.received_at), 0, true from portal.lead_intakes i where i.contact_id = s.id
      ) e
    ) r
    where s.received_at < p_to - interval '2160 hours' and r.is_arrival and r.at > s.received_at and r.at < p_to
      and r.before <= r.at - interval '2160 hours'
  )
  select a.id, a.person_id, a.broker_name, a.at, a.answered_at, w."instanceName",
    -- A person who wrote after opting out does not wait for an answer, but an answer counts.
    case when p.opted_out_at < coalesce(a.answered_at, 'infinity') and (p.opted_out_at >= a.at or a.answered_at is null)
      then greatest(date_trunc('second', p.opted_out_at), a.at) end
  from arrivals a
  join portal.people p on p.id = a.person_id
  left join lateral (
    select m."instanceName" from public.whatsapp_messages m
    where m.contact_id = a.id and m.type = 'outgoing' and m.author = 'human' and m.delivery <> 'failed'
      and m."timestamp" = extract(epoch from a.answered_at)::bigint
    order by m.id limit 1
  ) w on true
$$;
comment on function portal.result_arrivals(timestamptz, timestamptz) is
  'The arrivals of leads before p_to: the first one (portal.clocks), and each message or form after 90 days of silence. It reads leads that arrived, came back or changed hands since p_from, and other leads of the same persons. Each arrival has the first answer of a person after it (answered_at), the instance that sent the answer (answered_by), and when the person opted out while waiting (left_at). Server only.';

create function portal.result_spans(
  p_level text, p_brokers text[], p_from timestamptz, p_to timestamptz, p_now timestamptz, p_teams jsonb default null
)
returns table (grp text, contact_id bigint, at timestamptz, until_at timestamptz, is_answered boolean)
language sql stable security definer set search_path = '' as $$
  with arrivals as materialized (
    select a.*, least(a.answered_at, a.left_at) as ended_at from portal.result_arrivals(p_from, p_to) a
  ), leads as (
    select distinct a.contact_id, a.owner from arrivals a
  ), owners as (
    select l.contact_id, 0::bigint as place, '-infinity'::timestamptz as since, case when f.id is null then l.owner else f.from_instance end as owner
    from leads l
    left join (
      select distinct on (h.contact_id) h.contact_id, h.id, h.from_instance
      from leads l join portal.owner_history h on h.contact_id = l.contact_id order by h.contact_id, h.id
    ) f on f.contact_id = l.contact_id
    union all
    select l.contact_id, h.id, date_trunc('second', h.changed_at), h.to_instance
    from leads l join portal.owner_history h on h.contact_id = l.contact_id
  ), grouped as (
    select o.contact_id, o.place, o.since, o.owner, portal.result_group(p_level, p_brokers, o.owner, p_teams) as grp from owners o
  ), holders as (
    select b.contact_id, b.grp, b.owner, b.since, lead(b.since, 1, 'infinity') over (partition by b.contact_id order by b.place) as until_at
    from (
      select g.*, g.place = 0 or g.grp is distinct from lag(g.grp) over (partition by g.contact_id order by g.place) as begins
      from grouped g
    ) b where b.begins
  ), spans as materialized (
    select row_number() over () as place, h.grp, a.contact_id, a.person_id, greatest(a.at, h.since) as at,
      greatest(a.at, h.since, least(h.until_at, a.ended_at, p_now)) as until_at,
      coalesce(a.answered_at <= h.until_at and a.answered_at = a.ended_at and (
        a.answered_by is null or portal.result_group(p_level, p_brokers, a.answered_by, p_teams) = h.grp
        -- If the answering instance belongs to no broker any more, it does not tell who answered.
        or not exists (select from public.brokers b where b."instanceName" = a.answered_by)), false) as is_answered
    from arrivals a
    join holders h on h.contact_id = a.contact_id
    where h.grp is not null and h.until_at > greatest(a.at, h.since)
      and (h.since <= a.at or h.since < coalesce(a.ended_at, 'infinity'))
  ), again as (
    -- This is a join, because a look-up for each span would read all spans each time.
    select distinct s.place
    from spans s join spans o on o.person_id = s.person_id and o.grp = s.grp and (o.at, o.contact_id) < (s.at, s.contact_id)
    where p_level <> 'broker' and greatest(o.at, (
      select to_timestamp(max(m."timestamp")) from public.whatsapp_messages m
      where m.contact_id = o.contact_id and m."timestamp" < extract(epoch from s.at)::bigint)) > s.at - interval '2160 hours'
  )
  select s.grp, s.contact_id, s.at, s.until_at, s.is_answered
  from spans s
  where s.at >= p_from and s.at < p_to and s.place not in (select a.place from again a)
$$;
comment on function portal.result_spans(text, text[], timestamptz, timestamptz, timestamptz, jsonb) is
  'The waits of each group (portal.result_group) that began in [p_from, p_to). A wait begins when a lead arrives, or is handed over to the group before anybody answered. It ends with a person''s first answer, the opt-out, the next hand-over, or p_now. is_answered: this group answered. At the level broker each lead and hand-over has a row; at other levels a person has one until 90 days of silence. Server only.';

create function portal.result_facts(p_level text, p_filter jsonb, p_from timestamptz, p_to timestamptz, p_now timestamptz)
returns table (figure text, grp text, contact_id bigint, at timestamptz, seconds double precision, is_hit boolean, cents bigint, part text)
language sql stable security definer set search_path = '' as $$
  with asked as materialized (
    select case when p_filter ? 'brokers' then array(select jsonb_array_elements_text(p_filter -> 'brokers')) end as brokers,
      array(select jsonb_array_elements_text(coalesce(p_filter -> 'developments', '[]'))) as developments,
      array(select jsonb_array_elements_text(coalesce(p_filter -> 'sources', '[]'))) as sources,
      coalesce((p_filter ->> 'days')::integer, 30) * interval '24 hours' as age
  ), leads as not materialized (
    select c.id, c."instanceName" as owner, c.source, c.won_at, c.value_cents, c.status, c.loss_reason, a.brokers, a.age
    from public.whatsapp_contacts c cross join asked a
    where c.source <> 'teste'
      and (a.developments = '{}' or c.empreendimento = any (a.developments)) and (a.sources = '{}' or c.source = any (a.sources))
  ), spans as materialized (
    select row_number() over () as place, s.*, l.owner, l.source, l.won_at, l.brokers, l.age
    from asked a cross join lateral portal.result_spans(p_level, a.brokers, p_from, p_to, p_now, p_filter -> 'teams') s join leads l on l.id = s.contact_id
  ), waits as (
    select s.*, w.seconds
    from spans s
    join unnest((
      select case when p_filter ->> 'clock' = 'open'
        then portal.opening_seconds(array_agg(o.at order by o.place), array_agg(o.until_at order by o.place), portal.time_zone(), portal.opening_hours(), null)
        else array_agg(extract(epoch from o.until_at - o.at)::double precision order by o.place) end
      from spans o)) with ordinality as w (seconds, place) using (place)
  ), cohort as (
    select distinct on (s.grp, s.contact_id) s.* from spans s where s.at <= p_now - s.age order by s.grp, s.contact_id, s.at
  ), visits as (
    select l.brokers, l.owner, a.contact_id, a.created_at, a.due_at, case when a.outcome = 'done' then 'held' when a.outcome = 'missed' then 'missed' else 'untold' end as told
    from portal.actions a join leads l on l.id = a.contact_id
    where a.kind = 'visit' and (a.outcome is null or a.outcome in ('done', 'missed'))
  ), facts as (
    select 'received' as figure, w.grp, w.contact_id, w.at, w.seconds, w.is_answered as is_hit, null::bigint as cents, null::text as part from waits w
    union all
    select 'cohort', s.grp, s.contact_id, s.at, null, coalesce(s.won_at >= s.at and s.won_at < s.at + s.age
      and portal.result_group(p_level, s.brokers, portal.owner_at(s.contact_id, s.owner, s.won_at), p_filter -> 'teams') = s.grp, false), null, s.source
    from cohort s
    union all
    select 'booked', portal.result_group(p_level, v.brokers, portal.owner_at(v.contact_id, v.owner, v.created_at), p_filter -> 'teams'), v.contact_id, v.created_at, null, null, null, null
    from visits v where v.created_at >= p_from and v.created_at < p_to
    union all
    select 'visits', portal.result_group(p_level, v.brokers, portal.owner_at(v.contact_id, v.owner, v.due_at), p_filter -> 'teams'), v.contact_id, v.due_at, null, v.told = 'held', null, v.told
    from visits v where v.due_at >= p_from and v.due_at < least(p_to, p_now)
    union all
    select 'won', portal.result_group(p_level, l.brokers, portal.owner_at(l.id, l.owner, l.won_at), p_filter -> 'teams'), l.id, l.won_at, null, null, coalesce(l.value_cents, 0), null
    from leads l where l.won_at >= p_from and l.won_at < p_to
    union all
    select 'lost', portal.result_group(p_level, l.brokers, portal.owner_at(l.id, l.owner, h.changed_at), p_filter -> 'teams'), l.id, h.changed_at, null, null, null, coalesce(l.loss_reason, 'none')
    from portal.stage_history h
    join public.kanban_stages k on k.slug = h.to_status and k.kind = 'lost'
    join leads l on l.id = h.contact_id and l.status = h.to_status
    where h.changed_at >= p_from and h.changed_at < p_to
      and not exists (select from portal.stage_history n where n.contact_id = h.contact_id and n.id > h.id)
    union all
    select 'waiting', portal.result_group(p_level, l.brokers, l.owner, p_filter -> 'teams'), l.id, k.waiting_since, extract(epoch from p_now - k.waiting_since), null, null, null
    from portal.clocks k join leads l on l.id = k.id where k.waiting_since is not null
  )
  select f.* from facts f where f.grp is not null
$$;
comment on function portal.result_facts(text, jsonb, timestamptz, timestamptz, timestamptz) is
  'The rows that figures of results count. received: waits of portal.result_spans (seconds; is_hit: answered). cohort: received leads that are at least p_filter.days old (is_hit: won within these days by the group that received it; part: source). booked: visits by the day on which they were booked. visits: visits by their own day (part: held, missed, untold). won, and lost (part: reason). waiting: leads that wait for a first answer now, whatever the period. Every row counts for the group that had the lead then. p_filter: {brokers (missing: all), developments, sources, days, clock (open: only opening hours count), teams (broker: team)}. Server only.';

create function portal.result_figures(p_level text, p_filter jsonb, p_from timestamptz, p_to timestamptz, p_now timestamptz)
returns table (grp text, figures jsonb)
language sql stable security definer set search_path = '' as $$
  with facts as materialized (
    select * from portal.result_facts(p_level, p_filter, p_from, p_to, p_now)
  ), curve as (
    select c.* from (
      select array_agg(f.grp) as groups, array_agg(f.seconds) as seconds, array_agg(f.is_hit) as hits from facts f where f.figure = 'received'
    ) t cross join lateral portal.answer_curve(t.groups, t.seconds, t.hits, portal.answer_target()) c
  ), counts as (
    select f.grp,
      count(*) filter (where f.figure = 'received') as received,
      count(*) filter (where f.figure = 'received' and f.is_hit) as answered,
      count(*) filter (where f.figure = 'received' and f.is_hit and f.seconds <= portal.answer_target()) as in_time,
      count(*) filter (where f.figure = 'received' and (f.is_hit or f.seconds > portal.answer_target())) as decided,
      count(*) filter (where f.figure = 'cohort') as cohort,
      count(*) filter (where f.figure = 'cohort' and f.is_hit) as converted,
      count(*) filter (where f.figure = 'booked') as booked,
      count(*) filter (where f.figure = 'visits' and f.part = 'held') as held,
      count(*) filter (where f.figure = 'visits' and f.part = 'missed') as missed,
      count(*) filter (where f.figure = 'visits' and f.part = 'untold') as untold,
      count(*) filter (where f.figure = 'won') as won,
      coalesce(sum(f.cents), 0) as cents,
      count(*) filter (where f.figure = 'lost') as lost,
      count(*) filter (where f.figure = 'waiting') as waiting,
      floor(max(f.seconds) filter (where f.figure = 'waiting')) as longest
    from facts f group by f.grp
  ), mixed as (
    select m.* from (
      select array_agg(f.grp) as groups, array_agg(f.part) as sources, array_agg(f.is_hit::integer::bigint) as hits, array_agg(1::bigint) as leads
      from facts f where f.figure = 'cohort'
    ) t cross join lateral portal.same_mix(t.groups, t.sources, t.hits, t.leads) m
  ), whole as (
    select sum(c.converted) / nullif(sum(c.cohort), 0) as share from counts c
  )
  select n.grp, jsonb_build_object(
    'received', n.received, 'answered', n.answered, 'answeredRate', portal.rate(n.answered, n.received),
    'median', round(c.median), 'p90', round(c.p90), 'within', round((100 * c.within_share)::numeric, 1),
    'inTime', n.in_time, 'decided', n.decided, 'withinRange', portal.rate_range(n.in_time, n.decided),
    'booked', n.booked, 'held', n.held, 'missed', n.missed, 'untold', n.untold,
    'heldRate', portal.rate(n.held, n.held + n.missed), 'heldRange', portal.rate_range(n.held, n.held + n.missed),
    'won', n.won, 'cents', n.cents,
    'cohort', n.cohort, 'converted', n.converted, 'conversion', portal.rate(n.converted, n.cohort),
    'conversionRange', portal.rate_range(n.converted, n.cohort), 'sameMix', round((100 * m.share)::numeric, 1),
    'rank', case when n.cohort >= 20 then (m.share * n.cohort + 40 * w.share) / (n.cohort + 40) end,
    'lost', n.lost, 'waiting', n.waiting, 'longest', n.longest,
    'losses', (
      select coalesce(jsonb_agg(jsonb_build_object('reason', l.part, 'leads', l.leads,
        'percent', case when l.total >= 10 then l.percents[l.place] end) order by l.place), '[]')
      from (
        select g.*, portal.whole_percents(array_agg(g.leads) over (order by g.place rows between unbounded preceding and unbounded following)) as percents,
          sum(g.leads) over () as total
        from (
          select f.part, count(*) as leads, row_number() over (order by count(*) desc, f.part) as place
          from facts f where f.figure = 'lost' and f.grp = n.grp group by f.part
        ) g
      ) l))
  from counts n left join curve c on c.grp = n.grp left join mixed m on m.grp = n.grp cross join whole w
$$;
comment on function portal.result_figures(text, jsonb, timestamptz, timestamptz, timestamptz) is
  'The figures of each group from portal.result_facts. median, p90 (seconds) and within (percent answered within the agency''s target) come from portal.answer_curve. Percentages have one decimal and a 95 % interval. rank orders groups by conversion: with the same mix of sources, and drawn towards the average by the weight of 40 leads; null under 20 leads. losses: the reasons, with whole percents from 10 losses on. Server only.';

create function portal.result_filter(p_team uuid, p_developments text[], p_sources text[], p_days integer, p_clock text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  led text[] := portal.require_manager();
  brokers text[];
begin
  perform portal.require_few(p_developments), portal.require_few(p_sources);
  if p_days is null or p_days not between 1 and 365 or p_clock is null or p_clock not in ('all', 'open') then
    raise exception 'Este relatório não existe.' using errcode = 'PT422', hint = 'result.unknown';
  end if;
  brokers := case when p_team is null then led else array(
    select b."instanceName" from portal.team_members m join public.brokers b on b.id = m.broker_id
    where m.team_id = p_team and (led is null or b."instanceName" = any (led))) end;
  return jsonb_strip_nulls(jsonb_build_object('brokers', to_jsonb(brokers), 'developments', to_jsonb(p_developments),
    'sources', to_jsonb(p_sources), 'days', p_days, 'clock', p_clock,
    'teams', (
      select jsonb_object_agg(b."instanceName", m.team_id) from portal.team_members m join public.brokers b on b.id = m.broker_id)));
end $$;
comment on function portal.result_filter(uuid, text[], text[], integer, text) is
  'Checks that the caller may see results (401 and 42501 as portal.require_manager), and returns the filter for portal.result_facts. For a gerente it has only the brokers that the caller leads. 422 if p_days is not 1 to 365, or p_clock is neither ''all'' nor ''open''. Server only.';

create function public.get_results(
  p_from date, p_to date, p_team uuid default null, p_developments text[] default null, p_sources text[] default null,
  p_days integer default 30, p_clock text default 'all', p_compare boolean default true
) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  filter constant jsonb := portal.result_filter(p_team, p_developments, p_sources, p_days, p_clock);
  led constant text[] := portal.require_manager();
  span record := portal.period(p_from::timestamp, p_to + time '23:59:59');
  beside record := portal.period_before(p_from, p_to);
  earlier record := portal.period(beside.from_day::timestamp, beside.to_day + time '23:59:59');
begin
  return (
    with periods as (
      select 'now' as time, span.starts_at, span.ends_at
      union all
      select 'before', earlier.starts_at, earlier.ends_at where p_compare
    ), figures as (
      select p.time, l.level, f.grp, f.figures
      from periods p cross join (
        select v.level from (values ('all'), ('broker'), ('team')) as v (level)
        where v.level <> 'team' or p_team is null and exists (select from portal.teams)) l
      cross join lateral portal.result_figures(l.level, filter, p.starts_at, p.ends_at, now()) f
    ), lines as (
      select f.level, f.grp, jsonb_object_agg(f.time, f.figures) as both,
        max((f.figures ->> 'received')::integer) filter (where f.time = 'now') as received
      from figures f where f.level <> 'all' group by 1, 2
    )
    select jsonb_build_object(
      'at', now(), 'target', portal.answer_target(), 'from', p_from, 'to', p_to, 'days', p_to - p_from + 1,
      'before', case when p_compare then jsonb_build_object('from', beside.from_day, 'to', beside.to_day, 'days', beside.to_day - beside.from_day + 1) end,
      'sources', (
        select coalesce(jsonb_agg(distinct r.value), '[]') from portal.lead_rollup r where r.level = 0 and r.dimension = 'source' and r.leads > 0),
      'teamNames', (
        select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name) order by lower(t.name)), '[]') from portal.teams t
        where led is null or exists (
          select from portal.team_members m join public.brokers b on b.id = m.broker_id where m.team_id = t.id and b."instanceName" = any (led))),
      'total', (
        select jsonb_object_agg(f.time, f.figures) from figures f where f.level = 'all'),
      'teams', (
        select coalesce(jsonb_agg(jsonb_build_object('team', l.grp, 'name', t.name) || l.both order by lower(t.name)), '[]')
        from lines l join portal.teams t on t.id::text = l.grp where l.level = 'team'),
      'brokers', (
        select coalesce(jsonb_agg(jsonb_build_object('broker', l.grp, 'team', m.team_id) || l.both order by l.received desc nulls last, l.grp), '[]')
        from lines l
        left join public.brokers b on b."instanceName" = l.grp
        left join portal.team_members m on m.broker_id = b.id
        where l.level = 'broker' and b.central_since is null))
  );
end $$;
comment on function public.get_results(date, date, uuid, text[], text[], integer, text, boolean) is
  'Results from p_from to p_to, days of the portal''s time zone, compared with portal.period_before unless p_compare is false. Returns {at, target (seconds), from, to, days, before, sources, teamNames, total: {now, before}, teams: [{team, name, now, before}], brokers: [{broker (instance name), team, now, before}]}. now and before are figures of portal.result_figures; a group without any is left out. p_team: only brokers who are in that team now, and teams is empty. p_developments, p_sources: only these; null and empty mean all. p_days: within how many days a lead must be won to count as converted. p_clock open: waits count only in opening hours. Leads of central numbers and of no broker count only in total. Administrators; a gerente gets only the brokers it leads, in total, too; 401 and 42501 for anybody else. 422 for another p_clock or p_days; 22023 if the end is before the start.';
grant execute on function public.get_results(date, date, uuid, text[], text[], integer, text, boolean) to authenticated, service_role;

create function portal.makes_result(p_figure text, p_part text, p_fact text, p_is_hit boolean, p_seconds double precision, p_fact_part text) returns boolean
language sql stable set search_path = '' as $$
  select case p_figure
    when 'received' then p_fact = 'received'
    when 'answered' then p_fact = 'received' and p_is_hit
    when 'inTime' then p_fact = 'received' and p_is_hit and p_seconds <= portal.answer_target()
    when 'cohort' then p_fact = 'cohort'
    when 'converted' then p_fact = 'cohort' and p_is_hit
    when 'booked' then p_fact = 'booked'
    when 'held' then p_fact = 'visits' and p_fact_part = 'held'
    when 'missed' then p_fact = 'visits' and p_fact_part = 'missed'
    when 'untold' then p_fact = 'visits' and p_fact_part = 'untold'
    when 'won' then p_fact = 'won'
    when 'lost' then p_fact = 'lost' and (p_part is null or p_part = p_fact_part)
    when 'waiting' then p_fact = 'waiting' end
$$;
comment on function portal.makes_result(text, text, text, boolean, double precision, text) is
  'Whether a figure of results counts a row of portal.result_facts. p_part: only one reason of lost leads. Null for an unknown figure. Server only.';

create function public.get_result_leads(
  p_figure text, p_from date, p_to date, p_broker text default null, p_part text default null,
  p_team uuid default null, p_developments text[] default null, p_sources text[] default null,
  p_days integer default 30, p_clock text default 'all', p_skip integer default 0
) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  filter constant jsonb := portal.result_filter(p_team, p_developments, p_sources, p_days, p_clock);
  span record := portal.period(p_from::timestamp, p_to + time '23:59:59');
begin
  if portal.makes_result(p_figure, null, 'received', true, 0, null) is null then
    raise exception 'Esta lista não existe.' using errcode = 'PT422', hint = 'figure.unknown';
  end if;
  return (
    with facts as materialized (
      select f.* from portal.result_facts(case when p_broker is null then 'all' else 'broker' end, filter, span.starts_at, span.ends_at, now()) f
      where f.grp = coalesce(p_broker, '') and portal.makes_result(p_figure, p_part, f.figure, f.is_hit, f.seconds, f.part)
    ), page as (
      select f.*, c.name, c.number, c."instanceName", c.source, c.empreendimento, c.status
      from facts f join public.whatsapp_contacts c on c.id = f.contact_id
      order by f.at desc, f.contact_id desc limit 50 offset greatest(p_skip, 0)
    )
    select jsonb_build_object(
      'count', (select count(*) from facts),
      'leads', coalesce(jsonb_agg(jsonb_build_object('id', p.contact_id, 'name', p.name, 'number', p.number, 'broker', p."instanceName",
        'source', p.source, 'development', p.empreendimento, 'status', p.status, 'at', p.at, 'seconds', floor(p.seconds),
        'isAnswered', case when p.figure = 'received' then p.is_hit end, 'cents', p.cents, 'part', p.part)
        order by p.at desc, p.contact_id desc), '[]'))
    from page p
  );
end $$;
comment on function public.get_result_leads(text, date, date, text, text, uuid, text[], text[], integer, text, integer) is
  'The leads that a figure of get_results counts: {count, leads}, 50 after p_skip, the newest first. p_broker: of one broker (instance name); null: of the total, or of p_team. Each lead has at (the instant that counts), seconds (its wait), isAnswered, cents, and part (the reason, or what became of a visit). p_figure: received, answered, inTime, cohort, converted, booked, held, missed, untold, won, lost (p_part: one reason) or waiting; 422 for any other. Filters and refusals as in get_results.';
grant execute on function public.get_result_leads(text, date, date, text, text, uuid, text[], text[], integer, text, integer) to authenticated, service_role;
