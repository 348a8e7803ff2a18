-- Decisions of the rotation and hand-overs by people never undo each other: one turn, and locks in one order, the turn, brokers,
-- leads, cases, seats. Whose the person is by now counts in every step (PRODUCT.md 4.2).

create function portal.keeper_of(p_contact bigint) returns text
language sql stable security definer set search_path = '' as $$
  select w."instanceName"
  from public.whatsapp_contacts lead
  join public.whatsapp_contacts w on w.person_id = lead.person_id
  join public.brokers b on b."instanceName" = w."instanceName"
  where lead.id = p_contact and b.central_since is null
  order by w.id = lead.id desc, w.last_message_timestamp desc nulls last, w.id limit 1
$$;
comment on function portal.keeper_of(bigint) is
  'The broker who has the person of a lead already, of several the one talked to last; null where nobody has. Server only.';

create index roleta_cases_pool on portal.roleta_cases (id) where state = 'pool';
comment on index portal.roleta_cases_pool is 'Serves the look for leads of the bolsão whose person has a broker by now.';

create or replace function portal.due_cases(p_now timestamptz) returns table (id bigint)
language sql stable security definer set search_path = '' as $$
  (select c.id from portal.roleta_cases c where c.next_at <= p_now order by c.next_at, c.id limit 100)
  union all
  (select c.id from portal.roleta_cases c where c.state = 'pool' and portal.keeper_of(c.contact_id) is not null
   order by c.id limit 100)
$$;
comment on function portal.due_cases(timestamptz) is
  'Cases to be looked at now: those whose time has come, the longest due first, and those of the bolsão whose person has a broker by now. Server only.';

