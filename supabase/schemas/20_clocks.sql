-- Four clocks of a lead (received, offered, accepted, answered) with their only definition, and which leads wait for a
-- first answer now.

create view portal.every_clock with (security_invoker = true) as
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
    then least(greatest(s.accepted_at, s.offered_at, t.received_at), t.answered_at) end as accepted_at,
  case when t.answered_at is null
    and not exists (select from portal.people p where p.id = c.person_id and p.opted_out_at is not null)
    then c.waiting_since end as waiting_since
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
comment on view portal.every_clock is
  'The four clocks of each lead that came in by a form, a portal or Meta, or that wrote to us. The test lead is included. portal.clocks reads the view, and portal.first_hour reads it for the test lead.';

create view portal.clocks with (security_invoker = true) as
select * from portal.every_clock k where k.source <> 'teste';
comment on view portal.clocks is
  'The four clocks of each lead that came in by a form, a portal or Meta, or that wrote to us, in whole seconds. No clock is earlier than the one before it, so the three gaps add up exactly to the whole wait. offered_at is null if no rotation handed the lead out, and accepted_at until a broker has it. A lead that was added by hand or imported has clocks only once it writes. Test leads are left out. public.get_clocks and the functions beside it read the view.';
comment on column portal.clocks.received_at is
  'When the lead arrived by a form, a portal or Meta, or sent its first message, whichever came first.';
comment on column portal.clocks.offered_at is
  'When a rotation first offered the lead to a broker or gave it to one, or a broker took it from the bolsão.';
comment on column portal.clocks.accepted_at is 'When a broker first accepted the lead, took it or was given it.';
comment on column portal.clocks.answered_at is
  'When a person first wrote to the lead after received_at. Campaigns, agents and failed messages do not count. Null: nobody has.';
comment on column portal.clocks.waiting_since is
  'Since when the lead waits for that first answer. Null if it does not wait: a person answered, the person opted out, an agent or a campaign wrote last, or no answer is needed (quiet_at of public.whatsapp_contacts).';

