-- A conversation that is closed again is told of at once, and what is new brings forward what was put off (PWA.md 4).

create or replace function portal.push(instance text, what text, under text, about bigint, delay interval) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
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
  if found then perform pg_notify('push', ''); end if;
end $$;

create function portal.watch_conversation(p_session uuid, p_contact bigint, p_until timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  before bigint;
begin
  select watched_contact into before from portal.push_devices where session_id = p_session for update;
  update portal.push_devices set watched_contact = p_contact, watched_until = p_until where session_id = p_session;
  if before is null or before = p_contact then return; end if;
  update portal.push_queue q set due_at = now()
  from portal.push_devices d
  join portal.sessions s on s.id = d.session_id
  join portal.sessions mine on mine.account_id = s.account_id
  where mine.id = p_session and q.device_id = d.id and q.subject = before and q.claimed_by is null
    and q.kind in ('lead', 'assigned', 'message') and q.due_at > now();
  if found then perform pg_notify('push', ''); end if;
end $$;
comment on function portal.watch_conversation(uuid, bigint, timestamptz) is
  'The conversation that is open on the device of a session, until then unless said again; what waited because of the one before is due. Server only.';
