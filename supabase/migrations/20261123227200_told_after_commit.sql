-- What a transaction tells goes to its portal, which notifies all of them after the commit: a NOTIFY inside holds a lock of the whole
-- server until the flush.

set check_function_bodies = off;

-- What changed is told on channel portal, by id and once a transaction; src/domain/events.ts is the list. A NOTIFY holds a lock of the
-- whole server until its transaction is flushed: to a portal it is told instead, which notifies after the commit.
create or replace function portal.tell_on(channel text, payload text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('portal.tells', true) = 'on' then
    raise info using message = 'portal.tell', hint = channel, detail = payload;
  else
    perform pg_notify(channel, payload);
  end if;
end $$;
comment on function portal.tell_on(text, text) is
  'Wakes whoever listens on a channel once this transaction is committed; equal ones of a transaction are one. Where portal.tells is on, the client hears it as a notice and is the one to notify.';

create or replace function portal.tell(event jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.tell_on('portal', event::text);
end $$;
comment on function portal.tell(jsonb) is 'Sends a live event to every portal process at commit; equal ones of a transaction are one.';

create or replace function portal.push(instance text, what text, under text, about bigint, delay interval) returns void
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
  if found then perform portal.tell_on('push', ''); end if;
end $$;
comment on function portal.push(text, text, text, bigint, interval) is
  'A broker is to be told on every device, and the portals are woken at commit; what still waits under that tag takes it up. Server only.';

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
  if found then perform portal.tell_on('push', ''); end if;
  return null;
end $$;
comment on function portal.push_link() is
  'Trigger: a broker''s WhatsApp was lost; the broker and the administrators are told within the minute that the watch may have needed, unless it is back.';

create or replace function portal.watch_conversation(p_session uuid, p_contact bigint, p_until timestamptz) returns void
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
  if found then perform portal.tell_on('push', ''); end if;
end $$;
comment on function portal.watch_conversation(uuid, bigint, timestamptz) is
  'The conversation that is open on the device of a session, until then unless said again; what waited because of the one before is due. Server only.';

create or replace function portal.emit(p_type text, p_contact bigint, p_data jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into portal.event_out (hook_id, type, contact_id, data)
  select h.id, p_type, p_contact, p_data from portal.hooks h
  where h.state <> 'off' and p_type = any (h.events) order by h.id;
  if found then perform portal.tell_on('events_out', ''); end if;
end $$;
comment on function portal.emit(text, bigint, jsonb) is
  'Something happened that other systems may want to know: it goes out if this transaction commits. Nothing is written while no address wants it. Server only.';

create or replace function portal.replay_events(p_hook uuid, p_from timestamptz, p_to timestamptz, p_id bigint) returns bigint
language sql volatile security definer set search_path = '' as $$
  with again as (
    update portal.event_out e set state = 'waiting', due_at = now(), tries = 0
    where e.hook_id = p_hook and e.claimed_by is null
      and case when p_id is null then e.happened_at >= p_from and e.happened_at < p_to else e.id = p_id end
    returning 1
  ), told as (select portal.tell_on('events_out', '') from again limit 1)
  select count(*) from again where (select count(*) from told) >= 0
$$;
comment on function portal.replay_events(uuid, timestamptz, timestamptz, bigint) is
  'Sends again, under the same ids, one event of an address or those that happened in [from, to); how many. Server only.';

reset check_function_bodies;
