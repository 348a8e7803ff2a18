-- Four clocks of a lead: received, offered, accepted, answered; their only definition, and who waits for a first answer
-- now.

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
  'The four clocks of each lead that came in by itself, in whole seconds, none earlier than the one before: the three gaps add up to the wait. offered_at and accepted_at are null for a lead without a rotation. Leads added by hand or imported have no row. Only public.get_clocks reads it.';
comment on column portal.clocks.received_at is 'Arrival by a form, a portal or Meta, or the first message, whichever came first.';
comment on column portal.clocks.offered_at is
  'When a rotation first offered or assigned it, or a broker took it from the bolsão.';
comment on column portal.clocks.accepted_at is 'When a broker first accepted it, took it or was assigned it.';
comment on column portal.clocks.answered_at is 'The first message of a person; campaigns and agents do not count.';

create function portal.answer_target() returns integer
language sql stable security definer set search_path = '' as $$
  select coalesce((select (s.value #>> '{}')::integer from portal.settings s where s.key = 'answer_target_seconds'), 900)
$$;
comment on function portal.answer_target() is
  'Seconds within which a new lead is to be answered; 900 unless portal.settings has another value.';

create function public.set_answer_target(p_minutes integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  if p_minutes is null or p_minutes not between 1 and 1440 then
    raise exception 'Escolha uma meta de 1 a 1.440 minutos.' using errcode = 'PT422', hint = 'target.invalid';
  end if;
  insert into portal.settings (key, value) values ('answer_target_seconds', to_jsonb(p_minutes * 60))
  on conflict (key) do update set value = excluded.value;
  perform portal.audit('target.changed', null, jsonb_build_object('minutes', p_minutes));
  return jsonb_build_object('minutes', p_minutes);
end $$;
comment on function public.set_answer_target(integer) is
  'Sets the agency''s target in minutes for the first answer, 1 to 1440; rotations may have their own. 422 otherwise. Administrators; 401 and 403 for anybody else.';
grant execute on function public.set_answer_target(integer) to authenticated, service_role;

create function portal.open_hours(p_roleta integer, p_from timestamptz) returns tstzmultirange
language sql stable security definer set search_path = '' as $$
  with seats as (
    select s.shifts from public.roleta_corretores s join public.roletas r on r.empreendimento = s."roletaName"
    where r.id = p_roleta and s.ativo
  ), hours as (
    select d.day::integer, (h.shift ->> 'from')::integer as since, (h.shift ->> 'to')::integer as until
    from seats, jsonb_array_elements(seats.shifts) as h (shift), jsonb_array_elements_text(h.shift -> 'days') as d (day)
    union all
    select g.day, 8 * 60, 20 * 60 from generate_series(1, 6) as g (day) where not exists (select from seats)
  ), local as (
    select z.name, (p_from at time zone z.name)::date as today from (select portal.time_zone()) as z (name)
  )
  select case
    when exists (select from seats where seats.shifts is null) then tstzmultirange(tstzrange(p_from, p_from + interval '8 days'))
    else (
      select coalesce(range_agg(tstzrange(
        (l.today + n + make_interval(mins => h.since)) at time zone l.name,
        (l.today + n + make_interval(mins => h.until + case when h.until <= h.since then 1440 else 0 end)) at time zone l.name)), '{}')
      from local l, generate_series(-1, 8) as n, hours h
      where h.day = extract(isodow from l.today + n)
    ) * tstzmultirange(tstzrange(p_from, p_from + interval '8 days'))
  end
$$;
comment on function portal.open_hours(integer, timestamptz) is
  'Working hours for eight days from an instant: the union of the shifts of a rotation''s seats, all hours if a seat has no shifts; without a rotation or seats Monday to Saturday from 8h to 20h, like campaigns, in the portal''s time zone. Server only.';

create function portal.target_at(p_roleta integer, p_from timestamptz, p_seconds integer) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select lower(o.hours) + make_interval(secs => (p_seconds - o.before)::double precision)
  from (
    select r.hours, l.length, sum(l.length) over (order by r.hours) - l.length as before
    from unnest(portal.open_hours(p_roleta, p_from)) as r (hours),
      lateral (select extract(epoch from upper(r.hours) - lower(r.hours))) as l (length)
  ) o
  where o.before + o.length >= p_seconds
  order by o.hours limit 1
$$;
comment on function portal.target_at(integer, timestamptz, integer) is
  'When that many seconds of portal.open_hours have passed since an instant; null if eight days have fewer. Server only.';

create function portal.lead_target(p_contact bigint) returns table (rotation_id integer, seconds integer)
language sql stable security definer set search_path = '' as $$
  select r.id, coalesce(r.target_minutes * 60, portal.answer_target())
  from (select) as one
  left join lateral (
    select r.id, r.target_minutes from portal.roleta_cases a join public.roletas r on r.id = a.roleta_id
    where a.contact_id = p_contact order by a.id desc limit 1
  ) r on true
$$;
comment on function portal.lead_target(bigint) is
  'Seconds within which a lead is to be answered, and its last rotation (null: none). One row. Server only.';

create table portal.risk_warnings (
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  level smallint not null check (level between 0 and 2),
  warned_at timestamptz not null default now(),
  primary key (contact_id, level)
);
comment on table portal.risk_warnings is
  'Warnings that a lead waits too long, so that each is given once over all portals; and when an administrator last had the broker warned.';
comment on column portal.risk_warnings.level is
  '0: by an administrator, to its broker; 1: at its target, to its broker; 2: at twice the target, to administrators.';
alter table portal.risk_warnings enable row level security;

create index contacts_unanswered on public.whatsapp_contacts (least(left_contact_at, first_incoming_at))
  where first_response_at is null and (left_contact_at is not null or first_incoming_at is not null);
comment on index public.contacts_unanswered is
  'Serves portal.warn_risks: unanswered leads, however many leads there are.';

create function portal.warn_risks(p_now timestamptz) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  risk record;
  warned integer := 0;
  most constant integer := 100;
begin
  -- One portal at a time; the others leave it to that one.
  if not pg_try_advisory_xact_lock(hashtextextended('portal.warn_risks', 0)) then return 0; end if;
  delete from portal.answer_deadlines d where d.contact_id in (
    select o.contact_id from portal.answer_deadlines o where o.received_at < p_now - interval '2 days'
    order by o.received_at limit most for update skip locked);
  perform portal.recompute_deadlines(most);
  perform portal.compute_deadlines(p_now, most);
  for risk in
    with due as (
      select k.id, k.broker_name, l.level, portal.target_at(t.rotation_id, k.received_at, l.level * t.seconds) as at
      from public.whatsapp_contacts c
      join portal.clocks k on k.id = c.id
      join public.kanban_stages s on s.slug = c.status and s.kind = 'open'
      join portal.people p on p.id = c.person_id and p.opted_out_at is null
      cross join lateral portal.lead_target(c.id) t
      cross join (values (1), (2)) as l (level)
      where c.first_response_at is null and (c.left_contact_at is not null or c.first_incoming_at is not null)
        and least(c.left_contact_at, c.first_incoming_at) between p_now - interval '2 days' and p_now
        and k.answered_at is null
        and not exists (select from portal.risk_warnings w where w.contact_id = c.id and w.level = l.level)
        -- An agent answers this lead; it calls a person by rules of its own.
        and not exists (select from public.whatsapp_messages m where m.contact_id = c.id and m.author = 'agent')
    ), noted as (
      insert into portal.risk_warnings (contact_id, level, warned_at)
      select d.id, d.level, p_now from due d order by d.id, d.level
      on conflict do nothing
      returning contact_id, level
    )
    -- A warning that fell due long ago, during an outage, shows under 'Agora' but causes no push.
    select d.* from noted n join due d on d.id = n.contact_id and d.level = n.level
    where d.at > p_now - interval '2 hours' order by d.id, d.level
  loop
    warned := warned + 1;
    if risk.level = 1 then
      perform portal.push(risk.broker_name, 'risk', 'risk-' || risk.id, risk.id, interval '0');
    else
      perform portal.push_administrators('risk', 'risk-' || risk.id, risk.id);
    end if;
  end loop;
  return warned;
end $$;
comment on function portal.warn_risks(timestamptz) is
  'Warns once of each lead that waits for a person''s first answer longer than its target: its broker at the target, administrators at twice; returns how many. Skips leads that are closed, opted out, or answered by an agent. Each portal calls it every half minute. Server only.';

create function public.warn_of_lead(p_contact_id bigint) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  owner text;
begin
  perform portal.require_admin();
  select k.broker_name into owner from portal.clocks k where k.id = p_contact_id and k.answered_at is null;
  if not found then
    return jsonb_build_object('code', 'answered', 'message', 'Este lead já foi respondido.');
  elsif owner is null then
    return jsonb_build_object('code', 'no-owner', 'message', 'Este lead está sem corretor. Passe-o a um corretor.');
  elsif not exists (
    select from portal.push_devices d join portal.sessions s on s.id = d.session_id
    join public.brokers b on b.id = s.account_id
    where b."instanceName" = owner and d.removed_at is null) then
    return jsonb_build_object('code', 'no-device', 'message', 'Este corretor não ligou os avisos em nenhum aparelho.');
  end if;
  insert into portal.risk_warnings as w (contact_id, level, warned_at) values (p_contact_id, 0, now())
  on conflict (contact_id, level) do update set warned_at = excluded.warned_at
  where w.warned_at <= now() - interval '10 minutes';
  if not found then
    return jsonb_build_object('code', 'just-told', 'message', 'Este corretor já foi avisado há menos de 10 minutos.');
  end if;
  perform portal.push(owner, 'risk', 'risk-' || p_contact_id, p_contact_id, interval '0');
  return jsonb_build_object('code', 'told', 'message', null);
end $$;
comment on function public.warn_of_lead(bigint) is
  'Pushes to the broker of a lead that waits for a first answer, on every device, at most once in ten minutes: {code, message}, code told, or the reason why not: answered, no-owner, no-device, just-told. Administrators; 401 and 403 for anybody else.';
grant execute on function public.warn_of_lead(bigint) to authenticated, service_role;

create function portal.day_after(p_day timestamptz) returns timestamptz
language sql stable set search_path = '' as $$
  select (date_trunc('day', p_day at time zone portal.time_zone()) + interval '1 day') at time zone portal.time_zone()
$$;
comment on function portal.day_after(timestamptz) is
  'When the day of an instant ends in the portal''s time zone, where days may have 23 or 25 hours. Server only.';

create function public.get_clock_leads(p_broker text, p_figure text) returns jsonb
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
  'The leads behind a figure of a broker''s row in get_clocks (waiting, received, answered, withinFive, won), by arrival, or its visits of today (booked, held), each with visitAt, by their hour; 422 for any other figure. Administrators; 401 and 403 for anybody else.';
grant execute on function public.get_clock_leads(text, text) to authenticated, service_role;

create function public.get_clocks() returns jsonb
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
        select coalesce(jsonb_agg(b.figures order by b.waiting desc, b.received desc, b.broker_name), '[]') from (
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
              'value', coalesce(sum(d.value_cents) filter (where d.won_at >= today), 0)) as figures
          from (select d.broker_name from days d union select v.broker_name from visits v) n
          left join days d on d.broker_name = n.broker_name
          left join visits v on v.broker_name = n.broker_name
          where n.broker_name is not null group by n.broker_name, v.booked, v.held) b)
    ));
end $$;
comment on function public.get_clocks() is
  'How fast today''s leads were taken up, by the four clocks of portal.clocks: at, since (the beginning of the day), target in seconds. risk: at most 100 leads that wait for a first answer since at most seven days, the furthest over its target first, each with the times of its target and twice its target (null: not within eight days), isOpen (whether somebody works now), and when an administrator had its broker warned within ten minutes. means: over the answered leads of today, in seconds. A row for each broker: waiting, received, answered, median, withinFive, won and value (cents), and today''s visits, booked and held. Administrators; 401 and 403 for anybody else.';
grant execute on function public.get_clocks() to authenticated, service_role;

create function public.get_broker_day(p_broker_name text) returns jsonb
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
  'Today''s leads of a broker: how many are answered, and the median of their waits in seconds, null without any, as in its row of get_clocks. With at (epoch seconds) and waiting: at most 200 leads that wait since at most seven days; counted: the seconds of the wait within working hours; open: whether somebody works now. A broker for itself, an administrator for any: else 42501; 401 once the session has ended.';
grant execute on function public.get_broker_day(text) to authenticated, service_role;