create function portal.answer_target() returns integer
language sql stable security definer set search_path = '' as $$
  select coalesce((select (s.value #>> '{}')::integer from portal.settings s where s.key = 'answer_target_seconds'), 900)
$$;
comment on function portal.answer_target() is
  'Seconds within which a lead should get its first answer: the setting answer_target_seconds, else 900.';

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
  'Sets within how many minutes the agency wants leads answered first, 1 to 1440; 422 for other numbers. A rotation may have a target of its own. Administrators; 401 and 403 for anybody else.';
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
  'When somebody is there to answer, for the eight days after an instant: the shifts of all active seats of a rotation together, or all the time if one of them has no shifts. Without a rotation or seats: Monday to Saturday from 8h to 20h in the portal''s time zone. Server only.';

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
  'The instant at which p_seconds of portal.open_hours have passed since p_from. Null if the eight days after p_from have fewer. Server only.';

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
  'Within how many seconds a lead should get its first answer, and the rotation that it went through last (null: none). One row. Server only.';

create table portal.risk_warnings (
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  level smallint not null check (level between 0 and 2),
  warned_at timestamptz not null default now(),
  primary key (contact_id, level)
);
comment on table portal.risk_warnings is
  'Which warnings about a waiting lead are done, so that no portal process sends one twice. A warning that came more than two hours late is recorded without a push. Also when somebody last warned the lead''s broker by hand.';
comment on column portal.risk_warnings.level is
  '0: an administrator or a gerente warned the broker by hand. 1: the warning of the broker at the target. 2: the warning of administrators and gerentes at twice the target.';
alter table portal.risk_warnings enable row level security;

create table portal.answer_deadlines (
  contact_id bigint primary key references public.whatsapp_contacts on delete cascade,
  received_at timestamptz not null,
  rotation_id integer,
  due_at timestamptz,
  twice_at timestamptz,
  is_current boolean not null default false,
  look_at timestamptz
);
comment on table portal.answer_deadlines is
  'One row for each lead without a first answer that came in within two days. Triggers write a row, and delete it at the answer. portal.warn_risks computes the deadlines, and deletes rows two days after the arrival.';
comment on column portal.answer_deadlines.received_at is
  'When the lead came in: received_at of portal.clocks, but not cut to the second.';
comment on column portal.answer_deadlines.rotation_id is 'The rotation whose hours and target the deadlines follow; null: those of the agency.';
comment on column portal.answer_deadlines.due_at is
  'When the target has passed in open hours. Null: not computed yet, or later than two days after the arrival.';
comment on column portal.answer_deadlines.twice_at is
  'When twice the target has passed in open hours. Null for the reasons of due_at.';
comment on column portal.answer_deadlines.is_current is
  'False: portal.compute_deadlines must compute the deadlines, because the lead is new, or its target, hours or rotation changed.';
comment on column portal.answer_deadlines.look_at is
  'When portal.warn_risks looks at the row next. Null: only after something about the lead changes.';
alter table portal.answer_deadlines enable row level security;
create index answer_deadlines_due on portal.answer_deadlines (look_at) where is_current;
comment on index portal.answer_deadlines_due is
  'Serves portal.warn_risks: finds the leads whose deadline has passed.';
create index answer_deadlines_new on portal.answer_deadlines (look_at) where not is_current;
comment on index portal.answer_deadlines_new is
  'Serves portal.compute_deadlines: finds the leads whose deadlines must be computed.';
create index answer_deadlines_age on portal.answer_deadlines (received_at);
comment on index portal.answer_deadlines_age is
  'Serves deleting the rows of leads that arrived more than two days ago.';
create index answer_deadlines_rotation on portal.answer_deadlines (rotation_id, contact_id);
comment on index portal.answer_deadlines_rotation is
  'Serves portal.recompute_deadlines: finds the leads of a changed rotation.';

create table portal.deadline_changes (
  rotation_id integer primary key,
  after_contact_id bigint not null default 0
);
comment on table portal.deadline_changes is
  'Rotations whose target or hours changed while leads wait. portal.recompute_deadlines has the deadlines of these leads computed again, in batches.';
comment on column portal.deadline_changes.rotation_id is
  'The rotation that changed. 0: the change concerns every lead.';
comment on column portal.deadline_changes.after_contact_id is 'Cursor: leads up to this id are done. 0: none yet.';
alter table portal.deadline_changes enable row level security;

create function portal.note_deadline() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  received timestamptz := least(new.left_contact_at, new.first_incoming_at);
begin
  if received is null or new.first_response_at is not null
    or (new.left_contact_at <= coalesce(new.first_incoming_at, 'infinity') and new.first_contacted_at is not null) then
    delete from portal.answer_deadlines d where d.contact_id = new.id;
  else
    insert into portal.answer_deadlines as d (contact_id, received_at, look_at) values (new.id, received, received)
    on conflict (contact_id) do update
    set is_current = d.is_current and d.received_at = excluded.received_at,
      received_at = excluded.received_at, look_at = excluded.look_at;
  end if;
  return null;
end $$;
comment on function portal.note_deadline() is
  'Trigger: adds a row to portal.answer_deadlines when a lead comes in, and deletes it when the lead is answered. When the lead''s arrival, stage, person or waiting_since changes, portal.warn_risks looks at the row again.';
create trigger note_new_deadline after insert on public.whatsapp_contacts
  for each row when (new.left_contact_at is not null or new.first_incoming_at is not null)
  execute function portal.note_deadline();
create trigger note_deadline after update on public.whatsapp_contacts
  for each row when ((old.first_response_at is null or new.first_response_at is null)
    and (old.left_contact_at, old.first_incoming_at, old.first_response_at, old.first_contacted_at, old.status, old.person_id,
        old.waiting_since)
      is distinct from (new.left_contact_at, new.first_incoming_at, new.first_response_at, new.first_contacted_at, new.status, new.person_id,
        new.waiting_since))
  execute function portal.note_deadline();

create function portal.note_deadline_case() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update portal.answer_deadlines d set is_current = false, look_at = d.received_at
  where d.contact_id in (old.contact_id, new.contact_id);
  return null;
end $$;
comment on function portal.note_deadline_case() is
  'Trigger: when a lead enters or leaves a rotation, its deadlines are computed again, because its target changes.';
create trigger note_deadline_case after insert or delete or update of contact_id, roleta_id on portal.roleta_cases
  for each row execute function portal.note_deadline_case();

create function portal.note_deadline_wish() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update portal.answer_deadlines d set look_at = d.received_at
  from public.whatsapp_contacts c where c.person_id = new.id and d.contact_id = c.id;
  return null;
end $$;
comment on function portal.note_deadline_wish() is
  'Trigger: when the opt-out of a person ends, portal.warn_risks looks at the leads of that person again.';
create trigger note_deadline_wish after update of opted_out_at on portal.people
  for each row when (old.opted_out_at is not null and new.opted_out_at is null) execute function portal.note_deadline_wish();

create function portal.note_deadline_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into portal.deadline_changes as c (rotation_id)
  select r.id from public.roletas r
  where tg_table_name = 'roleta_corretores' and r.empreendimento in (to_jsonb(old) ->> 'roletaName', to_jsonb(new) ->> 'roletaName')
  union
  select (to_jsonb(new) ->> 'id')::integer where tg_table_name = 'roletas'
  union
  select 0 where tg_table_name in ('settings', 'kanban_stages')
  on conflict (rotation_id) do update set after_contact_id = 0;
  return null;
end $$;
comment on function portal.note_deadline_change() is
  'Trigger: has the deadlines of waiting leads computed again after a change of a target, of hours or of the time zone, and when a stage becomes open.';
create trigger note_deadline_seats after insert or delete or update of "roletaName", ativo, shifts on public.roleta_corretores
  for each row execute function portal.note_deadline_change();
create trigger note_deadline_target after update of target_minutes on public.roletas
  for each row when (old.target_minutes is distinct from new.target_minutes) execute function portal.note_deadline_change();
create trigger note_deadline_setting after insert or update on portal.settings
  for each row when (new.key in ('answer_target_seconds', 'time_zone')) execute function portal.note_deadline_change();
create trigger note_deadline_default after delete on portal.settings
  for each row when (old.key in ('answer_target_seconds', 'time_zone')) execute function portal.note_deadline_change();
create trigger note_deadline_stage after update of kind on public.kanban_stages
  for each row when (old.kind <> 'open' and new.kind = 'open') execute function portal.note_deadline_change();

create function portal.recompute_deadlines(p_limit integer) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  change portal.deadline_changes;
  batch bigint[];
begin
  select * into change from portal.deadline_changes order by rotation_id limit 1 for update skip locked;
  if not found then return 0; end if;
  batch := array(
    select d.contact_id from portal.answer_deadlines d
    where d.contact_id > change.after_contact_id and (change.rotation_id = 0 or d.rotation_id = change.rotation_id)
    order by d.contact_id limit p_limit
    -- Gives up if another transaction has locked one of these rows. Waiting could deadlock with a transaction that
    -- changes several leads.
    for update nowait);
  update portal.answer_deadlines d set is_current = false, look_at = d.received_at where d.contact_id = any (batch);
  if cardinality(batch) < p_limit then
    delete from portal.deadline_changes where rotation_id = change.rotation_id;
  else
    update portal.deadline_changes set after_contact_id = batch[p_limit] where rotation_id = change.rotation_id;
  end if;
  return cardinality(batch);
exception when lock_not_available then
  return 0;
end $$;
comment on function portal.recompute_deadlines(integer) is
  'Marks the deadlines of up to p_limit leads for a new computation, after a change in portal.deadline_changes. Returns how many: 0 also if another transaction has locked one of them. Called by portal.warn_risks. Server only.';

create function portal.deadlines(
  p_contacts bigint[], p_since timestamptz[], p_rotations integer[], p_seconds integer[], p_now timestamptz)
returns table (contact_id bigint, due_at timestamptz, twice_at timestamptz, is_open boolean)
language sql stable security definer set search_path = '' as $$
  with asked as materialized (
    select * from unnest(p_contacts, p_since, p_rotations, p_seconds) as a (contact_id, since, rotation_id, seconds)
  ), rotations as materialized (
    -- Reads the hours of a rotation once for all its leads.
    select r.rotation_id, portal.open_hours(r.rotation_id, r.since) + portal.open_hours(r.rotation_id, p_now) as hours
    from (select a.rotation_id, least(min(a.since), p_now) as since from asked a group by a.rotation_id) r
  ), hours as materialized (
    select r.rotation_id, lower(h.span) as opens_at, s.length,
      sum(s.length) over (partition by r.rotation_id order by h.span) - s.length as before
    from rotations r, unnest(r.hours) as h (span),
      lateral (select extract(epoch from upper(h.span) - lower(h.span))) as s (length)
  ), passed as (
    select a.contact_id, a.rotation_id, a.seconds,
      coalesce(sum(least(greatest(extract(epoch from a.since - h.opens_at), 0), h.length)), 0) as open_seconds
    from asked a left join hours h on h.rotation_id is not distinct from a.rotation_id
    group by a.contact_id, a.rotation_id, a.seconds
  )
  select p.contact_id,
    min(h.opens_at + make_interval(secs => (p.open_seconds + p.seconds - h.before)::double precision))
      filter (where h.before + h.length >= p.open_seconds + p.seconds),
    min(h.opens_at + make_interval(secs => (p.open_seconds + 2 * p.seconds - h.before)::double precision))
      filter (where h.before + h.length >= p.open_seconds + 2 * p.seconds),
    coalesce(bool_or(h.opens_at <= p_now and p_now < h.opens_at + make_interval(secs => h.length::double precision)), false)
  from passed p left join hours h on h.rotation_id is not distinct from p.rotation_id
  group by p.contact_id
$$;
comment on function portal.deadlines(bigint[], timestamptz[], integer[], integer[], timestamptz) is
  'When the target and twice the target of many leads pass. It counts open hours as portal.target_at does, but up to eight days after p_now; null: not by then. The arrays have, for each lead, its arrival (at most seven days before p_now), its rotation and its target in seconds. is_open: somebody of its rotation is there at p_now. Server only.';

create function portal.compute_deadlines(p_now timestamptz, p_limit integer) returns bigint
language sql volatile security definer set search_path = '' as $$
  with picked as materialized (
    -- Does for many leads in one statement what portal.lead_target does for one.
    select d.contact_id, d.received_at, date_trunc('second', d.received_at) as since, r.id as rotation_id,
      coalesce(r.target_minutes * 60, agency.seconds) as seconds
    from (
      select d.contact_id, d.received_at from portal.answer_deadlines d
      where not d.is_current and d.look_at <= p_now order by d.look_at limit p_limit for update skip locked
    ) d
    cross join (select portal.answer_target()) as agency (seconds)
    left join lateral (
      select r.id, r.target_minutes from portal.roleta_cases a join public.roletas r on r.id = a.roleta_id
      where a.contact_id = d.contact_id order by a.id desc limit 1
    ) r on true
  ), asked as (
    select array_agg(p.contact_id) as contacts, array_agg(p.since) as since, array_agg(p.rotation_id) as rotations,
      array_agg(p.seconds) as seconds
    from picked p
  ), deadlines as (
    select p.contact_id, p.rotation_id, p.received_at + interval '2 days' as ends_at, d.due_at, d.twice_at
    from asked a
    cross join lateral portal.deadlines(a.contacts, a.since, a.rotations, a.seconds, p_now) d
    join picked p on p.contact_id = d.contact_id
  ), computed as (
    update portal.answer_deadlines d
    set rotation_id = c.rotation_id, is_current = true, look_at = d.received_at,
      due_at = case when c.due_at <= c.ends_at then c.due_at end,
      twice_at = case when c.twice_at <= c.ends_at then c.twice_at end
    from deadlines c where d.contact_id = c.contact_id
    returning 1
  )
  select count(*) from computed
$$;
comment on function portal.compute_deadlines(timestamptz, integer) is
  'Computes when the target and twice the target of up to p_limit new or changed leads pass; returns how many. Called by portal.warn_risks. Server only.';

create function portal.warn_risks(p_now timestamptz) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  risk record;
  warned integer := 0;
  most constant integer := 100;
begin
  -- Only one portal runs this at a time; the others return at once.
  if not pg_try_advisory_xact_lock(hashtextextended('portal.warn_risks', 0)) then return null; end if;
  delete from portal.answer_deadlines d where d.contact_id in (
    select o.contact_id from portal.answer_deadlines o where o.received_at < p_now - interval '2 days'
    order by o.received_at limit most for update skip locked);
  perform portal.recompute_deadlines(most);
  perform portal.compute_deadlines(p_now, 50);
  for risk in
    with looked as materialized (
      select d.contact_id, d.received_at, d.due_at, d.twice_at, c."instanceName" as broker_name, c.status, c.person_id,
        c.waiting_since, c.source
      from portal.answer_deadlines d join public.whatsapp_contacts c on c.id = d.contact_id
      where d.is_current and d.look_at <= p_now
      order by d.look_at limit most
      -- Skips a lead that another transaction is changing. The insert into risk_warnings below locks the lead for key
      -- share. It could wait for a writer whose trigger waits for this deadline, which would be a deadlock.
      for update of d skip locked for no key update of c skip locked
    ), moved as (
      update portal.answer_deadlines d
      set look_at = case when d.due_at > p_now then d.due_at when d.twice_at > p_now then d.twice_at end
      from looked l where d.contact_id = l.contact_id
    ), due as (
      select l.contact_id as id, l.broker_name, v.level, v.at
      from looked l
      cross join lateral (values (1, l.due_at), (2, l.twice_at)) as v (level, at)
      join public.kanban_stages s on s.slug = l.status and s.kind = 'open'
      join portal.people p on p.id = l.person_id and p.opted_out_at is null
      where v.at <= p_now and l.received_at >= p_now - interval '2 days' and l.waiting_since is not null and l.source <> 'teste'
        and not exists (select from portal.risk_warnings w where w.contact_id = l.contact_id and w.level = v.level)
        -- Skips leads that an agent has answered, because the agent calls a broker when it reaches its limits.
        and not exists (select from public.whatsapp_messages m where m.contact_id = l.contact_id and m.author = 'agent')
    ), noted as (
      insert into portal.risk_warnings (contact_id, level, warned_at)
      select d.id, d.level, p_now from due d order by d.id, d.level
      on conflict do nothing
      returning contact_id, level
    )
    -- A deadline that passed more than two hours ago, for example while no portal ran, is recorded without a push. The
    -- screen 'Agora' shows such leads.
    select d.* from noted n join due d on d.id = n.contact_id and d.level = n.level
    where d.at > p_now - interval '2 hours' order by d.id, d.level
  loop
    warned := warned + 1;
    if risk.level = 1 then
      perform portal.push(risk.broker_name, 'risk', 'risk-' || risk.id, risk.id, interval '0');
    else
      perform portal.push_administrators('risk', 'risk-' || risk.id, risk.id);
      perform portal.push_managers(risk.broker_name, 'risk', 'risk-' || risk.id, risk.id);
    end if;
  end loop;
  return warned;
end $$;
comment on function portal.warn_risks(timestamptz) is
  'Warns by push about each lead that waits longer than its target for a person''s first answer, at each level once: its broker at the target, administrators and the gerentes of its team at twice the target. Leaves out test leads and leads that do not wait, are won or lost, opted out, came in more than two days ago, or that an agent has answered. A warning that is two hours late is not sent. Reads at most 100 leads at once; portal.has_risks says whether more are due. Returns the number of warnings; null while another portal runs it. Each portal calls it every half minute. Server only.';

create function portal.has_risks(p_now timestamptz) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from portal.answer_deadlines d where d.is_current and d.look_at <= p_now)
    or exists (select from portal.answer_deadlines d where not d.is_current and d.look_at <= p_now)
    or exists (select from portal.deadline_changes)
    or exists (select from portal.answer_deadlines d where d.received_at < p_now - interval '2 days')
$$;
comment on function portal.has_risks(timestamptz) is
  'Whether portal.warn_risks has something to do at an instant. Server only.';

create function public.warn_of_lead(p_contact_id bigint) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  led text[] := portal.require_manager();
  owner text;
begin
  if led is not null and not exists (
    select from public.whatsapp_contacts c where c.id = p_contact_id and c."instanceName" = any (led)) then
    raise exception 'Lead não encontrado.' using errcode = 'PT404';
  end if;
  select k.broker_name into owner from portal.clocks k where k.id = p_contact_id and k.waiting_since is not null;
  if not found then
    return jsonb_build_object('code', 'answered', 'message',
      case when exists (select from portal.clocks k where k.id = p_contact_id and k.answered_at is not null)
        then 'Este lead já foi respondido.' else 'Este lead não espera resposta.' end);
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
  'An administrator or a gerente warns the broker of a lead that waits for its first answer, on all devices, at most once in ten minutes. Returns {code, message}. code: told, or why no push was sent: answered (the lead does not wait, or has no clocks), no-owner, no-device, just-told. Administrators; a gerente for leads of the brokers it leads, others are 404; 401 and 403 for anybody else.';
grant execute on function public.warn_of_lead(bigint) to authenticated, service_role;

create function portal.day_after(p_day timestamptz) returns timestamptz
language sql stable set search_path = '' as $$
  select (date_trunc('day', p_day at time zone portal.time_zone()) + interval '1 day') at time zone portal.time_zone()
$$;
comment on function portal.day_after(timestamptz) is
  'When the day of an instant ends in the portal''s time zone, where a day may have 23 or 25 hours. Server only.';

create function public.get_clock_leads(p_broker text, p_figure text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today timestamptz := date_trunc('day', now() at time zone portal.time_zone()) at time zone portal.time_zone();
begin
  if not p_broker = any (portal.require_manager()) then
    raise exception 'Este corretor não é da sua equipe.' using errcode = '42501';
  end if;
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
      when 'waiting' then k.waiting_since is not null
      when 'answered' then k.answered_at is not null
      when 'withinFive' then k.answered_at <= k.received_at + interval '5 minutes'
      when 'won' then k.won_at >= today
      else true end
  );
end $$;
comment on function public.get_clock_leads(text, text) is
  'The leads behind one figure of a broker''s row in get_clocks. p_figure waiting, received, answered, withinFive or won lists leads that came in today, by their arrival. booked or held lists today''s visits by their hour, each with visitAt. 422 for any other figure. Administrators; a gerente for the brokers it leads; 401 and 403 for anybody else.';
grant execute on function public.get_clock_leads(text, text) to authenticated, service_role;

create function portal.waiting_leads(p_now timestamptz)
returns table (id bigint, received_at timestamptz, due_at timestamptz, twice_at timestamptz, is_open boolean, late integer)
language sql stable security definer set search_path = '' as $$
  with agency as materialized (
    select portal.answer_target() as seconds
  ), unanswered as materialized (
    select k.id, k.received_at, r.id as rotation_id, coalesce(r.target_minutes * 60, a.seconds) as target
    from portal.clocks k
    cross join agency a
    left join lateral (
      select r.id, r.target_minutes from portal.roleta_cases t join public.roletas r on r.id = t.roleta_id
      where t.contact_id = k.id order by t.id desc limit 1
    ) r on true
    where k.waiting_since is not null and k.received_at >= p_now - interval '7 days'
  ), together as (
    select array_agg(u.id) as ids, array_agg(u.received_at) as since, array_agg(u.rotation_id) as rotations,
      array_agg(u.target) as targets
    from unanswered u
  )
  select u.id, u.received_at, d.due_at, d.twice_at, d.is_open,
    case when d.twice_at <= p_now then 2 when d.due_at <= p_now then 1 else 0 end
  from together t
  cross join lateral portal.deadlines(t.ids, t.since, t.rotations, t.targets, p_now) d
  join unanswered u on u.id = d.contact_id
$$;
comment on function portal.waiting_leads(timestamptz) is
  'Leads that arrived within seven days and wait for a first answer, each with its portal.deadlines. late: 1 after the target, 2 after twice the target, else 0. Server only.';

create function portal.day_waits(p_broker text, p_since timestamptz, p_now timestamptz)
returns table (broker_name text, seconds double precision, is_answered boolean)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
begin
  return query
    select k.broker_name, extract(epoch from greatest(w.since, coalesce(least(k.answered_at, w.left_at), p_now)) - w.since)::double precision,
      coalesce(k.answered_at <= coalesce(w.left_at, 'infinity'), false)
    from portal.clocks k
    cross join lateral (
      select greatest(k.received_at, (
          select date_trunc('second', max(h.changed_at)) from portal.owner_history h
          where h.contact_id = k.id and h.to_instance = k.broker_name)) as since,
        (select date_trunc('second', p.opted_out_at) from public.whatsapp_contacts c join portal.people p on p.id = c.person_id
          where c.id = k.id and p.opted_out_at < coalesce(k.answered_at, 'infinity')) as left_at
    ) w
    where (p_broker is null or k.broker_name = p_broker) and k.broker_name is not null and k.received_at >= p_since
      -- Leaves out a lead that was answered before it was handed over, because the present broker never had to answer
      -- it.
      and (k.answered_at is null or w.since = k.received_at or k.answered_at > w.since);
end $$;
comment on function portal.day_waits(text, timestamptz, timestamptz) is
  'For each lead that arrived since p_since: how long it waited, or has waited so far, with its present broker. The wait begins with the arrival or the hand-over to that broker, and ends with the answer or an opt-out. p_broker null: for all brokers. With a broker the function reads only that broker''s leads, so a broker''s phone may call it often. portal.result_spans, for reports, also counts leads that were handed on. Server only.';

create function public.get_clocks() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today timestamptz := date_trunc('day', now() at time zone portal.time_zone()) at time zone portal.time_zone();
  led constant text[] := portal.require_manager();
begin
  return (
    with days as materialized (
      select k.* from portal.clocks k where k.received_at >= today and (led is null or k.broker_name = any (led))
    ), visits as (
      select v.broker_name, count(*) as booked, count(*) filter (where v.is_held) as held
      from portal.booked_visits v where v.starts_at >= today and v.starts_at < portal.day_after(today)
        and (led is null or v.broker_name = any (led))
      group by v.broker_name
    ), medians as (
      select c.grp, round(c.median) as median
      from (
        select array_agg(w.broker_name) as brokers, array_agg(w.seconds) as waits, array_agg(w.is_answered) as hits
        from portal.day_waits(null, today, now()) w where led is null or w.broker_name = any (led)
      ) t cross join lateral portal.answer_curve(t.brokers, t.waits, t.hits, 0) c
    ), waiting as materialized (
      select w.* from portal.waiting_leads(now()) w
      where led is null or exists (
        select from public.whatsapp_contacts c where c.id = w.id and c."instanceName" = any (led))
    ), shown as (
      -- First the leads that can still be answered in time, then the others; within each group the newest arrival
      -- first.
      select k.*, w.due_at, w.twice_at, w.is_open, w.place
      from (
        select w.*, row_number() over (order by w.late > 0, w.received_at desc, w.id desc) as place
        from waiting w order by place limit 100
      ) w join portal.clocks k on k.id = w.id
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
          order by w.place), '[]') from shown w),
      'counts', (
        select jsonb_build_object('waiting', count(*), 'twice', count(*) filter (where w.late = 2)) from waiting w),
      'means', (
        select jsonb_build_object('answered', count(*), 'within', count(*) filter (where a.wait <= portal.answer_target()),
          'wait', round(avg(a.wait)), 'offered', round(avg(coalesce(a.offered, 0))), 'accepted', round(avg(coalesce(a.accepted, 0))),
          'response', round(avg(a.answered)))
        from answered a),
      'brokers', (
        select coalesce(jsonb_agg(b.figures order by b.waiting desc, b.received desc, b.broker_name), '[]') from (
          select n.broker_name, count(d.waiting_since) as waiting, count(d.id) as received,
            jsonb_build_object('broker', n.broker_name,
              'waiting', count(d.waiting_since),
              'received', count(d.id),
              'answered', count(d.answered_at),
              'median', m.median,
              'withinFive', count(*) filter (where d.answered_at <= d.received_at + interval '5 minutes'),
              'booked', coalesce(v.booked, 0),
              'held', coalesce(v.held, 0),
              'won', count(*) filter (where d.won_at >= today),
              'value', coalesce(sum(d.value_cents) filter (where d.won_at >= today), 0)) as figures
          from (select d.broker_name from days d union select v.broker_name from visits v) n
          left join days d on d.broker_name = n.broker_name
          left join visits v on v.broker_name = n.broker_name
          left join medians m on m.grp = n.broker_name
          where n.broker_name is not null group by n.broker_name, v.booked, v.held, m.median) b)
    ));
