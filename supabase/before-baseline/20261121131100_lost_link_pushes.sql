-- An administrator is told on the devices she chose when a broker's WhatsApp is lost (issue: gateway for real; PWA.md 4).

alter table portal.push_queue
  add column broker_id uuid references public.brokers on delete cascade,
  drop constraint push_queue_kind_check,
  add constraint push_queue_kind_check
    check (kind in ('lead', 'assigned', 'message', 'link', 'campaign', 'digest', 'handover', 'offer', 'lost')),
  add constraint push_queue_lost_check check ((kind = 'lost') = (broker_id is not null));
comment on column portal.push_queue.kind is
  'digest: several leads wrote; handover: several became the broker''s; lost: the WhatsApp of a broker, for an administrator.';
comment on column portal.push_queue.broker_id is 'Whose WhatsApp is lost, where an administrator is told of it; else it is about the device''s own person.';
create index push_queue_broker on portal.push_queue (broker_id);
comment on index portal.push_queue_broker is 'Serves the removal of a broker.';

create or replace function portal.push_link() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  -- The minute that the watch may have needed is counted in.
  delay constant interval := interval '25 seconds';
begin
  perform portal.push(new."instanceName", 'link', 'link', null, delay);
  insert into portal.push_queue as q (device_id, kind, tag, broker_id, due_at)
  -- Tags are short: 24 hexadecimal digits of an id are as much its own as all 32.
  select d.id, 'lost', 'lost-' || left(replace(b.id::text, '-', ''), 24), b.id, now() + delay
  from public.brokers b, portal.push_devices d
  join portal.sessions s on s.id = d.session_id
  join portal.accounts a on a.id = s.account_id
  where b."instanceName" = new."instanceName" and a.role = 'admin' and d.removed_at is null
  order by d.id
  on conflict (device_id, tag) where claimed_by is null do update
  set happened = q.happened + 1, due_at = least(q.due_at, excluded.due_at);
  if found then perform pg_notify('push', ''); end if;
  return null;
end $$;
comment on function portal.push_link() is
  'Trigger: a broker''s WhatsApp was lost; the broker and the administrators are told within the minute that the watch may have needed, unless it is back.';

create or replace function portal.outdated_pushes(p_now timestamptz) returns setof bigint
language sql stable security definer set search_path = '' as $$
  select q.id
  from portal.push_queue q
  join portal.push_devices d on d.id = q.device_id
  join portal.sessions s on s.id = d.session_id
  -- Whose it is about: an administrator is told of a broker's line.
  left join public.brokers b on b.id = coalesce(q.broker_id, s.account_id)
  left join public.whatsapp_contacts c on c.id = q.subject and q.kind in ('lead', 'assigned', 'message')
  left join portal.instance_states i on i."instanceName" = b."instanceName"
  where q.queued_at < p_now - interval '1 day'
    or s.expires_at <= p_now
    or q.claimed_by is null and q.due_at <= p_now and case q.kind
      when 'link' then i.state = 'open' and i.dead_at is null or i.cut_at > q.queued_at - interval '2 minutes'
      when 'lost' then i.state = 'open' and i.dead_at is null or i.cut_at > q.queued_at - interval '2 minutes'
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
  perform portal.gather_pushes(p_now);
  -- One look for the check and for what is told: what changes right now is seen by both or by neither.
  with next as (
    select q.id from portal.push_queue q join portal.push_devices d on d.id = q.device_id
    where q.claimed_by is null and q.due_at <= p_now and (d.held_until is null or d.held_until <= p_now)
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
          case when r.id is not null then jsonb_build_object(
            'status', r.status, 'sent', r.processed_contacts, 'total', r.total_contacts) end as campaign,
          case when o.id is not null then jsonb_build_object(
            'firstName', portal.first_name(person.name), 'development', o.development,
            'secondsLeft', ceil(extract(epoch from o.next_at - p_now))) end as offer
        from taken q
        join portal.push_devices d on d.id = q.device_id
        join portal.sessions s on s.id = d.session_id
        left join public.brokers b on b.id = coalesce(q.broker_id, s.account_id)
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
