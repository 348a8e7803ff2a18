-- What is told went through every rule first: what comes in while a portal looks waits for its next look, else the leads of one
-- hand-over were told one by one, or the screen of who is reading them was (PWA.md 4).

drop function portal.gather_pushes(timestamptz);
create function portal.gather_pushes(p_now timestamptz, p_due bigint[]) returns setof bigint
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
  where q.id = any (p_due) and q.device_id = d.id and q.claimed_by is null and q.due_at <= p_now
    and q.kind in ('lead', 'assigned', 'message') and q.subject = watching.watched_contact;

  update portal.push_queue q set due_at = quiet.until
  from portal.push_devices d
  join portal.sessions s on s.id = d.session_id
  cross join lateral portal.quiet_until(s.account_id, p_now) as quiet (until)
  where q.id = any (p_due) and q.device_id = d.id and q.claimed_by is null and q.due_at <= p_now and quiet.until is not null
    and q.kind not in ('lead', 'assigned', 'message');

  return query
    with due as (
      select q.id, quiet.until, count(*) over (partition by q.device_id) as leads
      from portal.push_queue q
      join portal.push_devices d on d.id = q.device_id
      join portal.sessions s on s.id = d.session_id
      cross join lateral portal.quiet_until(s.account_id, p_now) as quiet (until)
      where q.id = any (p_due) and q.claimed_by is null and q.due_at <= p_now and q.kind in ('lead', 'assigned', 'message')
    ), gathered as (
      delete from portal.push_queue q using due
      where q.id = due.id and (due.until is not null or due.leads > 5)
      returning q.device_id, case when q.kind = 'assigned' then 'handover' else 'digest' end as kind, q.queued_at, due.until
    )
    insert into portal.push_queue as q (device_id, kind, tag, happened, queued_at, due_at)
    select g.device_id, g.kind, g.kind, count(*), min(g.queued_at), coalesce(min(g.until), p_now)
    from gathered g group by g.device_id, g.kind order by g.device_id, g.kind
    on conflict (device_id, tag) where claimed_by is null do update
    set happened = q.happened + excluded.happened, due_at = greatest(q.due_at, excluded.due_at)
    returning q.id;
end $$;
comment on function portal.gather_pushes(timestamptz, bigint[]) is
  'What of these is due and must not go as it is: of a conversation that is open it waits, hours of silence put it off, and many leads at once become one push, whose number is answered. Server only.';

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
  due := array(select q.id from portal.push_queue q where q.claimed_by is null and q.due_at <= p_now);
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
