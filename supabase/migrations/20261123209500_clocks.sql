-- Four clocks of a lead, and who waits for a first answer now.

create view portal.clocks with (security_invoker = true) as
select
  c.id,
  c."instanceName" as broker_name,
  c.name,
  c.number,
  c.source,
  c.empreendimento as development,
  c.value_cents,
  c.won_at,
  t.received_at,
  t.answered_at,
  case when s.offered_at is not null then least(greatest(s.offered_at, t.received_at), t.answered_at) end as offered_at,
  case when s.accepted_at is not null
    then least(greatest(s.accepted_at, s.offered_at, t.received_at), t.answered_at) end as accepted_at
from public.whatsapp_contacts c
cross join lateral (
  select
    date_trunc('second', least(c.left_contact_at, c.first_incoming_at)) as received_at,
    date_trunc('second', case
      when c.left_contact_at <= coalesce(c.first_incoming_at, 'infinity')
        then least(c.first_contacted_at, c.first_response_at)
      else c.first_response_at
    end) as answered_at
) t
left join lateral (
  select
    date_trunc('second', min(e.at) filter (where e.kind in ('offered', 'given', 'claimed'))) as offered_at,
    date_trunc('second', min(e.at) filter (where e.kind in ('accepted', 'given', 'claimed'))) as accepted_at
  from portal.roleta_cases k join portal.roleta_events e on e.case_id = k.id
  where k.contact_id = c.id
) s on true
where t.received_at is not null;
comment on view portal.clocks is
  'The four clocks of each lead that came by itself, in whole seconds, each no earlier than the one before: the three gaps add up to the wait to the second. Of a lead that no rotation handed out offered_at and accepted_at are null. Leads added by hand or imported have none. Read by public.get_clocks only.';
comment on column portal.clocks.received_at is 'Arrival by a form, a portal or Meta, or the first message, whichever came first.';
comment on column portal.clocks.offered_at is 'When a rotation first offered or gave it to somebody, or somebody took it from the bolsão.';
comment on column portal.clocks.accepted_at is 'When somebody first accepted it, took it or was given it.';
comment on column portal.clocks.answered_at is 'The first message of a person; campaigns and agents do not count.';

create function portal.answer_target() returns integer
language sql stable security definer set search_path = '' as $$
  select coalesce((select (s.value #>> '{}')::integer from portal.settings s where s.key = 'answer_target_seconds'), 900)
$$;
comment on function portal.answer_target() is 'Within how many seconds a lead is to be answered first; 900 unless portal.settings says otherwise.';

create function public.get_clocks() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today timestamptz := date_trunc('day', now() at time zone portal.time_zone()) at time zone portal.time_zone();
begin
  perform portal.require_admin();
  return (
    with days as materialized (
      select k.* from portal.clocks k where k.received_at >= today
    ), waiting as (
      select k.* from portal.clocks k
      where k.answered_at is null and k.received_at >= now() - interval '7 days'
      order by k.received_at, k.id limit 100
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
          'acceptedAt', w.accepted_at) order by w.received_at, w.id), '[]') from waiting w),
      'means', (
        select jsonb_build_object('answered', count(*), 'within', count(*) filter (where a.wait <= portal.answer_target()),
          'wait', round(avg(a.wait)), 'offered', round(avg(coalesce(a.offered, 0))), 'accepted', round(avg(coalesce(a.accepted, 0))),
          'response', round(avg(a.answered)))
        from answered a),
      'brokers', (
        select coalesce(jsonb_agg(b.line order by b.waiting desc, b.received desc, b.broker_name), '[]') from (
          select d.broker_name, count(*) filter (where d.answered_at is null) as waiting, count(*) as received,
            jsonb_build_object('broker', d.broker_name,
              'waiting', count(*) filter (where d.answered_at is null),
              'received', count(*),
              'answered', count(d.answered_at),
              'median', round(percentile_cont(0.5) within group (order by extract(epoch from d.answered_at - d.received_at))
                filter (where d.answered_at is not null)),
              'withinFive', count(*) filter (where d.answered_at <= d.received_at + interval '5 minutes'),
              'won', count(*) filter (where d.won_at >= today),
              'value', coalesce(sum(d.value_cents) filter (where d.won_at >= today), 0)) as line
          from days d where d.broker_name is not null group by d.broker_name) b)
    ));
end $$;
comment on function public.get_clocks() is
  'How fast the leads of today were taken up, by the four clocks of portal.clocks: at, since (the day''s beginning), target in seconds; risk, who waits for a first answer since at most seven days, the longest first, 100 at most; means over the answered leads of today, in seconds; and a line a broker: waiting, received, answered, median, withinFive, won and value (cents). Administrators; 401 and 403 for anybody else.';
grant execute on function public.get_clocks() to authenticated, service_role;
