-- Brokers are told of offers on their devices (PRODUCT.md 4.2; PWA.md 4).

alter table portal.push_queue
  drop constraint push_queue_kind_check,
  add constraint push_queue_kind_check
    check (kind in ('lead', 'assigned', 'message', 'link', 'campaign', 'digest', 'handover', 'offer'));

create function portal.push_offer() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.push(new.holder, 'offer', 'offer-' || new.id, new.id, interval '0');
  return null;
end $$;
comment on function portal.push_offer() is 'Trigger: a broker is offered a lead.';
create trigger push_offer after update on portal.roleta_cases
  for each row when (new.state = 'offered' and new.holder is not null
    and (old.state <> 'offered' or old.holder is distinct from new.holder))
  execute function portal.push_offer();

create function portal.push_no_assignment() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from portal.push_queue q
  using portal.roleta_cases k, portal.push_devices d, portal.sessions s, public.brokers b
  where k.id = new.case_id and q.tag = 'lead-' || k.contact_id and q.kind = 'assigned' and q.claimed_by is null
    and d.id = q.device_id and s.id = d.session_id and b.id = s.account_id and b."instanceName" = new."instanceName";
  return null;
end $$;
comment on function portal.push_no_assignment() is 'Trigger: who took a lead need not be told that it is theirs.';
create trigger push_no_assignment after insert on portal.roleta_events
  for each row when (new.kind in ('accepted', 'claimed')) execute function portal.push_no_assignment();

create or replace function portal.outdated_pushes(p_now timestamptz) returns setof bigint
language sql stable security definer set search_path = '' as $$
  select q.id
  from portal.push_queue q
  join portal.push_devices d on d.id = q.device_id
  join portal.sessions s on s.id = d.session_id
  join public.brokers b on b.id = s.account_id
  left join public.whatsapp_contacts c on c.id = q.subject and q.kind in ('lead', 'assigned', 'message')
  left join portal.instance_states i on i."instanceName" = b."instanceName"
  where q.queued_at < p_now - interval '1 day'
    or s.expires_at <= p_now
    or q.claimed_until <= p_now and exists (
      select from portal.push_queue newer where newer.device_id = q.device_id and newer.tag = q.tag and newer.claimed_by is null)
    or q.claimed_by is null and q.due_at <= p_now and case q.kind
      when 'link' then i.state = 'open' and i.dead_at is null or i.cut_at > q.queued_at - interval '2 minutes'
      when 'campaign' then not exists (select from public.remarketing_campaigns r where r.id = q.subject)
      when 'digest' then not exists (
        select from public.whatsapp_contacts u where u."instanceName" = b."instanceName" and u.unread_count > 0)
      when 'handover' then false
      when 'offer' then not exists (
        select from portal.roleta_cases k
        where k.id = q.subject and k.state = 'offered' and k.holder = b."instanceName" and k.next_at > p_now)
      -- Read here or on the phone, removed, or another's by now.
      else c."instanceName" is distinct from b."instanceName"
        or c.unread_count = 0 and (q.kind = 'message' or q.kind = 'lead' and c.last_message_id is not null)
    end
$$;

create or replace function portal.claim_pushes(p_claimer uuid, p_now timestamptz, p_lease_seconds integer, p_most integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  claimed bigint[];
begin
  -- Any constant does: portals take turns at this, which is short.
  perform pg_advisory_xact_lock(108002);
  delete from portal.push_queue q where q.id in (select portal.outdated_pushes(p_now));
  perform portal.gather_pushes(p_now);
  with next as (
    select q.id from portal.push_queue q join portal.push_devices d on d.id = q.device_id
    where q.due_at <= p_now and (d.held_until is null or d.held_until <= p_now)
      and (q.claimed_until is null or q.claimed_until <= p_now)
      -- One after the other where they replace each other.
      and not exists (
        select from portal.push_queue before
        where before.device_id = q.device_id and before.tag = q.tag and before.claimed_until > p_now)
    order by q.due_at, q.id limit p_most
    for update of q skip locked
  ), taken as (
    update portal.push_queue q
    set claimed_by = p_claimer, claimed_until = p_now + make_interval(secs => p_lease_seconds)
    from next where q.id = next.id returning q.id
  )
  select array_agg(taken.id) into claimed from taken;
  return jsonb_build_object(
    'pushes', (
      select coalesce(jsonb_agg(row_to_json(told) order by told.id), '[]')
      from (
        select q.id, q.kind, q.tag, q.subject, q.happened, d.id as "deviceId", d.endpoint, d.p256dh, d.auth,
          d.held_times as "heldTimes", coalesce(p.hides_names, false) as "hidesNames", unread.leads as "unreadLeads",
          case when c.id is not null then jsonb_build_object(
            'name', c.name, 'number', c.number, 'kind', coalesce(m.kind, 'text'), 'body', coalesce(left(m.body, 300), ''),
            'sentAtSeconds', m."timestamp") end as lead,
          case when r.id is not null then jsonb_build_object(
            'status', r.status, 'sent', r.processed_contacts, 'total', r.total_contacts) end as campaign,
          case when o.id is not null then jsonb_build_object(
            'firstName', portal.first_name(person.name), 'development', o.development,
            'secondsLeft', ceil(extract(epoch from o.next_at - p_now))) end as offer
        from portal.push_queue q
        join portal.push_devices d on d.id = q.device_id
        join portal.sessions s on s.id = d.session_id
        join public.brokers b on b.id = s.account_id
        left join portal.push_settings p on p.account_id = s.account_id
        left join public.whatsapp_contacts c on c.id = q.subject and q.kind in ('lead', 'assigned', 'message')
        left join lateral (
          select m.kind, m.body, m."timestamp" from public.whatsapp_messages m
          where m.contact_id = c.id and m.type = 'incoming' order by m."timestamp" desc, m.id desc limit 1
        ) m on true
        left join public.remarketing_campaigns r on r.id = q.subject and q.kind = 'campaign'
        left join portal.roleta_cases o on o.id = q.subject and q.kind = 'offer'
        left join public.whatsapp_contacts person on person.id = o.contact_id
        cross join lateral (
          select count(*) as leads from public.whatsapp_contacts u
          where u."instanceName" = b."instanceName" and u.unread_count > 0
        ) unread
        where q.id = any (claimed)
      ) told
    ),
    'nextAt', (
      select to_json(min(greatest(q.due_at, d.held_until, q.claimed_until))) #>> '{}'
      from portal.push_queue q join portal.push_devices d on d.id = q.device_id
      where claimed is null or q.id <> all (claimed)
    )
  );
end $$;
