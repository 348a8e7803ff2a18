-- Targets of a rotation and of the agency, counted while somebody is there to answer, and who is told when a lead waits longer.

alter table public.roletas add column target_minutes smallint check (target_minutes between 1 and 1440);
comment on column public.roletas.target_minutes is 'Within how long its leads are to be answered first; null: the agency''s target.';

alter table portal.push_queue drop constraint push_queue_kind_check;
alter table portal.push_queue add constraint push_queue_kind_check check (kind in ('lead', 'assigned', 'message', 'link', 'campaign', 'digest', 'handover', 'offer',
    'lost', 'webhook', 'unsent', 'risk'));
comment on column portal.push_queue.kind is
  'digest: several leads wrote; handover: several became the broker''s; lost: the WhatsApp of a broker, webhook: an address that is notified no longer, both for administrators; unsent: a text for later that did not go; risk: a lead waits longer than its target, for its broker, and at twice for administrators.';

create or replace function portal.push_administrators(what text, under text, about bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into portal.push_queue as q (device_id, kind, tag, subject, due_at)
  select d.id, what, under, about, now()
  from portal.push_devices d
  join portal.sessions s on s.id = d.session_id
  join portal.accounts a on a.id = s.account_id
  where a.role = 'admin' and d.removed_at is null
  order by d.id
  on conflict (device_id, tag) where claimed_by is null do nothing;
  if found then perform portal.tell_on('push', ''); end if;
end $$;
comment on function portal.push_administrators(text, text, bigint) is
  'The administrators are to be told on every device they chose; what still waits under that tag says it already. Server only.';

create or replace function portal.push_hook() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Tags are short: 24 hexadecimal digits of an id are as much its own as all 32.
  perform portal.push_administrators('webhook', 'hook-' || left(replace(new.id::text, '-', ''), 24), null);
  return null;
end $$;

create or replace function portal.outdated_pushes(p_now timestamptz) returns setof bigint
language sql stable security definer set search_path = '' as $$
  select q.id
  from portal.push_queue q
  join portal.push_devices d on d.id = q.device_id
  join portal.sessions s on s.id = d.session_id
  -- Whose it is about: an administrator is told of a broker's line.
  left join public.brokers b on b.id = coalesce(q.broker_id, s.account_id)
  left join public.whatsapp_contacts c on c.id = q.subject and q.kind in ('lead', 'assigned', 'message', 'risk')
  left join portal.instance_states i on i."instanceName" = b."instanceName"
  where q.queued_at < p_now - interval '1 day'
    or s.expires_at <= p_now
    or d.removed_at is not null
    or q.claimed_by is null and q.due_at <= p_now and case q.kind
      when 'link' then i.state = 'open' and i.dead_at is null or i.cut_at > q.queued_at - interval '2 minutes'
      when 'lost' then i.state = 'open' and i.dead_at is null or i.cut_at > q.queued_at - interval '2 minutes'
      when 'campaign' then not exists (select from public.remarketing_campaigns r where r.id = q.subject)
      when 'digest' then not exists (
        select from public.whatsapp_contacts u where u."instanceName" = b."instanceName" and u.unread_count > 0)
      when 'handover' then false
      when 'risk' then c.id is null or b.id is not null and c."instanceName" is distinct from b."instanceName"
        or not exists (select from portal.clocks k where k.id = c.id and k.answered_at is null)
      when 'webhook' then not exists (select from portal.hooks h where h.reason is not null)
      when 'unsent' then not exists (
        select from portal.scheduled_messages t join public.whatsapp_contacts l on l.id = t.contact_id
        where t.id = q.subject and t.state in ('asking', 'answered', 'refused') and l."instanceName" = b."instanceName")
      when 'offer' then not exists (
        select from portal.roleta_cases k
        where k.id = q.subject and (
          k.state = 'offered' and k.holder = b."instanceName" and k.next_at > p_now
          or k.state = 'pool' and b."instanceName" in (select portal.pool_brokers(k.roleta_id))))
      -- Read here or on the phone, removed, or another's by now.
      else c."instanceName" is distinct from b."instanceName"
        or c.unread_count = 0 and (q.kind = 'message' or q.kind = 'lead' and c.last_message_id is not null)
    end
$$;

create or replace function portal.claim_pushes(p_claimer uuid, p_now timestamptz, p_lease_seconds integer, p_most integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  due bigint[];
  answer jsonb;
begin
  -- Any constant does: portals take turns at this, which is short.
  perform pg_advisory_xact_lock(108002);
  -- Whoever is settling one of them right now holds it.
  perform portal.unclaim_push(expired.id)
  from (
    select q.id from portal.push_queue q where q.claimed_until <= p_now
    order by q.device_id, q.id desc for update skip locked
  ) expired;
  -- What came in since makes it news again: it counts as another then.
  with outdated as (
    select q.id, q.happened from portal.push_queue q where q.id in (select portal.outdated_pushes(p_now))
  )
  delete from portal.push_queue q using outdated where q.id = outdated.id and q.happened = outdated.happened;
  -- Held until it is told: nobody opens, closes or reads between one rule and the next. Whoever is at one right now wakes us after.
  due := array(
    select q.id from portal.push_queue q where q.claimed_by is null and q.due_at <= p_now
    order by q.device_id, q.id for update skip locked);
  due := due || array(select portal.gather_pushes(p_now, due));
  -- One look for the check and for what is told: what changes right now is seen by both or by neither.
  with next as (
    select q.id from portal.push_queue q join portal.push_devices d on d.id = q.device_id
    where q.id = any (due) and q.claimed_by is null and q.due_at <= p_now and (d.held_until is null or d.held_until <= p_now)
      and q.id not in (select portal.outdated_pushes(p_now))
      -- One after the other where they replace each other.
      and not exists (
        select from portal.push_queue before
        where before.device_id = q.device_id and before.tag = q.tag and before.claimed_by is not null)
    order by q.due_at, q.id limit p_most
    for update of q skip locked
  ), taken as (
    update portal.push_queue q
    set claimed_by = p_claimer, claimed_until = p_now + make_interval(secs => p_lease_seconds)
    from next where q.id = next.id
    returning q.id, q.device_id, q.kind, q.tag, q.subject, q.broker_id, q.happened
  )
  select jsonb_build_object(
    'pushes', (
      select coalesce(jsonb_agg(row_to_json(told) order by told.id), '[]')
      from (
        select q.id, q.kind, q.tag, q.subject, q.happened, d.id as "deviceId", d.endpoint, d.p256dh, d.auth,
          d.held_times as "heldTimes", coalesce(p.hides_names, false) as "hidesNames",
          case when q.broker_id is null then unread.leads end as "unreadLeads",
          case when q.broker_id is not null then b."instanceName" end as "lostInstance",
          case when c.id is not null then jsonb_build_object(
            'name', c.name, 'number', c.number, 'kind', coalesce(m.kind, 'text'), 'body', coalesce(left(m.body, 300), ''),
            'sentAtSeconds', m."timestamp") end as lead,
          case when q.kind = 'risk' then jsonb_build_object(
            'waitsSeconds', extract(epoch from p_now - k.received_at),
            'isAdmin', b.id is null, 'instanceName', case when b.id is null then c."instanceName" end) end as risk,
          case when r.id is not null then jsonb_build_object(
            'status', r.status, 'sent', r.processed_contacts, 'total', r.total_contacts) end as campaign,
          case when o.id is not null then jsonb_build_object(
            'firstName', portal.first_name(person.name), 'development', o.development,
            'secondsLeft', ceil(extract(epoch from o.next_at - p_now))) end as offer,
          case when t.id is not null then jsonb_build_object(
            'contactId', t.contact_id, 'name', spoken.name, 'number', spoken.number,
            'why', case when t.state = 'answered' then 'answered' else t.reason end) end as unsent
        from taken q
        join portal.push_devices d on d.id = q.device_id
        join portal.sessions s on s.id = d.session_id
        left join public.brokers b on b.id = coalesce(q.broker_id, s.account_id)
        left join portal.push_settings p on p.account_id = s.account_id
        left join public.whatsapp_contacts c on c.id = q.subject and q.kind in ('lead', 'assigned', 'message', 'risk')
        left join portal.clocks k on k.id = c.id and q.kind = 'risk'
        left join lateral (
          select m.kind, m.body, m."timestamp" from public.whatsapp_messages m
          where m.contact_id = c.id and m.type = 'incoming' order by m."timestamp" desc, m.id desc limit 1
        ) m on true
        left join public.remarketing_campaigns r on r.id = q.subject and q.kind = 'campaign'
        left join portal.roleta_cases o on o.id = q.subject and q.kind = 'offer'
        left join public.whatsapp_contacts person on person.id = o.contact_id
        left join portal.scheduled_messages t on t.id = q.subject and q.kind = 'unsent'
        left join public.whatsapp_contacts spoken on spoken.id = t.contact_id
        cross join lateral (
          select count(*) as leads from public.whatsapp_contacts u
          where u."instanceName" = b."instanceName" and u.unread_count > 0
        ) unread
      ) told
    ),
    'nextAt', (
      select to_json(min(greatest(q.due_at, d.held_until, q.claimed_until))) #>> '{}'
      from portal.push_queue q join portal.push_devices d on d.id = q.device_id
      where q.id not in (select taken.id from taken)
    )
  ) into answer;
  return answer;
end $$;

create or replace function portal.roleta_details(p_roleta integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  details jsonb;
begin
  perform portal.require_admin();
  select jsonb_build_object('id', r.id, 'name', r.empreendimento,
    'settings', jsonb_build_object('needsAcceptance', r.needs_acceptance, 'acceptMinutes', r.accept_minutes,
      'answerMinutes', r.answer_minutes, 'maxHops', r.max_hops, 'textCode', r.text_code,
      'targetMinutes', r.target_minutes),
    'seats', (
      select coalesce(jsonb_agg(jsonb_build_object('instanceName', s."instanceName", 'weight', s.weight, 'shifts', s.shifts,
        'dailyCap', s.daily_cap, 'isActive', s.ativo) order by s.ordem), '[]')
      from public.roleta_corretores s where s."roletaName" = r.empreendimento))
  into details from public.roletas r where r.id = p_roleta;
  if details is null then
    raise exception 'Roleta não encontrada' using errcode = 'PT404', hint = 'roleta.unknown';
  end if;
  return details || jsonb_build_object(
    'version', md5(details::text),
    'isActive', (select r.ativa from public.roletas r where r.id = p_roleta),
    'leadsReceived', (
      select coalesce(jsonb_object_agg(s."instanceName", s.leads_recebidos), '{}') from public.roleta_corretores s
      where s."roletaName" = details ->> 'name'));
end $$;

create or replace function portal.save_roleta(p_roleta integer, p_version text, p_wanted jsonb, p_operation_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
  settings jsonb := p_wanted -> 'settings';
  name text := btrim(p_wanted ->> 'name');
  last_place integer;
  before jsonb;
  saved jsonb;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  perform portal.take_roleta_turn();
  perform from public.roletas r where r.id = p_roleta for update;
  before := portal.roleta_details(p_roleta);
  if (before ->> 'version') <> p_version then
    raise exception 'Esta roleta foi alterada por outra pessoa. Abra-a de novo para ver como ficou.'
      using errcode = 'PT409', hint = 'roleta.changed';
  elsif exists (select from public.roletas r where r.empreendimento = name and r.id <> p_roleta) then
    raise exception 'Já existe uma roleta com este nome.' using errcode = 'PT409', hint = 'roleta.taken';
  elsif exists (select from public.roletas r where r.text_code = settings ->> 'textCode' and r.id <> p_roleta) then
    raise exception 'Outra roleta já usa este código.' using errcode = 'PT409', hint = 'roleta.code-taken';
  elsif exists (
    select from jsonb_to_recordset(p_wanted -> 'seats') as w ("instanceName" text)
    where not exists (select from public.brokers b where b."instanceName" = w."instanceName" and b.central_since is null)) then
    raise exception 'Um dos corretores não existe mais. Abra a roleta de novo.' using errcode = 'PT422', hint = 'roleta.no-broker';
  end if;
  update public.roletas r
  set empreendimento = name, needs_acceptance = (settings ->> 'needsAcceptance')::boolean,
    accept_minutes = (settings ->> 'acceptMinutes')::smallint, answer_minutes = (settings ->> 'answerMinutes')::smallint,
    max_hops = (settings ->> 'maxHops')::smallint, text_code = settings ->> 'textCode',
    -- An app of before knows no target, and leaves it.
    target_minutes = case when settings ? 'targetMinutes' then (settings ->> 'targetMinutes')::smallint else target_minutes end
  where r.id = p_roleta;
  delete from public.roleta_corretores s
  where s."roletaName" = name
    and s."instanceName" not in (select w."instanceName" from jsonb_to_recordset(p_wanted -> 'seats') as w ("instanceName" text));
  select coalesce(max(s.ordem), 0) into last_place from public.roleta_corretores s where s."roletaName" = name;
  insert into public.roleta_corretores ("roletaName", "instanceName", ordem)
  select name, w.seat ->> 'instanceName', last_place + row_number() over (order by w.place)
  from jsonb_array_elements(p_wanted -> 'seats') with ordinality as w (seat, place)
  on conflict ("roletaName", "instanceName") do nothing;
  update public.roleta_corretores s
  set ordem = w.place, weight = (w.seat ->> 'weight')::smallint, shifts = nullif(w.seat -> 'shifts', 'null'),
    daily_cap = (w.seat ->> 'dailyCap')::smallint, ativo = (w.seat ->> 'isActive')::boolean
  from jsonb_array_elements(p_wanted -> 'seats') with ordinality as w (seat, place)
  where s."roletaName" = name and s."instanceName" = w.seat ->> 'instanceName';
  saved := portal.roleta_details(p_roleta);
  if saved ->> 'version' <> p_version then
    perform portal.audit('roleta.changed', name, portal.roleta_changes(before, saved));
  end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'roleta.save', saved);
end $$;

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
  'Within how many minutes the agency wants leads answered first, 1 to 1440; rotations may have their own. 422 otherwise. Administrators; 401 and 403 for anybody else.';
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
  'When somebody is there to answer, for eight days from an instant on: the shifts of a rotation''s seats together, at any time where a seat has none; without a rotation or seats Monday to Saturday from 8h to 20h, as campaigns are sent, in the portal''s zone. Server only.';

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
  'When so many seconds of portal.open_hours have passed since an instant; null where eight days have not as many. Server only.';

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
  'Within how many seconds a lead is to be answered first, and the rotation that it went through last, null where it went through none. One row. Server only.';

create table portal.risk_warnings (
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  level smallint not null check (level between 0 and 2),
  warned_at timestamptz not null default now(),
  primary key (contact_id, level)
);
comment on table portal.risk_warnings is
  'Of which leads it was told that they wait too long, so that it is told once, whichever portal looks; and when an administrator last had it told.';
comment on column portal.risk_warnings.level is '0: by an administrator''s hand, to its broker; 1: at its target, to its broker; 2: at twice the target, to administrators.';
alter table portal.risk_warnings enable row level security;

create index contacts_unanswered on public.whatsapp_contacts (least(left_contact_at, first_incoming_at))
  where first_response_at is null and (left_contact_at is not null or first_incoming_at is not null);
comment on index public.contacts_unanswered is 'Serves portal.warn_risks: who came and was not answered, however many leads there are.';

create function portal.warn_risks(p_now timestamptz) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  risk record;
  told integer := 0;
begin
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
        -- An agent has taken it up: its own limits call a person.
        and not exists (select from public.whatsapp_messages m where m.contact_id = c.id and m.author = 'agent')
    ), noted as (
      insert into portal.risk_warnings (contact_id, level, warned_at)
      select d.id, d.level, p_now from due d where d.at <= p_now order by d.id, d.level
      on conflict do nothing
      returning contact_id, level
    )
    -- What became due long ago, while nobody looked, is seen under 'Agora', and rings nowhere.
    select d.* from noted n join due d on d.id = n.contact_id and d.level = n.level
    where d.at > p_now - interval '2 hours' order by d.id, d.level
  loop
    told := told + 1;
    if risk.level = 1 then
      perform portal.push(risk.broker_name, 'risk', 'risk-' || risk.id, risk.id, interval '0');
    else
      perform portal.push_administrators('risk', 'risk-' || risk.id, risk.id);
    end if;
  end loop;
  return told;
end $$;
comment on function portal.warn_risks(timestamptz) is
  'Has told of each lead that waits for a person''s first answer longer than its target, once: its broker at the target, administrators at twice; answers how many were told. Not of who was closed, wants no messages, or is answered by an agent. Called by each portal every half minute. Server only.';

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
  'Has the broker of a lead that waits for a first answer told of it, on every device, at most once in ten minutes: {code, message}, told, or with the reason answered, no-owner, no-device, just-told. Administrators; 401 and 403 for anybody else.';
grant execute on function public.warn_of_lead(bigint) to authenticated, service_role;

create function public.get_clock_leads(p_broker text, p_figure text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today timestamptz := date_trunc('day', now() at time zone portal.time_zone()) at time zone portal.time_zone();
begin
  perform portal.require_admin();
  if p_figure is null or p_figure not in ('waiting', 'received', 'answered', 'withinFive', 'won') then
    raise exception 'Esta lista não existe.' using errcode = 'PT422', hint = 'figure.unknown';
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'name', k.name, 'number', k.number, 'broker', k.broker_name,
      'source', k.source, 'development', k.development, 'receivedAt', k.received_at, 'answeredAt', k.answered_at,
      'value', k.value_cents) order by k.received_at, k.id), '[]')
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
  'The leads that a figure of a broker''s line in get_clocks counts (waiting, received, answered, withinFive, won), by their arrival; 422 for any other figure. Administrators; 401 and 403 for anybody else.';
grant execute on function public.get_clock_leads(text, text) to authenticated, service_role;

create or replace function public.get_clocks() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today timestamptz := date_trunc('day', now() at time zone portal.time_zone()) at time zone portal.time_zone();
begin
  perform portal.require_admin();
  return (
    with days as materialized (
      select k.* from portal.clocks k where k.received_at >= today
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
  'How fast the leads of today were taken up, by the four clocks of portal.clocks: at, since (the day''s beginning), target in seconds; risk, who waits for a first answer since at most seven days, 100 at most, each with when its target and twice its target have passed (null: not within eight days), and when an administrator had its broker told within ten minutes, who is longest over the target first; means over the answered leads of today, in seconds; and a line a broker: waiting, received, answered, median, withinFive, won and value (cents). Administrators; 401 and 403 for anybody else.';

-- Who waits since before this version is no news.
insert into portal.risk_warnings (contact_id, level)
select k.id, l.level from portal.clocks k cross join (values (1), (2)) as l (level)
where k.answered_at is null and k.received_at >= now() - interval '2 days';
