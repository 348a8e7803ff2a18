-- Web push: the devices that a person wants to be told on, how and when, and what is still to be told. All of it is the
-- server's own, reached through /api/push.

create table portal.push_keys (
  id boolean primary key default true check (id),
  public_key text not null,
  private_key text not null,
  made_at timestamptz not null default now(),
  -- The key that signs pushes lies sealed, as Meta's secrets do: a copy of the database tells nobody anything.
  is_sealed boolean not null default false
);
comment on table portal.push_keys is
  'The pair that signs pushes, made by the first portal that starts. It stands beside the devices because each of them is bound to it: they come and go together, and several portals over one database sign alike.';
comment on column portal.push_keys.is_sealed is 'False for what an older portal kept in the clear: the next start seals it.';
comment on column portal.push_keys.private_key is
  'Sealed under the portal''s own secret, which is not in the database. One that cannot be opened stays: devices are bound to its pair.';
alter table portal.push_keys enable row level security;

create table portal.push_devices (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null unique references portal.sessions on delete cascade,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  name text not null check (length(name) between 1 and 80),
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  held_until timestamptz,
  held_times integer not null default 0,
  watched_contact bigint,
  watched_until timestamptz,
  -- A device that was taken off the list from another one: it learns so when it next says that it is there.
  removed_at timestamptz
);
comment on table portal.push_devices is
  'Where a person is told, one a session: a sign-out, a reset or the end of the account ends it with the session.';
comment on column portal.push_devices.endpoint is 'The browser''s address at its push service; whoever knows it may not read, only send.';
comment on column portal.push_devices.seen_at is 'When the device last said that it is still there.';
comment on column portal.push_devices.held_until is 'The push service asked for patience, or could not be reached.';
comment on column portal.push_devices.held_times is 'How often in a row: each time the wait doubles.';
comment on column portal.push_devices.watched_contact is 'The lead whose conversation is open on it, until watched_until unless said again.';
comment on column portal.push_devices.removed_at is
  'When another device took it off the list; it is told nothing from then on, and the row goes when it has learnt of it.';
alter table portal.push_devices enable row level security;

create table portal.push_settings (
  account_id uuid primary key references portal.accounts on delete cascade,
  hides_names boolean not null default false,
  quiet_from time,
  quiet_until time,
  check ((quiet_from is null) = (quiet_until is null) and quiet_from <> quiet_until)
);
comment on table portal.push_settings is 'How a person is told on all devices; without a row: with names, at any hour.';
comment on column portal.push_settings.hides_names is 'Neither names nor texts: a locked screen shows what is told.';
comment on column portal.push_settings.quiet_from is 'Hours of silence, wall-clock time of the portal''s zone; they may go over midnight.';
alter table portal.push_settings enable row level security;

create table portal.push_queue (
  id bigint generated always as identity primary key,
  device_id uuid not null references portal.push_devices on delete cascade,
  tag text not null check (tag ~ '^[a-z0-9-]{1,32}$'),
  kind text not null check (kind in ('lead', 'assigned', 'message', 'link', 'campaign', 'digest', 'handover', 'offer',
    'lost', 'webhook', 'unsent', 'risk', 'visit', 'outcome', 'machine', 'asked')),
  subject bigint,
  happened integer not null default 1,
  queued_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null,
  claimed_by uuid,
  claimed_until timestamptz,
  -- An administrator is told on the devices she chose when a broker's WhatsApp is lost.
  broker_id uuid references public.brokers on delete cascade,
  check ((claimed_by is null) = (claimed_until is null)),
  constraint push_queue_lost_check check ((kind = 'lost') = (broker_id is not null))
);
comment on table portal.push_queue is
  'What a device is still to be told, written with the change itself; a row goes with its settling. What it says is read when it is sent.';