end $$;
comment on function public.get_clocks() is
  'How fast today''s leads were answered, by portal.clocks. at: now; since: the beginning of the day; target: in seconds. risk: up to 100 leads of the last seven days that wait for a first answer, those within their target first, then the newest arrival. Each has when its target (dueAt) and twice its target (twiceAt) pass (null: not within eight days from now), isOpen (somebody is there now to answer), and when somebody warned its broker by hand within ten minutes (warnedAt). counts: how many wait in all (waiting), and longer than twice their target (twice). means: over today''s answered leads, in seconds. brokers, one row for each with a lead or a visit of today; its counts are of leads that came in today: waiting, received, answered, median (in seconds, by portal.answer_curve over portal.day_waits, waiting leads included; null while half of them wait longer), withinFive, won, value (cents), and today''s visits booked and held. Administrators; a gerente gets only leads of the brokers it leads; 401 and 403 for anybody else.';
grant execute on function public.get_clocks() to authenticated, service_role;

create function public.get_answers_today() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today timestamptz := date_trunc('day', now() at time zone portal.time_zone()) at time zone portal.time_zone();
  led constant text[] := portal.require_manager();
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object('broker', k.broker_name, 'received', k.received, 'answered', k.answered)
      order by k.broker_name), '[]')
    from (
      select c.broker_name, count(*) as received, count(c.answered_at) as answered
      from portal.clocks c
      where c.received_at >= today and c.broker_name is not null and (led is null or c.broker_name = any (led))
      group by c.broker_name
    ) k);
