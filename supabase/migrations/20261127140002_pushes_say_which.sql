-- A push says which address is no longer notified and why, and of who comes in by a form what was left there.

create or replace function portal.hook_tag(p_hook uuid) returns text
language sql immutable set search_path = '' as $$
  -- Tags are short: 24 hexadecimal digits of an id are as much its own as all 32.
  select 'hook-' || left(replace(p_hook::text, '-', ''), 24)
$$;
comment on function portal.hook_tag(uuid) is 'The tag of the push that says that an address is no longer notified. Server only.';

create or replace function portal.push_hook() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.push_administrators('webhook', portal.hook_tag(new.id), null);
  return null;
end $$;
comment on function portal.push_hook() is
  'Trigger: the portal paused an address after too many failures, or the address said that it is gone; the administrators are told.';

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
      when 'webhook' then not exists (
        select from portal.hooks h where h.reason is not null and portal.hook_tag(h.id) = q.tag)
      when 'unsent' then not exists (
        select from portal.scheduled_messages t join public.whatsapp_contacts l on l.id = t.contact_id
        where t.id = q.subject and t.state in ('asking', 'answered', 'refused') and l."instanceName" = b."instanceName")
      when 'visit' then not exists (
        select from portal.actions t join public.whatsapp_contacts l on l.id = t.contact_id
        where t.id = q.subject and t.finished_at is null and t.due_at > p_now and l."instanceName" = b."instanceName")
      when 'outcome' then not exists (
        select from portal.actions t join public.whatsapp_contacts l on l.id = t.contact_id
        where t.id = q.subject and t.finished_at is null and t.due_at < p_now and l."instanceName" = b."instanceName")
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
comment on function portal.outdated_pushes(timestamptz) is 'Pushes that nobody needs any more: what they would tell is known, gone or over. Server only.';

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
            'name', c.name, 'number', c.number,
            -- Who comes in by a form is told of like who writes.
            'kind', case when arrival.id is null then coalesce(m.kind, 'text') else 'text' end,
            'body', left(case when arrival.id is null then coalesce(m.body, '') else coalesce(arrival.message, 'Deixou o contato') end, 300),
            'sentAtSeconds', m."timestamp") end as lead,
          case when q.kind = 'risk' then jsonb_build_object(
            'waitsSeconds', extract(epoch from p_now - k.received_at),
            'isAdmin', b.id is null, 'instanceName', case when b.id is null then c."instanceName" end) end as risk,
          case when h.id is not null then jsonb_build_object('name', h.name, 'isGone', h.reason = 'gone') end as hook,
          case when r.id is not null then jsonb_build_object(
            'status', r.status, 'sent', r.processed_contacts, 'total', r.total_contacts) end as campaign,
          case when o.id is not null then jsonb_build_object(
            'firstName', portal.first_name(person.name), 'development', o.development,
            'secondsLeft', ceil(extract(epoch from o.next_at - p_now))) end as offer,
          case when t.id is not null then jsonb_build_object(
            'contactId', t.contact_id, 'name', spoken.name, 'number', spoken.number,
            'why', case when t.state = 'answered' then 'answered' else t.reason end) end as unsent,
          case when a.id is not null then jsonb_build_object(
            'contactId', a.contact_id, 'name', visitor.name, 'number', visitor.number, 'place', a.note,
            'startsAtMs', floor(extract(epoch from a.due_at) * 1000)::bigint,
            'isToday', (a.due_at at time zone portal.time_zone())::date = (p_now at time zone portal.time_zone())::date) end as visit
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
        -- As portal.board_leads shows it.
        left join lateral (
          select i.id, i.message from portal.lead_intakes i
          where c.left_contact_at is not null and i.contact_id = c.id and i.key_id is not null
            and i.received_at > to_timestamp(coalesce(c.last_message_timestamp, 0))
          order by i.id desc limit 1
        ) arrival on true
        left join portal.hooks h on q.kind = 'webhook' and portal.hook_tag(h.id) = q.tag
        left join public.remarketing_campaigns r on r.id = q.subject and q.kind = 'campaign'
        left join portal.roleta_cases o on o.id = q.subject and q.kind = 'offer'
        left join public.whatsapp_contacts person on person.id = o.contact_id
        left join portal.scheduled_messages t on t.id = q.subject and q.kind = 'unsent'
        left join public.whatsapp_contacts spoken on spoken.id = t.contact_id
        left join portal.actions a on a.id = q.subject and q.kind in ('visit', 'outcome')
        left join public.whatsapp_contacts visitor on visitor.id = a.contact_id
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
comment on function portal.claim_pushes(uuid, timestamptz, integer, integer) is
  'The pushes that are due, for the portal that sends them until its lease ends, each with what it says as of now; and when the next are due. {pushes, nextAt}. Server only.';
