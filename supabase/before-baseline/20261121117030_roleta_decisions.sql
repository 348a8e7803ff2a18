-- What a decision of the rotation is made from, and what becomes of it (PRODUCT.md 4.2). The decision itself is
-- src/domain/rotation/rotation.ts. Locks are taken in one order: the turn, brokers, leads, cases, seats.

create function portal.roleta_seats(p_roleta integer, p_tried text[], p_now timestamptz) returns jsonb
language sql stable security definer set search_path = '' as $$
  with today as (
    select date_trunc('day', p_now at time zone portal.time_zone()) at time zone portal.time_zone() as starts_at
  ),
  taken as (
    select e."instanceName", count(*) as leads
    from portal.roleta_events e, today
    where e.roleta_id = p_roleta and e.at >= today.starts_at and e.kind in ('given', 'accepted', 'claimed')
    group by e."instanceName"
  ),
  offered as (
    select c.holder as "instanceName", count(*) as leads
    from portal.roleta_cases c where c.roleta_id = p_roleta and c.state = 'offered' group by c.holder
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'instanceName', s."instanceName", 'position', s.ordem, 'weight', s.weight, 'credit', s.credit,
    'isActive', s.ativo and b.central_since is null,
    'isPaused', coalesce(b.paused_until > p_now, false),
    'isLinked', coalesce(i.state = 'open' and i.dead_at is null, false),
    'shifts', s.shifts, 'dailyCap', s.daily_cap,
    'receivedToday', coalesce(taken.leads, 0) + coalesce(offered.leads, 0),
    'wasTried', s."instanceName" = any (p_tried)
  ) order by s.ordem), '[]')
  from public.roletas r
  join public.roleta_corretores s on s."roletaName" = r.empreendimento
  join public.brokers b using ("instanceName")
  left join portal.instance_states i using ("instanceName")
  left join taken using ("instanceName")
  left join offered using ("instanceName")
  where r.id = p_roleta
$$;
comment on function portal.roleta_seats(integer, text[], timestamptz) is
  'The seats of a rotation as src/domain/rotation/rotation.ts decides over them. Server only.';

create function portal.moment_of(p_now timestamptz) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('weekday', extract(isodow from l.local)::integer,
    'minute', (extract(hour from l.local) * 60 + extract(minute from l.local))::integer, 'day', l.local::date)
  from (select p_now at time zone portal.time_zone()) as l (local)
$$;
comment on function portal.moment_of(timestamptz) is 'Weekday (1 Monday to 7), minute of the day and date in the portal''s zone. Server only.';

create function portal.due_cases(p_now timestamptz) returns table (id bigint)
language sql stable security definer set search_path = '' as $$
  select c.id from portal.roleta_cases c where c.next_at <= p_now order by c.next_at, c.id limit 100
$$;
comment on function portal.due_cases(timestamptz) is 'Cases to be looked at now, the longest due first. Server only.';

