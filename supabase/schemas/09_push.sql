-- Web push: a person's devices, the settings, and the queue of pushes. Only the server uses these tables, for
-- /api/push.

create table portal.push_keys (
  id boolean primary key default true check (id),
  public_key text not null,
  private_key text not null,
  made_at timestamptz not null default now(),
  -- The key that signs pushes is stored encrypted. A copy of the database therefore does not reveal it.
  is_sealed boolean not null default false
);
comment on table portal.push_keys is
  'The key pair that signs pushes. The first portal that starts makes it. Browsers tie each subscription to this pair, so all portals over one database share it.';
comment on column portal.push_keys.is_sealed is
  'False: an older portal stored the key in clear text. The next start of a portal encrypts it.';
comment on column portal.push_keys.private_key is
  'Encrypted with a secret of the portal that is not in the database. A key that cannot be decrypted is kept, because the devices are tied to it.';
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
  -- Set when another device of the person removed this one. The device learns it at its next report.
  removed_at timestamptz
);
comment on table portal.push_devices is
  'Devices that get pushes, one for each session. The row is deleted when the session ends: by a sign-out, a reset or a deleted account.';
comment on column portal.push_devices.endpoint is
  'The browser''s address at its push service. Whoever knows it can send to the device, but not read.';
comment on column portal.push_devices.seen_at is 'When the device last reported that it still wants pushes.';
comment on column portal.push_devices.held_until is
  'The device gets no push before then, because the push service asked to wait or could not be reached. Null: no wait.';
comment on column portal.push_devices.held_times is
  'How often in a row the push service could not take a push. Each time doubles the wait.';
comment on column portal.push_devices.watched_contact is
  'The lead whose conversation is open on the device, until watched_until; the device repeats the report while it stays open. Null: none.';
comment on column portal.push_devices.removed_at is
  'When another device of the person removed this one. It gets no more pushes, and the row is deleted once the device has learnt so. Null: not removed.';
alter table portal.push_devices enable row level security;

create table portal.push_settings (
  account_id uuid primary key references portal.accounts on delete cascade,
  hides_names boolean not null default false,
  quiet_from time,
  quiet_until time,
  check ((quiet_from is null) = (quiet_until is null) and quiet_from <> quiet_until)
);
comment on table portal.push_settings is
  'How a person wants pushes, on all devices. A person without a row gets them with names, at any hour.';
comment on column portal.push_settings.hides_names is
  'True: pushes show neither names nor texts, because a locked screen would display them to anybody.';
comment on column portal.push_settings.quiet_from is
  'Start of the quiet hours, as wall-clock time in the portal''s time zone. They may last over midnight. Null: no quiet hours.';
alter table portal.push_settings enable row level security;

create table portal.push_queue (
  id bigint generated always as identity primary key,
  device_id uuid not null references portal.push_devices on delete cascade,
  tag text not null check (tag ~ '^[a-z0-9-]{1,32}$'),
  kind text not null check (kind in ('lead', 'assigned', 'message', 'link', 'campaign', 'digest', 'handover', 'offer',
    'lost', 'webhook', 'unsent', 'risk', 'visit', 'outcome', 'machine', 'asked', 'try', 'feed', 'accepted', 'declined')),
  subject bigint,
  happened integer not null default 1,
  queued_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null,
  claimed_by uuid,
  claimed_until timestamptz,
  broker_id uuid references public.brokers on delete cascade,
  check ((claimed_by is null) = (claimed_until is null)),
  constraint push_queue_lost_check check ((kind = 'lost') = (broker_id is not null))
);
comment on table portal.push_queue is
  'Pushes that wait for a device. Written in the transaction of the change, deleted once the push service has answered. The text is read when the push is sent.';
comment on column portal.push_queue.tag is
  'A newer push replaces an older one of the same tag: in this queue, at the push service and on the device.';
comment on column portal.push_queue.kind is
  'digest: several leads wrote. handover: the broker got several leads. unsent: a scheduled text did not go out. risk: a lead waits longer than its target (the broker), or twice as long (administrators). visit: a visit is near. outcome: a visit''s outcome is asked for. try: a step of a plan is near. machine: an agent paused because the texts seem to be automatic replies. accepted, declined: a colleague answered about a lead that the broker passed. For administrators: lost (a broker''s WhatsApp), webhook (an address that is disabled, or conversions that Meta refuses), asked (a broker wants a lead removed from the board), feed (changes in the listings feed wait for an administrator).';
