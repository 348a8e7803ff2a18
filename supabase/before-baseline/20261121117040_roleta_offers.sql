-- What brokers do with what the rotation offers, and what each may see of it (PRODUCT.md 4.1, 4.2, 4.4).

create function portal.first_name(p_name text) returns text
language sql immutable set search_path = '' as $$
  -- Some put their number in the place of their name.
  select case when word !~ '[0-9@]' then left(nullif(word, ''), 40) end
  from split_part(btrim(p_name), ' ', 1) as word
$$;
comment on function portal.first_name(text) is 'All that is shown of a lead before it is accepted; null where that would be a number or an address.';

create function portal.my_offers(p_now timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  instance text := portal.require_broker();
begin
  return jsonb_build_object(
    'offers', (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'firstName', portal.first_name(w.name),
        'development', c.development, 'offeredAt', c.since, 'expiresAt', c.next_at) order by c.next_at, c.id), '[]')
      from portal.roleta_cases c join public.whatsapp_contacts w on w.id = c.contact_id
      where c.holder = instance and c.state = 'offered' and c.next_at > p_now),
    'pool', (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'firstName', portal.first_name(w.name),
        'development', c.development, 'since', c.since) order by c.since, c.id), '[]')
      from portal.roleta_cases c join public.whatsapp_contacts w on w.id = c.contact_id
      join public.roletas r on r.id = c.roleta_id
      join public.roleta_corretores s on s."roletaName" = r.empreendimento
      where c.state = 'pool' and s."instanceName" = instance and s.ativo),
    'pausedUntil', (select b.paused_until from public.brokers b where b."instanceName" = instance and b.paused_until > p_now),
    'now', p_now);
end $$;
comment on function portal.my_offers(timestamptz) is
  'What the broker who asks is offered, with the first name and the development only, and the bolsão of the own rotations. Brokers, by the server only.';

create function portal.answer_offer(p_case bigint, p_wish text, p_operation_id uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  instance text := portal.require_broker();
  answer jsonb := portal.begin_operation(portal.account_id(), p_operation_id);
  c portal.roleta_cases;
  lead bigint;
begin
  if answer is not null then return answer; end if;
  perform portal.take_roleta_turn();
  select * into c from portal.roleta_cases k where k.id = p_case;
  if not found or not (instance = any (c.tried) or exists (
    select from public.roletas r join public.roleta_corretores s on s."roletaName" = r.empreendimento
    where r.id = c.roleta_id and s."instanceName" = instance and s.ativo)) then
    raise exception 'Lead não encontrado.' using errcode = 'PT404', hint = 'offer.unknown';
  end if;
  if p_wish <> 'pass' and c.state in ('watched', 'done') and c.holder = instance then
    lead := c.contact_id;
  elsif p_wish = 'accept' and c.state = 'offered' and c.holder = instance and c.next_at > p_now then
    lead := portal.give_lead(c.id, instance, 'accepted', p_now);
  elsif p_wish = 'claim' and c.state = 'pool' then
    lead := portal.give_lead(c.id, instance, 'claimed', p_now);
  elsif p_wish = 'pass' and c.state = 'offered' and c.holder = instance and c.next_at > p_now then
    update portal.roleta_cases k set state = 'waiting', holder = null, since = p_now, next_at = p_now where k.id = c.id;
    perform portal.add_roleta_event(c, 'passed', instance, p_now);
  elsif c.holder = instance and c.state = 'offered' then
    raise exception 'O tempo para aceitar este lead acabou.' using errcode = 'PT409', hint = 'offer.expired';
  else
    raise exception 'Este lead já passou para outro corretor.' using errcode = 'PT409', hint = 'offer.gone';
  end if;
  perform portal.tell_case(c);
  return portal.end_operation(portal.account_id(), p_operation_id, 'roleta.' || p_wish,
    jsonb_build_object('success', true, 'contactId', lead));
end $$;
comment on function portal.answer_offer(bigint, text, uuid, timestamptz) is
  'accept, pass or claim (out of the bolsão), once an operation: {success, contactId}, the lead that is theirs now or null. Of two devices, and of two brokers who claim, one wins: the same broker again is told yes, another 409. 404 for who never had it offered and has no seat. Brokers, by the server only.';

create function portal.open_cases() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'contactId', c.contact_id, 'name', w.name, 'number', w.number,
      'development', c.development, 'roletaId', c.roleta_id, 'state', c.state, 'holder', c.holder,
      'arrivedAt', c.arrived_at, 'since', c.since, 'nextAt', c.next_at, 'hops', cardinality(c.tried)) order by c.arrived_at, c.id), '[]')
    from portal.roleta_cases c join public.whatsapp_contacts w on w.id = c.contact_id
    where c.state in ('waiting', 'offered', 'pool') or (c.state = 'inbox' and w."instanceName" is null)
  );
end $$;
comment on function portal.open_cases() is
  'Leads that no broker has yet: on their way, in the bolsão, or the administrator''s because no rotation takes them. Administrators, by the server only.';