create function portal.case_to_decide(p_case bigint, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  c portal.roleta_cases;
  lead public.whatsapp_contacts;
  r public.roletas;
  theirs text;
  ended text;
begin
  perform portal.take_roleta_turn();
  perform set_config('portal.roleta', 'on', true);
  select * into c from portal.roleta_cases k where k.id = p_case and k.next_at <= p_now;
  if not found then return null; end if;
  select * into lead from public.whatsapp_contacts w where w.id = c.contact_id;
  if c.state = 'watched' then
    ended := case when exists (
      select from public.whatsapp_messages m
      where m.contact_id = c.contact_id and m.type = 'outgoing' and m.author = 'human' and m.delivery <> 'failed'
        and m."timestamp" >= floor(extract(epoch from c.since))
    ) then 'answered' else 'unanswered' end;
  elsif c.state = 'offered' then
    ended := 'expired';
  end if;
  if ended is distinct from 'unanswered' then
    -- Who has the person already; of several the one talked to last.
    select w."instanceName" into theirs
    from public.whatsapp_contacts w join public.brokers b using ("instanceName")
    where w.person_id = lead.person_id and b.central_since is null
    order by w.id = lead.id desc, w.last_message_timestamp desc nulls last, w.id limit 1;
  end if;
  if c.roleta_id is null then c.roleta_id := portal.roleta_of(c.development); end if;
  select * into r from public.roletas k where k.id = c.roleta_id and k.ativa;
  return jsonb_build_object(
    'id', c.id, 'contactId', c.contact_id, 'ended', ended, 'holder', c.holder, 'theirs', theirs, 'hops', cardinality(c.tried),
    'moment', portal.moment_of(p_now),
    'roleta', case when r.id is not null then jsonb_build_object(
      'id', r.id, 'needsAcceptance', r.needs_acceptance, 'maxHops', r.max_hops,
      'seats', portal.roleta_seats(r.id, c.tried, p_now)) end);
end $$;
comment on function portal.case_to_decide(bigint, timestamptz) is
  'Takes the turn and tells all that the next step of a case is decided by; null where there is nothing to do any more. Server only.';

create function portal.give_lead(p_case bigint, p_to text, p_kind text, p_now timestamptz, p_decision jsonb default null) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  c portal.roleta_cases;
begin
  perform set_config('portal.roleta', 'on', true);
  perform from public.brokers b where b."instanceName" = p_to for key share;
  if not found then
    raise exception 'Este corretor não existe mais.' using errcode = 'PT409', hint = 'broker.unknown';
  end if;
  select * into strict c from portal.roleta_cases k where k.id = p_case;
  perform portal.hand_over(array[c.contact_id], p_to);
  -- Where the broker had the person already, the case went along to that lead.
  update portal.roleta_cases k
  set
    holder = p_to, since = p_now,
    tried = case when p_to = any (k.tried) then k.tried else k.tried || p_to end,
    state = case when p_kind = 'theirs' then 'done' when r.answer_minutes is null then 'done' else 'watched' end,
    next_at = case when p_kind <> 'theirs' then p_now + make_interval(mins => r.answer_minutes) end
  from portal.roleta_cases own left join public.roletas r on r.id = own.roleta_id
  where k.id = p_case and own.id = k.id
  returning k.* into c;
  if p_kind <> 'theirs' then
    update public.roleta_corretores s set leads_recebidos = s.leads_recebidos + 1
    from public.roletas r
    where r.id = c.roleta_id and s."roletaName" = r.empreendimento and s."instanceName" = p_to;
  end if;
  perform portal.add_roleta_event(c, p_kind, p_to, p_now, p_decision);
  perform set_config('portal.roleta', '', true);
  return c.contact_id;
end $$;
comment on function portal.give_lead(bigint, text, text, timestamptz, jsonb) is
  'Makes a broker the owner of a case''s lead; answers the lead, which is another where the broker had the person already. Server only.';

create function portal.settle_case(p_case bigint, p_now timestamptz, p_step jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  c portal.roleta_cases;
  wanted text := p_step ->> 'kind';
  picked text := p_step ->> 'to';
  roleta integer := (p_step ->> 'roletaId')::integer;
  logged jsonb := nullif(p_step -> 'decision', 'null');
  minutes integer;
begin
  perform from public.brokers b where b."instanceName" = picked for key share;
  if picked is not null and not found then
    raise exception 'The broker of a decision is gone.' using errcode = '40001';
  end if;
  if p_step ->> 'ended' = 'unanswered' then
    -- What the lead writes to the old owner's number still joins it.
    update public.whatsapp_contacts w set "instanceName" = null
    from portal.roleta_cases k where k.id = p_case and w.id = k.contact_id;
  end if;
  select * into strict c from portal.roleta_cases k where k.id = p_case;
  if p_step ->> 'ended' is not null then
    perform portal.add_roleta_event(c, p_step ->> 'ended', c.holder, p_now);
  end if;
  update public.roleta_corretores s set credit = (given.credit)::integer
  from jsonb_each_text(coalesce(p_step -> 'credits', '{}')) as given ("instanceName", credit), public.roletas r
  where r.id = roleta and s."roletaName" = r.empreendimento and s."instanceName" = given."instanceName"
    and s.credit <> (given.credit)::integer;
  select r.accept_minutes into minutes from public.roletas r where r.id = roleta;
  -- Nobody being there is said once, not at every look.
  if not (wanted = 'waiting' and c.state = 'waiting' and c.holder is null and coalesce((
    select e.kind = 'waiting' and e.decision -> 'verdicts' = logged -> 'verdicts'
    from portal.roleta_events e where e.case_id = p_case order by e.id desc limit 1), false))
    and wanted not in ('given', 'theirs', 'answered') then
    c.roleta_id := roleta;
    perform portal.add_roleta_event(c, wanted, picked, p_now, logged);
  end if;
  update portal.roleta_cases k
  set
    roleta_id = coalesce(roleta, k.roleta_id),
    state = case wanted when 'offered' then 'offered' when 'pooled' then 'pool' when 'inbox' then 'inbox'
      when 'answered' then 'done' else 'waiting' end,
    holder = case when wanted = 'answered' then k.holder else picked end,
    tried = case when wanted = 'offered' then k.tried || picked else k.tried end,
    since = case when wanted = 'waiting' and k.state = 'waiting' then k.since else p_now end,
    next_at = case wanted when 'offered' then p_now + make_interval(mins => minutes)
      when 'waiting' then p_now + interval '1 minute' end
  where k.id = p_case returning * into c;
  if wanted in ('given', 'theirs') then perform portal.give_lead(p_case, picked, wanted, p_now, logged); end if;
  perform set_config('portal.roleta', '', true);
  perform portal.tell_case(c);
end $$;

comment on function portal.settle_case(bigint, timestamptz, jsonb) is
  'Carries out the next step of a case in the transaction of case_to_decide: {kind, to, roletaId, ended, credits, decision}. Server only.';

create function portal.tell_case(p_case portal.roleta_cases) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.tell(jsonb_build_object('kind', 'offers', 'instanceName', named.instance))
  from (
    select p_case.holder as instance
    union select unnest(p_case.tried)
    union select s."instanceName"
    from public.roletas r join public.roleta_corretores s on s."roletaName" = r.empreendimento
    where p_case.state = 'pool' and r.id = p_case.roleta_id
  ) named
  where named.instance is not null;
end $$;
comment on function portal.tell_case(portal.roleta_cases) is 'Tells whom a case concerns that their offers changed. Server only.';

create function portal.postpone_case(p_case bigint, p_until timestamptz) returns void
language sql volatile security definer set search_path = '' as $$
  update portal.roleta_cases set next_at = p_until where id = p_case and next_at < p_until
$$;
comment on function portal.postpone_case(bigint, timestamptz) is 'Looks at a case later that could not be decided, so that it holds nobody up. Server only.';