end $$;
comment on function public.get_answers_today() is
  'For each broker: how many leads of today it has, and how many of them a person answered; the same numbers as in get_clocks. Returns [{broker, received, answered}]. Administrators; a gerente for the brokers it leads; 401 and 403 for anybody else.';
grant execute on function public.get_answers_today() to authenticated, service_role;

create function public.get_broker_day(p_broker_name text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today timestamptz := date_trunc('day', now() at time zone portal.time_zone()) at time zone portal.time_zone();
begin
  if portal.require_member() is not null and not portal.reaches(p_broker_name) then
    raise exception 'Este dia é de outro corretor.' using errcode = '42501';
  end if;
  return (
    select jsonb_build_object('answered', count(*),
      'median', (
        select round(c.median)
        from (
          select array_agg(w.broker_name) as brokers, array_agg(w.seconds) as waits, array_agg(w.is_answered) as hits
          from portal.day_waits(p_broker_name, today, now()) w
        ) t cross join lateral portal.answer_curve(t.brokers, t.waits, t.hits, 0) c),
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
  'A broker''s day. answered: how many leads of today were answered. median: their wait in seconds, as in that broker''s row of get_clocks; null while half of them wait longer. at: now, in epoch seconds. waiting: up to 200 leads that began to wait within seven days, each with counted (seconds of its wait in which somebody was there to answer) and open (somebody is there now). A broker for itself, a gerente for those it leads, an administrator for any: else 42501; 401 once the session has ended.';
grant execute on function public.get_broker_day(text) to authenticated, service_role;