comment on column portal.push_queue.tag is 'What replaces what: at the push service, on the device, and here while it waits.';
comment on column portal.push_queue.kind is
  'digest: several leads wrote; handover: several became the broker''s; lost: the WhatsApp of a broker, webhook: an address that is notified no longer, both for administrators; unsent: a text for later that did not go; risk: a lead waits longer than its target, for its broker, and at twice for administrators; visit: one is near; outcome: what became of one is asked; machine: an agent paused where an automatic reply seemed to write; asked: a broker wants a lead off the board, for administrators.';
comment on column portal.push_queue.subject is 'The lead, the campaign, the text for later or the visit; null where it is about the broker''s WhatsApp or several leads.';
comment on column portal.push_queue.happened is 'How many events became this one.';
comment on column portal.push_queue.claimed_by is 'The portal that is sending it now, until claimed_until: a portal that ended leaves it to the next.';
comment on column portal.push_queue.broker_id is 'Whose WhatsApp is lost, where an administrator is told of it; else it is about the device''s own person.';
create unique index push_queue_waiting on portal.push_queue (device_id, tag) where claimed_by is null;
comment on index portal.push_queue_waiting is 'Of one tag a device waits for one push.';
create index push_queue_device on portal.push_queue (device_id, tag);
comment on index portal.push_queue_device is 'Serves the removal of a device, and the order within a tag.';
create index push_queue_broker on portal.push_queue (broker_id);
comment on index portal.push_queue_broker is 'Serves the removal of a broker.';
alter table portal.push_queue enable row level security;


-- What is worth a push, written down in the transaction that makes it so.

create function portal.push(instance text, what text, under text, about bigint, delay interval) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Whoever had the phone in hand was told by it.
  if current_setting('portal.history', true) = 'on' then return; end if;
  insert into portal.push_queue as q (device_id, kind, tag, subject, due_at)
  select d.id, what, under, about, now() + delay
  from portal.push_devices d
  join portal.sessions s on s.id = d.session_id
  join public.brokers b on b.id = s.account_id
  where b."instanceName" = instance and d.removed_at is null
  order by d.id
  on conflict (device_id, tag) where claimed_by is null do update
  set
    happened = q.happened + 1,
    due_at = least(q.due_at, excluded.due_at),
    -- A new lead that writes is still a new one.
    kind = case when q.kind in ('lead', 'assigned') then q.kind else excluded.kind end;
  if found then perform portal.notify_channel('push', ''); end if;
end $$;
comment on function portal.push(text, text, text, bigint, interval) is
  'A broker is to be told on every device, and the portals are woken at commit; what still waits under that tag takes it up. Server only.';

create function portal.push_administrators(what text, under text, about bigint) returns void
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
  if found then perform portal.notify_channel('push', ''); end if;
end $$;
comment on function portal.push_administrators(text, text, bigint) is
  'The administrators are to be told on every device they chose; what still waits under that tag says it already. Server only.';

create function portal.push_lead() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(current_setting('portal.quiet', true), '') = 'on' then return null; end if;
  perform portal.push(
    new."instanceName", case when tg_op = 'INSERT' then 'lead' else 'assigned' end, 'lead-' || new.id, new.id, interval '1 second');
  return null;
end $$;
comment on function portal.push_lead() is
  'Trigger: a broker got a lead, a new one or one that was somebody else''s; nothing of leads added by hand or imported (portal.quiet).';
create trigger push_new_lead after insert on public.whatsapp_contacts
  for each row when (new."instanceName" is not null) execute function portal.push_lead();
create trigger push_assigned_lead after update of "instanceName" on public.whatsapp_contacts
  for each row when (new."instanceName" is not null and new."instanceName" is distinct from old."instanceName")
  execute function portal.push_lead();

create table portal.muted_leads (
  contact_id bigint primary key references public.whatsapp_contacts on delete cascade,
  "instanceName" text not null references public.brokers ("instanceName") on update cascade on delete cascade,
  since timestamptz not null default now()
);
comment on table portal.muted_leads is
  'Leads whose messages raise no push: for the broker who said so, and for no other owner after a hand-over. By functions.';
create index muted_leads_broker on portal.muted_leads ("instanceName");
comment on index portal.muted_leads_broker is 'Serves the removal of a broker.';
alter table portal.muted_leads enable row level security;

