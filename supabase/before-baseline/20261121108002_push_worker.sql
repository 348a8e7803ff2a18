-- Sending what is queued: a push is claimed, sent, settled, by whichever portal over the database comes first (PWA.md 4).

create function portal.quiet_until(account uuid, p_now timestamptz) returns timestamptz
language plpgsql stable security definer set search_path = '' as $$
declare
  hours portal.push_settings;
  here timestamp := p_now at time zone portal.time_zone();
begin
  select * into hours from portal.push_settings where account_id = account;
  if hours.quiet_from is null then return null; end if;
  if hours.quiet_from < hours.quiet_until then
    if here::time < hours.quiet_from or here::time >= hours.quiet_until then return null; end if;
  elsif here::time >= hours.quiet_from then
    return (here::date + 1 + hours.quiet_until) at time zone portal.time_zone();
  elsif here::time >= hours.quiet_until then
    return null;
  end if;
  return (here::date + hours.quiet_until) at time zone portal.time_zone();
end $$;
comment on function portal.quiet_until(uuid, timestamptz) is 'When a person''s hours of silence end; null outside of them. Server only.';

create function portal.outdated_pushes(p_now timestamptz) returns setof bigint
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
      -- Read here or on the phone, removed, or another's by now.
      else c."instanceName" is distinct from b."instanceName"
        or c.unread_count = 0 and (q.kind = 'message' or q.kind = 'lead' and c.last_message_id is not null)
    end
$$;
comment on function portal.outdated_pushes(timestamptz) is 'Pushes that nobody needs any more: what they would tell is known, gone or over. Server only.';

create function portal.gather_pushes(p_now timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- A conversation that is open is being read; should its device fall silent, it is told after all.
  update portal.push_queue q set due_at = watching.until
  from portal.push_devices d
  join portal.sessions s on s.id = d.session_id
  join lateral (
    select e.watched_contact, max(e.watched_until) as until
    from portal.push_devices e join portal.sessions t on t.id = e.session_id
    where t.account_id = s.account_id and e.watched_until > p_now group by 1
  ) watching on true
  where q.device_id = d.id and q.claimed_by is null and q.due_at <= p_now
    and q.kind in ('lead', 'assigned', 'message') and q.subject = watching.watched_contact;

  update portal.push_queue q set due_at = quiet.until
  from portal.push_devices d
  join portal.sessions s on s.id = d.session_id
  cross join lateral portal.quiet_until(s.account_id, p_now) as quiet (until)
  where q.device_id = d.id and q.claimed_by is null and q.due_at <= p_now and quiet.until is not null
    and q.kind not in ('lead', 'assigned', 'message');

  with due as (
    select q.id, quiet.until, count(*) over (partition by q.device_id) as leads
    from portal.push_queue q
    join portal.push_devices d on d.id = q.device_id
    join portal.sessions s on s.id = d.session_id
    cross join lateral portal.quiet_until(s.account_id, p_now) as quiet (until)
    where q.claimed_by is null and q.due_at <= p_now and q.kind in ('lead', 'assigned', 'message')
  ), gathered as (
    delete from portal.push_queue q using due
    where q.id = due.id and (due.until is not null or due.leads > 5)
    returning q.device_id, case when q.kind = 'assigned' then 'handover' else 'digest' end as kind, q.queued_at, due.until
  )
  insert into portal.push_queue as q (device_id, kind, tag, happened, queued_at, due_at)
  select g.device_id, g.kind, g.kind, count(*), min(g.queued_at), coalesce(min(g.until), p_now)
  from gathered g group by g.device_id, g.kind order by g.device_id, g.kind
  on conflict (device_id, tag) where claimed_by is null do update
  set happened = q.happened + excluded.happened, due_at = greatest(q.due_at, excluded.due_at);
end $$;
comment on function portal.gather_pushes(timestamptz) is
  'What is due and must not go as it is: of a conversation that is open it waits, hours of silence put it off, and many leads at once become one push. Server only.';

create function portal.claim_pushes(p_claimer uuid, p_now timestamptz, p_lease_seconds integer, p_most integer) returns jsonb
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
            'status', r.status, 'sent', r.processed_contacts, 'total', r.total_contacts) end as campaign
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
comment on function portal.claim_pushes(uuid, timestamptz, integer, integer) is
  'The pushes that are due, for the portal that sends them until its lease ends, each with what it says as of now; and when the next are due. {pushes, nextAt}. Server only.';

create function portal.release_push(p_id bigint, p_claimer uuid, p_until timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  released portal.push_queue;
begin
  -- The turn of those who claim, so that none comes in between.
  perform pg_advisory_xact_lock(108002);
  select * into released from portal.push_queue where id = p_id and claimed_by = p_claimer for update;
  if not found then return; end if;
  update portal.push_devices set held_until = greatest(held_until, p_until), held_times = held_times + 1 where id = released.device_id;
  -- A newer one of its tag says the same and more.
  if exists (
    select from portal.push_queue q
    where q.device_id = released.device_id and q.tag = released.tag and q.claimed_by is null
  ) then
    delete from portal.push_queue where id = p_id;
  else
    update portal.push_queue set claimed_by = null, claimed_until = null where id = p_id;
  end if;
exception
  when unique_violation then
    delete from portal.push_queue where id = p_id;
end $$;
comment on function portal.release_push(bigint, uuid, timestamptz) is
  'The push service did not take it now: it waits, and with it all that its device is to be told. Server only.';

create function portal.push_counts() returns table (waiting bigint, oldest_seconds integer, devices bigint)
language sql stable security definer set search_path = '' as $$
  select count(*), extract(epoch from clock_timestamp() - min(q.queued_at))::integer, (select count(*) from portal.push_devices)
  from portal.push_queue q where q.due_at <= now()
$$;
comment on function portal.push_counts() is 'Pushes that are due and not sent yet, how old the oldest is, and devices; for health. Server only.';