comment on column portal.push_queue.subject is
  'The lead, campaign, scheduled text, visit, step of a plan, or reading of the listings feed that the push is about. Null for pushes about the broker''s WhatsApp or about several leads.';
comment on column portal.push_queue.happened is 'How many events this push stands for.';
comment on column portal.push_queue.claimed_by is
  'The portal that is sending the push, until claimed_until. After that time another portal sends it. Null: it waits.';
comment on column portal.push_queue.broker_id is
  'The broker whose WhatsApp link was lost, in a push to an administrator. Null: the push is about the person of the device.';
create unique index push_queue_waiting on portal.push_queue (device_id, tag) where claimed_by is null;
comment on index portal.push_queue_waiting is 'A device has at most one waiting push of each tag.';
create index push_queue_device on portal.push_queue (device_id, tag);
comment on index portal.push_queue_device is
  'Serves the removal of a device, and finding the pushes of one tag in order.';
create index push_queue_broker on portal.push_queue (broker_id);
comment on index portal.push_queue_broker is 'Serves the removal of a broker.';
create index push_queue_due on portal.push_queue (due_at) where claimed_by is null;
comment on index portal.push_queue_due is 'Serves finding the pushes that are due.';
create index push_queue_claimed on portal.push_queue (claimed_until) where claimed_until is not null;
comment on index portal.push_queue_claimed is 'Serves finding the pushes of a crashed portal.';
create index push_queue_queued on portal.push_queue (queued_at);
comment on index portal.push_queue_queued is 'Serves finding the pushes that are too old.';
alter table portal.push_queue enable row level security;


-- Queues pushes in the transaction of the change that causes them.

create function portal.push(instance text, what text, under text, about bigint, delay interval) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- History that a sweep reads back causes no push, because the person saw it on the phone.
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
    -- If a new or handed-over lead then writes, the push still says that the broker got it.
    kind = case when q.kind in ('lead', 'assigned') then q.kind else excluded.kind end;
  if found then perform portal.notify_channel('push', ''); end if;
end $$;
comment on function portal.push(text, text, text, bigint, interval) is
  'Queues a push for every device of a broker, due after the delay, and wakes the portals at commit. If a push of the same tag waits, it is updated instead. Server only.';

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
  'Queues a push for every device of an administrator, unless one of the same tag waits. Server only.';

create function portal.push_managers(instance text, what text, under text, about bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into portal.push_queue as q (device_id, kind, tag, subject, due_at)
  select d.id, what, under, about, now()
  from portal.push_devices d
  join portal.sessions s on s.id = d.session_id
  join portal.accounts a on a.id = s.account_id
  where a.role = 'gerente' and d.removed_at is null and portal.is_led_by(instance, a.id)
  order by d.id
  on conflict (device_id, tag) where claimed_by is null do nothing;
  if found then perform portal.notify_channel('push', ''); end if;
end $$;
comment on function portal.push_managers(text, text, text, bigint) is
  'Queues a push for every device of the gerentes of a broker''s team, unless one of the same tag waits. Brokers who lead a team get none, because their pushes are about their own leads. Server only.';

create function portal.is_led_by(instance text, account uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.brokers b
    join portal.team_members m on m.broker_id = b.id
    join portal.team_managers g using (team_id)
    where b."instanceName" = instance and g.account_id = account);
end $$;
comment on function portal.is_led_by(text, uuid) is 'Whether an account leads the team of a broker. Server only.';

create function portal.push_lead() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(current_setting('portal.quiet', true), '') = 'on' then return null; end if;
  perform portal.push(
    new."instanceName", case when tg_op = 'INSERT' then 'lead' else 'assigned' end, 'lead-' || new.id, new.id, interval '1 second');
  return null;
end $$;
comment on function portal.push_lead() is
  'Trigger: push for a broker who got a lead, a new one or another broker''s. Leads that were added by hand or imported cause none (setting portal.quiet).';
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
  'Leads whose messages cause no push, because their broker muted them. After a hand-over the new owner gets pushes again. Only functions write it.';
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
  'Trigger: push for a lead''s message. None for a message older than a day, which a sweep read back. The push is due a second later, so that an open screen can mark the message as read first.';
create trigger push_message after insert on public.whatsapp_messages
  for each row when (new.type = 'incoming' and not new.read and new."timestamp" > extract(epoch from now()) - 86400)
  execute function portal.push_message();

create function portal.push_link() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  -- A link that only restarts is usually open again by then, and the push is dropped.
  delay constant interval := interval '25 seconds';
begin
  perform portal.push(new."instanceName", 'link', 'link', null, delay);
  insert into portal.push_queue as q (device_id, kind, tag, broker_id, due_at)
  -- Push tags have a maximum length. The first 24 of the 32 hexadecimal digits identify a broker just as well.
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
  'Trigger: push for the broker and the administrators, due 25 seconds after a WhatsApp link was lost. It is dropped if the link is back by then, or a person disconnected it.';
create trigger push_link after update on portal.instance_states
  for each row when (
    old.state = 'open' and old.dead_at is null and (new.state <> 'open' or new.dead_at is not null))
  execute function portal.push_link();


-- Sends the queued pushes. Any portal over the database claims, sends and settles them.

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
comment on function portal.quiet_until(uuid, timestamptz) is
  'When a person''s quiet hours end; null outside of them. Server only.';

create function portal.machine_agent(p_person_id bigint) returns integer
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select min(p.agent_id) from portal.agent_pauses p
    where p.person_id = p_person_id and p.reason = 'automatic' and p.paused_until is null);
