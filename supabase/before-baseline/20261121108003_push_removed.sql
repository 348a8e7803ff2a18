-- A device that was taken off the list from another one: it learns so when it next says that it is there (PWA.md 4).

alter table portal.push_devices add column removed_at timestamptz;
comment on column portal.push_devices.removed_at is
  'When another device took it off the list; it is told nothing from then on, and the row goes when it has learnt of it.';

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
    -- A new lead that writes is still a new one.
    kind = case when q.kind in ('lead', 'assigned') then q.kind else excluded.kind end;
  if found then perform pg_notify('push', ''); end if;
end $$;

create or replace function portal.push_counts() returns table (waiting bigint, oldest_seconds integer, devices bigint)
language sql stable security definer set search_path = '' as $$
  select count(*), extract(epoch from clock_timestamp() - min(q.queued_at))::integer,
    (select count(*) from portal.push_devices d where d.removed_at is null)
  from portal.push_queue q where q.due_at <= now()
$$;
