-- Web push: the devices that a person wants to be told on, how and when, and what is still to be told (PWA.md 4; INTERACTIONS.md 8).
-- All of it is the server's own, reached through /api/push.

create table portal.push_keys (
  id boolean primary key default true check (id),
  public_key text not null,
  private_key text not null,
  made_at timestamptz not null default now()
);
comment on table portal.push_keys is
  'The pair that signs pushes, made by the first portal that starts. It stands beside the devices because each of them is bound to it: they come and go together, and several portals over one database sign alike.';

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
  watched_until timestamptz
);
comment on table portal.push_devices is
  'Where a person is told, one a session: a sign-out, a reset or the end of the account ends it with the session.';
comment on column portal.push_devices.endpoint is 'The browser''s address at its push service; whoever knows it may not read, only send.';
comment on column portal.push_devices.seen_at is 'When the device last said that it is still there.';
comment on column portal.push_devices.held_until is 'The push service asked for patience, or could not be reached.';
comment on column portal.push_devices.held_times is 'How often in a row: each time the wait doubles.';
comment on column portal.push_devices.watched_contact is 'The lead whose conversation is open on it, until watched_until unless said again.';

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

create table portal.push_queue (
  id bigint generated always as identity primary key,
  device_id uuid not null references portal.push_devices on delete cascade,
  tag text not null check (tag ~ '^[a-z0-9-]{1,32}$'),
  kind text not null check (kind in ('lead', 'assigned', 'message', 'link', 'campaign', 'digest', 'handover')),
  subject bigint,
  happened integer not null default 1,
  queued_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null,
  claimed_by uuid,
  claimed_until timestamptz,
  check ((claimed_by is null) = (claimed_until is null))
);
comment on table portal.push_queue is
  'What a device is still to be told, written with the change itself; a row goes with its settling. What it says is read when it is sent.';
comment on column portal.push_queue.tag is 'What replaces what: at the push service, on the device, and here while it waits.';
comment on column portal.push_queue.kind is 'digest: several leads wrote; handover: several became the broker''s.';
comment on column portal.push_queue.subject is 'The lead or the campaign; null where it is about the broker''s line or several leads.';
comment on column portal.push_queue.happened is 'How many events became this one.';
comment on column portal.push_queue.claimed_by is 'The portal that is sending it now, until claimed_until: a portal that ended leaves it to the next.';
create unique index push_queue_waiting on portal.push_queue (device_id, tag) where claimed_by is null;
comment on index portal.push_queue_waiting is 'Of one tag a device waits for one push.';
create index push_queue_device on portal.push_queue (device_id, tag);
comment on index portal.push_queue_device is 'Serves the removal of a device, and the order within a tag.';

alter table portal.push_keys enable row level security;
alter table portal.push_devices enable row level security;
alter table portal.push_settings enable row level security;
alter table portal.push_queue enable row level security;

alter table portal.instance_states add column cut_at timestamptz;
comment on column portal.instance_states.cut_at is 'When a person last disconnected it here: she need not be told that it is lost.';