end $$;
comment on function portal.machine_agent(bigint) is
  'The agent that paused for a person because the texts look like automatic replies. Null if none did, or somebody resumed it. Server only.';

-- A push is also outdated if its device was removed while the push was being queued.
create function portal.outdated_pushes(p_now timestamptz) returns setof bigint
language plpgsql stable security definer set search_path = '' as $$
declare
  candidates bigint[];
begin
  -- Reads only pushes that are due, older than a day, or for a removed device or an ended session. However many others
  -- wait, they are not read.
  candidates := array(
    select q.id from portal.push_queue q where q.queued_at < p_now - interval '1 day'
    union
    select q.id from portal.push_queue q where q.claimed_by is null and q.due_at <= p_now
    union
    select q.id from portal.push_devices d
    join portal.sessions s on s.id = d.session_id
    join portal.push_queue q on q.device_id = d.id
    where s.expires_at <= p_now or d.removed_at is not null);
  if candidates = '{}' then return; end if;
  return query
  select q.id
  from portal.push_queue q
  join portal.push_devices d on d.id = q.device_id
  join portal.sessions s on s.id = d.session_id
  -- The broker whom the push is about. In a push to an administrator about a lost link, that is not the account of the
  -- device.
  left join public.brokers b on b.id = coalesce(q.broker_id, s.account_id)
  left join public.whatsapp_contacts c on c.id = q.subject and q.kind in ('lead', 'assigned', 'message', 'risk', 'machine', 'asked')
  left join portal.instance_states i on i."instanceName" = b."instanceName"
  where q.id = any (candidates) and (q.queued_at < p_now - interval '1 day'
    or s.expires_at <= p_now
    or d.removed_at is not null
    or q.claimed_by is null and q.due_at <= p_now and case q.kind
      when 'link' then i.state = 'open' and i.dead_at is null or i.cut_at > q.queued_at - interval '2 minutes'
      when 'lost' then i.state = 'open' and i.dead_at is null or i.cut_at > q.queued_at - interval '2 minutes'
      when 'campaign' then not exists (select from public.remarketing_campaigns r where r.id = q.subject)
      when 'digest' then not exists (
        select from public.whatsapp_contacts u where u."instanceName" = b."instanceName" and u.unread_count > 0)
      when 'handover' then false
      when 'accepted' then false
      -- Outdated if the broker has withdrawn the lead since, or passed it to another colleague.
      when 'declined' then not exists (
        select from portal.lead_passes p
        where p.contact_id = q.subject and p.state = 'declined' and p.from_instance = b."instanceName")
      when 'feed' then not exists (select from portal.feed_runs f where f.id = q.subject and f.state in ('waiting', 'refused'))
      when 'asked' then c.id is null
      when 'risk' then c.id is null or b.id is not null and c."instanceName" is distinct from b."instanceName"
        -- Outdated, too, if the gerente has lost the team since the push was queued.
        or exists (select from portal.accounts a where a.id = s.account_id and a.role = 'gerente')
          and not portal.is_led_by(c."instanceName", s.account_id)
        or not exists (select from portal.clocks k where k.id = c.id and k.answered_at is null)
      when 'machine' then c.id is null or b.id is not null and c."instanceName" is distinct from b."instanceName"
        or portal.machine_agent(c.person_id) is null
      when 'webhook' then not exists (
        select from portal.hooks h where h.reason is not null and portal.hook_tag(h.id) = q.tag)
        and not (q.tag = 'conversions' and exists (select from portal.conversion_targets t where t.state = 'stopped'))
      when 'unsent' then not exists (
        select from portal.scheduled_messages t join public.whatsapp_contacts l on l.id = t.contact_id
        where t.id = q.subject and t.state in ('asking', 'answered', 'refused') and l."instanceName" = b."instanceName")
      when 'try' then not exists (
        select from portal.actions t join public.whatsapp_contacts l on l.id = t.contact_id
        where t.id = q.subject and t.finished_at is null and t.due_at > p_now - interval '30 minutes'
          and t.due_at < p_now + interval '15 minutes' and l."instanceName" = b."instanceName")
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
      -- The push is outdated if its message was read or deleted, or if the lead has another owner by now.
      else c."instanceName" is distinct from b."instanceName"
        or c.unread_count = 0 and (q.kind = 'message' or q.kind = 'lead' and c.last_message_id is not null)
    end);
