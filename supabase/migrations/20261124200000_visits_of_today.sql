-- The visits of today beside each broker's answers of today.

drop index portal.actions_visits;
create index actions_visits on portal.actions (due_at) where kind = 'visit';
comment on index portal.actions_visits is 'Serves which hours are taken, and the visits of a day.';

create view portal.booked_visits with (security_invoker = true) as
select a.id, a.contact_id, c."instanceName" as broker_name, a.due_at as starts_at, coalesce(a.outcome = 'done', false) as is_held
from portal.actions a join public.whatsapp_contacts c on c.id = a.contact_id
where a.kind = 'visit' and (a.outcome is null or a.outcome in ('done', 'missed'));
comment on view portal.booked_visits is
  'Visits as figures count them: what was taken back does not count, one that was moved counts on its new day, for the broker whose lead it is. Server only.';
comment on column portal.booked_visits.is_held is 'Somebody said that it took place.';

create function portal.day_after(p_day timestamptz) returns timestamptz
language sql stable set search_path = '' as $$
  select (date_trunc('day', p_day at time zone portal.time_zone()) + interval '1 day') at time zone portal.time_zone()
$$;
comment on function portal.day_after(timestamptz) is
  'When the day of an instant ends in the portal''s zone, whose days may have 23 or 25 hours. Server only.';

create or replace function public.get_clock_leads(p_broker text, p_figure text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today timestamptz := date_trunc('day', now() at time zone portal.time_zone()) at time zone portal.time_zone();
begin
  perform portal.require_admin();
  if p_figure is null or p_figure not in ('waiting', 'received', 'answered', 'withinFive', 'won', 'booked', 'held') then
    raise exception 'Esta lista não existe.' using errcode = 'PT422', hint = 'figure.unknown';
  end if;
  if p_figure in ('booked', 'held') then
    return (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'number', c.number, 'broker', v.broker_name,
        'source', c.source, 'development', c.empreendimento, 'receivedAt', coalesce(k.received_at, c.created_at),
        'answeredAt', k.answered_at, 'value', c.value_cents, 'visitAt', v.starts_at) order by v.starts_at, v.id), '[]')
      from portal.booked_visits v
      join public.whatsapp_contacts c on c.id = v.contact_id
      left join portal.clocks k on k.id = c.id
      where v.broker_name = p_broker and (p_figure = 'booked' or v.is_held)
        and v.starts_at >= today and v.starts_at < portal.day_after(today)
    );
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'name', k.name, 'number', k.number, 'broker', k.broker_name,
      'source', k.source, 'development', k.development, 'receivedAt', k.received_at, 'answeredAt', k.answered_at,
      'value', k.value_cents, 'visitAt', null) order by k.received_at, k.id), '[]')
    from portal.clocks k
    where k.broker_name = p_broker and k.received_at >= today and case p_figure
      when 'waiting' then k.answered_at is null
      when 'answered' then k.answered_at is not null
      when 'withinFive' then k.answered_at <= k.received_at + interval '5 minutes'
      when 'won' then k.won_at >= today
      else true end
  );
end $$;
comment on function public.get_clock_leads(text, text) is
  'The leads that a figure of a broker''s line in get_clocks counts (waiting, received, answered, withinFive, won), by their arrival, or its visits of today (booked, held), each with its visitAt, by their hour; 422 for any other figure. Administrators; 401 and 403 for anybody else.';

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
        portal.target_at(t.rotation_id, k.received_at, 2 * t.seconds) as twice_at
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
          'acceptedAt', w.accepted_at, 'dueAt', w.due_at, 'twiceAt', w.twice_at, 'warnedAt', (
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
  'How fast the leads of today were taken up, by the four clocks of portal.clocks: at, since (the day''s beginning), target in seconds; risk, who waits for a first answer since at most seven days, 100 at most, each with when its target and twice its target have passed (null: not within eight days), and when an administrator had its broker told within ten minutes, who is longest over the target first; means over the answered leads of today, in seconds; and a line a broker: waiting, received, answered, median, withinFive, won and value (cents), and the visits of today, booked and held. Administrators; 401 and 403 for anybody else.';