create function portal.lead_course(p_contact bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', c.id, 'development', c.development, 'state', c.state, 'holder', c.holder, 'arrivedAt', c.arrived_at,
      'roleta', (select r.empreendimento from public.roletas r where r.id = c.roleta_id),
      'events', (
        select jsonb_agg(jsonb_build_object('kind', e.kind, 'instanceName', e."instanceName", 'changedBy', e.changed_by,
          'at', e.at, 'decision', e.decision) order by e.id)
        from portal.roleta_events e where e.case_id = c.id),
      'intakes', (
        select coalesce(jsonb_agg(jsonb_build_object('source', i.source, 'campaign', i.campaign, 'message', i.message,
          'fields', i.fields, 'consentAt', i.consent_at, 'consentText', i.consent_text, 'receivedAt', i.received_at,
          'key', (select k.name from portal.intake_keys k where k.id = i.key_id)) order by i.id), '[]')
        from portal.lead_intakes i where i.case_id = c.id)
    ) order by c.id desc), '[]')
    from portal.roleta_cases c where c.contact_id = p_contact
  );
end $$;
comment on function portal.lead_course(bigint) is
  'How a lead came in and went from broker to broker, the newest way first, each decision with what it was made from. Administrators, by the server only.';

create function portal.shares_of(p_roleta integer, p_from timestamptz, p_to timestamptz)
returns table ("instanceName" text, weight integer, kinds jsonb, reasons jsonb)
language sql stable security definer set search_path = '' as $$
  with
    within as (select e.* from portal.roleta_events e where e.roleta_id = p_roleta and e.at >= p_from and e.at < p_to),
    steps as (
      select k."instanceName", jsonb_object_agg(k.kind, k.n) as counts
      from (select w."instanceName", w.kind, count(*) as n from within w where w."instanceName" is not null group by 1, 2) k
      group by 1
    ),
    verdicts as (
      select k."instanceName", jsonb_object_agg(k.reason, k.n) as counts
      from (
        select v."instanceName", v.reason, count(*) as n
        from within w, jsonb_to_recordset(w.decision -> 'verdicts') as v ("instanceName" text, reason text)
        group by 1, 2
      ) k
      group by 1
    ),
    seats as (
      select s."instanceName", s.weight, s.ordem
      from public.roletas r join public.roleta_corretores s on s."roletaName" = r.empreendimento where r.id = p_roleta
    )
  select coalesce(seats."instanceName", steps."instanceName"), coalesce(seats.weight, 0)::integer,
    coalesce(steps.counts, '{}'), coalesce(verdicts.counts, '{}')
  from seats full join steps using ("instanceName") left join verdicts using ("instanceName")
  order by seats.ordem nulls last, 1
$$;
comment on function portal.shares_of(integer, timestamptz, timestamptz) is
  'Of a rotation and period, a broker: the weight now (0 once out of it), how many steps of each kind, and how often each reason spoke for or against. Server only.';

create function portal.roleta_shares(p_roleta integer, p_from timestamptz, p_to timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (select coalesce(jsonb_agg(to_jsonb(s)), '[]') from portal.shares_of(p_roleta, p_from, p_to) s);
end $$;
comment on function portal.roleta_shares(integer, timestamptz, timestamptz) is 'portal.shares_of. Administrators, by the server only.';

create function portal.my_shares(p_from timestamptz, p_to timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  instance text := portal.require_broker();
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object('roleta', r.empreendimento, 'weight', s.weight,
      'totalWeight', (select sum(t.weight) from public.roleta_corretores t where t."roletaName" = r.empreendimento and t.ativo),
      'total', (select count(*) from portal.roleta_events e
        where e.roleta_id = r.id and e.at >= p_from and e.at < p_to and e.kind in ('given', 'accepted', 'claimed')),
      'kinds', own.kinds, 'reasons', own.reasons) order by r.empreendimento), '[]')
    from public.roleta_corretores s
    join public.roletas r on r.empreendimento = s."roletaName"
    join lateral portal.shares_of(r.id, p_from, p_to) own on own."instanceName" = s."instanceName"
    where s."instanceName" = instance
  );
end $$;
comment on function portal.my_shares(timestamptz, timestamptz) is
  'Of each own rotation what the broker who asks got, of how many, and why not more; nothing of the others. Brokers, by the server only.';

create function portal.roleta_arrivals(p_roleta integer, p_from timestamptz, p_to timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('moment', portal.moment_of(first.at),
      'away', (select coalesce(jsonb_agg(s ->> 'instanceName'), '[]') from jsonb_array_elements(first.decision -> 'seats') s
        where not (s ->> 'isLinked')::boolean or (s ->> 'isPaused')::boolean)) order by first.at, first.id), '[]')
    from portal.roleta_cases c
    cross join lateral (
      select e.id, e.at, e.decision from portal.roleta_events e
      where e.case_id = c.id and e.decision ? 'seats' order by e.id limit 1
    ) first
    where c.roleta_id = p_roleta and c.arrived_at >= p_from and c.arrived_at < p_to
  );
end $$;
comment on function portal.roleta_arrivals(integer, timestamptz, timestamptz) is
  'When each lead of a rotation and period came in, and which brokers were paused or without WhatsApp then: what a simulation replays. Administrators, by the server only.';