end $$;
comment on function portal.outdated_pushes(timestamptz) is
  'Ids of pushes that nobody needs any more: the person has seen what they say, or it was deleted, or its time is over. Server only.';

-- Over 80 lines, because the claim and the texts are one statement: between two statements a lead could change. The
-- claim locks the due rows of the queue. Closing a conversation meanwhile waits for the claim, and then changes the
-- rows that were not claimed.
create function portal.claim_pushes(p_claimer uuid, p_now timestamptz, p_lease_seconds integer, p_most integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  due bigint[];
  answer jsonb;
begin
  -- The number is arbitrary, but all portals use the same. Portals claim one after the other; a claim is short.
  perform pg_advisory_xact_lock(108002);
  -- A row that another portal is settling is locked, and skipped here.
  perform portal.unclaim_push(expired.id)
  from (
    select q.id from portal.push_queue q where q.claimed_until <= p_now
    order by q.device_id, q.id desc for update skip locked
  ) expired;
  -- If a new event has just renewed an outdated push, its number of events differs, and it stays.
  with outdated as (
    select q.id, q.happened from portal.push_queue q where q.id in (select portal.outdated_pushes(p_now))
  )
  delete from portal.push_queue q where q.id in (
    select o.id from portal.push_queue o join outdated using (id, happened)
    -- A push that is renewed in this moment is locked, and stays. Waiting could deadlock with its writer.
    order by o.device_id, o.id for update of o skip locked);
  -- Locks the due rows of the queue until the claim is done, and skips rows that another transaction holds. A
  -- transaction that changes such a row wakes the portals afterwards, so its push is not forgotten.
  due := array(
    select q.id from portal.push_queue q where q.claimed_by is null and q.due_at <= p_now
    order by q.device_id, q.id for update skip locked);
  due := due || array(select portal.gather_pushes(p_now, due));
  -- One snapshot serves both the check and the text, so that a concurrent change affects both or neither.
  with next as (
    select q.id from portal.push_queue q join portal.push_devices d on d.id = q.device_id
    where q.id = any (due) and q.claimed_by is null and q.due_at <= p_now and (d.held_until is null or d.held_until <= p_now)
      and q.id not in (select portal.outdated_pushes(p_now))
      -- Of one tag only one push is sent at a time, because each replaces the one before.
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
          -- The number of leads that wait for an answer, under the name that portals of the previous release read.
          case when q.broker_id is null then waits.leads end as "unreadLeads",
          case when q.broker_id is not null then b."instanceName" end as "lostInstance",
          case when c.id is not null then jsonb_build_object(
            'name', c.name, 'number', c.number,
            -- A lead that came in by a form gets the same push as one that wrote.
            'kind', case when arrival.id is null then coalesce(m.kind, 'text') else 'text' end,
            'body', left(case when arrival.id is null then coalesce(m.body, '') else coalesce(arrival.message, 'Deixou o contato') end, 300),
            'sentAtSeconds', m."timestamp") end as lead,
          case when q.kind = 'risk' then jsonb_build_object(
            'waitsSeconds', extract(epoch from p_now - k.received_at),
            'isAdmin', b.id is null, 'instanceName', case when b.id is null then c."instanceName" end) end as risk,
          case when q.kind = 'machine' then jsonb_build_object(
            'isAdmin', b.id is null, 'agentId', portal.machine_agent(c.person_id)) end as machine,
          case when q.kind = 'feed' then jsonb_build_object(
            'changes', (select count(*) from portal.feed_changes f where f.run_id = q.subject),
            'isRefused', exists (select from portal.feed_runs f where f.id = q.subject and f.state = 'refused')) end as feed,
          case when h.id is not null then jsonb_build_object('name', h.name, 'isGone', h.reason = 'gone') end as hook,
          case when r.id is not null then jsonb_build_object(
            'status', r.status, 'sent', r.processed_contacts, 'total', r.total_contacts) end as campaign,
          case when passed.contact_id is not null then jsonb_build_object(
            'firstName', portal.first_name(given.name), 'colleague', passed.to_instance) end as pass,
          case when o.id is not null then jsonb_build_object(
            'firstName', portal.first_name(person.name), 'development', o.development,
            'secondsLeft', ceil(extract(epoch from o.next_at - p_now))) end as offer,
          case when t.id is not null then jsonb_build_object(
            'contactId', t.contact_id, 'name', spoken.name, 'number', spoken.number,
            'why', case when t.state = 'answered' then 'answered' else t.reason end) end as unsent,
          case when a.id is not null then jsonb_build_object(
            'contactId', a.contact_id, 'name', visitor.name, 'number', visitor.number, 'kind', a.kind, 'place', a.note,
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
        -- Chooses the arrival in the same way as portal.board_leads.
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
        left join portal.lead_passes passed on passed.contact_id = q.subject and q.kind in ('accepted', 'declined')
          and passed.from_instance = b."instanceName"
        left join public.whatsapp_contacts given on given.id = passed.contact_id
        left join portal.scheduled_messages t on t.id = q.subject and q.kind = 'unsent'
        left join public.whatsapp_contacts spoken on spoken.id = t.contact_id
        left join portal.actions a on a.id = q.subject and q.kind in ('visit', 'outcome', 'try')
        left join public.whatsapp_contacts visitor on visitor.id = a.contact_id
        cross join lateral (
          select count(*) as leads from public.whatsapp_contacts u
          where u."instanceName" = b."instanceName" and u.waiting_since is not null
        ) waits
      ) told
    ),
    'nextAt', (
      select to_json(least(
        (select min(q.claimed_until) from portal.push_queue q
         where q.claimed_until is not null and q.id not in (select taken.id from taken)),
        (select q.due_at from portal.push_queue q join portal.push_devices d on d.id = q.device_id
         where q.claimed_by is null and (d.held_until is null or d.held_until <= greatest(q.due_at, p_now))
           and q.id not in (select taken.id from taken)
         order by q.due_at limit 1),
        (select min(d.held_until) from portal.push_devices d
         where d.held_until > p_now
           and exists (select from portal.push_queue q where q.device_id = d.id and q.claimed_by is null and q.due_at < d.held_until))
      )) #>> '{}'
    )
  ) into answer;
  return answer;