create function portal.push_message() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.push(c."instanceName", 'message', 'lead-' || c.id, c.id, interval '1 second')
  from public.whatsapp_contacts c
  where c.id = new.contact_id and c."instanceName" is not null and not exists (
    select from portal.muted_leads m where m.contact_id = c.id and m."instanceName" = c."instanceName");
  return null;
end $$;
comment on function portal.push_message() is
  'Trigger: a lead wrote. Not of what is older than a day, which a sweep read back; a second later, so that a screen that shows the conversation can read it first.';
create trigger push_message after insert on public.whatsapp_messages
  for each row when (new.type = 'incoming' and not new.read and new."timestamp" > extract(epoch from now()) - 86400)
  execute function portal.push_message();

create function portal.push_link() returns trigger
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
  if found then perform portal.notify_channel('push', ''); end if;
  return null;
end $$;
comment on function portal.push_link() is
  'Trigger: a broker''s WhatsApp was lost; the broker and the administrators are told within the minute that the watch may have needed, unless it is back.';
create trigger push_link after update on portal.instance_states
  for each row when (
    old.state = 'open' and old.dead_at is null and (new.state <> 'open' or new.dead_at is not null))
  execute function portal.push_link();


-- Sending what is queued: a push is claimed, sent, settled, by whichever portal over the database comes first.

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

create function portal.machine_agent(p_person_id bigint) returns integer
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select min(p.agent_id) from portal.agent_pauses p
    where p.person_id = p_person_id and p.reason = 'automatic' and p.paused_until is null);
end $$;
comment on function portal.machine_agent(bigint) is
  'The agent that paused towards a person whose texts seem to be automatic replies; null where none did, or it was resumed. Server only.';

-- A lead in the bolsão is told of again to every broker of its rotation; and a device that was taken off the list as something was
-- being written down for it is not told that either.
create function portal.outdated_pushes(p_now timestamptz) returns setof bigint
language sql stable security definer set search_path = '' as $$
  select q.id
  from portal.push_queue q
  join portal.push_devices d on d.id = q.device_id
  join portal.sessions s on s.id = d.session_id
  -- Whose it is about: an administrator is told of a broker's WhatsApp.
  left join public.brokers b on b.id = coalesce(q.broker_id, s.account_id)
  left join public.whatsapp_contacts c on c.id = q.subject and q.kind in ('lead', 'assigned', 'message', 'risk', 'machine', 'asked')
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
      when 'asked' then c.id is null
      when 'risk' then c.id is null or b.id is not null and c."instanceName" is distinct from b."instanceName"
        or not exists (select from portal.clocks k where k.id = c.id and k.answered_at is null)
      when 'machine' then c.id is null or b.id is not null and c."instanceName" is distinct from b."instanceName"
        or portal.machine_agent(c.person_id) is null
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

-- Over 80 lines: what is claimed and what it says are one statement, for between two a lead could change. A push that nobody needed
-- any more is not dropped with the news that comes at that very moment; and a look holds what it goes through, so that a
-- conversation that is closed meanwhile puts nothing off.
create function portal.claim_pushes(p_claimer uuid, p_now timestamptz, p_lease_seconds integer, p_most integer) returns jsonb
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
          case when q.kind = 'machine' then jsonb_build_object(
            'isAdmin', b.id is null, 'agentId', portal.machine_agent(c.person_id)) end as machine,
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
        left join public.whatsapp_contacts c on c.id = q.subject and q.kind in ('lead', 'assigned', 'message', 'risk', 'machine', 'asked')
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

