-- Hours in which nobody is there do not count: a broker's day and the administrators' clocks say so of each lead that waits.

create or replace function public.get_clocks() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today timestamptz := date_trunc('day', now() at time zone portal.time_zone()) at time zone portal.time_zone();
begin
  perform portal.require_admin();
  return (
    with days as materialized (
      select k.* from portal.clocks k where k.received_at >= today
    ), visits as (
      select v.broker_name, count(*) as booked, count(*) filter (where v.is_held) as held
      from portal.booked_visits v where v.starts_at >= today and v.starts_at < portal.day_after(today)
      group by v.broker_name
    ), waiting as (
      select k.*, t.seconds as target, portal.target_at(t.rotation_id, k.received_at, t.seconds) as due_at,
        portal.target_at(t.rotation_id, k.received_at, 2 * t.seconds) as twice_at,
        portal.open_hours(t.rotation_id, now()) @> now() as is_open
      from (
        select k.* from portal.clocks k
        where k.answered_at is null and k.received_at >= now() - interval '7 days'
        order by k.received_at, k.id limit 100
      ) k cross join lateral portal.lead_target(k.id) t
    ), answered as (
      select
        extract(epoch from d.answered_at - d.received_at) as wait,
        extract(epoch from d.offered_at - d.received_at) as offered,
        extract(epoch from d.accepted_at - d.offered_at) as accepted,
        extract(epoch from d.answered_at - coalesce(d.accepted_at, d.offered_at, d.received_at)) as answered
      from days d where d.answered_at is not null
    )
    select jsonb_build_object(
      'at', now(), 'since', today, 'target', portal.answer_target(),
      'risk', (
        select coalesce(jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name, 'number', w.number, 'broker', w.broker_name,
          'source', w.source, 'development', w.development, 'receivedAt', w.received_at, 'offeredAt', w.offered_at,
          'acceptedAt', w.accepted_at, 'dueAt', w.due_at, 'twiceAt', w.twice_at, 'isOpen', w.is_open, 'warnedAt', (
            select r.warned_at from portal.risk_warnings r
            where r.contact_id = w.id and r.level = 0 and r.warned_at > now() - interval '10 minutes'))
          order by w.due_at nulls last, w.id), '[]') from waiting w),
      'means', (
        select jsonb_build_object('answered', count(*), 'within', count(*) filter (where a.wait <= portal.answer_target()),
          'wait', round(avg(a.wait)), 'offered', round(avg(coalesce(a.offered, 0))), 'accepted', round(avg(coalesce(a.accepted, 0))),
          'response', round(avg(a.answered)))
        from answered a),
      'brokers', (
        select coalesce(jsonb_agg(b.line order by b.waiting desc, b.received desc, b.broker_name), '[]') from (
          select n.broker_name, count(d.id) filter (where d.answered_at is null) as waiting, count(d.id) as received,
            jsonb_build_object('broker', n.broker_name,
              'waiting', count(d.id) filter (where d.answered_at is null),
              'received', count(d.id),
              'answered', count(d.answered_at),
              'median', round(percentile_cont(0.5) within group (order by extract(epoch from d.answered_at - d.received_at))
                filter (where d.answered_at is not null)),
              'withinFive', count(*) filter (where d.answered_at <= d.received_at + interval '5 minutes'),
              'booked', coalesce(v.booked, 0),
              'held', coalesce(v.held, 0),
              'won', count(*) filter (where d.won_at >= today),
              'value', coalesce(sum(d.value_cents) filter (where d.won_at >= today), 0)) as line
          from (select d.broker_name from days d union select v.broker_name from visits v) n
          left join days d on d.broker_name = n.broker_name
          left join visits v on v.broker_name = n.broker_name
          where n.broker_name is not null group by n.broker_name, v.booked, v.held) b)
    ));
end $$;
comment on function public.get_clocks() is
  'How fast the leads of today were taken up, by the four clocks of portal.clocks: at, since (the day''s beginning), target in seconds; risk, who waits for a first answer since at most seven days, 100 at most, each with when its target and twice its target have passed (null: not within eight days), isOpen, whether somebody is there now to answer, and when an administrator had its broker told within ten minutes, who is longest over the target first; means over the answered leads of today, in seconds; and a line a broker: waiting, received, answered, median, withinFive, won and value (cents), and the visits of today, booked and held. Administrators; 401 and 403 for anybody else.';

create or replace function public.get_broker_day(p_broker_name text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today timestamptz := date_trunc('day', now() at time zone portal.time_zone()) at time zone portal.time_zone();
begin
  if portal.require_member() is not null and not portal.is_admin() and p_broker_name is distinct from portal.my_instance() then
    raise exception 'Este dia é de outro corretor.' using errcode = '42501';
  end if;
  return (
    select jsonb_build_object('answered', count(*),
      'median', round(percentile_cont(0.5) within group (order by extract(epoch from k.answered_at - k.received_at))),
      'at', extract(epoch from now()),
      'waiting', (
        select coalesce(jsonb_agg(jsonb_build_object('id', w.id, 'counted', w.counted, 'open', w.hours @> now()) order by w.id), '[]')
        from (
          select c.id, h.hours, (
            select coalesce(sum(extract(epoch from least(upper(o.part), now()) - lower(o.part))), 0)::integer
            from unnest(h.hours) as o (part) where lower(o.part) < now()) as counted
          from public.whatsapp_contacts c
          cross join lateral portal.lead_target(c.id) t
          cross join lateral (select portal.open_hours(t.rotation_id, c.waiting_since) as hours) h
          where c."instanceName" = p_broker_name and c.waiting_since between now() - interval '7 days' and now()
          order by c.waiting_since limit 200
        ) w))
    from portal.clocks k
    where k.broker_name = p_broker_name and k.received_at >= today and k.answered_at is not null);
end $$;
comment on function public.get_broker_day(text) is
  'Of the leads of today of a broker: how many are answered, and the median of their waits in seconds, null where none is; as in that broker''s line of get_clocks. And at (epoch seconds) with waiting, who waits since at most seven days, 200 at most: counted, the seconds of its wait in which somebody is there to answer, and open, whether somebody is there now. A broker of the own, an administrator of any: else 42501; 401 once the session has ended.';