end $$;
comment on function portal.claim_pushes(uuid, timestamptz, integer, integer) is
  'Claims the due pushes for the portal that sends them, until its lease ends. Returns each with its current text, and when the next push is due: {pushes, nextAt}. Server only.';

create function portal.release_push(p_id bigint, p_claimer uuid, p_until timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  device uuid;
begin
  -- Takes the lock of portal.claim_pushes, so that no claim comes in between.
  perform pg_advisory_xact_lock(108002);
  select device_id into device from portal.push_queue where id = p_id and claimed_by = p_claimer for update;
  if not found then return; end if;
  update portal.push_devices set held_until = greatest(held_until, p_until), held_times = held_times + 1 where id = device;
  perform portal.unclaim_push(p_id);
end $$;
comment on function portal.release_push(bigint, uuid, timestamptz) is
  'The push service could not take the push now. This push and all others of its device wait until p_until. Server only.';

create function portal.push_counts() returns table (waiting bigint, oldest_seconds integer, devices bigint)
language sql stable security definer set search_path = '' as $$
  select count(*), extract(epoch from clock_timestamp() - min(q.queued_at))::integer,
    (select count(*) from portal.push_devices d where d.removed_at is null)
  from portal.push_queue q where q.due_at <= now()
$$;
comment on function portal.push_counts() is
  'Number of pushes that are due but not sent, age of the oldest in seconds, and number of devices; for health. Server only.';

-- portal.claim_pushes takes only rows that passed these rules. A row that is queued after the rules ran waits for the
-- next claim. Otherwise the leads of one hand-over would cause a push each, or a person would get a push about the lead
-- being read.
create function portal.gather_pushes(p_now timestamptz, p_due bigint[]) returns setof bigint
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- The person is reading this conversation. If the device stops reporting that, the push is sent after all.
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
  'Changes the due pushes that may not be sent as they are. Pushes of an open conversation wait. Quiet hours postpone pushes. More than five leads become one push, and its id is returned. Server only.';


-- The pushes of a crashed portal pass every rule again. A push about a lead that has another owner by then is dropped.

create function portal.unclaim_push(p_id bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- A newer push of the same tag waits and includes this one.
  delete from portal.push_queue q
  where q.id = p_id and exists (
    select from portal.push_queue newer
    where newer.device_id = q.device_id and newer.tag = q.tag and newer.claimed_by is null);
  update portal.push_queue set claimed_by = null, claimed_until = null where id = p_id;
exception
  -- A newer push of the tag was inserted in this very moment.
  when unique_violation then
    delete from portal.push_queue where id = p_id;
end $$;
comment on function portal.unclaim_push(bigint) is
  'Puts a claimed push back into the queue. If a newer one of its tag waits there, deletes it instead. The caller has locked the row and holds the lock of portal.claim_pushes. Server only.';


-- When a person closes a conversation or opens another one, the pushes that waited because it was open become due at
-- once.

create function portal.watch_conversation(p_session uuid, p_contact bigint, p_until timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  before bigint;
begin
  select watched_contact into before from portal.push_devices where session_id = p_session for no key update;
  update portal.push_devices set watched_contact = p_contact, watched_until = p_until where session_id = p_session;
  if before is null or before = p_contact then return; end if;
  update portal.push_queue q set due_at = least(q.due_at, now())
  where q.id in (
    select w.id from portal.push_queue w
    join portal.push_devices d on d.id = w.device_id
    join portal.sessions s on s.id = d.session_id
    join portal.sessions mine on mine.account_id = s.account_id
    where mine.id = p_session and w.subject = before and w.claimed_by is null and w.kind in ('lead', 'assigned', 'message')
    -- Locks by device, as portal.push does.
    order by w.device_id, w.id for update of w);
  if found then perform portal.notify_channel('push', ''); end if;
end $$;
comment on function portal.watch_conversation(uuid, bigint, timestamptz) is
  'Stores which conversation is open on the device of a session, until p_until; the device repeats the report. Pushes that waited because the previous conversation was open become due. Server only.';

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
    -- Waiting pushes are deleted; those that are being sent still arrive.
    delete from portal.push_queue q where q.id in (
      select w.id from portal.push_queue w where w.kind = 'message' and w.subject = lead and w.claimed_by is null
      -- Locks by device, as portal.push does.
      order by w.device_id, w.id for update);
  elsif not p_is_muted then
    delete from portal.muted_leads m where m.contact_id = lead;
  end if;
  return exists (select from portal.muted_leads m where m.contact_id = lead and m."instanceName" = owner);
end $$;
comment on function public.lead_mute(bigint, boolean, text, text) is
  'Mutes or unmutes a lead''s messages for its broker; with p_is_muted null it only reads. Returns whether the lead is muted. Null for a lead that the caller does not reach, and for one without a broker. A broker for its own leads, a gerente for those of the brokers it leads, an administrator for all. The lead is p_contact_id, else p_number_lead on the board of p_broker_name. 401 once the session has ended.';
revoke execute on function public.lead_mute(bigint, boolean, text, text) from public, anon;
grant execute on function public.lead_mute(bigint, boolean, text, text) to authenticated, service_role;