create or replace function portal.case_to_decide(p_case bigint, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  c portal.roleta_cases;
  r public.roletas;
  theirs text;
  ended text;
begin
  perform portal.take_roleta_turn();
  perform set_config('portal.roleta', 'on', true);
  select * into c from portal.roleta_cases k where k.id = p_case and (k.next_at <= p_now or k.state = 'pool');
  if not found then return null; end if;
  if c.state = 'watched' then
    ended := case when exists (
      select from public.whatsapp_messages m
      where m.contact_id = c.contact_id and m.type = 'outgoing' and m.author = 'human' and m.delivery <> 'failed'
        and m."timestamp" >= floor(extract(epoch from c.since))
    ) then 'answered' else 'unanswered' end;
  elsif c.state = 'offered' then
    ended := 'expired';
  end if;
  if ended is distinct from 'unanswered' then theirs := portal.keeper_of(c.contact_id); end if;
  -- Out of the bolsão by itself it goes to nobody else.
  if c.state = 'pool' and theirs is null then return null; end if;
  if c.roleta_id is null then c.roleta_id := portal.roleta_of(c.development); end if;
  select * into r from public.roletas k where k.id = c.roleta_id and k.ativa;
  if ended = 'unanswered' and r.id is null then
    -- A rotation that is switched off takes nothing away.
    ended := null;
    theirs := portal.keeper_of(c.contact_id);
  end if;
  return jsonb_build_object(
    'id', c.id, 'contactId', c.contact_id, 'state', c.state, 'nextAt', c.next_at,
    'ended', ended, 'holder', c.holder, 'theirs', theirs, 'hops', cardinality(c.tried),
    'moment', portal.moment_of(p_now),
    'roleta', case when r.id is not null then jsonb_build_object(
      'id', r.id, 'needsAcceptance', r.needs_acceptance, 'maxHops', r.max_hops,
      'seats', portal.roleta_seats(r.id, c.tried, p_now)) end);
end $$;

create or replace function portal.settle_case(p_case bigint, p_now timestamptz, p_step jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  c portal.roleta_cases;
  before portal.roleta_cases;
  wanted text := p_step ->> 'kind';
  picked text := p_step ->> 'to';
  roleta integer := (p_step ->> 'roletaId')::integer;
  logged jsonb := nullif(p_step -> 'decision', 'null');
  minutes integer;
begin
  -- In the order of a removal, which holds the broker before the leads; whoever loses the lead too.
  perform from public.brokers b
  where b."instanceName" in (picked, (select k.holder from portal.roleta_cases k where k.id = p_case))
  order by b."instanceName" for key share;
  if picked is not null and not exists (select from public.brokers b where b."instanceName" = picked) then
    raise exception 'The broker of a decision is gone.' using errcode = '40001';
  end if;
  perform from public.whatsapp_contacts w
  where w.id = (select k.contact_id from portal.roleta_cases k where k.id = p_case) for update;
  select * into strict before from portal.roleta_cases k where k.id = p_case for update;
  -- Given away by hand, answered or merged meanwhile: what was decided was over something else.
  if before.state <> p_step ->> 'state' or before.next_at is distinct from (p_step ->> 'nextAt')::timestamptz then
    perform set_config('portal.roleta', '', true);
    return;
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
  if before.state = 'pool' then perform portal.tell_case(before); end if;
  perform portal.tell_case(c);
end $$;
comment on function portal.settle_case(bigint, timestamptz, jsonb) is
  'Carries out the next step of a case in the transaction of case_to_decide: {kind, to, roletaId, ended, credits, decision}, and the state and nextAt it was decided over; nothing where they are others by now. Server only.';

create or replace function portal.answer_offer(p_case bigint, p_wish text, p_operation_id uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  instance text := portal.require_broker();
  answer jsonb := portal.begin_operation(portal.account_id(), p_operation_id);
  c portal.roleta_cases;
  owner text;
  has_seat boolean;
  is_theirs boolean;
  is_free boolean;
  lead bigint;
begin
  if answer is not null then return answer; end if;
  perform portal.take_roleta_turn();
  perform from public.brokers b where b."instanceName" = instance for key share;
  perform from public.whatsapp_contacts w
  where w.id = (select k.contact_id from portal.roleta_cases k where k.id = p_case) for update;
  select * into c from portal.roleta_cases k where k.id = p_case for update;
  select w."instanceName" into owner from public.whatsapp_contacts w where w.id = c.contact_id;
  has_seat := exists (
    select from public.roletas r join public.roleta_corretores s on s."roletaName" = r.empreendimento
    where r.id = c.roleta_id and s."instanceName" = instance and s.ativo);
  is_theirs := c.state in ('watched', 'done', 'closed') and owner = instance;
  is_free := coalesce(portal.keeper_of(c.contact_id), instance) = instance;
  if c.id is null or not (has_seat or instance = any (c.tried) and (p_wish <> 'claim' or coalesce(is_theirs, false))) then
    raise exception 'Lead não encontrado.' using errcode = 'PT404', hint = 'offer.unknown';
  end if;
  if p_wish <> 'pass' and is_theirs then
    lead := c.contact_id;
  elsif p_wish = 'accept' and is_free and c.state = 'offered' and c.holder = instance and c.next_at > p_now then
    lead := portal.give_lead(c.id, instance, 'accepted', p_now);
  elsif p_wish = 'claim' and is_free and c.state = 'pool' then
    lead := portal.give_lead(c.id, instance, 'claimed', p_now);
  elsif p_wish = 'pass' and c.state = 'offered' and c.holder = instance and c.next_at > p_now then
    update portal.roleta_cases k set state = 'waiting', holder = null, since = p_now, next_at = p_now where k.id = c.id;
    perform portal.add_roleta_event(c, 'passed', instance, p_now);
  elsif c.holder = instance and c.state = 'offered' and c.next_at <= p_now then
    raise exception 'O tempo para aceitar este lead acabou.' using errcode = 'PT409', hint = 'offer.expired';
  else
    raise exception 'Este lead já passou para outro corretor.' using errcode = 'PT409', hint = 'offer.gone';
  end if;
  perform portal.tell_case(c);
  return portal.end_operation(portal.account_id(), p_operation_id, 'roleta.' || p_wish,
    jsonb_build_object('success', true, 'contactId', lead));
end $$;
comment on function portal.answer_offer(bigint, text, uuid, timestamptz) is
  'accept, pass or claim (out of the bolsão, with an active seat), once an operation: {success, contactId}, the lead that is theirs now or null. Of two devices, and of two brokers who claim, one wins: the same broker again, or who got the lead by hand, is told yes, another 409, as is everybody once the person has another broker. 404 for who never had it offered and has no seat. Brokers, by the server only.';