create function portal.release_push(p_id bigint, p_claimer uuid, p_until timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  device uuid;
begin
  -- The turn of those who claim, so that none comes in between.
  perform pg_advisory_xact_lock(108002);
  select device_id into device from portal.push_queue where id = p_id and claimed_by = p_claimer for update;
  if not found then return; end if;
  update portal.push_devices set held_until = greatest(held_until, p_until), held_times = held_times + 1 where id = device;
  perform portal.unclaim_push(p_id);
end $$;
comment on function portal.release_push(bigint, uuid, timestamptz) is
  'The push service did not take it now: it waits, and with it all that its device is to be told. Server only.';

create function portal.push_counts() returns table (waiting bigint, oldest_seconds integer, devices bigint)
language sql stable security definer set search_path = '' as $$
  select count(*), extract(epoch from clock_timestamp() - min(q.queued_at))::integer,
    (select count(*) from portal.push_devices d where d.removed_at is null)
  from portal.push_queue q where q.due_at <= now()
$$;
comment on function portal.push_counts() is 'Pushes that are due and not sent yet, how old the oldest is, and devices; for health. Server only.';

-- What is told went through every rule first: what comes in while a portal looks waits for its next look, else the leads of one
-- hand-over would be told one by one, or the screen of who is reading them.
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


-- What a portal was at when it ended goes through every rule again, and is told only to whose it is by then.

create function portal.unclaim_push(p_id bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- A newer one of its tag says the same and more.
  delete from portal.push_queue q
  where q.id = p_id and exists (
    select from portal.push_queue newer
    where newer.device_id = q.device_id and newer.tag = q.tag and newer.claimed_by is null);
  update portal.push_queue set claimed_by = null, claimed_until = null where id = p_id;
exception
  -- The newer one comes at this very moment.
  when unique_violation then
    delete from portal.push_queue where id = p_id;
end $$;
comment on function portal.unclaim_push(bigint) is
  'A push that was claimed waits again, unless a newer one does; its caller holds the row and the turn of those who claim. Server only.';


-- A conversation that is closed again is told of at once, and what is new brings forward what was put off.

create function portal.watch_conversation(p_session uuid, p_contact bigint, p_until timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  before bigint;
begin
  select watched_contact into before from portal.push_devices where session_id = p_session for no key update;
  update portal.push_devices set watched_contact = p_contact, watched_until = p_until where session_id = p_session;
  if before is null or before = p_contact then return; end if;
  update portal.push_queue q set due_at = least(q.due_at, now())
  from portal.push_devices d
  join portal.sessions s on s.id = d.session_id
  join portal.sessions mine on mine.account_id = s.account_id
  where mine.id = p_session and q.device_id = d.id and q.subject = before and q.claimed_by is null
    and q.kind in ('lead', 'assigned', 'message');
  if found then perform portal.notify_channel('push', ''); end if;
end $$;
comment on function portal.watch_conversation(uuid, bigint, timestamptz) is
  'The conversation that is open on the device of a session, until then unless said again; what waited because of the one before is due. Server only.';

create function public.lead_mute(
  p_contact_id bigint, p_is_muted boolean default null, p_number_lead text default null, p_broker_name text default null
) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  lead bigint := portal.asked_lead(portal.require_member(), p_broker_name, p_contact_id, p_number_lead);
  owner text := (select c."instanceName" from public.whatsapp_contacts c where c.id = lead);
begin
  if owner is null then return null; end if;
  if p_is_muted then
    insert into portal.muted_leads (contact_id, "instanceName") values (lead, owner)
    on conflict (contact_id) do update set "instanceName" = excluded."instanceName", since = now();
    -- What has not gone out yet does not go any more.
    delete from portal.push_queue q where q.kind = 'message' and q.subject = lead and q.claimed_by is null;
  elsif not p_is_muted then
    delete from portal.muted_leads m where m.contact_id = lead;
  end if;
  return exists (select from portal.muted_leads m where m.contact_id = lead and m."instanceName" = owner);
end $$;
comment on function public.lead_mute(bigint, boolean, text, text) is
  'Silences what a lead writes for its broker, or lets it be heard again; null only asks. Answers whether it is silent; null for anyone else''s lead and for one without a broker. A broker for the own leads, an administrator for all. The lead is p_contact_id, else p_number_lead on the board of p_broker_name. 401 once the session has ended.';
revoke execute on function public.lead_mute(bigint, boolean, text, text) from public, anon;
grant execute on function public.lead_mute(bigint, boolean, text, text) to authenticated, service_role;
