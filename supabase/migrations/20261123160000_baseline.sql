-- The whole schema in one file, as supabase/schemas had it when the earlier migrations were joined (supabase/before-baseline).
-- It never changes: a change is a later file here, and the schema file as it reads from then on.

-- What every other file stands on: the schema, what a new object is granted to nobody, settings, who is asking, and what is told
-- to those who listen.

-- SQL functions may name what stands further on.
set check_function_bodies = off;

create schema portal;
comment on schema portal is 'The portal''s own rows: never exposed, reached through functions only.';
grant usage on schema portal to authenticated, service_role;

-- On Supabase and after the bootstrap every new object of public is granted to all three roles. Here nothing is, until named.
alter default privileges in schema public revoke all on tables from anon, authenticated;
alter default privileges in schema public revoke all on sequences from anon, authenticated;
alter default privileges in schema public revoke execute on functions from public, anon, authenticated;
alter default privileges in schema portal revoke execute on functions from public;
alter default privileges revoke execute on functions from public;

create table portal.settings (
  key text primary key,
  value jsonb not null
);
comment on table portal.settings is 'Settings that SQL needs too, written by the portal at start or by an administrator; read through functions.';
alter table portal.settings enable row level security;
insert into portal.settings (key, value) values ('time_zone', '"America/Sao_Paulo"');

create function portal.time_zone() returns text
language sql stable security definer set search_path = '' as $$
  select value #>> '{}' from portal.settings where key = 'time_zone'
$$;
comment on function portal.time_zone() is 'IANA name of the zone whose days bound every period.';
grant execute on function portal.time_zone() to authenticated, service_role;

-- Who is asking. Claims alone open nothing: the session and the account must still be there.
-- In plpgsql because that keeps its plans, and every request asks.
create function portal.account_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  claims jsonb := auth.jwt();
  session uuid := claims ->> 'session_id';
  account uuid := claims ->> 'sub';
begin
  perform from portal.sessions s
  where s.id = session and s.account_id = account and s.expires_at > now()
    and (s.second_step_at is not null
      or not exists (select from portal.factors f where f.account_id = account and f.verified_at is not null));
  return case when found then account end;
end $$;
comment on function portal.account_id() is
  'The signed-in account of this request, or null, also while its session still owes the second step; for row rules.';
grant execute on function portal.account_id() to authenticated, service_role;

create function portal.is_admin() returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  account uuid := portal.account_id();
begin
  return exists (select from portal.accounts a where a.id = account and a.role = 'admin');
end $$;
comment on function portal.is_admin() is 'Whether an administrator is asking; for row rules.';
grant execute on function portal.is_admin() to authenticated, service_role;

create function portal.my_instance() returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  account uuid := portal.account_id();
begin
  return (select b."instanceName" from public.brokers b where b.id = account);
end $$;
comment on function portal.my_instance() is 'Instance name of the broker who is asking, or null; for row rules.';
grant execute on function portal.my_instance() to authenticated, service_role;

create function portal.is_member() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return portal.account_id() is not null;
end $$;
comment on function portal.is_member() is 'Whether anyone with a living session is asking; for row rules.';
grant execute on function portal.is_member() to authenticated, service_role;

create function portal.is_service() returns boolean
language sql stable set search_path = '' as $$
  select current_setting('role', true) = 'service_role'
$$;
comment on function portal.is_service() is 'Whether the portal''s own key is asking, which is above the row rules; true inside a definer''s function, too.';

create function portal.service_name() returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  claims jsonb := auth.jwt();
  token uuid := claims ->> 'session_id';
begin
  return (
    select t.name from portal.service_tokens t
    where t.id = token and t.id::text = claims ->> 'sub' and t.revoked_at is null and t.expires_at > now());
end $$;
comment on function portal.service_name() is 'Name of the service whose living token is asking, or null.';
grant execute on function portal.service_name() to authenticated, service_role;

create function portal.has_grant(p_grant text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  claims jsonb := auth.jwt();
  token uuid := claims ->> 'session_id';
begin
  return portal.service_name() is not null and exists (
    select from portal.service_tokens t
    where t.id = token and (p_grant = any (t.grants) or (p_grant = 'prompts:read' and 'prompts:write' = any (t.grants))));
end $$;
comment on function portal.has_grant(text) is 'Whether a service with that grant is asking; for row rules.';
grant execute on function portal.has_grant(text) to authenticated, service_role;

create function portal.require_grant(p_grant text) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if portal.has_grant(p_grant) then return; end if;
  if portal.service_name() is not null then
    raise exception 'Este token de serviço não tem a permissão %.', p_grant using errcode = '42501';
  end if;
  perform portal.require_admin();
end $$;
comment on function portal.require_grant(text) is
  'Refuses whoever is neither a service with that grant, an administrator nor service_role: 42501, or 401 once the session has ended.';
grant execute on function portal.require_grant(text) to authenticated, service_role;

create function portal.require_member() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  account uuid := portal.account_id();
begin
  if account is null and not portal.is_service() then
    raise exception 'Sua sessão terminou. Entre de novo.' using errcode = 'PT401';
  end if;
  return account;
end $$;
comment on function portal.require_member() is 'The account that is asking, null for service_role; else a refusal that answers 401, so that the app signs in anew and keeps what it has to send.';

create function portal.require_admin() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if portal.require_member() is not null and not portal.is_admin() then
    raise exception 'Somente um administrador pode fazer isto.' using errcode = '42501';
  end if;
end $$;
comment on function portal.require_admin() is 'Refuses whoever is neither an administrator nor service_role: 42501, or 401 once the session has ended.';
grant execute on function portal.require_admin() to authenticated, service_role;

create function portal.require_broker() returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  instance text;
begin
  perform portal.require_member();
  instance := portal.my_instance();
  if instance is null then
    raise exception 'Somente um corretor pode fazer isto.' using errcode = 'PT403', hint = 'access.denied';
  end if;
  return instance;
end $$;
comment on function portal.require_broker() is 'Instance name of the broker who asks; refuses everybody else. Server only.';

create function portal.actor() returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  account uuid := portal.account_id();
begin
  return coalesce((select a.username from portal.accounts a where a.id = account), 'portal');
end $$;
comment on function portal.actor() is 'Username of who is asking, ''portal'' for the server itself.';

-- What changed is told on channel portal, by id and once a transaction; src/domain/events.ts is the list.
create function portal.tell(event jsonb) returns void
language sql security definer set search_path = '' as $$
  select pg_notify('portal', event::text)
$$;
comment on function portal.tell(jsonb) is 'Sends a live event to every portal process at commit; equal ones of a transaction are one.';

-- Who may sign in: brokers, administrators, machines; their passwords, sessions and second steps, and how often one may try.

create table public.brokers (
  id uuid primary key default gen_random_uuid(),
  "instanceId" text unique,
  "instanceName" text not null unique check ("instanceName" ~ '^corretor_[a-z]{1,60}$'),
  broker_number text check (broker_number ~ '^[0-9]{8,15}$'),
  whatsapp_number text generated always as (broker_number) stored,
  status text not null default 'inativo' check (status in ('ativo', 'connected', 'inativo')),
  password_hash text check (password_hash = 'definida'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  paused_until timestamptz,
  central_since timestamptz
);
comment on table public.brokers is 'Corretores, each tied to one WhatsApp instance. An administrator reads and writes all, a broker reads the own row.';
comment on column public.brokers."instanceName" is '''corretor_'' plus the username; the key everywhere.';
comment on column public.brokers.status is '''ativo'' once the WhatsApp was connected; ''connected'' also counts for the green dot.';
comment on column public.brokers.password_hash is 'A marker only: ''definida'' when a password is set. Setting it to null clears the real one and ends every session.';
comment on column public.brokers.paused_until is 'Until when the broker gets no leads from any rotation; infinity: until resumed.';
comment on column public.brokers.central_since is
  'Since when this is no broker''s own number but a central one: whoever writes to it first after that is a new lead for a rotation.';
alter table public.brokers enable row level security;
create policy brokers_read on public.brokers for select to authenticated
  using ((select portal.is_admin()) or id = (select portal.account_id()));
comment on policy brokers_read on public.brokers is 'An administrator sees every broker, a broker sees the own row.';
create policy brokers_write on public.brokers for all to authenticated
  using ((select portal.is_admin())) with check ((select portal.is_admin()));
comment on policy brokers_write on public.brokers is 'Only an administrator adds, changes and removes brokers.';
grant select, delete on public.brokers to authenticated;
grant insert (id, "instanceId", "instanceName", broker_number, status, created_at), update ("instanceId", "instanceName", broker_number, status, password_hash) on public.brokers
  to authenticated;
grant all on public.brokers to service_role;

create table portal.accounts (
  id uuid primary key default gen_random_uuid(),
  role text not null check (role in ('admin', 'broker')),
  username text not null check (username ~ '^[a-z0-9._-]{1,60}$'),
  broker_id uuid unique references public.brokers on delete cascade,
  password_hash text check (password_hash like '$2a$%'),
  first_access_until timestamptz,
  invite_hash bytea,
  invite_expires_at timestamptz,
  created_at timestamptz not null default now(),
  unique (role, username),
  check ((role = 'broker') = (broker_id is not null)),
  check (broker_id is null or id = broker_id)
);
comment on table portal.accounts is 'One row a person who may sign in; a broker''s has the broker''s id. The only place of a real password hash (bcrypt, $2a$).';
comment on column portal.accounts.first_access_until is 'Until when a broker without a password may set one while FIRST_ACCESS is open.';
comment on column portal.accounts.invite_hash is 'SHA-256 of the one-time first-access link, where one was made.';
alter table portal.accounts enable row level security;

create table portal.sessions (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references portal.accounts on delete cascade,
  created_at timestamptz not null default now(),
  refreshed_at timestamptz not null default now(),
  expires_at timestamptz not null,
  user_agent text,
  second_step_at timestamptz
);
comment on table portal.sessions is 'Signed-in sessions; a row gone or expired ends access at once.';
comment on column portal.sessions.second_step_at is 'When the second step was taken in it; null where none was.';
create index sessions_account on portal.sessions (account_id);
comment on index portal.sessions_account is 'Serves ending every session of an account.';
alter table portal.sessions enable row level security;

create table portal.refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references portal.sessions on delete cascade,
  parent_hash bytea references portal.refresh_tokens on delete set null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
comment on table portal.refresh_tokens is 'SHA-256 of each refresh token and of the one it was exchanged for, to tell a lost answer from a theft.';
create index refresh_tokens_session on portal.refresh_tokens (session_id);
comment on index portal.refresh_tokens_session is 'Serves the removal of a session''s tokens.';
create index refresh_tokens_parent on portal.refresh_tokens (parent_hash);
comment on index portal.refresh_tokens_parent is 'Serves the question whether a token''s children were used.';
alter table portal.refresh_tokens enable row level security;

-- A broker's account lives and dies with the broker; the marker and the real hash always agree.
create function portal.open_broker_account() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into portal.accounts (id, role, username, broker_id, first_access_until)
  values (new.id, 'broker', substr(new."instanceName", length('corretor_') + 1), new.id, now() + interval '24 hours');
  return null;
end $$;
comment on function portal.open_broker_account() is 'Trigger: a new broker gets an account without a password, whose first access is open for 24 hours.';
create trigger open_account after insert on public.brokers
  for each row execute function portal.open_broker_account();

create function portal.guard_broker() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    new.password_hash := null;
    return new;
  end if;
  if new."instanceName" <> old."instanceName" or new.id <> old.id then
    raise exception 'O usuário de um corretor não muda.' using errcode = '42501';
  end if;
  if new.password_hash is not null
    and not exists (select from portal.accounts where broker_id = new.id and password_hash is not null) then
    raise exception 'A senha só é definida pelo próprio corretor.' using errcode = '42501';
  end if;
  new.updated_at := now();
  return new;
end $$;
comment on function portal.guard_broker() is 'Trigger: keeps the username and refuses a marker without a password.';
create trigger guard_broker before insert or update on public.brokers
  for each row execute function portal.guard_broker();

create function portal.reset_password() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update portal.accounts
  set password_hash = null, first_access_until = now() + interval '24 hours', invite_hash = null, invite_expires_at = null
  where broker_id = new.id;
  delete from portal.sessions where account_id = new.id;
  return null;
end $$;
comment on function portal.reset_password() is
  'Trigger: taking the marker away, even where there was none, clears the real password, ends every session and opens the first access again.';
create trigger reset_password after update of password_hash on public.brokers
  for each row when (new.password_hash is null) execute function portal.reset_password();

create function portal.mark_password() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.brokers set password_hash = 'definida' where id = new.broker_id;
  return null;
end $$;
comment on function portal.mark_password() is 'Trigger: a broker whose first password was set carries the marker.';
create trigger mark_password after update of password_hash on portal.accounts
  for each row when (old.password_hash is null and new.password_hash is not null and new.broker_id is not null)
  execute function portal.mark_password();

create table portal.applied_operations (
  account_id uuid not null references portal.accounts on delete cascade,
  operation_id uuid not null,
  kind text not null,
  result jsonb not null,
  applied_at timestamptz not null default now(),
  primary key (account_id, operation_id)
);
comment on table portal.applied_operations is 'Results of client writes by operation id: a repeat gets the stored result.';
create index applied_operations_age on portal.applied_operations (applied_at);
comment on index portal.applied_operations_age is 'Serves forgetting old answers.';
alter table portal.applied_operations enable row level security;

create function portal.begin_operation(p_account uuid, p_operation_id uuid) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  if p_account is null or p_operation_id is null then return null; end if;
  -- A repeat that comes while the first is under way waits here for its result.
  perform pg_advisory_xact_lock(hashtextextended(p_account::text || p_operation_id::text, 0));
  return (
    select o.result from portal.applied_operations o
    where o.account_id = p_account and o.operation_id = p_operation_id
  );
end $$;
comment on function portal.begin_operation(uuid, uuid) is
  'The stored answer of a client write that was already done by this account, else null; the same write waits until this transaction ends.';

create function portal.end_operation(p_account uuid, p_operation_id uuid, p_kind text, p_result jsonb) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  if p_account is not null and p_operation_id is not null then
    insert into portal.applied_operations (account_id, operation_id, kind, result)
    values (p_account, p_operation_id, p_kind, p_result);
  end if;
  return p_result;
end $$;
comment on function portal.end_operation(uuid, uuid, text, jsonb) is
  'Keeps the answer of a client write beside its change, and answers it.';

create function portal.forget_old_operations() returns bigint
language sql volatile set search_path = '' as $$
  with gone as (delete from portal.applied_operations where applied_at < now() - interval '90 days' returning 1)
  select count(*) from gone
$$;
comment on function portal.forget_old_operations() is
  'Removes stored answers of client writes after 90 days, longer than any phone keeps a write waiting unseen; answers how many. Run by the portal once a day.';


-- How often one may try to sign in: kept in the database, so that a restart forgets
-- nothing, several portals count together, and the portal and the functions of sign-in share one count.

create table portal.throttle_rules (
  kind text primary key,
  free_attempts integer not null check (free_attempts >= 1),
  first_wait_seconds integer not null check (first_wait_seconds >= 1),
  longest_wait_seconds integer not null check (longest_wait_seconds >= first_wait_seconds),
  forgets_one_in_seconds integer not null check (forgets_one_in_seconds >= 1)
);
comment on table portal.throttle_rules is 'How each kind of attempt is counted: so many free, then a wait that doubles from the first to the longest; one attempt is forgotten in each span.';
alter table portal.throttle_rules enable row level security;
insert into portal.throttle_rules (kind, free_attempts, first_wait_seconds, longest_wait_seconds, forgets_one_in_seconds) values
  ('pair', 5, 30, 300, 1800),    -- one account from one address: strict
  ('account', 20, 1, 15, 120),   -- one account from anywhere: mild, so that a stranger cannot keep its owner out
  ('address', 60, 5, 300, 30),   -- one address on any accounts: an office of brokers fits in, a list of passwords does not
  ('lookup', 30, 2, 60, 20); -- one address asking which usernames there are
insert into portal.throttle_rules (kind, free_attempts, first_wait_seconds, longest_wait_seconds, forgets_one_in_seconds) values
  ('code', 5, 30, 900, 1800); -- codes of one account from anywhere: whoever guesses them knows the password already
-- What costs much is counted too, by account (server/http/rate-limit.ts): files that fill the disk, files that take
-- the whole base along, errands that keep the gateway busy. The numbers are far above what a hurried person does.
insert into portal.throttle_rules (kind, free_attempts, first_wait_seconds, longest_wait_seconds, forgets_one_in_seconds) values
  ('upload', 120, 5, 60, 5),   -- files sent or planned: the pictures of a whole development at once, then one in five seconds
  ('export', 10, 10, 60, 60),  -- files taken along: one a minute after the first ten
  ('errand', 30, 5, 60, 10);

create table portal.throttle (
  key bytea primary key,
  kind text not null references portal.throttle_rules,
  attempts double precision not null check (attempts >= 0),
  counted_at timestamptz not null,
  trusted_until timestamptz
);
comment on table portal.throttle is 'Recent attempts of each account, address and pair of both; removed by the portal once forgotten.';
comment on column portal.throttle.key is 'SHA-256 of kind and subject: neither addresses nor mistyped usernames are kept in the clear.';
comment on column portal.throttle.attempts is 'As of counted_at; what is left of it now says portal.attempts_left.';
comment on column portal.throttle.trusted_until is 'A pair that signed in keeps passing by the count of its account until then.';
alter table portal.throttle enable row level security;

create function portal.throttle_key(kind text, subject text) returns bytea
language sql immutable strict parallel safe set search_path = '' as $$
  select sha256(convert_to(kind || ':' || subject, 'UTF8'))
$$;
comment on function portal.throttle_key(text, text) is 'Key of a row of portal.throttle.';

create function portal.attempts_left(entry portal.throttle, moment timestamptz) returns double precision
language sql stable set search_path = '' as $$
  select greatest(0, entry.attempts
    - greatest(0, extract(epoch from moment - entry.counted_at)) / rule.forgets_one_in_seconds)::double precision
  from portal.throttle_rules rule
  where rule.kind = entry.kind
$$;
comment on function portal.attempts_left(portal.throttle, timestamptz) is 'The attempts not forgotten yet at a moment.';

create function portal.attempt_wait(entry portal.throttle, moment timestamptz) returns double precision
language sql stable set search_path = '' as $$
  select case
    -- One partly forgotten counts until it is forgotten wholly.
    when ceil(counted.attempts) < rule.free_attempts then 0
    else extract(epoch from entry.counted_at - moment)
      + least(rule.longest_wait_seconds, rule.first_wait_seconds * power(2, ceil(counted.attempts) - rule.free_attempts))
  end
  from portal.throttle_rules rule, portal.attempts_left(entry, moment) as counted (attempts)
  where rule.kind = entry.kind
$$;
comment on function portal.attempt_wait(portal.throttle, timestamptz) is 'Seconds from a moment until the next attempt is let through; zero or less when it is at once.';

create function portal.charge_attempt(kinds text[], subjects text[], moment timestamptz)
returns integer
language plpgsql volatile set search_path = '' as $$
declare
  keys bytea[] := array(
    select portal.throttle_key(asked.kind, asked.subject)
    from unnest(kinds, subjects) with ordinality as asked (kind, subject, n) order by asked.n);
  is_trusted boolean;
  wait_seconds integer;
begin
  -- The first subject, an address, is held from here on, so that attempts made from it at once are counted one by one.
  insert into portal.throttle (key, kind, attempts, counted_at) values (keys[1], kinds[1], 0, moment) on conflict do nothing;
  perform from portal.throttle t where t.key = any (keys) order by array_position(keys, t.key) for update;
  -- Counted by a clock that was ahead: the wait begins now, and is forgotten as any other.
  update portal.throttle t set counted_at = moment where t.key = any (keys) and t.counted_at > moment;
  is_trusted := exists (
    select from portal.throttle t where t.key = any (keys) and t.kind = 'pair' and t.trusted_until > moment);
  select ceil(max(portal.attempt_wait(t, moment))) into wait_seconds
  from portal.throttle t
  where t.key = any (keys) and not (is_trusted and t.kind = 'account');
  if wait_seconds > 0 then return wait_seconds; end if;

  insert into portal.throttle as t (key, kind, attempts, counted_at)
  select keys[n], kinds[n], 1, moment from generate_subscripts(keys, 1) as n order by n
  on conflict (key) do update
  -- Not beyond where the wait is longest anyway, so that waiting it out helps however long the attack was.
  set attempts = least(portal.attempts_left(t, moment) + 1, (
      select rule.free_attempts + ceil(log(2.0, rule.longest_wait_seconds::numeric / rule.first_wait_seconds))
      from portal.throttle_rules rule where rule.kind = t.kind)),
    counted_at = moment;
  return 0;
end $$;
comment on function portal.charge_attempt(text[], text[], timestamptz) is
  'Counts one attempt against every subject and answers 0, or counts nothing and answers the seconds to wait. Charged before the password is looked at, so that guesses made at once do not slip through.';

create function portal.charge_sign_in(account text, address text, moment timestamptz) returns integer
language sql volatile set search_path = '' as $$
  select portal.charge_attempt(array['address', 'pair', 'account'], array[address, account || ' ' || address, account], moment)
$$;
comment on function portal.charge_sign_in(text, text, timestamptz) is
  'Counts an attempt to sign in to an account (role:username) from an address; answers 0 or the seconds to wait.';

create function portal.forgive_sign_in(account text, address text, moment timestamptz) returns void
language plpgsql volatile set search_path = '' as $$
declare
  keys bytea[] := array[portal.throttle_key('address', address), portal.throttle_key('pair', account || ' ' || address),
    portal.throttle_key('account', account)];
begin
  perform from portal.throttle t where t.key = any (keys) order by array_position(keys, t.key) for update;
  update portal.throttle t
  set attempts = case when t.kind = 'pair' then 0 else greatest(0, t.attempts - 1) end,
    trusted_until = case when t.kind = 'pair' then moment + interval '90 days' end
  where t.key = any (keys);
end $$;
comment on function portal.forgive_sign_in(text, text, timestamptz) is
  'Takes back what a right password was charged, clears its pair of account and address and trusts it for 90 days.';


-- The four functions of sign-in that the wire has, for the portal and administrators, and what they share
-- with the portal's own sign-in: one hash, one throttle, one way to set a first password.

create function portal.idle_password_hash() returns text
language sql immutable parallel safe set search_path = '' as $$
  select '$2a$10$6xVCSBBX5.83EOho3OBh6ecGvlXbBARoBszQ5L4hWsmjQYlwNYg6i'
$$;
comment on function portal.idle_password_hash() is
  'A hash of nobody''s password, checked where there is no account, so that a refusal takes as long as any other.';

create function portal.may_check_passwords() returns boolean
language sql stable set search_path = '' as $$
  -- current_user is the owner within a security definer function; the setting still names the role that asked.
  select coalesce(nullif(current_setting('role'), 'none'), session_user::text) in (current_user, 'service_role')
    or portal.is_admin()
$$;
comment on function portal.may_check_passwords() is
  'Whether the portal''s own role, service_role or an administrator''s session is asking. For the functions below.';

create function portal.matches_password(attempt text, password_hash text) returns boolean
language plpgsql stable set search_path = '' as $$
declare
  given text := normalize(coalesce(attempt, ''), nfc);
  made text := extensions.crypt(given, coalesce(password_hash, portal.idle_password_hash()));
begin
  -- bcrypt reads 72 bytes only: a longer password would match by its beginning.
  return password_hash is not null and octet_length(given) <= 72 and made = password_hash;
end $$;
comment on function portal.matches_password(text, text) is
  'Whether a password belongs to a bcrypt hash; without a hash false, after the same work.';

create function portal.try_password(wanted_role text, wanted_username text, attempt text) returns uuid
language plpgsql volatile set search_path = '' as $$
declare
  account portal.accounts;
  subject text := wanted_role || ':' || coalesce(wanted_username, '');
  -- Calls by way of the data service have no address of their own: each caller counts as one.
  caller text := 'rpc ' || coalesce(portal.account_id()::text, current_setting('role'));
  moment timestamptz := clock_timestamp();
  wait_seconds integer;
begin
  if not portal.may_check_passwords() then
    raise exception 'Só um administrador pode conferir senhas.' using errcode = '42501';
  end if;
  wait_seconds := portal.charge_sign_in(subject, caller, moment);
  if wait_seconds > 0 then
    raise exception 'Muitas tentativas. Tente de novo em % segundos.', wait_seconds using errcode = 'PT429';
  end if;
  select * into account from portal.accounts where role = wanted_role and username = wanted_username;
  if not portal.matches_password(attempt, account.password_hash) then return null; end if;
  perform portal.forgive_sign_in(subject, caller, moment);
  return account.id;
end $$;
comment on function portal.try_password(text, text, text) is
  'The account of a username and password, or null; counted in the throttle. Raises 42501 for anyone who may not ask, PT429 after too many attempts.';

create function portal.username_of(instance text) returns text
language sql immutable set search_path = '' as $$
  select case when starts_with(instance, 'corretor_') then substr(instance, length('corretor_') + 1) else instance end
$$;
comment on function portal.username_of(text) is 'A broker''s username out of the instance name; a bare username is taken as it is.';

create function portal.first_access_holds(account portal.accounts, is_open boolean, invite bytea, moment timestamptz)
returns boolean
language sql immutable set search_path = '' as $$
  select account.password_hash is null and coalesce(
    (is_open and account.first_access_until > moment)
      or (account.invite_hash = invite and account.invite_expires_at > moment), false)
$$;
comment on function portal.first_access_holds(portal.accounts, boolean, bytea, timestamptz) is
  'Whether a first password may be set: there is none, and the open time runs where that counts, or the one-time invite (its SHA-256) holds.';

create function portal.set_first_password(
  account uuid, new_hash text, is_open boolean, invite bytea, moment timestamptz
) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  -- The broker's row first, as a reset takes them: the two never wait for each other.
  perform from public.brokers b where b.id = account for no key update;
  update portal.accounts a
  set password_hash = new_hash, first_access_until = null, invite_hash = null, invite_expires_at = null
  where a.id = account and portal.first_access_holds(a, is_open, invite, moment);
  return found;
end $$;
comment on function portal.set_first_password(uuid, text, boolean, bytea, timestamptz) is
  'Sets a broker''s first password where portal.first_access_holds; false where not. An invite is used up by it.';

create function public.authenticate_admin(username_attempt text, password_attempt text)
returns table (id uuid, username text, authenticated boolean)
language plpgsql volatile security definer set search_path = '' as $$
begin
  id := portal.try_password('admin', username_attempt, password_attempt);
  username := username_attempt;
  authenticated := id is not null;
  return next;
end $$;
comment on function public.authenticate_admin(text, text) is
  'Checks an administrator''s password: one row, id null and authenticated false when it is wrong. Run by the portal and administrators; browsers sign in through /auth/v1.';
grant execute on function public.authenticate_admin(text, text) to authenticated, service_role;

create function public.authenticate_broker(broker_instance text, password_attempt text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  return portal.try_password('broker', portal.username_of(broker_instance), password_attempt) is not null;
end $$;
comment on function public.authenticate_broker(text, text) is
  'Whether the password is that broker''s. Run by the portal and administrators; browsers sign in through /auth/v1.';
grant execute on function public.authenticate_broker(text, text) to authenticated, service_role;

create function public.check_broker_has_password(broker_instance text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  if not portal.may_check_passwords() then
    raise exception 'Só um administrador pode conferir senhas.' using errcode = '42501';
  end if;
  return exists (
    select from portal.accounts
    where role = 'broker' and username = portal.username_of(broker_instance) and password_hash is not null);
end $$;
comment on function public.check_broker_has_password(text) is
  'Whether the broker has set a password; false for an unknown one. Run by the portal and administrators; browsers ask /api/login/lookup.';
grant execute on function public.check_broker_has_password(text) to authenticated, service_role;

create function public.set_broker_password(broker_instance text, new_password text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  given text := normalize(coalesce(new_password, ''), nfc);
  account uuid;
begin
  if not portal.may_check_passwords() then
    raise exception 'Só um administrador pode definir senhas.' using errcode = '42501';
  end if;
  if length(given) < 6 or octet_length(given) > 72 then
    raise exception 'A senha precisa ter de 6 a 72 caracteres.' using errcode = '22023';
  end if;
  select a.id into account from portal.accounts a
  where a.role = 'broker' and a.username = portal.username_of(broker_instance);
  if account is null then
    raise exception 'Corretor não encontrado' using errcode = 'PT404';
  end if;
  if not portal.set_first_password(
    account, extensions.crypt(given, extensions.gen_salt('bf', 10)), true, null, clock_timestamp()) then
    raise exception 'Erro ao definir a senha' using errcode = 'P0001',
      hint = 'O corretor já tem senha ou o prazo do primeiro acesso acabou. Redefina a senha do corretor.';
  end if;
  return true;
end $$;
comment on function public.set_broker_password(text, text) is
  'Sets a broker''s first password while first access is open; raises a Portuguese message otherwise. Run by the portal and administrators; browsers use /api/login/first-access.';
grant execute on function public.set_broker_password(text, text) to authenticated, service_role;


-- The second step of an administrator's sign-in: codes of an authenticator app, and recovery codes for a lost one.
-- A session that still owes it opens nothing.

create table portal.factors (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references portal.accounts on delete cascade,
  friendly_name text not null check (length(friendly_name) <= 60),
  secret bytea not null,
  verified_at timestamptz,
  last_step bigint not null default 0,
  created_at timestamptz not null,
  unique (account_id, friendly_name)
);
comment on table portal.factors is 'Authenticator apps of administrators; one counts once it was verified.';
comment on column portal.factors.secret is 'Encrypted by the portal with a key of its own (AES-256-GCM).';
comment on column portal.factors.last_step is 'The half minute of the newest code taken; it and what lies before are never taken again.';
alter table portal.factors enable row level security;

create table portal.factor_challenges (
  id uuid primary key default gen_random_uuid(),
  factor_id uuid not null references portal.factors on delete cascade,
  session_id uuid not null references portal.sessions on delete cascade,
  expires_at timestamptz not null,
  unique (factor_id, session_id)
);
comment on table portal.factor_challenges is 'Questions for a code that a session has open, one a factor.';
create index factor_challenges_session on portal.factor_challenges (session_id);
comment on index portal.factor_challenges_session is 'Serves the end of a session.';
alter table portal.factor_challenges enable row level security;

create table portal.recovery_codes (
  account_id uuid not null references portal.accounts on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (account_id, code_hash)
);
comment on table portal.recovery_codes is 'SHA-256 of the codes that stand in for a lost authenticator app, each once.';
alter table portal.recovery_codes enable row level security;

create function portal.has_second_step(account uuid) returns boolean
language sql stable set search_path = '' as $$
  select exists (select from portal.factors f where f.account_id = account and f.verified_at is not null)
$$;
comment on function portal.has_second_step(uuid) is 'Whether an account''s password alone does not open it.';

create function portal.renew_recovery_codes(p_operation_id uuid, p_hashes bytea[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.account_id();
begin
  perform portal.require_admin();
  if account is null or portal.begin_operation(account, p_operation_id) is not null then return; end if;
  perform from portal.accounts a where a.id = account for no key update;
  if not portal.has_second_step(account) then
    raise exception 'Ative primeiro a verificação em duas etapas.' using errcode = 'PT409', hint = 'second-step.off';
  end if;
  delete from portal.recovery_codes c where c.account_id = account;
  insert into portal.recovery_codes (account_id, code_hash) select account, made from unnest(p_hashes) made;
  perform portal.audit('recovery-codes.made');
  perform portal.end_operation(account, p_operation_id, 'recovery-codes.make', '{}');
end $$;
comment on function portal.renew_recovery_codes(uuid, bytea[]) is
  'Puts new recovery codes in the place of all earlier ones of the asking administrator; once an operation. 409 without a second step. By the server only.';

create function portal.my_second_step() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  account uuid := portal.account_id();
begin
  perform portal.require_admin();
  return jsonb_build_object(
    'isOn', portal.has_second_step(account),
    'codesLeft', (select count(*) from portal.recovery_codes c where c.account_id = account and c.used_at is null));
end $$;
comment on function portal.my_second_step() is
  'Whether the asking administrator signs in with a second step, and how many recovery codes are left. By the server only.';


-- Administrators added, reset and removed by one another. A refusal has the HTTP status in its errcode
-- and its code in the hint.

create function portal.admin_list() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', a.id, 'username', a.username, 'hasPassword', a.password_hash is not null,
      'hasSecondStep', portal.has_second_step(a.id),
      'seenAt', (select max(s.refreshed_at) from portal.sessions s where s.account_id = a.id))
      order by a.username), '[]')
    from portal.accounts a where a.role = 'admin'
  );
end $$;
comment on function portal.admin_list() is 'All administrators. Administrators, by the server only.';

create function portal.add_admin(p_operation_id uuid, p_username text, p_invite_hash bytea, p_invite_until timestamptz)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  insert into portal.accounts (role, username, invite_hash, invite_expires_at)
  values ('admin', p_username, p_invite_hash, p_invite_until)
  on conflict (role, username) do nothing;
  if not found then
    raise exception 'Já existe um administrador com este nome' using errcode = 'PT409', hint = 'admin.taken';
  end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'admin.add', jsonb_build_object('username', p_username));
end $$;
comment on function portal.add_admin(uuid, text, bytea, timestamptz) is
  'A new administrator, invited to set the first password; once an operation. 409 where the name is taken. Administrators, by the server only.';

create function portal.reset_admin(p_operation_id uuid, p_admin uuid, p_invite_hash bytea, p_invite_until timestamptz)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
  wanted portal.accounts;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  perform portal.hold_admins();
  select * into wanted from portal.accounts a where a.id = p_admin and a.role = 'admin';
  if wanted.id is null then
    raise exception 'Administrador não encontrado' using errcode = 'PT404', hint = 'admin.unknown';
  elsif wanted.id = portal.account_id() then
    raise exception 'Troque a sua própria senha em Conta.' using errcode = 'PT422', hint = 'admin.self';
  end if;
  perform portal.reopen_admin(p_admin, p_invite_hash, p_invite_until);
  return portal.end_operation(portal.account_id(), p_operation_id, 'admin.reset',
    jsonb_build_object('username', wanted.username));
end $$;
comment on function portal.reset_admin(uuid, uuid, bytea, timestamptz) is
  'Takes another administrator''s password, second step and sessions away and invites to a new first access; once an operation. Administrators, by the server only.';

create function portal.remove_admin(p_operation_id uuid, p_admin uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
  wanted portal.accounts;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  perform portal.hold_admins();
  select * into wanted from portal.accounts a where a.id = p_admin and a.role = 'admin';
  if wanted.id is null then
    raise exception 'Administrador não encontrado' using errcode = 'PT404', hint = 'admin.unknown';
  elsif wanted.id = portal.account_id() then
    raise exception 'Peça a outro administrador para remover você.' using errcode = 'PT422', hint = 'admin.self';
  end if;
  -- Who asks can sign in and stays: the last administrator is never removed.
  delete from portal.accounts a where a.id = p_admin;
  return portal.end_operation(portal.account_id(), p_operation_id, 'admin.remove',
    jsonb_build_object('username', wanted.username));
end $$;
comment on function portal.remove_admin(uuid, uuid) is
  'Removes another administrator, whose access ends at once; never oneself, and so never the last one; once an operation. Administrators, by the server only.';

create function portal.hold_admins() returns void
language plpgsql volatile set search_path = '' as $$
begin
  -- In one order: two who remove each other at once come one after the other, and the second is no administrator any more.
  perform from portal.accounts a where a.role = 'admin' order by a.id for update;
  perform portal.require_admin();
end $$;
comment on function portal.hold_admins() is 'Holds all administrators'' accounts until the end of the transaction, and asks again whether the asker is one.';

-- An administrator gets in again: reset by another one, or from the server's own machine where there is no other.
create function portal.reopen_admin(p_admin uuid, p_invite_hash bytea, p_invite_until timestamptz) returns void
language plpgsql volatile set search_path = '' as $$
begin
  update portal.accounts a
  set password_hash = null, invite_hash = p_invite_hash, invite_expires_at = p_invite_until where a.id = p_admin;
  delete from portal.factors f where f.account_id = p_admin;
  delete from portal.recovery_codes c where c.account_id = p_admin;
  delete from portal.sessions s where s.account_id = p_admin;
end $$;
comment on function portal.reopen_admin(uuid, bytea, timestamptz) is
  'Takes an administrator''s password, second step and sessions away and invites to a new first access. Called where it was asked whether that may be: portal.reset_admin, and the operator''s command. Server only.';


-- Brokers added, reset and removed by an administrator. A refusal has the HTTP
-- status in its errcode and its code in the hint.

create table portal.leftover_instances (
  "instanceName" text primary key,
  noted_at timestamptz not null default now()
);
comment on table portal.leftover_instances is
  'Instances of ours at the gateway that no broker has any more: of a removed broker, or of one that could not be added. The portal removes them there as soon as it can.';
alter table portal.leftover_instances enable row level security;

create function portal.tell_brokers() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.tell(jsonb_build_object('kind', 'brokers', 'instanceName', coalesce(new."instanceName", old."instanceName")));
  return null;
end $$;
comment on function portal.tell_brokers() is 'Trigger: a broker was added, changed or removed, or lost access.';
create trigger tell_brokers after insert or update or delete on public.brokers
  for each row execute function portal.tell_brokers();

create function portal.add_broker(
  p_operation_id uuid, p_instance text, p_instance_id text, p_secret_hash bytea, p_invite_hash bytea, p_invite_until timestamptz
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
  broker uuid;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  insert into public.brokers ("instanceName", "instanceId") values (p_instance, p_instance_id)
  on conflict ("instanceName") do nothing returning id into broker;
  if broker is null then
    raise exception 'Já existe um corretor com este nome' using errcode = 'PT409', hint = 'broker.taken';
  end if;
  update portal.accounts set invite_hash = p_invite_hash, invite_expires_at = p_invite_until where broker_id = broker;
  insert into portal.webhook_secrets ("instanceName", hash) values (p_instance, p_secret_hash);
  delete from portal.leftover_instances where "instanceName" = p_instance;
  return portal.end_operation(portal.account_id(), p_operation_id, 'broker.add', jsonb_build_object('instanceName', p_instance));
end $$;
comment on function portal.add_broker(uuid, text, text, bytea, bytea, timestamptz) is
  'A new broker with an account whose first access is open and invited, and the secret of the webhook that the gateway was told; once an operation. 409 where the name is taken. Administrators, by the server only.';

create function portal.reset_broker(p_operation_id uuid, p_instance text, p_invite_hash bytea, p_invite_until timestamptz)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  -- Its trigger clears the real password, ends the sessions and opens the first access.
  update public.brokers set password_hash = null where "instanceName" = p_instance;
  if not found then
    raise exception 'Corretor não encontrado' using errcode = 'PT404', hint = 'broker.unknown';
  end if;
  update portal.accounts a set invite_hash = p_invite_hash, invite_expires_at = p_invite_until
  from public.brokers b where b.id = a.broker_id and b."instanceName" = p_instance;
  return portal.end_operation(portal.account_id(), p_operation_id, 'broker.reset', jsonb_build_object('instanceName', p_instance));
end $$;
comment on function portal.reset_broker(uuid, text, bytea, timestamptz) is
  'Takes a broker''s password and sessions away and invites to a new first access; once an operation. Administrators, by the server only.';

create function portal.remove_broker(p_operation_id uuid, p_instance text, p_heir text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
  leads bigint[];
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  perform portal.take_apply_turn();
  perform portal.take_roleta_turn();
  -- Both in one order, so that two removals never wait for each other.
  perform from public.brokers b where b."instanceName" in (p_instance, p_heir) order by b."instanceName" for update;
  if not exists (select from public.brokers b where b."instanceName" = p_instance) then
    raise exception 'Corretor não encontrado' using errcode = 'PT404', hint = 'broker.unknown';
  elsif p_heir = p_instance
    or (p_heir is not null and not exists (select from public.brokers b where b."instanceName" = p_heir)) then
    raise exception 'Escolha outro corretor para ficar com os leads.' using errcode = 'PT422', hint = 'broker.no-heir';
  end if;
  leads := array(select c.id from public.whatsapp_contacts c where c."instanceName" = p_instance order by c.id);
  if p_heir is not null then perform portal.hand_over(leads, p_heir); end if;
  -- Noted with the change itself: whatever happens now, the instance does not stay at the gateway unseen.
  insert into portal.leftover_instances ("instanceName") values (p_instance) on conflict do nothing;
  delete from public.brokers where "instanceName" = p_instance;
  return portal.end_operation(portal.account_id(), p_operation_id, 'broker.remove',
    jsonb_build_object('instanceName', p_instance, 'leads', cardinality(leads), 'heir', p_heir));
end $$;
comment on function portal.remove_broker(uuid, text, text) is
  'Removes a broker: account, sessions, campaigns and seats go, the leads go to the heir or, with null, stay with the administrator; once an operation. Administrators, by the server only.';

-- 'Gerenciar Corretores' tells which instances are central.
create function portal.broker_list() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(row_to_json(listed) order by listed."instanceName"), '[]')
    from (
      select b.id, b."instanceName", b.broker_number as number, b.created_at as "createdAt",
        b.password_hash is not null as "hasPassword", coalesce(s.state, 'close') as state, s.dead_at as "deadAt",
        s.changed_at as "changedAt", s.profile_pic_url as "pictureUrl", b.central_since is not null as "isCentral",
        case when s.alarmed_at is not null then coalesce(s.dead_at, s.away_since, s.changed_at) end as "lostAt",
        (select max(seen.refreshed_at) from portal.sessions seen where seen.account_id = b.id) as "seenAt",
        (select count(*) from public.remarketing_campaigns c where c.broker_id = b.id) as campaigns,
        (select count(*) from public.roleta_corretores r where r."instanceName" = b."instanceName") as seats
      from public.brokers b left join portal.instance_states s using ("instanceName")
    ) listed
  );
end $$;
comment on function portal.broker_list() is
  'All brokers with what ''Gerenciar Corretores'' shows of each; lostAt: since when a link is lost that nobody cut; campaigns and seats are what removing one takes along. Administrators, by the server only.';


-- Whose turn it is to make or remove an instance at the gateway, over all portals.

create table portal.name_turns (
  "instanceName" text primary key,
  holder uuid not null,
  held_until timestamptz not null
);
comment on table portal.name_turns is
  'The instance names that a portal makes or removes at the gateway right now, so that no other one removes what it is making. A portal that ended lets go once the time is over.';
alter table portal.name_turns enable row level security;


-- Tokens of agents and other machines: what each may do is listed, and it ends when it is revoked.

create table portal.service_tokens (
  id uuid primary key default gen_random_uuid(),
  name text not null check (btrim(name) <> '' and length(name) <= 60),
  grants text[] not null
    check (grants <> '{}' and grants <@ array['prompts:read', 'prompts:write', 'pauses:read', 'memory']),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
comment on table portal.service_tokens is
  'Who asks without being a person, by the id in the token. No account and no session: whatever is not granted here stays closed. A row stays when its token is revoked.';
comment on column portal.service_tokens.grants is
  'prompts:read, prompts:write (which reads too), pauses:read, memory (what the agents remember of each chat).';
alter table portal.service_tokens enable row level security;

create function portal.my_broker() returns public.brokers
language plpgsql stable security definer set search_path = '' as $$
declare
  broker public.brokers;
begin
  select b.* into broker from public.brokers b where b.id = portal.require_member();
  if broker.id is null then
    raise exception 'Só um corretor faz campanhas, com os próprios contatos.' using errcode = 'PT403', hint = 'campaign.no-broker';
  end if;
  return broker;
end $$;
comment on function portal.my_broker() is 'The broker who is asking; 403 for an administrator, 401 once the session has ended. Server only.';

-- People: the forms of their numbers, and who asked to be left alone.


-- The person behind a number: every form of it seen, and one contact per broker.

create function portal.number_key(number text) returns text
language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
  written text := split_part(split_part(number, '@', 1), ':', 1);
  domain text := split_part(number, '@', 2);
  digits text := ltrim(regexp_replace(written, '[^0-9]', '', 'g'), '0');
begin
  -- Digits of a hidden id (lid) or of a group are no number.
  if domain not in ('', 's.whatsapp.net', 'c.us') then return null; end if;
  -- A jid, or what begins with +, names its country. Else it is Brazilian when it has a valid area code and the length of
  -- a mobile or a landline.
  if domain = '' and ltrim(written) not like '+%'
    and digits ~ '^(1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])(9[0-9]{8}|[2-9][0-9]{7})$' then
    digits := '55' || digits;
  end if;
  return '+' || case
    when digits ~ '^55[1-9][1-9]9[6-9][0-9]{7}$' then substr(digits, 1, 4) || substr(digits, 6)
    when digits ~ '^521[0-9]{10}$' then '52' || substr(digits, 4)
    when digits ~ '^549[0-9]{10}$' then '54' || substr(digits, 4)
    else nullif(digits, '')
  end;
end $$;
comment on function portal.number_key(text) is
  'One text for all forms of one number or jid, for matching only: + and the country''s digits, Brazilian mobiles without the ninth digit, Mexican and Argentine ones without theirs; null without a number.';
grant execute on function portal.number_key(text) to authenticated, service_role;

create table portal.people (
  id bigint generated always as identity primary key,
  number_key text unique check (number_key = portal.number_key(number_key)),
  opted_out_at timestamptz,
  created_at timestamptz not null default now()
);
comment on table portal.people is 'Persons across all instances: linked for opt-out, intake and de-duplication only, never shown to another broker.';
comment on column portal.people.number_key is 'portal.number_key of the person''s number; null while only a hidden identity (lid) is known.';
comment on column portal.people.opted_out_at is 'When the person asked for no more campaigns, from any broker.';
create index people_opted_out on portal.people (id) where opted_out_at is not null;
comment on index portal.people_opted_out is 'Serves marking on a board who asked to be left alone.';
create index people_opt_outs on portal.people (opted_out_at desc) where opted_out_at is not null;
comment on index portal.people_opt_outs is 'Serves the list of who asked to be left alone.';
alter table portal.people enable row level security;

create table portal.identities (
  jid text not null check (jid ~ '^[^@]+@[a-z.]+$'),
  "instanceName" text not null references public.brokers ("instanceName") on update cascade on delete cascade,
  person_id bigint not null references portal.people on delete cascade,
  first_seen_at timestamptz not null default now(),
  primary key ("instanceName", jid)
);
comment on table portal.identities is 'Every address under which an instance saw a person: number forms and hidden ids (lid).';
create index identities_person on portal.identities (person_id);
comment on index portal.identities_person is 'Serves all addresses of a person, for reading history back and for merging.';
alter table portal.identities enable row level security;

create function portal.person_of(number text) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  wanted text := portal.number_key(number);
  found_id bigint;
begin
  if wanted is null then
    insert into portal.people default values returning id into found_id;
    return found_id;
  end if;
  select id into found_id from portal.people where number_key = wanted;
  if found_id is null then
    insert into portal.people (number_key) values (wanted) on conflict (number_key) do nothing returning id into found_id;
    if found_id is null then
      select id into found_id from portal.people where number_key = wanted;
    end if;
  end if;
  return found_id;
end $$;
comment on function portal.person_of(text) is 'The person of any form of a number, made when unknown; a new nameless person without one. Server only.';


-- Who asks to be left alone is: by every broker, under every form of the number, after the contact is gone too.

insert into portal.settings (key, value)
values ('opt_out_key', to_jsonb(encode(extensions.gen_random_bytes(32), 'hex')));

create table portal.opt_outs (
  number_hash bytea primary key,
  opted_out_at timestamptz not null
);
comment on table portal.opt_outs is
  'Numbers that asked for no more campaigns, as keyed hashes: the wish outlives the person''s row, and says nothing of the number.';
alter table portal.opt_outs enable row level security;

-- The keyed hash of who asks to be left alone by Postgres' own sha256: pgcrypto's, on a busy embedded database, may find no cipher.
create function portal.opt_out_hash(number_key text) returns bytea
language sql stable strict security definer set search_path = '' as $$
  -- RFC 2104 with a key of 64 bytes, a whole block, as portal.settings holds it.
  select sha256(pads.outer_pad || sha256(pads.inner_pad || convert_to(number_key, 'UTF8')))
  from portal.settings s
  cross join lateral (
    select
      string_agg(set_byte('\x00', 0, get_byte(k, at) # 54), ''::bytea order by at) as inner_pad,
      string_agg(set_byte('\x00', 0, get_byte(k, at) # 92), ''::bytea order by at) as outer_pad
    from convert_to(s.value #>> '{}', 'UTF8') as k, generate_series(0, 63) as at
  ) pads
  where s.key = 'opt_out_key'
$$;
comment on function portal.opt_out_hash(text) is 'HMAC of portal.number_key under the portal''s own key. Server only.';

create function portal.keep_new_opt_outs() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into portal.opt_outs (number_hash, opted_out_at)
  select portal.opt_out_hash(n.number_key), n.opted_out_at from new_people n
  where n.opted_out_at is not null and n.number_key is not null
  on conflict do nothing;
  if not exists (select from portal.opt_outs) then return null; end if;
  update portal.people p set opted_out_at = o.opted_out_at
  from new_people n join portal.opt_outs o on o.number_hash = portal.opt_out_hash(n.number_key)
  where p.id = n.id and p.opted_out_at is null;
  return null;
end $$;
comment on function portal.keep_new_opt_outs() is 'Trigger: a person who comes back has not forgotten the wish to be left alone.';
create trigger keep_new_opt_outs after insert on portal.people
  referencing new table as new_people for each statement execute function portal.keep_new_opt_outs();

create function portal.keep_opt_out() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.opted_out_at is not null then
    insert into portal.opt_outs (number_hash, opted_out_at) values (portal.opt_out_hash(new.number_key), new.opted_out_at)
    on conflict do nothing;
  elsif old.number_key is distinct from new.number_key then
    update portal.people p set opted_out_at = o.opted_out_at
    from portal.opt_outs o where p.id = new.id and o.number_hash = portal.opt_out_hash(new.number_key);
  end if;
  return null;
end $$;
comment on function portal.keep_opt_out() is 'Trigger: the wish is kept with the number once both are known, whichever came first.';
create trigger keep_opt_out after update of opted_out_at, number_key on portal.people
  for each row when (new.number_key is not null
    and (old.opted_out_at is distinct from new.opted_out_at or old.number_key is distinct from new.number_key))
  execute function portal.keep_opt_out();

create function portal.opt_out(contact bigint, at_seconds bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  lead public.whatsapp_contacts;
  sender_jid text;
  line bigint;
begin
  select * into lead from public.whatsapp_contacts where id = contact;
  update portal.people set opted_out_at = to_timestamp(at_seconds) where id = lead.person_id and opted_out_at is null;
  -- Told once; who asks again, or asked long ago in what is only read back now, is not written to.
  if not found or lead."instanceName" is null or to_timestamp(at_seconds) < now() - interval '1 day' then return; end if;
  select s.owner_jid into sender_jid from portal.instance_states s where s."instanceName" = lead."instanceName";
  insert into public.whatsapp_messages
    (contact_id, "instanceName", "from", from_number, body, "timestamp", type, author, delivery)
  values (
    contact, lead."instanceName", sender_jid, split_part(split_part(sender_jid, '@', 1), ':', 1),
    'Tudo bem! Você não vai mais receber mensagens de divulgação. Se precisar de algo, é só chamar por aqui.',
    extract(epoch from now())::bigint, 'outgoing', 'campaign', 'queued')
  returning id into line;
  insert into portal.outgoing (message_id) values (line);
end $$;
comment on function portal.opt_out(bigint, bigint) is
  'The person of a contact asked to be left alone: no campaign of any broker goes there any more, confirmed by one short reply. Server only.';

create function public.undo_opt_out(p_contact_id bigint) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  person portal.people;
begin
  perform portal.require_admin();
  select p.* into person from portal.people p join public.whatsapp_contacts c on c.person_id = p.id
  where c.id = p_contact_id for update of p;
  if person.opted_out_at is null then return false; end if;
  delete from portal.opt_outs where number_hash = portal.opt_out_hash(person.number_key);
  update portal.people set opted_out_at = null where id = person.id;
  return true;
end $$;
comment on function public.undo_opt_out(bigint) is
  'Lets campaigns reach the person of a contact again, when the person asked for that; administrators only. Called by the lead''s sheet. False where nobody had opted out; a repeat answers false.';
grant execute on function public.undo_opt_out(bigint) to authenticated, service_role;

-- The board: stages, leads and their messages, what keeps them true, and what changed since when.

create table public.kanban_stages (
  id integer generated by default as identity primary key,
  name text not null check (btrim(name) <> '' and length(name) <= 60),
  slug text not null unique check (slug ~ '^[a-z0-9_]{1,60}$'),
  order_index integer not null unique deferrable initially deferred,
  kind text not null default 'open' check (kind in ('open', 'won', 'lost')),
  created_at timestamptz not null default now()
);
comment on table public.kanban_stages is 'Columns of the board; a lead''s status is a stage''s slug. All members read, administrators write.';
comment on column public.kanban_stages.kind is 'open, won (counts as converted) or lost (archived).';
alter table public.kanban_stages enable row level security;
create policy stages_read on public.kanban_stages for select to authenticated using ((select portal.is_member()));
comment on policy stages_read on public.kanban_stages is 'Everyone signed in sees the stages.';
create policy stages_write on public.kanban_stages for all to authenticated
  using ((select portal.is_admin())) with check ((select portal.is_admin()));
comment on policy stages_write on public.kanban_stages is 'Only an administrator adds, renames, orders and removes stages.';
grant select, insert, delete on public.kanban_stages to authenticated;
grant update (id, name, order_index, kind) on public.kanban_stages to authenticated;
grant all on public.kanban_stages to service_role;
insert into public.kanban_stages (name, slug, order_index, kind) values
  ('Novos Contatos', 'new', 1, 'open'),
  ('Conversa', 'conversa', 2, 'open'),
  ('Negociação', 'negociacao', 3, 'open'),
  ('Fechado', 'fechado', 4, 'won'),
  ('Arquivado', 'arquivado', 5, 'lost');

create table public.whatsapp_contacts (
  id bigint generated always as identity primary key,
  "instanceName" text references public.brokers ("instanceName") on update cascade on delete set null,
  person_id bigint not null references portal.people,
  name text check (length(name) <= 200),
  number text check (length(number) <= 40),
  notes text check (length(notes) <= 10000),
  status text not null default 'new' references public.kanban_stages (slug) on update cascade,
  profile_pic_url text,
  source text not null default 'desconhecida',
  campaign text,
  empreendimento text,
  remarketing_sent_at timestamptz,
  last_message_id bigint,
  last_message_body text,
  last_message_timestamp bigint,
  last_message_type text,
  last_message_kind text,
  last_message_delivery text,
  unread_count integer not null default 0 check (unread_count >= 0),
  first_incoming_at timestamptz,
  first_response_at timestamptz,
  won_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  left_contact_at timestamptz,
  first_contacted_at timestamptz,
  unique (person_id, "instanceName")
);
comment on table public.whatsapp_contacts is 'Leads, one a person and broker. A broker reads the own ones and writes name and notes; status moves by function.';
comment on column public.whatsapp_contacts."instanceName" is 'The owner; null while it is the administrator''s.';
comment on column public.whatsapp_contacts.last_message_timestamp is 'Epoch seconds of the newest message; the board''s order.';
comment on column public.whatsapp_contacts.first_response_at is 'First human outgoing message, not failed, from the first incoming one on.';
comment on column public.whatsapp_contacts.won_at is 'When the lead first reached a stage that is marked as won.';
comment on column public.whatsapp_contacts.left_contact_at is
  'When the lead first arrived by a form, a portal or Meta; null for who only wrote, was added by hand or imported.';
comment on column public.whatsapp_contacts.first_contacted_at is
  'First human outgoing message, not failed, from left_contact_at on.';
create index contacts_board on public.whatsapp_contacts ("instanceName", status, last_message_timestamp desc nulls last, id desc);
comment on index public.contacts_board is 'Serves a broker''s whole board, and one stage of it in its order.';
create index contacts_created on public.whatsapp_contacts (created_at, id);
comment on index public.contacts_created is 'Serves the leads of a period, paged by (created_at, id).';
create index contacts_status on public.whatsapp_contacts (status);
comment on index public.contacts_status is 'Serves moving all contacts of a stage that goes.';
create index contacts_empreendimento on public.whatsapp_contacts (empreendimento, created_at, id);
comment on index public.contacts_empreendimento is 'Serves the list of developments, and the leads of one in their order.';
create index contacts_broker_period on public.whatsapp_contacts ("instanceName", empreendimento, created_at, id);
comment on index public.contacts_broker_period is 'Serves the leads of a broker and a development at once, in their order.';
create index contacts_broker_created on public.whatsapp_contacts ("instanceName", created_at, id);
comment on index public.contacts_broker_created is 'Serves the leads of a broker in their order.';
alter table public.whatsapp_contacts enable row level security;
create policy contacts_read on public.whatsapp_contacts for select to authenticated
  using ((select portal.is_admin()) or "instanceName" = (select portal.my_instance()));
comment on policy contacts_read on public.whatsapp_contacts is 'A broker sees the own leads, an administrator all.';
create policy contacts_write on public.whatsapp_contacts for update to authenticated
  using ((select portal.is_admin()) or "instanceName" = (select portal.my_instance()))
  with check ((select portal.is_admin()) or "instanceName" = (select portal.my_instance()));
comment on policy contacts_write on public.whatsapp_contacts is 'A broker changes the own leads, an administrator all; which columns, the grants and guard_status say.';
grant select on public.whatsapp_contacts to authenticated;
grant update (name, notes, status) on public.whatsapp_contacts to authenticated;
grant all on public.whatsapp_contacts to service_role;

create table public.whatsapp_messages (
  id bigint generated always as identity primary key,
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  "instanceName" text,
  message_id text,
  "from" text,
  from_number text,
  body text not null default '',
  "timestamp" bigint not null,
  type text not null check (type in ('incoming', 'outgoing')),
  sender text generated always as (case when type = 'outgoing' then 'me' else 'contact' end) stored,
  read boolean not null default false,
  kind text not null default 'text',
  author text not null default 'human' check (author in ('human', 'campaign', 'agent')),
  delivery text check (delivery in ('queued', 'sent', 'delivered', 'read', 'failed', 'unknown')),
  created_at timestamptz not null default now(),
  "remoteJid" text,
  content jsonb,
  quoted jsonb,
  reactions jsonb not null default '{}',
  edited_at timestamptz,
  deleted_at timestamptz,
  delivery_reason text,
  operation_id uuid,
  written_at timestamptz,
  unique ("instanceName", message_id),
  check ((type = 'incoming') = (delivery is null))
);
comment on table public.whatsapp_messages is 'Chat lines. Read with their contact, written by the server only.';
comment on column public.whatsapp_messages."timestamp" is 'Epoch seconds.';
comment on column public.whatsapp_messages."instanceName" is 'The instance it went over; stays when the contact is handed over.';
comment on column public.whatsapp_messages.message_id is 'The gateway''s key.id; with the instance it makes a delivery applied once.';
comment on column public.whatsapp_messages.author is 'Who wrote an outgoing message: only a human''s counts as a response.';
comment on column public.whatsapp_messages.delivery is 'Of outgoing messages: na fila, enviada, entregue, lida, falhou, desconhecida.';
comment on column public.whatsapp_messages.kind is
  'text, image, video, audio, document, sticker, contact, location, unsupported (shown neutrally) or deleted (taken back by its author).';
comment on column public.whatsapp_messages."remoteJid" is 'Address of the chat as the gateway gave it.';
comment on column public.whatsapp_messages.content is
  'Beside the text. Media: mediaId (null until fetched), mimeType, fileName, sizeBytes, seconds, width, height, isVoice, isViewOnce. Contact: contacts [{name, phones}]. Location: latitude, longitude, name, address, isLive.';
comment on column public.whatsapp_messages.quoted is 'The line answered to: messageId, isOwn, kind, body.';
comment on column public.whatsapp_messages.reactions is
  'By ''me'' and ''contact'': emoji (empty when taken back), at (epoch seconds), id.';
comment on column public.whatsapp_messages.edited_at is 'Time of the newest edit, by the gateway''s clock.';
comment on column public.whatsapp_messages.deleted_at is 'When the author took it back, by the gateway''s clock; body and content are gone then.';
comment on column public.whatsapp_messages.delivery_reason is
  'Why an outgoing line still waits, failed, or has an unknown end; a code of src/domain/outgoing.ts. Null once it was taken.';
comment on column public.whatsapp_messages.operation_id is
  'The operation that queued a line here last; null for lines that only the gateway reported.';
comment on column public.whatsapp_messages.written_at is
  'When the person wrote it on the device, where that was earlier than it came here; shown only.';
create index messages_contact on public.whatsapp_messages (contact_id, "timestamp" desc, id desc);
comment on index public.messages_contact is 'Serves a conversation from its end backwards, and the first response.';
create index messages_unread on public.whatsapp_messages (contact_id, "timestamp") where type = 'incoming' and not read;
comment on index public.messages_unread is 'Serves the unread count of a contact and marking its messages as read.';
create index messages_unsettled on public.whatsapp_messages (contact_id, "instanceName")
  where delivery in ('queued', 'unknown');
comment on index public.messages_unsettled is
  'Serves the line of ours that a reported message is, and counting those whose end is unknown.';
create index messages_media on public.whatsapp_messages ((content ->> 'mediaId')) where content ->> 'mediaId' is not null;
comment on index public.messages_media is 'Serves the question whether a file is still of use.';
-- What a lead carries is reckoned anew at every message: without it the whole conversation would be read for the first answer.
create index messages_answers on public.whatsapp_messages (contact_id, "timestamp", id)
  where type = 'outgoing' and author = 'human';
comment on index public.messages_answers is
  'Serves the first response. Not by delivery, which changes with every receipt.';
alter table public.whatsapp_messages enable row level security;
create policy messages_read on public.whatsapp_messages for select to authenticated
  using (exists (select from public.whatsapp_contacts c where c.id = contact_id));
comment on policy messages_read on public.whatsapp_messages is 'Messages are read by whoever may read their contact: the rule of contacts holds inside.';
grant select on public.whatsapp_messages to authenticated;
grant all on public.whatsapp_messages to service_role;

create table portal.stage_history (
  id bigint generated always as identity primary key,
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  from_status text,
  to_status text not null,
  account_id uuid,
  changed_by text not null,
  operation_id uuid,
  moved_at timestamptz,
  changed_at timestamptz not null default now()
);
comment on table portal.stage_history is 'Every stage a lead was in, append only.';
comment on column portal.stage_history.changed_by is 'Username of who moved it, or ''portal''.';
comment on column portal.stage_history.moved_at is 'When the person moved it on the device, where that was earlier; shown only.';
create index stage_history_contact on portal.stage_history (contact_id, id desc);
comment on index portal.stage_history_contact is 'Serves the last change of a lead, for conflicts and its timeline.';
alter table portal.stage_history enable row level security;

create table portal.board_sequences (
  "instanceName" text primary key references public.brokers ("instanceName") on update cascade on delete cascade,
  epoch text not null default left(replace(gen_random_uuid()::text, '-', ''), 12),
  value bigint not null default 0
);
comment on table portal.board_sequences is 'The last change number of each board; taken at commit, so that the order of numbers is the order of commits.';
comment on column portal.board_sequences.epoch is 'Part of every cursor: a new one makes all readers read the whole board again. To be renewed after a backup was put back.';
alter table portal.board_sequences enable row level security;

create table portal.board_changes (
  "instanceName" text not null references portal.board_sequences on update cascade on delete cascade,
  contact_id bigint not null,
  seq bigint not null,
  removed boolean not null,
  primary key ("instanceName", contact_id)
);
comment on table portal.board_changes is 'The newest change of each contact on a board, hand-overs away from it included; the source of sync_board.';
create index board_changes_seq on portal.board_changes ("instanceName", seq);
comment on index portal.board_changes_seq is 'Serves what changed on a board since a cursor.';
alter table portal.board_changes enable row level security;

create table portal.board_pending (
  transaction_id xid8 not null default pg_current_xact_id(),
  "instanceName" text not null,
  contact_id bigint not null,
  removed boolean not null,
  wakes boolean not null,
  primary key (transaction_id, "instanceName", contact_id)
);
comment on table portal.board_pending is 'What a transaction under way changed on which board; numbered and emptied when it commits, so that no row is ever seen from outside.';
comment on column portal.board_pending.contact_id is 'Zero for the stages, which every board shows.';
comment on column portal.board_pending.wakes is 'The one row of its transaction whose deferred trigger numbers them all.';
alter table portal.board_pending enable row level security;


-- What keeps the board's rows true: guards of stages and contacts, the history of moves, the newest message on its contact.

create function portal.guard_stage() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  met public.kanban_stages;
begin
  if tg_op = 'DELETE' then
    if old.slug = 'new' then
      raise exception 'O estágio "%" não pode ser excluído.', old.name using errcode = '42501';
    end if;
    -- Whoever was moved in since the screen emptied the stage; the row's lock keeps others out.
    update public.whatsapp_contacts set status = 'new' where status = old.slug;
    return old;
  end if;
  select * into met from public.kanban_stages s where s.id = new.id;
  if found then
    -- An upsert of {id, order_index} inserts first: what it leaves out comes from the row it will meet.
    new.name := coalesce(new.name, met.name);
    new.slug := coalesce(new.slug, met.slug);
  elsif exists (select from public.kanban_stages s where s.order_index = new.order_index) then
    -- A count plus one is taken where an earlier removal was not renumbered.
    new.order_index := (select max(s.order_index) + 1 from public.kanban_stages s);
  end if;
  return new;
end $$;
comment on function portal.guard_stage() is
  'Trigger: fills a renumbering upsert, puts a new stage last when its place is taken, empties a stage before it goes, keeps the one with slug new.';
create trigger guard_stage before insert or delete on public.kanban_stages
  for each row execute function portal.guard_stage();

create function portal.guard_status() returns trigger
language plpgsql set search_path = '' as $$
begin
  if current_user = 'authenticated' and not portal.is_admin() then
    raise exception 'O estágio do lead muda pela função atualizar_status_lead.' using errcode = '42501';
  end if;
  return null;
end $$;
comment on function portal.guard_status() is 'Trigger: keeps a broker''s direct writes off the status; runs as who writes, so that the function itself passes.';
create trigger guard_status before update of status on public.whatsapp_contacts
  for each statement execute function portal.guard_status();

create function portal.guard_contact() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    new.person_id := coalesce(new.person_id, portal.person_of(new.number));
  else
    new.updated_at := now();
  end if;
  if new.won_at is null and (tg_op = 'INSERT' or new.status <> old.status) then
    select now() into new.won_at from public.kanban_stages s where s.slug = new.status and s.kind = 'won';
  end if;
  return new;
end $$;
comment on function portal.guard_contact() is 'Trigger: binds the person, dates the change, remembers the first stage that is marked as won.';
create trigger guard_contact before insert or update on public.whatsapp_contacts
  for each row execute function portal.guard_contact();

-- A plan made for one row serves a thousand next time, and must not compare each with each.
create function portal.record_moves() returns trigger
language plpgsql security definer set search_path = '' set enable_nestloop = off as $$
declare
  contacts bigint[];
  from_statuses text[];
  to_statuses text[];
begin
  if tg_op = 'INSERT' then
    select array_agg(n.id), array_agg(null::text), array_agg(n.status)
    into contacts, from_statuses, to_statuses from new_rows n;
  else
    select array_agg(n.id), array_agg(o.status), array_agg(n.status)
    into contacts, from_statuses, to_statuses from new_rows n join old_rows o using (id) where n.status <> o.status;
  end if;
  if contacts is null then return null; end if;
  insert into portal.stage_history (contact_id, from_status, to_status, account_id, changed_by, operation_id, moved_at)
  select m.contact_id, m.from_status, m.to_status, asking.account_id, asking.actor, asking.operation_id, asking.moved_at
  from
    unnest(contacts, from_statuses, to_statuses) as m (contact_id, from_status, to_status),
    (select
      portal.account_id(),
      portal.actor(),
      nullif(current_setting('portal.operation_id', true), '')::uuid,
      nullif(current_setting('portal.moved_at', true), '')::timestamptz
    ) as asking (account_id, actor, operation_id, moved_at);
  return null;
end $$;
comment on function portal.record_moves() is
  'Trigger: appends to the history of stages, with the operation and its time on the device from the settings portal.operation_id and portal.moved_at of the transaction.';
create trigger record_first_stage after insert on public.whatsapp_contacts
  referencing new table as new_rows for each statement execute function portal.record_moves();
create trigger record_moves after update on public.whatsapp_contacts
  referencing old table as old_rows new table as new_rows for each statement execute function portal.record_moves();

create function portal.recount_won() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- After the wait a snapshot that has where those who were just moved went.
  perform from public.whatsapp_contacts c
  where exists (select from portal.stage_history h where h.contact_id = c.id and h.to_status = new.slug)
  order by c.id for no key update;
  update public.whatsapp_contacts c
  set won_at = (
    select min(h.changed_at)
    from portal.stage_history h join public.kanban_stages s on s.slug = h.to_status and s.kind = 'won'
    where h.contact_id = c.id
  )
  where exists (select from portal.stage_history h where h.contact_id = c.id and h.to_status = new.slug);
  return null;
end $$;
comment on function portal.recount_won() is 'Trigger: a stage that is marked as won, or no longer, tells anew when each of its leads was won.';
create trigger recount_won after update of kind on public.kanban_stages
  for each row when ((old.kind = 'won') <> (new.kind = 'won')) execute function portal.recount_won();

-- One plan for all calls: the planner would make a new one each time, which costs several times the work itself.
-- The first answer comes after the first message of the lead, also within one second.
create function portal.carry(contacts bigint[]) returns void
language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  -- One order for all writers, and after the wait a snapshot that has what the one before wrote.
  perform from public.whatsapp_contacts c where c.id = any (contacts) order by c.id for no key update;
  update public.whatsapp_contacts c
  set
    last_message_id = newest.id,
    last_message_body = newest.body,
    last_message_timestamp = newest."timestamp",
    last_message_type = newest.type,
    last_message_kind = newest.kind,
    last_message_delivery = newest.delivery,
    unread_count = unread.count,
    first_incoming_at = to_timestamp(incoming."timestamp"),
    first_response_at = to_timestamp(response."timestamp"),
    first_contacted_at = to_timestamp(contacted."timestamp")
  from unnest(contacts) as touched (id)
  join public.whatsapp_contacts known on known.id = touched.id
  left join lateral (
    select m.id, left(m.body, 300) as body, m."timestamp", m.type, m.kind, m.delivery
    from public.whatsapp_messages m where m.contact_id = touched.id
    order by m."timestamp" desc, m.id desc limit 1
  ) newest on true
  cross join lateral (
    select count(*)::integer from public.whatsapp_messages m
    where m.contact_id = touched.id and m.type = 'incoming' and not m.read
  ) unread (count)
  left join lateral (
    select m."timestamp", m.id from public.whatsapp_messages m
    where m.contact_id = touched.id and m.type = 'incoming'
    order by m."timestamp", m.id limit 1
  ) incoming on true
  left join lateral (
    select m."timestamp" from public.whatsapp_messages m
    where m.contact_id = touched.id and m.type = 'outgoing' and m.author = 'human' and m.delivery <> 'failed'
      and m."timestamp" >= incoming."timestamp" and (m."timestamp" > incoming."timestamp" or m.id > incoming.id)
    order by m."timestamp", m.id limit 1
  ) response on true
  left join lateral (
    select min(m."timestamp") as "timestamp" from public.whatsapp_messages m
    where m.contact_id = touched.id and m.type = 'outgoing' and m.author = 'human' and m.delivery <> 'failed'
      and m."timestamp" >= floor(extract(epoch from known.left_contact_at))
      and known.left_contact_at is not null
  ) contacted on true
  where c.id = touched.id
    and (c.last_message_id, c.last_message_body, c.last_message_timestamp, c.last_message_type, c.last_message_kind,
        c.last_message_delivery, c.unread_count, c.first_incoming_at, c.first_response_at, c.first_contacted_at)
      is distinct from (newest.id, newest.body, newest."timestamp", newest.type, newest.kind,
        newest.delivery, unread.count, to_timestamp(incoming."timestamp"), to_timestamp(response."timestamp"), to_timestamp(contacted."timestamp"));
end $$;
comment on function portal.carry(bigint[]) is
  'Writes on each contact what its messages say: the newest one, the unread count, the first incoming and the first human answer to it. For the triggers, and after a bulk load without them.';

create function portal.carry_messages() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform portal.carry(array_agg(distinct n.contact_id)) from new_rows n having count(*) > 0;
  elsif tg_op = 'DELETE' then
    perform portal.carry(array_agg(distinct o.contact_id)) from old_rows o having count(*) > 0;
  else
    perform portal.carry(array_agg(distinct m.contact_id))
    from (select o.contact_id from old_rows o union select n.contact_id from new_rows n) m having count(*) > 0;
  end if;
  return null;
end $$;
comment on function portal.carry_messages() is 'Trigger: contacts carry what was written, corrected, read, moved to another contact or removed among their messages.';
create trigger carry_new_messages after insert on public.whatsapp_messages
  referencing new table as new_rows for each statement execute function portal.carry_messages();
create trigger carry_changed_messages after update on public.whatsapp_messages
  referencing old table as old_rows new table as new_rows for each statement execute function portal.carry_messages();
create trigger carry_removed_messages after delete on public.whatsapp_messages
  referencing old table as old_rows for each statement execute function portal.carry_messages();


-- The change numbers behind sync_board: what a transaction changed is noted at once, numbered at commit.

-- Leads that belong to no broker, those of removed ones above all, as a board of the administrator's, named ''.
create function portal.note_changes(boards text[], contacts bigint[], are_removed boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into portal.board_pending ("instanceName", contact_id, removed, wakes)
  select
    changed.board, changed.contact, are_removed,
    row_number() over () = 1
      and not exists (select from portal.board_pending p where p.transaction_id = pg_current_xact_id())
  from unnest(boards, contacts) as changed (board, contact)
  where changed.board is not null
  on conflict (transaction_id, "instanceName", contact_id) do update set removed = excluded.removed;
  -- The board of no broker has no numbers: it is read whole.
  if array_position(boards, null) is not null then
    perform portal.tell(jsonb_build_object('kind', 'board', 'instanceName', ''));
  end if;
end $$;
comment on function portal.note_changes(text[], bigint[], boolean) is 'Notes that contacts changed on boards, or left them, in this transaction; a contact and board once only.';

create function portal.number_changes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- All boards of the transaction in one order, so that no two transactions wait for each other; held until the commit,
  -- so that nobody ever sees a number before a lower one. A board that went with its broker is not there any more.
  perform from portal.board_sequences s
  where s."instanceName" in (
    select p."instanceName" from portal.board_pending p where p.transaction_id = new.transaction_id)
  order by s."instanceName" for no key update;
  update portal.board_sequences s
  set value = s.value + 1
  where s."instanceName" in (
    select p."instanceName" from portal.board_pending p where p.transaction_id = new.transaction_id);
  insert into portal.board_changes ("instanceName", contact_id, seq, removed)
  select p."instanceName", p.contact_id, s.value, p.removed
  from portal.board_pending p join portal.board_sequences s using ("instanceName")
  where p.transaction_id = new.transaction_id and p.contact_id > 0
  on conflict ("instanceName", contact_id) do update set seq = excluded.seq, removed = excluded.removed;
  delete from portal.board_pending p where p.transaction_id = new.transaction_id;
  return null;
end $$;
comment on function portal.number_changes() is 'Deferred trigger: at commit, gives all changes of the transaction on a board the board''s next number.';
create constraint trigger number_changes after insert on portal.board_pending
  deferrable initially deferred for each row when (new.wakes) execute function portal.number_changes();

-- A plan made for one row serves a thousand next time, and must not compare each with each.
create function portal.note_contacts() returns trigger
language plpgsql security definer set search_path = '' set enable_nestloop = off as $$
begin
  if tg_op = 'INSERT' then
    perform portal.note_changes(array_agg(n."instanceName"), array_agg(n.id), false) from new_rows n having count(*) > 0;
    return null;
  end if;
  if tg_op = 'DELETE' then
    perform portal.note_changes(array_agg(o."instanceName"), array_agg(o.id), true) from old_rows o having count(*) > 0;
    return null;
  end if;
  perform portal.note_changes(array_agg(o."instanceName"), array_agg(o.id), true)
  from old_rows o join new_rows n using (id)
  where o."instanceName" is distinct from n."instanceName"
  having count(*) > 0;
  perform portal.note_changes(array_agg(n."instanceName"), array_agg(n.id), false) from new_rows n having count(*) > 0;
  return null;
end $$;
comment on function portal.note_contacts() is 'Trigger: a contact that is new, changed, handed over or gone is a change of its board, and of the one it left.';
create trigger note_new_contacts after insert on public.whatsapp_contacts
  referencing new table as new_rows for each statement execute function portal.note_contacts();
create trigger note_changed_contacts after update on public.whatsapp_contacts
  referencing old table as old_rows new table as new_rows for each statement execute function portal.note_contacts();
create trigger note_gone_contacts after delete on public.whatsapp_contacts
  referencing old table as old_rows for each statement execute function portal.note_contacts();

create function portal.note_opt_out() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.note_changes(array_agg(c."instanceName"), array_agg(c.id), false)
  from public.whatsapp_contacts c where c.person_id = new.id having count(*) > 0;
  return null;
end $$;
comment on function portal.note_opt_out() is 'Trigger: a person''s wish to be left alone shows on every board with a contact of that person.';
create trigger note_opt_out after update of opted_out_at on portal.people
  for each row when ((old.opted_out_at is null) <> (new.opted_out_at is null)) execute function portal.note_opt_out();

create function portal.note_stages() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.note_changes(array_agg(s."instanceName"), array_agg(0::bigint), false)
  from portal.board_sequences s having count(*) > 0;
  perform portal.tell(jsonb_build_object('kind', 'stages'));
  return null;
end $$;
comment on function portal.note_stages() is 'Trigger: a changed column is a change of every board, told to whoever manages them, too.';
create trigger note_stages after insert or update or delete on public.kanban_stages
  for each statement execute function portal.note_stages();

create function portal.note_broker_number() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.note_changes(array_agg(c."instanceName"), array_agg(c.id), false)
  from public.whatsapp_contacts c where c."instanceName" = new."instanceName" having count(*) > 0;
  return null;
end $$;
comment on function portal.note_broker_number() is 'Trigger: a broker''s phone number stands on every lead of the board.';
create trigger note_broker_number after update of broker_number on public.brokers
  for each row when (old.broker_number is distinct from new.broker_number) execute function portal.note_broker_number();

create function portal.open_board() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into portal.board_sequences ("instanceName") values (new."instanceName");
  return null;
end $$;
comment on function portal.open_board() is 'Trigger: a new broker has a board, with an epoch of its own.';
create trigger open_board after insert on public.brokers
  for each row execute function portal.open_board();

create function portal.tell_board() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.tell(jsonb_build_object('kind', 'board', 'instanceName', new."instanceName"));
  return null;
end $$;
comment on function portal.tell_board() is 'Trigger: a board changed, told once a transaction however many leads it was.';
create trigger tell_board after update of value on portal.board_sequences
  for each row execute function portal.tell_board();

create function portal.tell_conversation() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.tell(jsonb_build_object('kind', 'conversation', 'instanceName', c."instanceName", 'contactId', c.id))
  from public.whatsapp_contacts c
  where c.id = case when tg_op = 'DELETE' then old.contact_id else new.contact_id end and c."instanceName" is not null;
  return null;
end $$;
comment on function portal.tell_conversation() is
  'Trigger: a conversation has a new or changed message, or lost one; told to the lead''s owner.';
create trigger tell_conversation after insert or update on public.whatsapp_messages
  for each row execute function portal.tell_conversation();
create trigger tell_shorter_conversation after delete on public.whatsapp_messages
  for each row execute function portal.tell_conversation();


-- A broker's board as what changed since a cursor.

create function portal.board_leads(p_board text, p_contacts bigint[]) returns json
language plpgsql stable set search_path = '' as $$
declare
  -- What stands on every lead of a board is looked up once.
  broker_number text := (select b.broker_number from public.brokers b where b."instanceName" = p_board);
begin
  return (
    select coalesce(json_agg(lead), '[]')
    from (
      select
        c.id, c.name, c.number, c.notes, c.status, c.unread_count,
        date_trunc('second', c.created_at) as created_at,
        date_trunc('second', c.updated_at) as updated_at,
        case when c.last_message_id is not null then json_build_object(
          'body', c.last_message_body,
          'timestamp', c.last_message_timestamp,
          'type', c.last_message_type,
          'kind', c.last_message_kind,
          'delivery', c.last_message_delivery
        ) end as last_message,
        -- Mostly the same on neighbours, and side by side so that it costs next to nothing compressed.
        c.remarketing_sent_at,
        c.person_id in (select p.id from portal.people p where p.opted_out_at is not null) as opted_out,
        c.profile_pic_url, broker_number, p_board as "instanceName"
      from (
        select o.* from public.whatsapp_contacts o
        where o."instanceName" = p_board and (p_contacts is null or o.id = any (p_contacts))
        -- Not even begun for a broker's board.
        union all
        select o.* from public.whatsapp_contacts o where p_board = '' and o."instanceName" is null
      ) c
    ) lead
  );
end $$;
comment on function portal.board_leads(text, bigint[]) is
  'Leads of a board as sync_board shows them: the named ones, or all of them with null; of the board '''' always all.';

create function public.sync_board(p_instance text, p_cursor text default null) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  board portal.board_sequences;
  since bigint;
  changed bigint[];
  removed bigint[] := '{}';
begin
  if portal.require_member() is not null and not portal.is_admin() and p_instance is distinct from portal.my_instance() then
    raise exception 'Este quadro é de outro corretor.' using errcode = '42501';
  end if;
  if p_instance = '' then
    board.epoch := 'whole';
    board.value := 0;
  else
    select * into board from portal.board_sequences s where s."instanceName" = p_instance;
    if not found then
      raise exception 'Corretor não encontrado.' using errcode = 'PT404';
    end if;
    -- A cursor of another board, or of a database that went back in time, starts anew.
    if p_cursor ~ ('^' || board.epoch || '\.[0-9]{1,18}$') then
      since := split_part(p_cursor, '.', 2)::bigint;
      if since > board.value then since := null; end if;
    end if;
  end if;
  if since < board.value then
    select coalesce(array_agg(h.contact_id) filter (where not h.removed), '{}'),
      coalesce(array_agg(h.contact_id) filter (where h.removed), '{}')
    into changed, removed
    from portal.board_changes h
    where h."instanceName" = p_instance and h.seq > since;
  end if;
  return json_build_object(
    'cursor', board.epoch || '.' || board.value,
    'reset', since is null,
    'leads', case when since = board.value then '[]' else portal.board_leads(p_instance, changed) end,
    'removed', removed,
    'stages', (
      select json_agg(stage)
      from (select s.id, s.name, s.slug, s.order_index, s.kind from public.kanban_stages s order by s.order_index) stage
    )
  );
end $$;
comment on function public.sync_board(text, text) is
  'The board of an instance as one snapshot: {cursor, reset, leads, removed, stages}. p_cursor is the one of the last answer: then leads has what is new or changed since, removed the ids that left the board by hand-over or deletion; with null, or a cursor that is not this board''s or of a later time, reset is true and leads is the whole board. stages is always complete. Lead: {id, name, number, notes, status (slug), unread_count, created_at, updated_at (whole seconds), last_message: {body (300 characters at most), timestamp (epoch seconds), type, kind, delivery} or null, remarketing_sent_at, opted_out, profile_pic_url, broker_number, instanceName}. A broker reads the own board, an administrator any, and with '''' the leads that belong to no broker, always whole: else 42501; 401 once the session has ended, 404 for an unknown broker.';
grant execute on function public.sync_board(text, text) to authenticated, service_role;

-- What a person does with leads: lists, moves, notes, names, reading, quick replies, hand-overs; and the stages they stand in.


-- Leads of brokers: their list, their counts, and moving one to another stage.

create function public.get_leads_by_brokers(p_brokers text[] default null)
returns table (
  broker_name text,
  nome_lead text,
  number_lead text,
  last_interaction timestamptz,
  kanban_lead text,
  profile_pic_url text,
  created_at timestamptz,
  contact_id bigint
)
language sql stable set search_path = '' as $$
  select c."instanceName", c.name, c.number, to_timestamp(c.last_message_timestamp), c.status, c.profile_pic_url,
    c.created_at, c.id
  from public.whatsapp_contacts c
  where c."instanceName" is not null
    and (coalesce(cardinality(p_brokers), 0) = 0 or c."instanceName" = any (p_brokers))
  order by c.last_message_timestamp desc nulls last, c.id desc
$$;
comment on function public.get_leads_by_brokers(text[]) is
  'Leads of these brokers (instance names; none named = all), the last talked to first; of them those that the caller may see. For the CRM. last_interaction is the time of the newest message, null without one; contact_id names the lead to atualizar_status_lead.';
grant execute on function public.get_leads_by_brokers(text[]) to authenticated, service_role;

create function public.get_total_contatos_por_corretor()
returns table (broker_name text, total_contatos bigint)
language sql stable set search_path = '' as $$
  select b."instanceName", count(c.id)
  from public.brokers b left join public.whatsapp_contacts c on c."instanceName" = b."instanceName"
  group by b."instanceName"
  order by b."instanceName"
$$;
comment on function public.get_total_contatos_por_corretor() is
  'How many leads each broker has, zeros included; a broker sees the own line. For ''Gerenciar Corretores'' and the diagnostics page.';
grant execute on function public.get_total_contatos_por_corretor() to authenticated, service_role;

create function portal.find_lead(p_board text, p_contact_id bigint, p_number text) returns bigint
language plpgsql stable set search_path = '' as $$
declare
  found_id bigint;
begin
  select c.id into found_id
  from public.whatsapp_contacts c
  where c.id = p_contact_id and (c."instanceName" = p_board or p_board is null);
  -- Who was erased and came back is another: what was done before is not done to her.
  if found_id is null and p_board is not null and not portal.lead_was_erased(p_contact_id) then
    select c.id into found_id
    from public.whatsapp_contacts c
    where c."instanceName" = p_board and c.person_id = coalesce(
      (select p.id from portal.people p where p.number_key = portal.number_key(p_number)),
      (select i.person_id from portal.identities i where i."instanceName" = p_board and i.jid = p_number));
  end if;
  return found_id;
end $$;
comment on function portal.find_lead(text, bigint, text) is
  'A lead of a board (null: of any) by its id, or, where that is gone after a merge, by any form of its number on that board; null when there is none, or when the id''s person was erased.';

-- A lead that is moved while its stage is marked as won, or no longer, counts as what the stage is in the end.
create function portal.move_lead(p_board text, p_contact_id bigint, p_to_status text, p_expected_status text) returns text
language plpgsql volatile set search_path = '' as $$
declare
  from_status text;
begin
  if p_contact_id is null then return 'unknown_lead'; end if;
  -- The stage first, then the lead: in this order a stage that is being removed or marked is waited for, never against.
  perform from public.kanban_stages s where s.slug = p_to_status for share;
  if not found then return 'unknown_stage'; end if;
  select c.status into from_status
  from public.whatsapp_contacts c
  where c.id = p_contact_id and (c."instanceName" = p_board or p_board is null)
  for no key update;
  if not found then return 'unknown_lead'; end if;
  if from_status = p_to_status then return 'already'; end if;
  if from_status <> p_expected_status then return 'conflict'; end if;
  update public.whatsapp_contacts set status = p_to_status where id = p_contact_id;
  return 'moved';
end $$;
comment on function portal.move_lead(text, bigint, text, text) is
  'Compare and set on the stage only, of a lead that is still on the board; answers the code of what came of it.';

create function portal.move_answer(p_code text, p_contact_id bigint) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  stage_name text;
  current_status text;
  changed_by text;
  changed_at timestamptz;
begin
  if p_code <> 'unknown_lead' then
    select s.name, c.status, h.changed_by, h.changed_at into stage_name, current_status, changed_by, changed_at
    from public.whatsapp_contacts c
    join public.kanban_stages s on s.slug = c.status
    left join portal.stage_history h on h.contact_id = c.id
    where c.id = p_contact_id
    order by h.id desc limit 1;
  end if;
  return jsonb_build_object(
    'success', p_code in ('moved', 'already'),
    'code', p_code,
    'message', case p_code
      when 'moved' then format('Lead movido para "%s".', stage_name)
      when 'already' then format('O lead já está em "%s".', stage_name)
      when 'conflict' then format('O lead já foi movido para "%s" por %s.', stage_name, changed_by)
      when 'unknown_stage' then 'Este estágio não existe mais.'
      else 'Lead não encontrado.'
    end,
    'stage_name', stage_name,
    'current_status', current_status,
    'changed_by', changed_by,
    'changed_at', changed_at
  );
end $$;
comment on function portal.move_answer(text, bigint) is
  'The answer of a move: its code and text, where the lead is now, and who put it there when.';

create function public.atualizar_status_lead(
  p_number_lead text default null,
  p_broker_name text default null,
  p_novo_status text default null,
  p_operation_id uuid default null,
  p_expected_status text default null,
  p_moved_at timestamptz default null,
  p_contact_id bigint default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  lead bigint;
  board text;
  code text;
begin
  if answer is not null then return answer; end if;
  lead := portal.asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  if account is not null and not portal.is_admin() then board := portal.my_instance(); end if;
  perform set_config('portal.operation_id', coalesce(p_operation_id::text, ''), true),
    set_config('portal.moved_at', case when p_moved_at < now() then p_moved_at::text else '' end, true);
  code := portal.move_lead(board, lead, p_novo_status, p_expected_status);
  perform set_config('portal.operation_id', '', true), set_config('portal.moved_at', '', true);
  return portal.end_operation(account, p_operation_id, 'lead.move', portal.move_answer(code, lead));
end $$;
comment on function public.atualizar_status_lead(text, text, text, uuid, text, timestamptz, bigint) is
  'Moves a lead to the stage with slug p_novo_status. A broker moves the own leads, an administrator all. The lead is p_contact_id, else p_number_lead (any form of the number) on the board of p_broker_name (instance name or username). p_expected_status: the stage the caller saw; another one is a conflict, and nothing changes. p_moved_at: when it was done on the device, shown only. p_operation_id: a repeat by the same account gets the stored answer. Answers {success, message, stage_name, code, current_status, changed_by, changed_at}, code moved, already, conflict, unknown_stage or unknown_lead; another''s lead is an unknown one. 401 once the session has ended.';
grant execute on function public.atualizar_status_lead(text, text, text, uuid, text, timestamptz, bigint) to authenticated, service_role;


-- Reading a conversation: the mark that makes unread counts true on every device.

create function public.mark_read(p_contact_id bigint, p_up_to bigint) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  still_unread integer;
begin
  -- Locked first, as every writer of a conversation does, so that two devices reading at once wait instead of failing.
  perform from public.whatsapp_contacts c
  where c.id = p_contact_id and (portal.is_admin() or portal.is_service() or c."instanceName" = portal.my_instance())
  for no key update;
  if not found then
    raise exception 'Lead não encontrado.' using errcode = 'PT404';
  end if;
  update public.whatsapp_messages
  set read = true
  where contact_id = p_contact_id and type = 'incoming' and not read and "timestamp" <= p_up_to;
  select unread_count into still_unread from public.whatsapp_contacts where id = p_contact_id;
  return still_unread;
end $$;
comment on function public.mark_read(bigint, bigint) is
  'Marks what a lead wrote up to an instant (epoch seconds) as read and answers how many stay unread. Called by the conversation: the owner or an administrator; 404 for anyone else''s lead and for none. A repeat changes nothing.';
grant execute on function public.mark_read(bigint, bigint) to authenticated, service_role;


-- What a broker writes on a lead: its notes and its name, each safe to be sent twice and never over what another device
-- wrote meanwhile.

create function portal.asked_lead(p_account uuid, p_broker_name text, p_contact_id bigint, p_number text) returns bigint
language plpgsql stable set search_path = '' as $$
declare
  asked_board text := case
    when p_broker_name like 'corretor\_%' then p_broker_name
    else 'corretor_' || nullif(lower(btrim(p_broker_name)), '')
  end;
begin
  if p_account is null or portal.is_admin() then return portal.find_lead(asked_board, p_contact_id, p_number); end if;
  if asked_board <> portal.my_instance() then return null; end if;
  return portal.find_lead(portal.my_instance(), p_contact_id, p_number);
end $$;
comment on function portal.asked_lead(uuid, text, bigint, text) is
  'The lead that a client''s write names: by id, or, where that is gone after a merge, by number, on the board of an instance name or username; for a broker on the own board alone. Null when there is none.';

create function portal.words_answer(p_code text, p_what text, p_current text) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object(
    'success', p_code in ('saved', 'already'),
    'code', p_code,
    'message', case p_code
      when 'unknown_lead' then 'Lead não encontrado.'
      when 'conflict' then format('%s em outro aparelho.', p_what)
    end,
    'current', p_current)
$$;
comment on function portal.words_answer(text, text, text) is
  'The answer to notes or a name that were sent: what came of it, and the words that stand there now.';

create function public.save_lead_notes(
  p_contact_id bigint, p_notes text, p_base_notes text default null, p_operation_id uuid default null,
  p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  wanted text := nullif(btrim(p_notes, E' \t\r\n'), '');
  standing text;
  lead bigint;
  code text := 'saved';
begin
  if answer is not null then return answer - 'contact_id'; end if;
  if length(wanted) > 10000 then
    raise exception 'A nota pode ter até 10.000 caracteres.' using errcode = 'PT422';
  end if;
  lead := portal.asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  select c.notes into standing from public.whatsapp_contacts c where c.id = lead for no key update;
  if not found then code := 'unknown_lead';
  elsif standing is not distinct from wanted then code := 'already';
  elsif coalesce(btrim(standing, E' \t\r\n'), '') <> btrim(p_base_notes, E' \t\r\n') then code := 'conflict';
  else
    update public.whatsapp_contacts set notes = wanted where id = lead;
    standing := wanted;
  end if;
  return portal.end_operation(account, p_operation_id, 'lead.note',
    portal.words_answer(code, 'A nota mudou', standing) || jsonb_build_object('contact_id', lead)) - 'contact_id';
end $$;
comment on function public.save_lead_notes(bigint, text, text, uuid, text, text) is
  'Writes the notes of a lead: of the own ones for a broker, of all for an administrator; empty ones clear. p_base_notes: what the writer saw; other notes standing there are a conflict, and nothing changes (null: overwrite). The lead is p_contact_id, else p_number_lead on the board of p_broker_name. p_operation_id: a repeat by the same account gets the stored answer. Answers {success, code, message, current}, code saved, already, conflict or unknown_lead. 401 once the session has ended; 422 when too long.';
grant execute on function public.save_lead_notes(bigint, text, text, uuid, text, text) to authenticated, service_role;

create function public.rename_lead(
  p_contact_id bigint, p_name text, p_base_name text default null, p_operation_id uuid default null,
  p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  wanted text := nullif(btrim(regexp_replace(p_name, '\s+', ' ', 'g')), '');
  standing text;
  lead bigint;
  code text := 'saved';
begin
  if answer is not null then return answer - 'contact_id'; end if;
  if length(wanted) > 200 then
    raise exception 'O nome pode ter até 200 caracteres.' using errcode = 'PT422';
  end if;
  lead := portal.asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  select c.name into standing from public.whatsapp_contacts c where c.id = lead for no key update;
  if not found then code := 'unknown_lead';
  elsif standing is not distinct from wanted then code := 'already';
  elsif coalesce(btrim(standing), '') <> btrim(p_base_name) then code := 'conflict';
  else
    update public.whatsapp_contacts set name = wanted where id = lead;
    standing := wanted;
  end if;
  return portal.end_operation(account, p_operation_id, 'lead.rename',
    portal.words_answer(code, 'O nome mudou', standing) || jsonb_build_object('contact_id', lead)) - 'contact_id';
end $$;
comment on function public.rename_lead(bigint, text, text, uuid, text, text) is
  'Gives a lead another name, an empty one takes it away; who may, p_base_name, the way the lead is named, p_operation_id and the answer are those of save_lead_notes.';
grant execute on function public.rename_lead(bigint, text, text, uuid, text, text) to authenticated, service_role;


-- Quick replies of the composer: a broker's own ones, and the shared ones that administrators keep.

create table public.quick_replies (
  id uuid primary key default gen_random_uuid(),
  broker_id uuid references public.brokers on delete cascade,
  title text not null check (title = btrim(title) and length(title) between 1 and 60),
  body text not null check (body ~ '\S' and length(body) <= 4000),
  order_index integer not null default 1 check (order_index >= 1),
  created_at timestamptz not null default now()
);
comment on table public.quick_replies is
  'Texts that fill the box of a conversation. A broker reads and writes the own ones and reads the shared; an administrator writes the shared.';
comment on column public.quick_replies.broker_id is 'Whose; null: shared by everyone.';
comment on column public.quick_replies.body is '{nome} stands for the lead''s first name.';
create unique index quick_replies_title on public.quick_replies (broker_id, lower(title)) nulls not distinct;
comment on index public.quick_replies_title is 'A title is there once among a broker''s own, and once among the shared; serves reading them by owner.';
alter table public.quick_replies enable row level security;
create policy quick_replies_read on public.quick_replies for select to authenticated
  using (broker_id = (select portal.account_id()) or (broker_id is null and (select portal.is_member())));
comment on policy quick_replies_read on public.quick_replies is 'Everyone signed in sees the shared ones, a broker the own ones too; nobody another''s, an administrator neither.';
create policy quick_replies_write on public.quick_replies for all to authenticated
  using (broker_id = (select portal.account_id()) or (broker_id is null and (select portal.is_admin())))
  with check (broker_id = (select portal.account_id()) or (broker_id is null and (select portal.is_admin())));
comment on policy quick_replies_write on public.quick_replies is 'A broker writes the own ones, an administrator the shared.';
grant select, delete on public.quick_replies to authenticated;
grant insert (id, broker_id, title, body, order_index), update (title, body, order_index) on public.quick_replies to authenticated;
grant all on public.quick_replies to service_role;
-- What every agency begins with; an administrator rewords or removes them.
insert into public.quick_replies (title, body, order_index) values
  ('Agendar visita', 'Oi, {nome}! Qual dia e horário ficam bons para você visitar?', 1),
  ('Enviar tabela', 'Oi, {nome}! Vou te enviar a tabela de preços atualizada.', 2),
  ('Enviar localização', 'Oi, {nome}! Vou te mandar a localização do estande.', 3);

create function public.save_quick_reply(p_id uuid, p_title text, p_body text) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  -- An administrator's are everyone's.
  owner uuid := case when portal.is_admin() then null else portal.account_id() end;
begin
  insert into public.quick_replies (id, broker_id, title, body, order_index)
  select p_id, owner, btrim(p_title), p_body, coalesce(max(r.order_index), 0) + 1
  from public.quick_replies r
  where r.broker_id is not distinct from owner
  on conflict (id) do update set title = excluded.title, body = excluded.body;
  return jsonb_build_object('success', true, 'message', null);
exception
  when unique_violation then
    return jsonb_build_object('success', false, 'message', 'Já existe uma resposta com este título.');
  when check_violation then
    return jsonb_build_object('success', false, 'message', 'Escreva um título de até 60 letras e um texto de até 4.000.');
end $$;
comment on function public.save_quick_reply(uuid, text, text) is
  'Adds a quick reply at the end, or changes the one of that id: a broker''s own, an administrator''s shared. Called by the composer''s sheet; runs as the asker, so that the row rules decide. The id is made by the client: a repeat changes nothing. Answers {success, message}.';
grant execute on function public.save_quick_reply(uuid, text, text) to authenticated, service_role;

create function public.remove_quick_reply(p_id uuid) returns boolean
language sql volatile set search_path = '' as $$
  with gone as (delete from public.quick_replies where id = p_id returning id)
  select exists (select from gone)
$$;
comment on function public.remove_quick_reply(uuid) is
  'Removes a quick reply and answers whether there was one; runs as the asker, so that nobody removes another''s. A repeat answers false.';
grant execute on function public.remove_quick_reply(uuid) to authenticated, service_role;

create function public.order_quick_replies(p_ids uuid[]) returns integer
language sql volatile set search_path = '' as $$
  with placed as (
    update public.quick_replies q set order_index = wanted.place
    from unnest(p_ids) with ordinality wanted (id, place)
    where q.id = wanted.id
    returning q.id
  )
  select count(*)::integer from placed
$$;
comment on function public.order_quick_replies(uuid[]) is
  'Puts quick replies in the order of their ids and answers how many were placed; runs as the asker, who places only what may be written.';
grant execute on function public.order_quick_replies(uuid[]) to authenticated, service_role;


-- Leads that an administrator hands to another broker, and whose they were before.

create table portal.owner_history (
  id bigint generated always as identity primary key,
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  from_instance text,
  to_instance text,
  account_id uuid,
  changed_by text not null,
  operation_id uuid,
  changed_at timestamptz not null default now()
);
comment on table portal.owner_history is 'Every change of a lead''s owner, append only.';
comment on column portal.owner_history.from_instance is 'Instance name of the owner before, who may be gone since; null: it was the administrator''s.';
comment on column portal.owner_history.to_instance is 'Instance name of the new owner; null: the broker was removed, and it became the administrator''s.';
comment on column portal.owner_history.changed_by is 'Username of who handed it over, or ''portal''.';
create index owner_history_contact on portal.owner_history (contact_id, id desc);
comment on index portal.owner_history_contact is 'Serves the owners of a lead, the last one first.';
alter table portal.owner_history enable row level security;

create function portal.add_owner(p_contact bigint, p_from text, p_to text) returns void
language sql volatile security definer set search_path = '' as $$
  insert into portal.owner_history (contact_id, from_instance, to_instance, account_id, changed_by, operation_id)
  values (p_contact, p_from, p_to, portal.account_id(), portal.actor(),
    nullif(current_setting('portal.operation_id', true), '')::uuid)
$$;
comment on function portal.add_owner(bigint, text, text) is 'Appends to the history of a lead''s owners who changes it now. Server only.';

create function portal.record_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.add_owner(new.id, old."instanceName", new."instanceName");
  return null;
end $$;
comment on function portal.record_owner() is 'Trigger: appends a lead''s new owner to its history.';
create trigger record_owner after update of "instanceName" on public.whatsapp_contacts
  for each row when (old."instanceName" is distinct from new."instanceName")
  execute function portal.record_owner();

-- People who give leads away, or a broker with all of them, take the rotation's turn first: it holds the same leads.
create function public.transferir_leads(
  p_contact_ids bigint[],
  p_broker_name text,
  p_operation_id uuid default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.account_id();
  asked bigint[] := array(select distinct a.id from unnest(p_contact_ids) as a (id));
  answer jsonb;
  given jsonb;
  found_count integer;
  moved integer;
  kept integer;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(account, p_operation_id);
  if answer is not null then return answer; end if;
  if cardinality(asked) > 2000 then
    raise exception 'Passe no máximo 2.000 leads por vez.' using errcode = 'PT422';
  end if;
  perform portal.take_apply_turn();
  perform portal.take_roleta_turn();
  -- Brokers before leads and in one order, as a removal takes them: whoever is just being removed is waited for.
  perform from public.brokers b
  where b."instanceName" = p_broker_name
    or b."instanceName" in (select c."instanceName" from public.whatsapp_contacts c where c.id = any (asked))
  order by b."instanceName" for key share;
  if not exists (select from public.brokers b where b."instanceName" = p_broker_name) then
    return portal.end_operation(account, p_operation_id, 'lead.hand-over', jsonb_build_object(
      'success', false, 'code', 'unknown_broker', 'message', 'Este corretor não existe mais.',
      'moved', 0, 'merged', 0, 'unknown', 0, 'leads', '[]'::jsonb));
  end if;
  perform from public.whatsapp_contacts c where c.id = any (asked) order by c.id for update;
  get diagnostics found_count = row_count;
  select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'from', c."instanceName") order by c.id), '[]') into given
  from public.whatsapp_contacts c
  where c.id = any (asked) and c."instanceName" is distinct from p_broker_name;
  perform set_config('portal.operation_id', coalesce(p_operation_id::text, ''), true);
  moved := portal.hand_over(asked, p_broker_name);
  perform set_config('portal.operation_id', '', true);
  select count(*) into kept from public.whatsapp_contacts c where c.id = any (asked);
  return portal.end_operation(account, p_operation_id, 'lead.hand-over', jsonb_build_object(
    'success', true, 'code', 'moved', 'message', null,
    'moved', moved, 'merged', found_count - kept, 'unknown', cardinality(asked) - found_count, 'leads', given));
end $$;
comment on function public.transferir_leads(bigint[], text, uuid) is
  'Hands leads to a broker (instance name), with their conversations, notes and history: what the persons write to the old number joins them there, replies go out from the new owner''s instance, and a person whom the new owner has already becomes one lead. Administrators. p_operation_id: a repeat by the same account gets the stored answer. Answers {success, code, message, moved, merged, unknown, leads: [{id, from}]}, code moved or unknown_broker; moved counts those whose owner changed, merged those of them that became one with a lead of the new owner, unknown those that are no more; leads names the owner before of each that moved. 401 once the session has ended; 422 for more than 2,000.';
grant execute on function public.transferir_leads(bigint[], text, uuid) to authenticated, service_role;

create function public.get_lead_owners(p_contact_id bigint)
returns table (changed_at timestamptz, changed_by text, from_broker text, to_broker text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return query
    select h.changed_at, h.changed_by, h.from_instance, h.to_instance
    from portal.owner_history h
    where h.contact_id = p_contact_id
    order by h.id desc;
end $$;
comment on function public.get_lead_owners(bigint) is
  'Whose a lead was, the last change first: when, by whom, from and to which broker (instance names, null for the administrator). Administrators.';
grant execute on function public.get_lead_owners(bigint) to authenticated, service_role;

create function portal.hand_over(p_leads bigint[], p_to text) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  moving bigint[];
  met record;
begin
  select array_agg(locked.id) into moving
  from (
    select c.id from public.whatsapp_contacts c
    where c.id = any (p_leads) and c."instanceName" is distinct from p_to
    order by c.id for update
  ) locked;
  if moving is null then return 0; end if;
  -- What the person is called elsewhere is needed to write to her from there.
  insert into portal.identities ("instanceName", jid, person_id)
  select distinct on (i.jid) p_to, i.jid, i.person_id
  from public.whatsapp_contacts c
  join portal.identities i on i.person_id = c.person_id and i."instanceName" = c."instanceName"
  where c.id = any (moving)
  order by i.jid, i.first_seen_at desc
  on conflict do nothing;
  -- Whom the new owner has already stays one contact, with the history of both.
  for met in
    select theirs.id as kept, c.id as gone
    from public.whatsapp_contacts c
    join public.whatsapp_contacts theirs on theirs.person_id = c.person_id and theirs."instanceName" = p_to
    where c.id = any (moving) order by c.id
  loop
    perform portal.merge_contacts(met.kept, met.gone);
  end loop;
  update public.whatsapp_contacts set "instanceName" = p_to where id = any (moving);
  return cardinality(moving);
end $$;
comment on function portal.hand_over(bigint[], text) is
  'Gives leads to a broker, with their history; a person whom that broker has already becomes one contact. Answers how many changed their owner. Server only.';


-- Stages added, named, ordered and removed by administrators, each in one transaction and one after the other.

create function portal.stage_answer(p_code text, p_more jsonb default '{}') returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object(
    'success', p_code in ('done', 'already'),
    'code', p_code,
    'message', case p_code
      when 'blank' then 'Escreva o nome do estágio.'
      when 'long' then 'O nome pode ter até 60 caracteres.'
      when 'taken' then 'Já existe um estágio com este nome.'
      when 'unknown_stage' then 'Este estágio não existe mais.'
      when 'default' then 'Este é o estágio dos novos contatos: ele fica, e fica aberto.'
    end) || p_more
$$;
comment on function portal.stage_answer(text, jsonb) is 'The answer to a change of stages: what came of it, and why nothing did.';

create function portal.begin_stages(p_operation_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  -- Whoever changes stages is alone with them; moving leads goes on meanwhile.
  if answer is null then lock table public.kanban_stages in share row exclusive mode; end if;
  return answer;
end $$;
comment on function portal.begin_stages(uuid) is
  'The stored answer of a change of stages that was done already, else null, with all other writers of stages waiting. Administrators. Server only.';

create function portal.renumber_stages() returns void
language sql volatile security definer set search_path = '' as $$
  update public.kanban_stages s set order_index = n.place
  from (select o.id, row_number() over (order by o.order_index, o.id) as place from public.kanban_stages o) n
  where n.id = s.id and s.order_index <> n.place
$$;
comment on function portal.renumber_stages() is 'Numbers the stages from 1 in their order. Server only.';

create function portal.stage_name_fault(p_name text, p_id integer) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when btrim(coalesce(p_name, '')) = '' then 'blank'
    when length(btrim(p_name)) > 60 then 'long'
    when exists (
      select from public.kanban_stages s
      where lower(btrim(s.name)) = lower(btrim(p_name)) and s.id is distinct from p_id) then 'taken'
  end
$$;
comment on function portal.stage_name_fault(text, integer) is
  'Why a stage (null: a new one) cannot have a name; null where it can. Server only.';

create function public.add_stage(
  p_name text, p_slug text, p_kind text default 'open', p_operation_id uuid default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.begin_stages(p_operation_id);
  code text;
  free_slug text := p_slug;
  tried integer := 1;
begin
  if answer is not null then return answer; end if;
  code := portal.stage_name_fault(p_name, null);
  if code is null then
    -- Two names may have one slug.
    while exists (select from public.kanban_stages s where s.slug = free_slug) loop
      tried := tried + 1;
      free_slug := left(p_slug, 55) || '_' || tried;
    end loop;
    perform portal.renumber_stages();
    insert into public.kanban_stages (name, slug, kind, order_index)
    select btrim(p_name), free_slug, p_kind, count(*) + 1 from public.kanban_stages;
    code := 'done';
  end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'stage.add',
    portal.stage_answer(code, jsonb_build_object('slug', case when code = 'done' then free_slug end)));
end $$;
comment on function public.add_stage(text, text, text, uuid) is
  'A new stage behind all others: its order is the count plus 1, its slug p_slug, or that with a number where it is taken. p_kind: open, won or lost. Administrators. p_operation_id: a repeat by the same account gets the stored answer. Answers {success, code, message, slug}, code done, blank, long or taken.';
grant execute on function public.add_stage(text, text, text, uuid) to authenticated, service_role;

create function public.save_stage(
  p_id integer, p_name text default null, p_kind text default null, p_operation_id uuid default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.begin_stages(p_operation_id);
  standing public.kanban_stages;
  code text := 'done';
begin
  if answer is not null then return answer; end if;
  select * into standing from public.kanban_stages s where s.id = p_id;
  if not found then code := 'unknown_stage';
  elsif p_name is not null and portal.stage_name_fault(p_name, p_id) is not null then
    code := portal.stage_name_fault(p_name, p_id);
  elsif standing.slug = 'new' and p_kind <> 'open' then code := 'default';
  elsif (standing.name, standing.kind) = (coalesce(btrim(p_name), standing.name), coalesce(p_kind, standing.kind)) then
    code := 'already';
  else
    update public.kanban_stages s
    set name = coalesce(btrim(p_name), s.name), kind = coalesce(p_kind, s.kind)
    where s.id = p_id;
  end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'stage.save', portal.stage_answer(code));
end $$;
comment on function public.save_stage(integer, text, text, uuid) is
  'Gives a stage another name or kind (null: the one it has); its slug stays. The stage with slug new is always open. Administrators. p_operation_id as in add_stage. Answers {success, code, message}, code done, already, blank, long, taken, default or unknown_stage.';
grant execute on function public.save_stage(integer, text, text, uuid) to authenticated, service_role;

create function public.move_stage(p_id integer, p_step integer, p_operation_id uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.begin_stages(p_operation_id);
  code text := 'done';
begin
  if answer is not null then return answer; end if;
  perform from public.kanban_stages s where s.id = p_id;
  if not found then code := 'unknown_stage';
  else
    perform portal.renumber_stages();
    update public.kanban_stages s set order_index = n.place
    from (
      -- Half a place beyond where the step leads, so that it stands behind who stood there.
      select o.id, row_number() over (
        order by o.order_index + case when o.id = p_id then p_step + sign(p_step) / 2.0 else 0 end) as place
      from public.kanban_stages o
    ) n
    where n.id = s.id and s.order_index <> n.place;
    if not found then code := 'already'; end if;
  end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'stage.move', portal.stage_answer(code));
end $$;
comment on function public.move_stage(integer, integer, uuid) is
  'Moves a stage so many places up (negative) or down from where it stands by now, at most to the end, and numbers all from 1: what two administrators do at once adds up. Administrators. p_operation_id as in add_stage. Answers {success, code, message}, code done, already (at the end) or unknown_stage.';
grant execute on function public.move_stage(integer, integer, uuid) to authenticated, service_role;

create function public.remove_stage(p_id integer, p_operation_id uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.begin_stages(p_operation_id);
  going text;
  leads bigint := 0;
  code text := 'done';
begin
  if answer is not null then return answer; end if;
  -- Locked, so that nobody is moved in while its leads are counted.
  select s.slug into going from public.kanban_stages s where s.id = p_id for update;
  if not found then code := 'already';
  elsif going = 'new' then code := 'default';
  else
    select count(*) into leads from public.whatsapp_contacts c where c.status = going;
    perform set_config('portal.operation_id', coalesce(p_operation_id::text, ''), true);
    -- Its trigger moves the leads first.
    delete from public.kanban_stages s where s.id = p_id;
    perform set_config('portal.operation_id', '', true);
    perform portal.renumber_stages();
  end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'stage.remove',
    portal.stage_answer(code, jsonb_build_object('leads', leads)));
end $$;
comment on function public.remove_stage(integer, uuid) is
  'Moves the leads of a stage to the one with slug new, removes the stage and numbers the others from 1, all or nothing. Administrators. p_operation_id as in add_stage. Answers {success, code, message, leads (how many moved)}, code done, already (it is gone) or default (the one with slug new stays).';
grant execute on function public.remove_stage(integer, uuid) to authenticated, service_role;

-- The WhatsApp of each broker: what is known of its link, how far it was read back, and when its loss is told.

-- What is known of a link: by its number a look at it sees that something was told meanwhile.
create sequence portal.link_changes as bigint;

create table portal.webhook_secrets (
  "instanceName" text primary key references public.brokers ("instanceName") on update cascade on delete cascade,
  hash bytea not null,
  previous_hash bytea,
  created_at timestamptz not null default now()
);
comment on table portal.webhook_secrets is 'SHA-256 of the secret in each instance''s webhook address.';
comment on column portal.webhook_secrets.previous_hash is 'Stays good until the next is made: the gateway reports to the old address until it is told the new one.';
alter table portal.webhook_secrets enable row level security;

create table portal.instance_states (
  "instanceName" text primary key references public.brokers ("instanceName") on update cascade on delete cascade,
  state text not null default 'close' check (state in ('close', 'connecting', 'open', 'refused', 'removed')),
  reason integer,
  state_at timestamptz,
  state_rank integer not null default 0,
  changed_at timestamptz not null default now(),
  owner_jid text,
  profile_name text,
  profile_pic_url text,
  owner_at timestamptz,
  qr_image text,
  qr_text text,
  pairing_code text,
  qr_count integer,
  qr_is_limit boolean not null default false,
  qr_at timestamptz,
  qr_received_at timestamptz,
  replaced_number text,
  -- A link that says it is open while nothing goes out: the last send outranks what is reported.
  dead_at timestamptz,
  pairing_number text,
  cut_at timestamptz,
  alarmed_at timestamptz,
  change_number bigint not null default nextval('portal.link_changes'),
  away_since timestamptz,
  flips integer not null default 0,
  opening_since timestamptz
);
comment on table portal.instance_states is 'What the gateway last reported of each instance''s link. Three groups, state, owner and code, each as of its newest report.';
comment on column portal.instance_states.reason is 'The gateway''s statusReason: 401 unlinked on the phone, 403 banned, 428 no scan in time …';
comment on column portal.instance_states.state_at is 'Time of the report by the gateway''s clock: fit to order its reports only.';
comment on column portal.instance_states.changed_at is 'When the portal learnt of the state.';
comment on column portal.instance_states.owner_jid is 'The phone linked last.';
comment on column portal.instance_states.qr_is_limit is 'The gateway makes no more codes until asked again.';
comment on column portal.instance_states.qr_received_at is 'When the portal learnt of the code; it lives 45 seconds.';
comment on column portal.instance_states.replaced_number is
  'The number linked before, once a different phone was linked; null again when the broker has seen it.';
comment on column portal.instance_states.dead_at is
  'When a send found no link although it was reported open; null again with the next accepted send or the next report of the link.';
comment on column portal.instance_states.pairing_number is
  'The phone that a link under way makes a code to type for; null for a QR code.';
comment on column portal.instance_states.cut_at is 'When a person last disconnected it here: she need not be told that it is lost.';
comment on column portal.instance_states.alarmed_at is
  'When the loss of this link was raised: it was linked, is not, and no person cut it. Null again once it is back or a person cuts it.';
comment on column portal.instance_states.change_number is
  'Another one each time the state is told, be it the same again: who asked before and finds another number has older news.';
comment on column portal.instance_states.away_since is
  'When the link was last left after it had stood; openings of seconds in between do not count. Null before the first time.';
comment on column portal.instance_states.flips is
  'How often it opened for less than 30 s since then; 0 again once it stands, was sent through, or a person links it.';
comment on column portal.instance_states.opening_since is
  'Since when the gateway says that it is open, while that is not believed.';
alter table portal.instance_states enable row level security;
alter sequence portal.link_changes owned by portal.instance_states.change_number;


-- What decides which of two things came later is a counter, for a clock says the same time twice: to the millisecond in the
-- embedded engine, to the second in what WhatsApp tells.

create function portal.number_link_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.change_number := nextval('portal.link_changes');
  return new;
end $$;
comment on function portal.number_link_change() is 'Trigger on portal.instance_states: a number for each state told.';
create trigger number_link_change before update of state on portal.instance_states
  for each row execute function portal.number_link_change();

create function portal.tell_link() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.tell(jsonb_build_object('kind', 'link', 'instanceName', new."instanceName"));
  return null;
end $$;
comment on function portal.tell_link() is 'Trigger: an instance''s link or code changed.';
create trigger tell_link after insert or update on portal.instance_states
  for each row execute function portal.tell_link();

create function portal.apply_link(instance text, event jsonb) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  at timestamptz := portal.from_ms(event ->> 'atMs');
  rank integer := (event ->> 'rank')::integer;
  before portal.instance_states;
  believed text;
begin
  insert into portal.instance_states ("instanceName") values (instance) on conflict do nothing;
  select * into before from portal.instance_states where "instanceName" = instance for update;
  if event ->> 'ownerJid' is not null and (before.owner_at is null or before.owner_at < at) then
    update portal.instance_states
    set owner_jid = event ->> 'ownerJid', profile_name = event ->> 'profileName',
      profile_pic_url = event ->> 'profilePicUrl', owner_at = at
    where "instanceName" = instance;
  end if;
  if before.state_at is not null and (before.state_at, before.state_rank) >= (at, rank) then return null; end if;
  update portal.instance_states
  set state = event ->> 'state', reason = (event ->> 'reason')::integer, state_at = at, state_rank = rank,
    changed_at = now(), dead_at = null,
    pairing_number = case when event ->> 'state' <> 'open' then pairing_number end
  where "instanceName" = instance
  returning state into believed;
  -- The gateway reports 'open' only when a link opens; that it closed before may have been reported later, or never.
  return case when event ->> 'state' = 'open' and believed = 'open' then 'linked' end;
end $$;
comment on function portal.apply_link(text, jsonb) is
  'Keeps the newest reported state of a link; answers ''linked'' for every opening that is news and believed. Server only.';

create function portal.apply_qr(instance text, event jsonb) returns void
language sql volatile security definer set search_path = '' as $$
  insert into portal.instance_states as s
    ("instanceName", qr_image, qr_text, pairing_code, qr_count, qr_is_limit, qr_at, qr_received_at)
  values (
    instance, event ->> 'image', event ->> 'text', event ->> 'pairingCode', (event ->> 'count')::integer,
    (event ->> 'isLimit')::boolean, portal.from_ms(event ->> 'atMs'), now()
  )
  on conflict ("instanceName") do update
  set qr_image = excluded.qr_image, qr_text = excluded.qr_text, pairing_code = excluded.pairing_code,
    qr_count = excluded.qr_count, qr_is_limit = excluded.qr_is_limit, qr_at = excluded.qr_at,
    qr_received_at = excluded.qr_received_at
  where s.qr_at is null or s.qr_at < excluded.qr_at
$$;
comment on function portal.apply_qr(text, jsonb) is 'Keeps the newest code to scan, or the word that no more will come. Server only.';


-- A link that opens for a moment and is gone again has not come back. Since when it is away counts from when it was last there for
-- good, and once it proved to flip, an opening is believed when it still stands at the next look, not when it is reported.

create function portal.judge_opening() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  was_looked_at boolean := new.state_at is not distinct from old.state_at;
begin
  if new.qr_received_at is distinct from old.qr_received_at then new.flips := 0; end if;
  if old.state = 'open' and new.state <> 'open' then
    if old.away_since is not null and old.changed_at > now() - interval '30 seconds' then
      new.flips := old.flips + 1;
    else
      new.away_since := now();
      new.flips := 0;
    end if;
  elsif old.state <> 'open' and new.state = 'open' and new.flips > 0
    and not coalesce(was_looked_at and old.opening_since < now() - interval '25 seconds', false) then
    new.opening_since := case when was_looked_at then coalesce(old.opening_since, now()) else now() end;
    new.state := old.state;
    new.reason := old.reason;
    new.changed_at := old.changed_at;
    new.dead_at := old.dead_at;
    return new;
  elsif new.state = 'open' then
    new.flips := 0;
  end if;
  new.opening_since := null;
  return new;
end $$;
comment on function portal.judge_opening() is
  'Trigger on portal.instance_states: counts openings of seconds, and holds back one more of them until a look finds it standing.';
create trigger judge_opening before update of state, qr_received_at on portal.instance_states
  for each row execute function portal.judge_opening();

-- A first link that was cut before anybody looked has its number, so that its loss is told; and two cards of one person, one by phone
-- and one by hidden id, are asked about as soon as both are there.
create function portal.keep_first_number() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.brokers b
  set broker_number = split_part(split_part(new.owner_jid, '@', 1), ':', 1), status = 'ativo'
  where b."instanceName" = new."instanceName" and b.broker_number is null;
  return null;
end $$;
comment on function portal.keep_first_number() is
  'Trigger on portal.instance_states: the phone that is linked is the broker''s from the moment it is told, where none was before.';
create trigger keep_first_number after insert or update of state, owner_jid on portal.instance_states
  for each row when (new.state = 'open' and new.owner_jid ~ '^\d{8,15}[@:]') execute function portal.keep_first_number();


-- A WhatsApp that is lost is told within a minute, whatever became of its event: the broker by push, the administrator on every
-- screen and in the audit log. The watch looks twice a minute and raises what the last look has seen, too.

create function portal.raise_lost_links() returns setof text
language plpgsql volatile security definer set search_path = '' as $$
declare
  lost text;
begin
  for lost in
    update portal.instance_states s set alarmed_at = now()
    from public.brokers b
    where b."instanceName" = s."instanceName" and b.broker_number is not null and s.alarmed_at is null
      and (s.state <> 'open' or s.dead_at is not null)
      -- One look of the watch: a link that only begins anew is back by then. What is older is known. Each failed attempt to come
      -- back is a change of its own, so the time is that of when it left.
      and coalesce(s.dead_at, s.away_since, s.changed_at) between now() - interval '1 day' and now() - interval '25 seconds'
      and s.cut_at is null
    returning s."instanceName"
  loop
    perform portal.audit('link.lost', lost);
    return next lost;
  end loop;
end $$;
comment on function portal.raise_lost_links() is
  'Links that were lost and not raised yet are raised, each once over all portals; answers their instances. Server only.';

create function portal.lower_lost_link() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.state = 'open' and new.dead_at is null then
    if new.alarmed_at is not null then perform portal.audit('link.back', new."instanceName"); end if;
    new.alarmed_at := null;
    -- The next loss is no person's doing.
    if old.state <> 'open' then new.cut_at := null; end if;
  elsif new.cut_at is distinct from old.cut_at then
    new.alarmed_at := null;
  end if;
  return new;
end $$;
comment on function portal.lower_lost_link() is 'Trigger: a link is back, or a person cut it: neither is lost.';
create trigger lower_lost_link before update on portal.instance_states
  for each row execute function portal.lower_lost_link();


-- How far each instance was read back from the gateway.

-- Where a phone was linked anew, WhatsApp hands its past to the gateway some time after the link opened: of the phone that was
-- linked before it is read from where reading had ended, of a new one nothing is. What is read of the time without a link is
-- history: nobody is alarmed, nothing is offered and no clock begins because of it.
create table portal.instance_sweeps (
  "instanceName" text primary key references public.brokers ("instanceName") on update cascade on delete cascade,
  claimed_at timestamptz not null default now(),
  read_until timestamptz,
  -- How far an instance is read back, where a phone was linked anew. WhatsApp hands a phone's past to the gateway some time after the
  -- link opened: of the phone that was linked before it is read from where reading had ended, of a new one nothing is. What is read
  -- of the time without a link is history: nobody is alarmed, nothing is offered and no clock begins because of it.
  read_from timestamptz,
  opened_at timestamptz not null default now(),
  relinked_at timestamptz
);
comment on table portal.instance_sweeps is 'The sweeps that bring what a lost webhook missed, one row an instance.';
comment on column portal.instance_sweeps.claimed_at is 'When a portal last began one, so that several portals over one database do not all read.';
comment on column portal.instance_sweeps.read_until is 'Everything before was read back while the link was open.';
comment on column portal.instance_sweeps.read_from is
  'When the phone that is linked now was linked to this instance first: nothing older is read back. Null where that was before it was kept.';
comment on column portal.instance_sweeps.opened_at is 'When the link opened last.';
comment on column portal.instance_sweeps.relinked_at is
  'When a phone was last linked by a code: what is read back of the time before is history, and comes to the gateway within the hour after.';
alter table portal.instance_sweeps enable row level security;

create function portal.note_opened_link() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  is_new_phone boolean := new.owner_jid is not null and (
    tg_op = 'INSERT' or portal.number_key(new.owner_jid) is distinct from portal.number_key(old.owner_jid));
  has_opened boolean := new.state = 'open' and (tg_op = 'INSERT' or old.state <> 'open');
  phone_since timestamptz := case
    when tg_op = 'INSERT' or new.owner_at is distinct from old.owner_at then coalesce(new.owner_at, now()) else now() end;
begin
  if not is_new_phone and not has_opened then return null; end if;
  insert into portal.instance_sweeps ("instanceName", claimed_at, opened_at)
  values (new."instanceName", '-infinity', '-infinity') on conflict do nothing;
  update portal.instance_sweeps s
  set
    read_from = case when is_new_phone then phone_since else s.read_from end,
    read_until = case when is_new_phone then phone_since else s.read_until end,
    opened_at = case when has_opened then now() else s.opened_at end,
    relinked_at = case when has_opened and new.qr_received_at > s.opened_at then now() else s.relinked_at end
  where s."instanceName" = new."instanceName";
  return null;
end $$;
comment on function portal.note_opened_link() is
  'Trigger on portal.instance_states: a link opened, or another phone was linked than the one before; from when on it is read back.';
create trigger note_opened_link after insert or update of state, owner_jid on portal.instance_states
  for each row execute function portal.note_opened_link();

-- What the gateway reports: stored raw, then applied once, to the right person.

create table portal.message_raw (
  message_id bigint primary key references public.whatsapp_messages on delete cascade,
  raw jsonb not null
);
comment on table portal.message_raw is 'The gateway''s own words, of messages that the portal cannot show wholly or that came from an advertisement.';
alter table portal.message_raw enable row level security;

create table portal.webhook_inbox (
  id bigint generated always as identity primary key,
  "instanceName" text not null references public.brokers ("instanceName") on update cascade on delete cascade,
  body text not null,
  received_at timestamptz not null
);
comment on table portal.webhook_inbox is 'Deliveries that are safe but not yet applied, in order of arrival; a row goes in the transaction that applies it.';
alter table portal.webhook_inbox enable row level security;

create table portal.webhook_aside (
  id bigint generated always as identity primary key,
  "instanceName" text not null references public.brokers ("instanceName") on update cascade on delete cascade,
  reason text not null,
  body text not null,
  received_at timestamptz not null default now()
);
comment on table portal.webhook_aside is 'Deliveries that were no event, or that the database refused; counted in health, kept for KEEP_RAW_DAYS.';
alter table portal.webhook_aside enable row level security;

create table portal.waiting_events (
  "instanceName" text not null references public.brokers ("instanceName") on update cascade on delete cascade,
  target text not null,
  kind text not null,
  weight bigint not null,
  waited jsonb not null,
  received_at timestamptz not null default now(),
  primary key ("instanceName", target, kind)
);
comment on table portal.waiting_events is
  'Edits, revokes, acks and reactions that came before their message, and names before their contact; kept for KEEP_RAW_DAYS.';
comment on column portal.waiting_events.target is 'Message id, or address of the person for a name.';
comment on column portal.waiting_events.waited is 'The event, as portal.apply_event takes it.';
comment on column portal.waiting_events.weight is 'Of several of one kind the heaviest counts.';
create index waiting_events_age on portal.waiting_events (received_at);
comment on index portal.waiting_events_age is 'Serves the removal of what has waited too long.';
alter table portal.waiting_events enable row level security;

create table portal.media (
  id text primary key check (id ~ '^[0-9a-f]{64}$'),
  size_bytes bigint not null,
  created_at timestamptz not null default now(),
  put_at timestamptz not null default now()
);
comment on table portal.media is 'Media bytes kept in the database, named by their SHA-256; empty where a folder keeps them.';
comment on column portal.media.put_at is 'When these bytes were last put: who did so is about to refer to them.';
alter table portal.media enable row level security;

create table portal.media_chunks (
  media_id text not null references portal.media on delete cascade,
  index integer not null,
  bytes bytea not null,
  primary key (media_id, index)
);
comment on table portal.media_chunks is 'The bytes of portal.media in pieces of 256 KiB, so that a part can be read alone.';
alter table portal.media_chunks enable row level security;


-- Contacts that turn out to be one person: merged with a record, and taken apart again.

create table portal.contact_routes (
  "instanceName" text not null references public.brokers ("instanceName") on update cascade on delete cascade,
  person_id bigint not null references portal.people on delete cascade,
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  primary key ("instanceName", person_id)
);
comment on table portal.contact_routes is 'Leads that were handed over: what the person writes to the old number joins the contact at its new owner.';
create index contact_routes_contact on portal.contact_routes (contact_id);
comment on index portal.contact_routes_contact is 'Serves the routes that lead to a contact, for merging and removing it.';
create index contact_routes_person on portal.contact_routes (person_id);
comment on index portal.contact_routes_person is 'Serves the routes of a person, for joining it to another.';
alter table portal.contact_routes enable row level security;

create table portal.contact_merges (
  id bigint generated always as identity primary key,
  "instanceName" text,
  kept_contact_id bigint not null,
  gone_contact_id bigint not null,
  kept_person_id bigint not null,
  gone_person_id bigint not null,
  kept_before jsonb not null,
  kept_after jsonb not null default '{}',
  gone_before jsonb not null,
  message_ids bigint[] not null,
  history_ids bigint[] not null,
  jids text[] not null,
  merged_at timestamptz not null default now(),
  undone_at timestamptz
);
comment on table portal.contact_merges is 'Each merge with all that undoing it needs. A merge that was undone is not made again by itself.';
create index contact_merges_people on portal.contact_merges (kept_person_id, gone_person_id);
comment on index portal.contact_merges_people is 'Serves the question whether a merge of these two was undone.';
alter table portal.contact_merges enable row level security;

create function portal.keep_route() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.brokers where "instanceName" = old."instanceName") then
    insert into portal.contact_routes ("instanceName", person_id, contact_id)
    values (old."instanceName", new.person_id, new.id)
    on conflict ("instanceName", person_id) do update set contact_id = excluded.contact_id;
  end if;
  delete from portal.contact_routes where "instanceName" = new."instanceName" and person_id = new.person_id;
  return null;
end $$;
comment on function portal.keep_route() is 'Trigger: a contact that changes its owner is still reached from the old number.';
create trigger keep_route after update of "instanceName" on public.whatsapp_contacts
  for each row when (old."instanceName" is distinct from new."instanceName")
  execute function portal.keep_route();

-- This and the other functions on an event's way are plpgsql, which keeps its plans from call to call.
create function portal.contact_at(instance text, person bigint) returns bigint
language plpgsql stable security definer set search_path = '' as $$
declare
  contact bigint;
begin
  select id into contact from public.whatsapp_contacts where person_id = person and "instanceName" = instance;
  if contact is null then
    select contact_id into contact from portal.contact_routes where "instanceName" = instance and person_id = person;
  end if;
  return contact;
end $$;
comment on function portal.contact_at(text, bigint) is 'The contact that a person''s messages at an instance belong to, handed-over ones included; null without one. Server only.';

create function portal.merge_contacts(kept bigint, gone bigint) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  k public.whatsapp_contacts;
  g public.whatsapp_contacts;
  merge_id bigint;
begin
  perform from public.whatsapp_contacts where id in (kept, gone) order by id for update;
  select * into strict k from public.whatsapp_contacts where id = kept;
  select * into strict g from public.whatsapp_contacts where id = gone;

  insert into portal.contact_merges
    ("instanceName", kept_contact_id, gone_contact_id, kept_person_id, gone_person_id, kept_before, gone_before,
     message_ids, history_ids, jids)
  values (
    g."instanceName", kept, gone, k.person_id, g.person_id, to_jsonb(k), to_jsonb(g),
    array(select id from public.whatsapp_messages where contact_id = gone),
    array(select id from portal.stage_history where contact_id = gone),
    array(select jid from portal.identities where "instanceName" = g."instanceName" and person_id = g.person_id)
  )
  returning id into merge_id;

  update public.whatsapp_messages set contact_id = kept where contact_id = gone;
  update portal.stage_history set contact_id = kept where contact_id = gone;
  update portal.contact_routes set contact_id = kept where contact_id = gone;
  delete from public.whatsapp_contacts where id = gone;
  if g."instanceName" is distinct from k."instanceName" and g."instanceName" is not null then
    insert into portal.contact_routes ("instanceName", person_id, contact_id)
    values (g."instanceName", g.person_id, kept)
    on conflict ("instanceName", person_id) do update set contact_id = excluded.contact_id;
  end if;

  update public.whatsapp_contacts
  set
    name = coalesce(k.name, g.name),
    number = coalesce(k.number, g.number),
    notes = left(concat_ws(e'\n\n', nullif(k.notes, ''), nullif(g.notes, '')), 10000),
    status = case when k.status = 'new' then g.status else k.status end,
    profile_pic_url = coalesce(k.profile_pic_url, g.profile_pic_url),
    source = case when k.source in ('desconhecida', 'whatsapp') and g.source <> 'desconhecida' then g.source else k.source end,
    campaign = coalesce(k.campaign, g.campaign),
    empreendimento = coalesce(k.empreendimento, g.empreendimento),
    remarketing_sent_at = greatest(k.remarketing_sent_at, g.remarketing_sent_at),
    won_at = least(k.won_at, g.won_at),
    created_at = least(k.created_at, g.created_at)
  where id = kept;
  update portal.contact_merges
  set kept_after = (select to_jsonb(c) from public.whatsapp_contacts c where c.id = kept)
  where id = merge_id;
  return merge_id;
end $$;
comment on function portal.merge_contacts(bigint, bigint) is
  'Joins the second contact into the first: messages and history move, what the first lacks is taken over, a record allows undoing it. Server only.';

create function portal.undo_merge(merge bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  m portal.contact_merges;
  was public.whatsapp_contacts;
  made public.whatsapp_contacts;
  g public.whatsapp_contacts;
begin
  select * into m from portal.contact_merges where id = merge and undone_at is null for update;
  if not found then
    raise exception 'Esta união de contatos não existe ou já foi desfeita.' using errcode = 'P0001';
  end if;
  perform from public.whatsapp_contacts where id = m.kept_contact_id for update;
  if not found then
    raise exception 'O contato unido não existe mais; a união não pode ser desfeita.' using errcode = 'P0001';
  end if;
  was := jsonb_populate_record(null::public.whatsapp_contacts, m.kept_before);
  made := jsonb_populate_record(null::public.whatsapp_contacts, m.kept_after);
  g := jsonb_populate_record(null::public.whatsapp_contacts, m.gone_before);

  -- A stage or a broker that went away meanwhile does not come back with the contact.
  if not exists (select from public.kanban_stages where slug = g.status) then g.status := 'new'; end if;
  if not exists (select from public.brokers where "instanceName" = g."instanceName") then g."instanceName" := null; end if;
  insert into public.whatsapp_contacts overriding system value select g.*;
  -- Its history comes back below; the line its coming back just wrote would be one too many.
  delete from portal.stage_history where contact_id = g.id;
  update portal.stage_history set contact_id = g.id where id = any (m.history_ids) and contact_id = m.kept_contact_id;

  update portal.identities set person_id = m.gone_person_id
  where "instanceName" = m."instanceName" and jid = any (m.jids) and person_id = m.kept_person_id;
  delete from portal.contact_routes
  where "instanceName" = m."instanceName" and person_id = m.gone_person_id and contact_id = m.kept_contact_id;
  update public.whatsapp_messages set contact_id = g.id
  where contact_id = m.kept_contact_id
    and (id = any (m.message_ids) or ("remoteJid" = any (m.jids) and created_at >= m.merged_at));

  -- What the merge wrote on the kept contact goes, unless someone has written over it since.
  update public.whatsapp_contacts c
  set
    name = case when c.name is not distinct from made.name then was.name else c.name end,
    number = case when c.number is not distinct from made.number then was.number else c.number end,
    notes = case when c.notes is not distinct from made.notes then was.notes else c.notes end,
    status = case
      when c.status = made.status and exists (select from public.kanban_stages where slug = was.status) then was.status
      else c.status end,
    profile_pic_url = case when c.profile_pic_url is not distinct from made.profile_pic_url then was.profile_pic_url else c.profile_pic_url end,
    source = case when c.source = made.source then was.source else c.source end,
    campaign = case when c.campaign is not distinct from made.campaign then was.campaign else c.campaign end,
    empreendimento = case when c.empreendimento is not distinct from made.empreendimento then was.empreendimento else c.empreendimento end,
    remarketing_sent_at = case when c.remarketing_sent_at is not distinct from made.remarketing_sent_at then was.remarketing_sent_at else c.remarketing_sent_at end,
    won_at = case when c.won_at is not distinct from made.won_at then was.won_at else c.won_at end,
    created_at = was.created_at
  where c.id = m.kept_contact_id;
  update portal.contact_merges set undone_at = now() where id = merge;
end $$;
comment on function portal.undo_merge(bigint) is
  'Takes a merge apart: the contact comes back with its messages, history and addresses, also those that came since. Server only.';

create function portal.record_merged_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  owner text := new.kept_before ->> 'instanceName';
begin
  update portal.owner_history set contact_id = new.kept_contact_id where contact_id = new.gone_contact_id;
  if new."instanceName" is distinct from owner then
    perform portal.add_owner(new.kept_contact_id, new."instanceName", owner);
  end if;
  return null;
end $$;
comment on function portal.record_merged_owner() is 'Trigger: a lead that becomes one with another takes the history of its owners along.';
create trigger record_merged_owner after insert on portal.contact_merges
  for each row execute function portal.record_merged_owner();


-- One person, one contact: which person an event's addresses mean, and which contact that is.

create function portal.join_people(instance text, kept bigint, gone bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  theirs record;
  other bigint;
begin
  for theirs in select id, "instanceName" as board from public.whatsapp_contacts where person_id = gone order by id loop
    other := portal.contact_at(theirs.board, kept);
    if other is null then
      update public.whatsapp_contacts set person_id = kept where id = theirs.id;
    else
      perform portal.merge_contacts(other, theirs.id);
    end if;
  end loop;
  update portal.identities set person_id = kept where "instanceName" = instance and person_id = gone;
  insert into portal.contact_routes ("instanceName", person_id, contact_id)
  select r."instanceName", kept, r.contact_id from portal.contact_routes r
  where r.person_id = gone and portal.contact_at(r."instanceName", kept) is null
  on conflict do nothing;
  delete from portal.contact_routes where person_id = gone;
  update portal.people p set opted_out_at = least(p.opted_out_at, g.opted_out_at)
  from portal.people g where p.id = kept and g.id = gone and g.opted_out_at is not null;
end $$;
comment on function portal.join_people(text, bigint, bigint) is
  'The second person, of whom an instance knew only a hidden id, turned out to be the first. Server only.';

create function portal.person_at(instance text, jids text[], own_jid text, from_me boolean) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  own_key text := portal.number_key(own_jid);
  phone text;
  lid text;
  by_phone bigint;
  by_lid bigint;
  who bigint;
  lid_has_number boolean;
begin
  -- On own messages the other address may be our own phone.
  select j into phone from unnest(jids) with ordinality as given (j, n)
  where j like '%@s.whatsapp.net' and portal.number_key(j) is distinct from own_key order by n limit 1;
  select j into lid from unnest(jids) with ordinality as given (j, n)
  where j like '%@lid' and j is distinct from own_jid order by n limit 1;

  select person_id into by_phone from portal.identities where "instanceName" = instance and jid = phone;
  if by_phone is null then
    select id into by_phone from portal.people where number_key = portal.number_key(phone);
  end if;
  select i.person_id, p.number_key is not null into by_lid, lid_has_number
  from portal.identities i join portal.people p on p.id = i.person_id
  where i."instanceName" = instance and i.jid = lid;

  if phone is null then
    who := by_lid;
    if who is null and lid is not null then who := portal.person_of(null); end if;
  elsif by_lid is null or by_lid = by_phone then
    who := coalesce(by_phone, portal.person_of(phone));
  elsif by_phone is null and not lid_has_number then
    update portal.people set number_key = portal.number_key(phone) where id = by_lid;
    who := by_lid;
  elsif lid_has_number then
    -- Two different numbers are never merged by a hidden id: it may be our own, or a wrong mapping. Only a message of the
    -- person herself says whose the id is now.
    who := coalesce(by_phone, portal.person_of(phone));
    if from_me then lid := null; end if;
  elsif exists (
    select from portal.contact_merges
    where kept_person_id = by_phone and gone_person_id = by_lid and undone_at is not null
  ) then
    who := case when jids[1] = lid then by_lid else by_phone end;
    lid := case when who = by_lid then lid end;
    phone := case when who = by_phone then phone end;
  else
    perform portal.join_people(instance, by_phone, by_lid);
    who := by_phone;
  end if;

  insert into portal.identities as i ("instanceName", jid, person_id)
  select instance, j, who from unnest(array[phone, lid]) as given (j) where j is not null
  on conflict ("instanceName", jid) do update set person_id = excluded.person_id where i.person_id <> excluded.person_id;
  return who;
end $$;
comment on function portal.person_at(text, text[], text, boolean) is
  'The person behind an event''s addresses at an instance, our own left out; binds a hidden id to a phone on proof. Null when nobody else is meant. Server only.';

create function portal.contact_of(instance text, event jsonb, known_contact bigint) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  jids text[] := array(select jsonb_array_elements_text(event #> '{chat,jids}'));
  person bigint := portal.person_at(instance, jids, event #>> '{chat,ownJid}', (event ->> 'fromMe')::boolean);
  contact bigint := coalesce(portal.contact_at(instance, person), known_contact);
begin
  if person is null then return known_contact; end if;
  if contact is null then
    insert into public.whatsapp_contacts ("instanceName", person_id, source) values (instance, person, 'whatsapp')
    on conflict ("instanceName", person_id) do nothing returning id into contact;
    contact := coalesce(contact, portal.contact_at(instance, person));
  end if;
  if exists (select from public.whatsapp_contacts where id = contact and number is null) then
    update public.whatsapp_contacts c set number = split_part(phones.jid, '@', 1)
    from (
      select jid from portal.identities
      where "instanceName" = instance and person_id = person and jid like '%@s.whatsapp.net'
      order by first_seen_at, jid limit 1
    ) as phones
    where c.id = contact;
  end if;
  return contact;
end $$;
comment on function portal.contact_of(text, jsonb, bigint) is
  'The contact that a reported message belongs to, made when new (the known one goes for a repeat); its number is filled in once known. Null for a chat with ourselves. Server only.';

create function portal.address_of(contact bigint, instance text) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select i.jid
     from public.whatsapp_contacts c join portal.identities i on i.person_id = c.person_id
     where c.id = contact
     order by i.jid like '%@lid', i."instanceName" <> instance, i.first_seen_at desc, i.jid
     limit 1),
    (select number from public.whatsapp_contacts where id = contact)
  )
$$;
comment on function portal.address_of(bigint, text) is
  'Where to send to: the address WhatsApp gave for the person, seen by this instance before others, a phone before a hidden id; else the number as entered. Server only.';

create function portal.may_be_hidden(instance text, contact bigint, added bigint) returns boolean
language sql stable security definer set search_path = '' as $$
  select not exists (select from public.whatsapp_messages m where m.contact_id = contact and m.id <> added)
    and not exists (
      select from portal.identities i join public.whatsapp_contacts c on c.person_id = i.person_id
      where c.id = contact and i."instanceName" = instance and i.jid like '%@lid')
    and exists (
      select from public.whatsapp_contacts h
      where h."instanceName" = instance and h.number is null and h.created_at > now() - interval '30 days')
$$;
comment on function portal.may_be_hidden(text, bigint, bigint) is
  'Whether a contact whose first message was just added may be one of those that are known by a hidden id only. Server only.';


-- What the gateway reports of a broker's phone touches leads in its own order. Who gives leads away, or a broker with all of them, waits
-- for the reports that are being applied, and they for it; else each could hold what the other wants.

create function portal.take_apply_turn() returns void
language sql volatile set search_path = '' as $$
  select pg_advisory_xact_lock(71302211)
$$;
comment on function portal.take_apply_turn() is
  'One portal at a time applies what the gateway reported, until the transaction ends. Taken before a rotation''s turn and before any row. Server only.';

create function portal.wait_for_reports() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.take_apply_turn();
  return null;
end $$;
comment on function portal.wait_for_reports() is 'Trigger: a broker goes, and with it what reports of the phone may be writing to.';
create trigger wait_for_reports before delete on public.brokers
  for each statement execute function portal.wait_for_reports();


-- Applying what the gateway reports, tolerant of any order and of repeats.
-- Each function takes an event of server/whatsapp/webhook/incoming.ts as JSON and says whether its message was there.

create function portal.delivery_rank(delivery text) returns integer
language sql immutable strict parallel safe set search_path = '' as $$
  select array_position(array['queued', 'unknown', 'sent', 'failed', 'delivered', 'read'], delivery)
$$;
comment on function portal.delivery_rank(text) is
  'Order in which a delivery only rises. An error stands below ''delivered'': it counts unless the message arrived after all.';
grant execute on function portal.delivery_rank(text) to authenticated, service_role;

create function portal.from_ms(epoch_ms text) returns timestamptz
language sql immutable strict parallel safe set search_path = '' as $$
  select to_timestamp(epoch_ms::numeric / 1000)
$$;
comment on function portal.from_ms(text) is 'Epoch milliseconds as a time.';

create function portal.apply_ack(instance text, event jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  target public.whatsapp_messages;
  wanted text := event ->> 'delivery';
begin
  select * into target from public.whatsapp_messages
  where "instanceName" = instance and message_id = event ->> 'messageId' for update;
  if not found then return false; end if;
  if target.type = 'outgoing' and portal.delivery_rank(wanted) > portal.delivery_rank(target.delivery) then
    update public.whatsapp_messages
    set delivery = wanted,
      -- 463: the account may start no new chats.
      delivery_reason = case when wanted = 'failed' then case event ->> 'code' when '463' then 'restricted' else 'rejected' end end
    where id = target.id;
  elsif target.type = 'incoming' and wanted = 'read' and not target.read then
    update public.whatsapp_messages set read = true where id = target.id;
  end if;
  -- A report of the message itself says only that the gateway has it.
  if target.author = 'campaign' and event ->> 'event' = 'ack' and wanted <> 'failed' then
    update public.campaign_recipients set acknowledged = true where message_id = target.id and not acknowledged;
  end if;
  return true;
end $$;
comment on function portal.apply_ack(text, jsonb) is
  'Raises a delivery, never lowers it; an error after the gateway took it is WhatsApp''s own. A lead''s message that was read on the phone is read here too. Server only.';

-- An edit that the gateway's store shows counts from when the store was asked: what was reported before is older, and a report
-- that was lost does not keep its text away.
create function portal.apply_edit(instance text, event jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  target public.whatsapp_messages;
  at timestamptz := portal.from_ms(event ->> 'atMs');
  known_at timestamptz := portal.from_ms(coalesce(event ->> 'readAtMs', event ->> 'atMs'));
begin
  select * into target from public.whatsapp_messages
  where "instanceName" = instance and message_id = event ->> 'messageId' for update;
  if not found then return false; end if;
  if target.deleted_at is null
    and (target.edited_at is null or (target.edited_at < known_at and target.body <> event ->> 'body')) then
    update public.whatsapp_messages set body = event ->> 'body', edited_at = greatest(edited_at, at) where id = target.id;
  end if;
  return true;
end $$;
comment on function portal.apply_edit(text, jsonb) is
  'The newest edit counts, by when the gateway reported it or its store was asked; none counts after a revoke. Server only.';

create function portal.apply_revoke(instance text, event jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  target bigint;
begin
  update public.whatsapp_messages
  set
    kind = 'deleted', body = '', content = null, quoted = null, edited_at = null,
    deleted_at = least(deleted_at, portal.from_ms(event ->> 'atMs'))
  where "instanceName" = instance and message_id = event ->> 'messageId'
  returning id into target;
  delete from portal.message_raw where message_id = target;
  return target is not null;
end $$;
comment on function portal.apply_revoke(text, jsonb) is 'Its author took the message back: what it said goes, that it was there stays. Server only.';

create function portal.apply_reaction(instance text, event jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  target public.whatsapp_messages;
  who text := case when (event ->> 'isOwn')::boolean then 'me' else 'contact' end;
  old jsonb;
begin
  select * into target from public.whatsapp_messages
  where "instanceName" = instance and message_id = event ->> 'messageId' for update;
  if not found then return false; end if;
  old := target.reactions -> who;
  if old is null
    or ((event ->> 'atSeconds')::bigint, event ->> 'reactionId') > ((old ->> 'at')::bigint, old ->> 'id') then
    update public.whatsapp_messages
    set reactions = reactions || jsonb_build_object(who, jsonb_build_object(
      'emoji', event ->> 'emoji', 'at', (event ->> 'atSeconds')::bigint, 'id', event ->> 'reactionId'))
    where id = target.id;
  end if;
  return true;
end $$;
comment on function portal.apply_reaction(text, jsonb) is 'Each side has one reaction, the newest; an empty one takes it back. Server only.';

create function portal.apply_name(instance text, event jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  contact bigint;
begin
  select portal.contact_at(instance, person_id) into contact from portal.identities
  where "instanceName" = instance and jid = event ->> 'jid';
  if contact is null then return false; end if;
  update public.whatsapp_contacts set name = event ->> 'name' where id = contact and name is null;
  return true;
end $$;
comment on function portal.apply_name(text, jsonb) is 'The name a person gave to herself, for a contact that has none. Server only.';

create function portal.keep_waiting(instance text, event jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into portal.waiting_events as w ("instanceName", target, kind, weight, waited)
  select
    instance,
    coalesce(event ->> 'messageId', event ->> 'jid'),
    case when event ->> 'event' = 'reaction' then 'reaction-' || (event ->> 'isOwn') else event ->> 'event' end,
    case event ->> 'event'
      when 'ack' then portal.delivery_rank(event ->> 'delivery')
      when 'edit' then (event ->> 'atMs')::numeric::bigint
      when 'revoke' then -(event ->> 'atMs')::numeric::bigint
      when 'reaction' then (event ->> 'atSeconds')::bigint
      else 0
    end,
    event
  on conflict ("instanceName", target, kind) do update
  set weight = excluded.weight, waited = excluded.waited
  where (w.weight, w.waited ->> 'reactionId') < (excluded.weight, excluded.waited ->> 'reactionId')
    or w.weight < excluded.weight;
end $$;
comment on function portal.keep_waiting(text, jsonb) is 'Keeps an event until its message or contact comes; of one kind the one that would win. Server only.';


-- A reported message -> a chat line of its contact, once; and the one door for every kind of event.

create function portal.match_sent(instance text, contact bigint, event jsonb) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  matched bigint;
begin
  update public.whatsapp_messages
  set message_id = event ->> 'messageId', "remoteJid" = event #>> '{chat,remoteJid}',
    "timestamp" = (event ->> 'sentAtSeconds')::bigint
  where id = (
    select m.id from public.whatsapp_messages m
    where m.contact_id = contact and m."instanceName" = instance and m.type = 'outgoing' and m.message_id is null
      and (
        m.delivery = 'unknown'
        -- Being sent now, told by the webhook or read back; one whose turn has not come is another's.
        or m.delivery = 'queued' and not exists (
          select from portal.outgoing o where o.message_id = m.id and o.claimed_at is null))
      and m.kind = event ->> 'kind' and m.body = event ->> 'body'
      and m."timestamp" between (event ->> 'sentAtSeconds')::bigint - 86400 and (event ->> 'sentAtSeconds')::bigint + 120
    order by m.delivery = 'unknown', m.id limit 1
    for update
  )
  returning id into matched;
  return matched;
end $$;
comment on function portal.match_sent(text, bigint, jsonb) is
  'The line of ours that a reported message is: the report can come before the answer to sending, and is all there is after a crash in between. By address, text and time. Server only.';

create function portal.add_message(instance text, contact bigint, event jsonb) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  is_own boolean := (event ->> 'fromMe')::boolean;
  sender_jid text := event #>> '{chat,ownJid}';
  added bigint;
begin
  if not is_own then
    sender_jid := coalesce(
      (select j from jsonb_array_elements_text(event #> '{chat,jids}') as given (j) where j like '%@s.whatsapp.net' limit 1),
      event #>> '{chat,remoteJid}');
  end if;
  insert into public.whatsapp_messages
    (contact_id, "instanceName", message_id, "remoteJid", "from", from_number, body, "timestamp", type, kind, author,
     delivery, content, quoted)
  values (
    contact, instance, event ->> 'messageId', event #>> '{chat,remoteJid}',
    sender_jid, case when sender_jid like '%@s.whatsapp.net' then split_part(sender_jid, '@', 1) end,
    event ->> 'body', (event ->> 'sentAtSeconds')::bigint,
    case when is_own then 'outgoing' else 'incoming' end,
    event ->> 'kind',
    -- Sent through the API and not by us: an agent's, which is no human's answer.
    case when (event ->> 'isViaApi')::boolean then 'agent' else 'human' end,
    case when is_own then event ->> 'delivery' end,
    nullif(event -> 'content', 'null'), nullif(event -> 'quoted', 'null')
  )
  returning id into added;
  return added;
end $$;
comment on function portal.add_message(text, bigint, jsonb) is 'A chat line from a reported message. Server only.';

create function portal.improve_message(known public.whatsapp_messages, event jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if known.deleted_at is not null then return; end if;
  if known.kind = 'unsupported' and event ->> 'kind' <> 'unsupported' then
    update public.whatsapp_messages
    set kind = event ->> 'kind', content = nullif(event -> 'content', 'null'), quoted = nullif(event -> 'quoted', 'null'),
      body = case when known.edited_at is null then event ->> 'body' else known.body end
    where id = known.id;
    delete from portal.message_raw where message_id = known.id;
  elsif known.kind = event ->> 'kind' and known.content ->> 'mediaId' is null
    and event #>> '{content,mediaId}' is not null then
    update public.whatsapp_messages set content = event -> 'content' where id = known.id;
  end if;
end $$;
comment on function portal.improve_message(public.whatsapp_messages, jsonb) is
  'A message that came first without its text or its bytes gets them from a later report. Server only.';

create function portal.learn_of_contact(contact bigint, instance text, event jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  waited_name text;
begin
  with came as (
    delete from portal.waiting_events
    where "instanceName" = instance and kind = 'name'
      and target in (select jsonb_array_elements_text(event #> '{chat,jids}'))
    returning waited ->> 'name' as name
  )
  select min(came.name) into waited_name from came;
  update public.whatsapp_contacts set name = coalesce(event ->> 'pushName', waited_name)
  where id = contact and name is null and coalesce(event ->> 'pushName', waited_name) is not null;
  if event -> 'ad' <> 'null' then
    update public.whatsapp_contacts
    set source = coalesce(event #>> '{ad,source}', source), campaign = event #>> '{ad,title}'
    where id = contact and campaign is null and source in ('desconhecida', 'whatsapp');
  end if;
end $$;
comment on function portal.learn_of_contact(bigint, text, jsonb) is
  'A name for a contact without one, and the advertisement it came from. Server only.';

create function portal.apply_message(instance text, event jsonb) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  is_own boolean := (event ->> 'fromMe')::boolean;
  contact bigint;
  known public.whatsapp_messages;
  added bigint;
begin
  select * into known from public.whatsapp_messages
  where "instanceName" = instance and message_id = event ->> 'messageId' for update;
  perform set_config('portal.history', case when portal.is_history(instance, event) then 'on' else '' end, true);
  contact := portal.contact_of(instance, event, known.contact_id);
  if contact is null then
    perform set_config('portal.history', '', true);
    return null;
  end if;
  perform portal.learn_of_contact(contact, instance, event);
  if known.id is not null then
    perform portal.improve_message(known, event);
  else
    if is_own then added := portal.match_sent(instance, contact, event); end if;
    added := coalesce(added, portal.add_message(instance, contact, event));
    if event -> 'raw' <> 'null' then
      insert into portal.message_raw (message_id, raw) values (added, event -> 'raw') on conflict do nothing;
    end if;
    perform portal.apply_waiting(instance, event ->> 'messageId');
    if (event ->> 'optsOut')::boolean then perform portal.opt_out(contact, (event ->> 'sentAtSeconds')::bigint); end if;
  end if;
  if is_own then perform portal.apply_ack(instance, event); end if;
  perform set_config('portal.history', '', true);
  return case
    when exists (select from public.whatsapp_contacts where id = contact and number is null)
      or (added is not null and portal.may_be_hidden(instance, contact, added)) then 'number-hidden'
  end;
end $$;
comment on function portal.apply_message(text, jsonb) is
  'Files a reported message once, by instance and message id, and lets what waited for it in. Answers ''number-hidden'' while only a hidden id of its contact is known, or where it may be that of another contact. Server only.';

create function portal.apply_waiting(instance text, target_id text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  late jsonb;
begin
  for late in
    delete from portal.waiting_events
    where "instanceName" = instance and target = target_id and kind <> 'name' returning waited
  loop
    perform portal.apply_event(instance, late);
  end loop;
end $$;
comment on function portal.apply_waiting(text, text) is 'Applies the edits, revokes, acks and reactions that waited for a message. Server only.';

create function portal.apply_event(instance text, event jsonb) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  is_applied boolean := true;
begin
  case event ->> 'event'
    when 'message' then
      if portal.was_erased(event) then
        insert into portal.media_removals (media_id)
        select event #>> '{content,mediaId}' where event #>> '{content,mediaId}' is not null on conflict do nothing;
        return null;
      end if;
      return portal.apply_message(instance, event);
    when 'link' then return portal.apply_link(instance, event);
    when 'qr' then perform portal.apply_qr(instance, event);
    when 'ack' then is_applied := portal.apply_ack(instance, event);
    when 'edit' then is_applied := portal.apply_edit(instance, event);
    when 'revoke' then is_applied := portal.apply_revoke(instance, event);
    when 'reaction' then is_applied := portal.apply_reaction(instance, event);
    when 'name' then is_applied := portal.apply_name(instance, event);
  end case;
  if not is_applied and not portal.was_erased(event) then perform portal.keep_waiting(instance, event); end if;
  return null;
end $$;
comment on function portal.apply_event(text, jsonb) is
  'Applies one event of an instance; what its message is still missing for, waits. Answers news for the server: ''linked'', ''number-hidden'' or null. Server only.';

create function portal.is_history(instance text, event jsonb) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce((event ->> 'isReadBack')::boolean, false) and exists (
    select from portal.instance_sweeps s
    where s."instanceName" = instance and floor(extract(epoch from s.relinked_at)) > (event ->> 'sentAtSeconds')::bigint)
$$;
comment on function portal.is_history(text, jsonb) is
  'Whether a message is of the time before its phone was linked by a code, and was read back from the gateway. Server only.';

-- What a person sends from a conversation: why a message waits or failed, the queue it goes through, and how many first texts
-- a number may send.

create table portal.outgoing (
  message_id bigint primary key references public.whatsapp_messages on delete cascade,
  place bigint generated always as identity,
  "instanceName" text,
  claimed_by uuid,
  claimed_at timestamptz,
  queued_at timestamptz not null default clock_timestamp(),
  recipient_id bigint,
  typing_ms integer,
  check ((claimed_at is null) = (claimed_by is null) and (claimed_at is null) = ("instanceName" is null))
);
comment on table portal.outgoing is
  'Lines that are still to be sent, one queue an instance: that of the lead''s owner when its turn comes. A row goes with its settling.';
comment on column portal.outgoing.place is 'The order of sending; a line that is sent again goes last.';
comment on column portal.outgoing."instanceName" is 'The instance it is being sent over; null while it waits.';
comment on column portal.outgoing.claimed_by is 'The portal that is sending it now. Without a living lease of that portal nobody knows what became of it.';
comment on column portal.outgoing.recipient_id is 'Of a campaign: it waits behind everything that a person wrote.';
comment on column portal.outgoing.typing_ms is 'How long the gateway shows ''digitando…'' first; null: as for a reply.';
create index outgoing_recipient on portal.outgoing (recipient_id);
comment on index portal.outgoing_recipient is 'Serves taking a campaign''s line out of the queue.';
alter table portal.outgoing enable row level security;

create table portal.send_queues (
  "instanceName" text primary key references public.brokers ("instanceName") on update cascade on delete cascade,
  holder uuid,
  leased_until timestamptz,
  held_until timestamptz,
  held_times integer not null default 0
);
comment on table portal.send_queues is 'Which portal sends for an instance, and until when an instance waits because its link or the gateway is away.';
comment on column portal.send_queues.holder is 'A portal process; it alone sends for the instance until leased_until, which it renews.';
comment on column portal.send_queues.held_times is 'How often in a row nothing could be sent: each time the wait doubles.';
alter table portal.send_queues enable row level security;


-- Putting a line into the queue, taking it out, and sending it again: each as the person who asks.
-- A refusal has the HTTP status in its errcode and its code in the hint.

create function portal.lead_to_write(p_broker_name text, p_contact_id bigint, p_number text) returns bigint
language plpgsql stable security definer set search_path = '' as $$
declare
  lead bigint := portal.asked_lead(portal.require_member(), p_broker_name, p_contact_id, p_number);
  owner text;
begin
  select c."instanceName" into owner from public.whatsapp_contacts c where c.id = lead;
  if not found then
    raise exception 'Lead não encontrado.' using errcode = 'PT404', hint = 'lead.unknown';
  elsif owner is null then
    raise exception 'Este lead está sem corretor. Entregue-o a um corretor para responder.' using errcode = 'PT409', hint = 'lead.no-owner';
  elsif portal.address_of(lead, owner) is null then
    raise exception 'Este lead não tem um número de WhatsApp.' using errcode = 'PT409', hint = 'lead.no-number';
  end if;
  return lead;
end $$;
comment on function portal.lead_to_write(text, bigint, text) is
  'The lead that the asking person may write to, named as portal.asked_lead takes it. 404 for anyone else''s, 409 where nobody could send. Server only.';

create function portal.line_to_change(p_message_id bigint) returns public.whatsapp_messages
language plpgsql volatile security definer set search_path = '' as $$
declare
  line public.whatsapp_messages;
begin
  perform portal.require_member();
  -- The place in the queue first, as the one who sends it does, so that they never wait for each other.
  perform from portal.outgoing o where o.message_id = p_message_id for update;
  select m.* into line
  from public.whatsapp_messages m join public.whatsapp_contacts c on c.id = m.contact_id
  where m.id = p_message_id and m.type = 'outgoing' and m.author = 'human'
    and (portal.is_admin() or c."instanceName" = portal.my_instance())
  for update of m;
  if not found then
    raise exception 'Mensagem não encontrada.' using errcode = 'PT404', hint = 'message.unknown';
  end if;
  return line;
end $$;
comment on function portal.line_to_change(bigint) is
  'A line that a person wrote to a lead of the asking one''s, locked; else 404. Server only.';

create function portal.stored_line(p_operation_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.begin_operation(portal.require_member(), p_operation_id);
begin
  -- As it is now; one that was taken out of the queue again as it was.
  return coalesce((select to_jsonb(m) from public.whatsapp_messages m where m.id = (answer ->> 'id')::bigint), answer);
end $$;
comment on function portal.stored_line(uuid) is
  'The line that an operation of the asking account queued before; null for a new one. Server only.';

create function portal.keep_line(p_operation_id uuid, p_line bigint) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into portal.outgoing (message_id) values (p_line);
  return portal.end_operation(portal.account_id(), p_operation_id, 'message.send',
    (select to_jsonb(m) from public.whatsapp_messages m where m.id = p_line));
end $$;
comment on function portal.keep_line(uuid, bigint) is
  'Puts a line last in the queue and keeps it as the answer of its operation. Server only.';

create function portal.quote_of(p_contact_id bigint, p_message_id bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('messageId', m.message_id, 'isOwn', m.type = 'outgoing', 'kind', m.kind, 'body', m.body)
  from public.whatsapp_messages m
  where m.id = p_message_id and m.contact_id = p_contact_id and m.message_id is not null and m.deleted_at is null
$$;
comment on function portal.quote_of(bigint, bigint) is
  'The line of a conversation that is answered to, as messages keep it; null where the lead has no such line. Server only.';

create function portal.queue_message(p_lead jsonb, p_operation_id uuid, p_line jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.stored_line(p_operation_id);
  lead bigint;
  sender_jid text;
  line bigint;
begin
  if answer is not null then return answer; end if;
  lead := portal.lead_to_write(p_lead ->> 'brokerName', (p_lead ->> 'contactId')::bigint, p_lead ->> 'number');
  perform portal.begin_conversation(lead);
  select s.owner_jid into sender_jid
  from public.whatsapp_contacts c join portal.instance_states s using ("instanceName") where c.id = lead;
  insert into public.whatsapp_messages
    (contact_id, "instanceName", "from", from_number, body, "timestamp", type, kind, author, delivery, content, quoted,
     operation_id, written_at)
  select
    lead, c."instanceName", sender_jid, split_part(split_part(sender_jid, '@', 1), ':', 1), p_line ->> 'body',
    extract(epoch from now())::bigint, 'outgoing', p_line ->> 'kind', 'human', 'queued',
    nullif(p_line -> 'content', 'null'), portal.quote_of(lead, (p_line ->> 'quotedMessageId')::bigint),
    p_operation_id,
    case when (p_line ->> 'writtenAt')::timestamptz < now() - interval '1 minute' then (p_line ->> 'writtenAt')::timestamptz end
  from public.whatsapp_contacts c where c.id = lead
  returning id into line;
  return portal.keep_line(p_operation_id, line);
end $$;
comment on function portal.queue_message(jsonb, uuid, jsonb) is
  'To the lead {brokerName, contactId, number}: writes {kind, body, content, quotedMessageId, writtenAt} into the conversation and the queue, once an operation; answers the row. Server only.';

create function portal.retry_message(p_message_id bigint, p_operation_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.stored_line(p_operation_id);
  line public.whatsapp_messages;
  again bigint;
begin
  if answer is not null then return answer; end if;
  line := portal.line_to_change(p_message_id);
  perform portal.lead_to_write(null, line.contact_id, null);
  if line.delivery not in ('failed', 'unknown') then
    raise exception '%', case line.delivery when 'queued' then 'Esta mensagem já está na fila.' else 'Esta mensagem já foi enviada.' end
      using errcode = 'PT409', hint = 'message.not-failed';
  elsif line.delivery_reason = 'retried' or line.deleted_at is not null then
    raise exception 'Esta mensagem já foi enviada de novo.' using errcode = 'PT409', hint = 'message.retried';
  end if;
  if line.delivery = 'failed' and line.message_id is null then
    -- It never left, so that it is the same line that goes now.
    update public.whatsapp_messages
    set delivery = 'queued', delivery_reason = null, operation_id = p_operation_id, "timestamp" = extract(epoch from now())::bigint
    where id = line.id;
    return portal.keep_line(p_operation_id, line.id);
  end if;
  -- It may have arrived, or the gateway knows it by its id: what is sent now is another message, and both are seen.
  insert into public.whatsapp_messages
    (contact_id, "instanceName", "from", from_number, body, "timestamp", type, kind, author, delivery, content, quoted, operation_id)
  values
    (line.contact_id, line."instanceName", line."from", line.from_number, line.body, extract(epoch from now())::bigint,
     'outgoing', line.kind, 'human', 'queued', line.content, line.quoted, p_operation_id)
  returning id into again;
  update public.whatsapp_messages set delivery_reason = 'retried' where id = line.id;
  return portal.keep_line(p_operation_id, again);
end $$;
comment on function portal.retry_message(bigint, uuid) is
  'Sends a line again that failed or has an unknown end, because the person wishes so: the same line where it surely never left, else a second one under it, once. Answers the row that goes out. Server only.';

create function portal.cancel_message(p_message_id bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  line public.whatsapp_messages := portal.line_to_change(p_message_id);
begin
  if line.message_id is not null or line.delivery not in ('queued', 'failed')
    or exists (select from portal.outgoing o where o.message_id = line.id and o.claimed_at is not null) then
    raise exception 'Esta mensagem já saiu da fila.' using errcode = 'PT409', hint = 'message.not-queued';
  end if;
  delete from public.whatsapp_messages where id = line.id;
end $$;
comment on function portal.cancel_message(bigint) is
  'Takes a line back that waits, or that failed without ever leaving: it is gone. 409 once it was being sent. Server only.';


-- One queue an instance: claiming a line, and what became of it.
-- A line is claimed, sent, settled. Who was claimed and never settled has an unknown end and is not sent again by itself.

create function portal.lose_claims() returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  with lost as (
    delete from portal.outgoing o
    where o.claimed_at is not null and not exists (
      select from portal.send_queues q
      where q."instanceName" = o."instanceName" and q.holder = o.claimed_by and q.leased_until > clock_timestamp())
    returning o.message_id
  )
  update public.whatsapp_messages m
  set delivery = 'unknown', delivery_reason = 'interrupted'
  -- One that the gateway reported meanwhile was sent.
  from lost where m.id = lost.message_id and m.message_id is null;
  -- Lines of leads that lost their broker have nobody to go out from.
  with left_over as (
    delete from portal.outgoing o
    using public.whatsapp_messages m, public.whatsapp_contacts c
    where o.claimed_at is null and m.id = o.message_id and c.id = m.contact_id and c."instanceName" is null
    returning o.message_id
  )
  update public.whatsapp_messages m set delivery = 'failed', delivery_reason = 'no-owner'
  from left_over where m.id = left_over.message_id;
end $$;
comment on function portal.lose_claims() is
  'Lines that a portal was sending when it ended get an unknown end; lines without a broker to send them fail. Server only.';

create function portal.due_queues() returns setof text
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.lose_claims();
  return query
    select distinct c."instanceName"
    from portal.outgoing o
    join public.whatsapp_messages m on m.id = o.message_id
    join public.whatsapp_contacts c on c.id = m.contact_id
    left join portal.send_queues q on q."instanceName" = c."instanceName"
    where o.claimed_at is null and (q.held_until is null or q.held_until <= clock_timestamp());
end $$;
comment on function portal.due_queues() is 'Instances with lines that can be sent now. Server only.';

create function portal.number_to_send(p_address text) returns text
language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
  digits text := ltrim(regexp_replace(p_address, '[^0-9]', '', 'g'), '0');
begin
  if p_address like '%@%' then return p_address; end if;
  if ltrim(p_address) not like '+%' and length(digits) in (10, 11)
    and portal.number_key(p_address) like '+55' || left(digits, 2) || '%' then
    return '55' || digits;
  end if;
  return nullif(digits, '');
end $$;
comment on function portal.number_to_send(text) is
  'An address as the gateway wants it: WhatsApp''s own as it is, a number as typed in digits with its country''s, its ninth digit untouched.';

create function portal.claim_line(instance text, claimer uuid, lease_seconds integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  queue portal.send_queues;
  next_line portal.outgoing;
  line public.whatsapp_messages;
  hindrance text;
  address text;
begin
  insert into portal.send_queues ("instanceName") select "instanceName" from public.brokers where "instanceName" = instance
  on conflict do nothing;
  select * into queue from portal.send_queues where "instanceName" = instance for update;
  if not found or queue.held_until > clock_timestamp() then return null; end if;
  if queue.holder <> claimer and queue.leased_until > clock_timestamp() then return null; end if;
  update portal.send_queues set holder = claimer, leased_until = clock_timestamp() + make_interval(secs => lease_seconds)
  where "instanceName" = instance;
  perform portal.lose_claims();
  loop
    select o.* into next_line
    from portal.outgoing o
    join public.whatsapp_messages m on m.id = o.message_id
    join public.whatsapp_contacts c on c.id = m.contact_id
    where o.claimed_at is null and c."instanceName" = instance
    -- What a person wrote is never held back by a campaign.
    order by o.recipient_id is not null, o.place limit 1
    for update of o skip locked;
    if next_line.message_id is null then
      -- Let go in the same breath: whoever queues a line after this finds the queue free.
      update portal.send_queues set leased_until = null where "instanceName" = instance;
      return null;
    end if;
    select * into line from public.whatsapp_messages where id = next_line.message_id;
    hindrance := portal.line_hindrance(next_line.recipient_id);
    if hindrance is not null then
      perform portal.withdraw_line(
        next_line.recipient_id, case hindrance when 'paused' then 'pending' else 'cancelled' end, nullif(hindrance, 'paused'));
      continue;
    end if;
    update portal.outgoing set "instanceName" = instance, claimed_by = claimer, claimed_at = clock_timestamp()
    where message_id = line.id;
    address := portal.number_to_send(portal.address_of(line.contact_id, instance));
    exit when address is not null;
    perform portal.settle_unsent(line.id, 'failed', 'no-number');
  end loop;
  -- It goes out now, from its owner's instance, whenever it was queued.
  update public.whatsapp_messages
  set "instanceName" = instance, delivery_reason = null,
    "timestamp" = case when "timestamp" < extract(epoch from now()) - 60 then extract(epoch from now())::bigint else "timestamp" end
  where id = line.id
    and ("instanceName" <> instance or delivery_reason is not null or "timestamp" < extract(epoch from now()) - 60);
  return jsonb_build_object(
    'id', line.id, 'address', address, 'kind', line.kind, 'body', line.body, 'content', line.content,
    'typingMs', next_line.typing_ms,
    -- Another phone does not know the line that was answered to.
    'quotedId', (select m.message_id from public.whatsapp_messages m
      where m."instanceName" = instance and m.message_id = line.quoted ->> 'messageId')
  );
end $$;
comment on function portal.claim_line(text, uuid, integer) is
  'The next line of an instance for the portal that sends it, {id, address, kind, body, content, typingMs, quotedId}, a person''s before a campaign''s; null while another portal sends, while the queue is held, and when it is empty. Server only.';

create function portal.settle_unsent(line bigint, outcome text, reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from portal.outgoing where message_id = line;
  -- One that the gateway reported meanwhile was sent, whatever it answered.
  update public.whatsapp_messages set delivery = outcome, delivery_reason = reason
  where id = line and message_id is null and delivery in ('queued', 'unknown');
end $$;
comment on function portal.settle_unsent(bigint, text, text) is
  'The end of a line that the gateway did not take: ''failed'' when it surely never left, ''unknown'' when nobody can say. Server only.';

create function portal.hold_queue(line bigint, reason text, most_seconds integer) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  instance text;
begin
  -- One that the gateway reported meanwhile was sent.
  delete from portal.outgoing o using public.whatsapp_messages m
  where o.message_id = line and m.id = line and m.message_id is not null;
  update portal.outgoing o set "instanceName" = null, claimed_by = null, claimed_at = null
  from (select message_id, "instanceName" from portal.outgoing where message_id = line) as before
  where o.message_id = before.message_id
  returning before."instanceName" into instance;
  update portal.send_queues
  set leased_until = null, held_times = held_times + 1,
    held_until = clock_timestamp() + make_interval(secs => least(most_seconds, 5 * 2 ^ least(held_times, 10)))
  where "instanceName" = instance;
  update public.whatsapp_messages m set delivery_reason = reason
  from portal.outgoing o, public.whatsapp_contacts c
  where o.message_id = m.id and o.claimed_at is null and c.id = m.contact_id and c."instanceName" = instance
    and m.delivery_reason is distinct from reason;
end $$;
comment on function portal.hold_queue(bigint, text, integer) is
  'Nothing can be sent now: the line goes back to its place, and all lines of its instance wait and say why, each time twice as long up to a limit. Server only.';

create function portal.resume_queue(instance text) returns void
language sql volatile security definer set search_path = '' as $$
  update portal.send_queues set held_until = null, held_times = 0 where "instanceName" = instance and held_times > 0
$$;
comment on function portal.resume_queue(text) is 'The link is open again: what waits may go. Server only.';

create function portal.sending_counts() returns table ("instanceName" text, queued bigint, oldest_seconds integer)
language sql stable security definer set search_path = '' as $$
  select c."instanceName", count(*), extract(epoch from clock_timestamp() - min(o.queued_at))::integer
  from portal.outgoing o
  join public.whatsapp_messages m on m.id = o.message_id
  join public.whatsapp_contacts c on c.id = m.contact_id
  group by 1 order by 1
$$;
comment on function portal.sending_counts() is 'Lines that are not sent yet, an instance, and how old the oldest is; for health. Server only.';

create function portal.give_back(line bigint, message_id text, jid text, sent_at_seconds bigint, delivery text) returns void
language sql volatile security definer set search_path = '' as $$
  update public.whatsapp_messages
  set message_id = give_back.message_id, "remoteJid" = jid, "timestamp" = sent_at_seconds, delivery = give_back.delivery,
    delivery_reason = null
  where id = (
    select m.id from public.whatsapp_messages m join public.whatsapp_messages mine on mine.id = line
    where m.contact_id = mine.contact_id and m."instanceName" = mine."instanceName" and m.delivery = 'unknown'
      and m.message_id is null and m.kind = mine.kind and m.body = mine.body and m.id <> line
    order by m.id limit 1
    for update of m
  )
$$;
comment on function portal.give_back(bigint, text, text, bigint, text) is
  'A report that was taken for one line turns out to be of its twin with the unknown end. Without a twin the next sweep brings it. Server only.';

create function portal.settle_sent(line bigint, gateway_id text, jid text, sent_at_seconds bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  mine public.whatsapp_messages;
  twin public.whatsapp_messages;
  known text;
begin
  delete from portal.outgoing where message_id = line;
  select * into mine from public.whatsapp_messages where id = line for update;
  -- The lead may have been removed while it was sent.
  if not found then return; end if;
  select * into twin from public.whatsapp_messages
  where "instanceName" = mine."instanceName" and message_id = gateway_id and id <> line for update;
  if twin.operation_id is not null then
    -- Two of ours with the same words: what was reported was this one.
    update public.whatsapp_messages set message_id = null, delivery = 'unknown', delivery_reason = 'no-answer' where id = twin.id;
  elsif twin.id is not null then
    delete from public.whatsapp_messages where id = twin.id;
  end if;
  known := coalesce(case when mine.message_id = gateway_id then mine.delivery end, twin.delivery, 'sent');
  if portal.delivery_rank(known) < portal.delivery_rank('sent') then known := 'sent'; end if;
  update public.whatsapp_messages
  set
    message_id = gateway_id, "remoteJid" = jid, "timestamp" = sent_at_seconds,
    delivery = known, delivery_reason = case when known = 'failed' then 'rejected' end,
    reactions = coalesce(twin.reactions, mine.reactions),
    kind = case when twin.deleted_at is null then mine.kind else 'deleted' end,
    body = case when twin.deleted_at is not null then '' when twin.edited_at is not null then twin.body else mine.body end,
    edited_at = coalesce(twin.edited_at, mine.edited_at), deleted_at = coalesce(twin.deleted_at, mine.deleted_at)
  where id = line;
  if mine.message_id <> gateway_id then
    perform portal.give_back(line, mine.message_id, mine."remoteJid", mine."timestamp", mine.delivery);
  end if;
  insert into portal.identities ("instanceName", jid, person_id)
  select mine."instanceName", settle_sent.jid, c.person_id from public.whatsapp_contacts c where c.id = mine.contact_id
  on conflict do nothing;
  update portal.send_queues set held_times = 0 where "instanceName" = mine."instanceName" and held_times > 0;
  perform portal.apply_waiting(mine."instanceName", gateway_id);
end $$;
comment on function portal.settle_sent(bigint, text, text, bigint) is
  'The gateway accepted a line of ours: it gets the message id, address and time given back, and what was reported of it before the answer came. Server only.';


-- First texts to a number that never wrote: what a WhatsApp account is blocked for. One daily limit a chip, whether the text is
-- written by hand, by the API or by the wire; never to somebody who asked to be left alone or whose data were erased.

create table portal.first_text_days (
  number text not null,
  day date not null,
  sent integer not null check (sent > 0),
  primary key (number, day)
);
comment on table portal.first_text_days is
  'How many conversations each phone number of ours began on each day of the portal''s zone: the daily limit of first texts.';
comment on column portal.first_text_days.number is 'As portal.phone_of tells it.';
alter table portal.first_text_days enable row level security;

create function portal.first_texts_a_day() returns integer
language sql stable security definer set search_path = '' as $$
  select coalesce((select (s.value #>> '{}')::integer from portal.settings s where s.key = 'first_texts_a_day'), 50)
$$;
comment on function portal.first_texts_a_day() is
  'How many conversations a chip may begin in a day: the setting first_texts_a_day, else 50. Server only.';

create function portal.begin_conversation(p_lead bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  chip text;
  most integer := portal.first_texts_a_day();
begin
  if exists (
    select from public.whatsapp_messages m
    where m.contact_id = p_lead and (m.type = 'incoming' or m.delivery <> 'failed')) then
    return;
  end if;
  select portal.phone_of(c."instanceName") into chip from public.whatsapp_contacts c where c.id = p_lead;
  if exists (
    select from public.whatsapp_contacts c join portal.people p on p.id = c.person_id
    where c.id = p_lead and p.opted_out_at is not null) then
    raise exception 'Esta pessoa pediu para não receber mensagens. Só responda se ela escrever.'
      using errcode = 'PT409', hint = 'lead.opted-out';
  end if;
  insert into portal.first_text_days as d (number, day, sent)
  select chip, (now() at time zone portal.time_zone())::date, 1 where most > 0
  on conflict (number, day) do update set sent = d.sent + 1 where d.sent < most;
  if not found then
    raise exception 'Este WhatsApp já começou % conversas hoje com quem nunca escreveu. Para não ser bloqueado, continue amanhã ou espere a pessoa escrever.', most
      using errcode = 'PT409', hint = 'message.first-texts';
  end if;
end $$;
comment on function portal.begin_conversation(bigint) is
  'Counts the first text to a lead who never wrote, under the daily limit of the owner''s chip; nothing where there is a conversation already. 409 beyond the limit, and for who opted out. Server only.';

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
    'lost')),
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
  'digest: several leads wrote; handover: several became the broker''s; lost: the WhatsApp of a broker, for an administrator.';
comment on column portal.push_queue.subject is 'The lead or the campaign; null where it is about the broker''s line or several leads.';
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
  if found then perform pg_notify('push', ''); end if;
end $$;
comment on function portal.push(text, text, text, bigint, interval) is
  'A broker is to be told on every device, and the portals are woken at commit; what still waits under that tag takes it up. Server only.';

create function portal.push_lead() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.push(
    new."instanceName", case when tg_op = 'INSERT' then 'lead' else 'assigned' end, 'lead-' || new.id, new.id, interval '1 second');
  return null;
end $$;
comment on function portal.push_lead() is 'Trigger: a broker got a lead, a new one or one that was somebody else''s.';
create trigger push_new_lead after insert on public.whatsapp_contacts
  for each row when (new."instanceName" is not null) execute function portal.push_lead();
create trigger push_assigned_lead after update of "instanceName" on public.whatsapp_contacts
  for each row when (new."instanceName" is not null and new."instanceName" is distinct from old."instanceName")
  execute function portal.push_lead();

create function portal.push_message() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.push(c."instanceName", 'message', 'lead-' || c.id, c.id, interval '1 second')
  from public.whatsapp_contacts c
  where c.id = new.contact_id and c."instanceName" is not null;
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
  if found then perform pg_notify('push', ''); end if;
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

-- A lead in the bolsão is told of again to every broker of its rotation; and a device that was taken off the list as something was
-- being written down for it is not told that either.
create function portal.outdated_pushes(p_now timestamptz) returns setof bigint
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
    or d.removed_at is not null
    or q.claimed_by is null and q.due_at <= p_now and case q.kind
      when 'link' then i.state = 'open' and i.dead_at is null or i.cut_at > q.queued_at - interval '2 minutes'
      when 'lost' then i.state = 'open' and i.dead_at is null or i.cut_at > q.queued_at - interval '2 minutes'
      when 'campaign' then not exists (select from public.remarketing_campaigns r where r.id = q.subject)
      when 'digest' then not exists (
        select from public.whatsapp_contacts u where u."instanceName" = b."instanceName" and u.unread_count > 0)
      when 'handover' then false
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
  if found then perform pg_notify('push', ''); end if;
end $$;
comment on function portal.watch_conversation(uuid, bigint, timestamptz) is
  'The conversation that is open on the device of a session, until then unless said again; what waited because of the one before is due. Server only.';

-- Campaigns: their recipients with their final text, their pace, how the server runs them, and what became of them.

create table public.remarketing_campaigns (
  id bigint generated always as identity primary key,
  broker_id uuid not null references public.brokers on delete cascade,
  kanban_stage text not null,
  status text not null default 'running'
    check (status in ('scheduled', 'running', 'paused', 'stopped', 'completed', 'error')),
  total_contacts integer not null default 0 check (total_contacts >= 0),
  processed_contacts integer not null default 0 check (processed_contacts between 0 and total_contacts),
  message text not null,
  created_at timestamptz not null default now(),
  scheduled_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  pause_reason text,
  wait_reason text check (wait_reason in ('courtesy-hours', 'daily-cap')),
  next_send_at timestamptz,
  watched_since timestamptz,
  current_recipient bigint,
  marks boolean not null default true,
  media jsonb,
  constraint campaigns_pause_reason check ((status = 'paused') = (pause_reason is not null))
);
comment on table public.remarketing_campaigns is 'Bulk sends of a broker. A broker reads the own ones, an administrator all; progress is written by the server.';
comment on column public.remarketing_campaigns.scheduled_at is 'When it is to start, where that was put off; null: at once.';
comment on column public.remarketing_campaigns.pause_reason is
  'Why it is paused, a code of src/domain/campaign.ts: ''person'', a link or gateway that is away (goes on by itself), or a sign of restriction.';
comment on column public.remarketing_campaigns.wait_reason is 'Why a running campaign does not send until next_send_at, beyond its usual gap.';
comment on column public.remarketing_campaigns.watched_since is 'Signs of restriction count from here: a person who resumes has seen the earlier ones.';
comment on column public.remarketing_campaigns.current_recipient is 'The row of campaign_recipients that is being sent; null between two.';
comment on column public.remarketing_campaigns.marks is 'Whether who got it is marked by remarketing_sent_at.';
comment on column public.remarketing_campaigns.media is 'The attachment as messages keep it, with its kind; the bytes stay in the media store.';
create unique index campaigns_one_active on public.remarketing_campaigns (broker_id)
  where status in ('scheduled', 'running', 'paused');
comment on index public.campaigns_one_active is 'A broker has one campaign under way at most; serves the question for it.';
create index campaigns_history on public.remarketing_campaigns (broker_id, created_at desc);
comment on index public.campaigns_history is 'Serves a broker''s history of campaigns.';
alter table public.remarketing_campaigns enable row level security;
create policy campaigns_read on public.remarketing_campaigns for select to authenticated
  using ((select portal.is_admin()) or broker_id = (select portal.account_id()));
comment on policy campaigns_read on public.remarketing_campaigns is 'A broker sees the own campaigns, an administrator all.';
grant select on public.remarketing_campaigns to authenticated;
grant all on public.remarketing_campaigns to service_role;

create table public.campaign_recipients (
  id bigint generated always as identity primary key,
  campaign_id bigint not null references public.remarketing_campaigns on delete cascade,
  contact_id bigint references public.whatsapp_contacts on delete set null,
  person_id bigint references portal.people,
  name text,
  body text not null,
  state text not null default 'pending' check (state in ('pending', 'sending', 'sent', 'failed', 'unknown', 'cancelled')),
  reason text,
  message_id bigint references public.whatsapp_messages on delete set null,
  accepted_at timestamptz,
  settled_at timestamptz,
  acknowledged boolean not null default false,
  erased_delivery text check (erased_delivery in ('sent', 'delivered', 'read', 'failed', 'unknown')),
  erased_answer text check (erased_answer in ('answered', 'opted-out')),
  unique (campaign_id, person_id)
);
comment on table public.campaign_recipients is
  'Who a campaign goes to, frozen when it is planned with the final text. A broker reads the own ones, an administrator all; written by the server.';
comment on column public.campaign_recipients.reason is 'Why it failed, has an unknown end or was left out; a code of src/domain/campaign.ts or outgoing.ts.';
comment on column public.campaign_recipients.message_id is 'The chat line it went out as; its delivery says how far it came.';
comment on column public.campaign_recipients.accepted_at is 'When the gateway took it first: counted once in processed_contacts.';
comment on column public.campaign_recipients.settled_at is 'When the portal that sends saw its end.';
comment on column public.campaign_recipients.acknowledged is 'Whether WhatsApp''s server confirmed it after the gateway took it.';
comment on column public.campaign_recipients.erased_delivery is 'How far the line came, of a person whose data were erased with it.';
comment on column public.campaign_recipients.erased_answer is 'What came back within 72 hours, of a person whose data were erased.';
create index recipients_contact on public.campaign_recipients (contact_id, accepted_at);
comment on index public.recipients_contact is 'Serves who got a campaign lately, and the removal of a contact.';
create index recipients_person on public.campaign_recipients (person_id);
comment on index public.recipients_person is 'Serves the removal of a person.';
create index recipients_message on public.campaign_recipients (message_id);
comment on index public.recipients_message is 'Serves the recipient behind a chat line.';
create index recipients_state on public.campaign_recipients (campaign_id, state, id);
comment on index public.recipients_state is 'Serves the next one to send, counting by state, and the failed ones.';
create index recipients_settled on public.campaign_recipients (campaign_id, settled_at desc) where settled_at is not null;
comment on index public.recipients_settled is 'Serves the last ends of a campaign, for signs of restriction.';
create index recipients_unacknowledged on public.campaign_recipients (campaign_id, settled_at) where state = 'sent' and not acknowledged;
comment on index public.recipients_unacknowledged is 'Serves what WhatsApp''s server never confirmed.';
create index recipients_rejected on public.campaign_recipients (campaign_id, settled_at) where reason in ('rejected', 'restricted');
comment on index public.recipients_rejected is 'Serves what WhatsApp refused after the gateway took it.';
alter table public.campaign_recipients enable row level security;
create policy recipients_read on public.campaign_recipients for select to authenticated
  using (exists (select from public.remarketing_campaigns c where c.id = campaign_id));
comment on policy recipients_read on public.campaign_recipients is 'Read by whoever may read the campaign: the rule of campaigns holds inside.';
grant select on public.campaign_recipients to authenticated;
grant all on public.campaign_recipients to service_role;
-- A queued message of a campaign goes with its recipient.
alter table portal.outgoing add constraint outgoing_recipient_id_fkey
  foreign key (recipient_id) references public.campaign_recipients on delete cascade;

create table public.campaign_settings (
  id boolean primary key default true,
  opens_at smallint not null default 8 check (opens_at between 0 and 23),
  closes_at smallint not null default 20 check (closes_at between 1 and 24 and closes_at > opens_at),
  sends_on_sundays boolean not null default false,
  daily_cap integer not null default 200 check (daily_cap between 1 and 5000),
  warm_up_from integer not null default 20 check (warm_up_from between 1 and 5000),
  warm_up_days smallint not null default 14 check (warm_up_days between 1 and 90),
  rest_days smallint not null default 7 check (rest_days between 0 and 365)
);
comment on table public.campaign_settings is 'One row, of id true: when campaigns may send, and how much a day. Everyone signed in reads it, an administrator changes it by function.';
comment on column public.campaign_settings.opens_at is 'Hours of the day in the portal''s zone.';
comment on column public.campaign_settings.daily_cap is 'Campaign messages a day and phone number, once it is warmed up.';
comment on column public.campaign_settings.warm_up_from is 'Messages on the first day on which a number sends a campaign; from there it rises to the cap.';
comment on column public.campaign_settings.warm_up_days is 'On which day of sending the cap is reached.';
comment on column public.campaign_settings.rest_days is 'Who got a campaign in so many days is left out of the next.';
alter table public.campaign_settings enable row level security;
create policy settings_read on public.campaign_settings for select to authenticated using ((select portal.is_member()));
comment on policy settings_read on public.campaign_settings is 'Everyone signed in sees when and how much campaigns send.';
grant select on public.campaign_settings to authenticated;
grant all on public.campaign_settings to service_role;
insert into public.campaign_settings default values;

create table portal.campaign_days (
  number text not null,
  day date not null,
  sent integer not null default 0,
  primary key (number, day)
);
comment on table portal.campaign_days is 'How many campaign messages each phone number was given on each day of the portal''s zone: the daily cap and its warm-up.';
alter table portal.campaign_days enable row level security;

create function portal.tell_campaign() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.tell(jsonb_build_object('kind', 'campaign', 'instanceName', b."instanceName"))
  from public.brokers b where b.id = new.broker_id;
  return null;
end $$;
comment on function portal.tell_campaign() is 'Trigger: a broker''s campaign is new or went on.';
create trigger tell_campaign after insert or update on public.remarketing_campaigns
  for each row execute function portal.tell_campaign();

create function portal.keep_recipients() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.campaign_recipients r set contact_id = new.kept_contact_id where r.contact_id = new.gone_contact_id;
  return null;
end $$;
comment on function portal.keep_recipients() is 'Trigger: who is merged into another contact stays on the lists of campaigns.';
create trigger keep_recipients after insert on portal.contact_merges
  for each row execute function portal.keep_recipients();

-- A number that begins above its own limit a day would be cut by that limit, unsaid.
create function public.save_campaign_settings(
  p_opens_at integer, p_closes_at integer, p_sends_on_sundays boolean,
  p_daily_cap integer, p_warm_up_from integer, p_warm_up_days integer, p_rest_days integer
) returns public.campaign_settings
language plpgsql volatile security definer set search_path = '' as $$
declare
  saved public.campaign_settings;
begin
  perform portal.require_admin();
  if p_warm_up_from > p_daily_cap then
    raise exception 'O limite no 1º dia não pode passar do limite por dia.' using errcode = '22023';
  end if;
  update public.campaign_settings
  set opens_at = p_opens_at, closes_at = p_closes_at, sends_on_sundays = p_sends_on_sundays, daily_cap = p_daily_cap,
    warm_up_from = p_warm_up_from, warm_up_days = p_warm_up_days, rest_days = p_rest_days
  where id
  returning * into saved;
  -- Whoever waits for an hour or a day that changed looks again.
  update public.remarketing_campaigns set wait_reason = null, next_send_at = null where wait_reason is not null;
  return saved;
exception
  when check_violation or not_null_violation or numeric_value_out_of_range then
    raise exception 'Confira os horários e limites: o fim vem depois do começo, e os números são inteiros positivos.' using errcode = '22023';
end $$;
comment on function public.save_campaign_settings(integer, integer, boolean, integer, integer, integer, integer) is
  'Changes when campaigns may send and how much a day; administrators only. Called by the settings sheet of remarketing; setting the same again changes nothing.';
grant execute on function public.save_campaign_settings(integer, integer, boolean, integer, integer, integer, integer)
  to authenticated, service_role;


-- Planning a campaign and steering it, each as the person who asks.
-- A refusal has the HTTP status in its errcode and its code in the hint.

create function portal.campaign_candidates(p_stage text) returns table (contact_id bigint, person_id bigint, name text, exclusion text)
language plpgsql stable security definer set search_path = '' as $$
declare
  me text := (portal.my_broker())."instanceName";
  since timestamptz := now() - make_interval(days => (select s.rest_days from public.campaign_settings s where s.id));
begin
  return query
    select c.id, c.person_id, c.name, case
      when p.opted_out_at is not null then 'opted-out'
      when portal.number_to_send(portal.address_of(c.id, me)) is null then 'no-number'
      when c.remarketing_sent_at > since
        or exists (select from public.campaign_recipients r where r.contact_id = c.id and r.accepted_at > since) then 'recent'
    end
    from public.whatsapp_contacts c join portal.people p on p.id = c.person_id
    where c."instanceName" = me and c.status = p_stage
    order by c.last_message_timestamp desc nulls last, c.id desc;
end $$;
comment on function portal.campaign_candidates(text) is
  'The asking broker''s leads in a stage, and who of them is left out: opted-out, no-number, recent (got one within the days of rest). Server only.';

-- Planning holds back no delivery of its WhatsApp.
create function portal.plan_campaign(p_operation_id uuid, p_campaign jsonb, p_recipients jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  me public.brokers := portal.my_broker();
  answer jsonb := portal.begin_operation(me.id, p_operation_id);
  starts_at timestamptz := (p_campaign ->> 'startsAt')::timestamptz;
  planned bigint;
  total integer;
begin
  if answer is not null then return answer; end if;
  -- One plan at a time a broker, so that two at once cannot both find none under way.
  perform from public.brokers b where b.id = me.id for no key update;
  if exists (select from public.remarketing_campaigns c where c.broker_id = me.id and c.status in ('scheduled', 'running', 'paused')) then
    raise exception 'Esta campanha já está sendo processada' using errcode = 'PT409', hint = 'campaign.active';
  end if;
  insert into public.remarketing_campaigns (broker_id, kanban_stage, status, message, scheduled_at, marks, media, total_contacts)
  values (
    me.id, p_campaign ->> 'stage', case when starts_at is null then 'running' else 'scheduled' end, p_campaign ->> 'message',
    starts_at, (p_campaign ->> 'marks')::boolean, nullif(p_campaign -> 'media', 'null'), 0)
  returning id into planned;
  insert into public.campaign_recipients (campaign_id, contact_id, person_id, name, body)
  select planned, c.contact_id, c.person_id, c.name, wanted.item ->> 'body'
  from jsonb_array_elements(p_recipients) with ordinality as wanted (item, place)
  join portal.campaign_candidates(p_campaign ->> 'stage') c on c.contact_id = (wanted.item ->> 'contactId')::bigint and c.exclusion is null
  order by wanted.place
  on conflict do nothing;
  get diagnostics total = row_count;
  if total = 0 then
    raise exception 'Nenhum destes contatos pode receber uma campanha agora.' using errcode = 'PT422', hint = 'campaign.no-contacts';
  end if;
  update public.remarketing_campaigns set total_contacts = total where id = planned;
  return portal.end_operation(me.id, p_operation_id, 'campaign.start',
    (select to_jsonb(c) from public.remarketing_campaigns c where c.id = planned));
end $$;
comment on function portal.plan_campaign(uuid, jsonb, jsonb) is
  'Freezes a campaign {stage, message, startsAt, marks, media} of the asking broker with its recipients [{contactId, body}], once an operation; who may not get one is left out. Answers the row. Server only.';

create function portal.withdraw_line(p_recipient bigint, p_state text, p_reason text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  line bigint;
begin
  -- What is being sent now cannot be taken back.
  delete from portal.outgoing o
  where o.message_id = (
    select q.message_id from portal.outgoing q where q.recipient_id = p_recipient and q.claimed_at is null for update skip locked)
  returning o.message_id into line;
  if line is null then return false; end if;
  update public.campaign_recipients set state = p_state, reason = p_reason, message_id = null where id = p_recipient;
  delete from public.whatsapp_messages where id = line and message_id is null;
  return true;
end $$;
comment on function portal.withdraw_line(bigint, text, text) is
  'Takes a campaign''s line out of the queue while nobody sends it: it was never in the conversation. False once it is being sent. Server only.';

create function portal.campaign_to_steer(p_id bigint) returns public.remarketing_campaigns
language plpgsql volatile security definer set search_path = '' as $$
declare
  asker uuid := portal.require_member();
  campaign public.remarketing_campaigns;
begin
  select c.* into campaign from public.remarketing_campaigns c
  where c.id = p_id and (portal.is_admin() or c.broker_id = asker) for update;
  if not found then
    raise exception 'Campanha não encontrada.' using errcode = 'PT404', hint = 'campaign.unknown';
  end if;
  return campaign;
end $$;
comment on function portal.campaign_to_steer(bigint) is 'A campaign of the asking broker, or any for an administrator, locked; else 404. Server only.';

create function portal.steer_campaign(p_id bigint, p_wish text, p_operation_id uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  asker uuid := portal.require_member();
  answer jsonb := portal.begin_operation(asker, p_operation_id);
  campaign public.remarketing_campaigns;
  again integer;
begin
  if answer is not null then return answer; end if;
  campaign := portal.campaign_to_steer(p_id);
  if p_wish <> 'retry' and campaign.status in ('completed', 'stopped') and not (p_wish = 'stop' and campaign.status = 'stopped') then
    raise exception 'Esta campanha já terminou.' using errcode = 'PT409', hint = 'campaign.ended';
  end if;
  case p_wish
    when 'pause' then
      if campaign.status <> 'error' then
        perform portal.withdraw_line(campaign.current_recipient, 'pending', null);
        -- What it waited for is looked at anew when it goes on; the gap after its last line stands.
        update public.remarketing_campaigns
        set status = 'paused', pause_reason = 'person', wait_reason = null,
          next_send_at = case when wait_reason is null then next_send_at end
        where id = p_id;
      end if;
    when 'resume' then
      if campaign.status in ('paused', 'error') then
        update public.remarketing_campaigns
        set status = case when started_at is null and scheduled_at > p_now then 'scheduled' else 'running' end,
          pause_reason = null, watched_since = p_now, finished_at = null
        where id = p_id;
      end if;
    when 'stop' then
      if campaign.status <> 'stopped' then
        perform portal.withdraw_line(campaign.current_recipient, 'cancelled', 'stopped');
        update public.campaign_recipients set state = 'cancelled', reason = 'stopped' where campaign_id = p_id and state = 'pending';
        update public.remarketing_campaigns
        set status = 'stopped', pause_reason = null, wait_reason = null, next_send_at = null, finished_at = p_now
        where id = p_id;
      end if;
    when 'retry' then
      update public.campaign_recipients
      set state = 'pending', reason = null, message_id = null, settled_at = null, acknowledged = false
      where campaign_id = p_id and state = 'failed';
      get diagnostics again = row_count;
      if again = 0 then
        raise exception 'Nenhum envio desta campanha falhou.' using errcode = 'PT409', hint = 'campaign.none-failed';
      end if;
      if campaign.status in ('completed', 'stopped', 'error') then
        update public.remarketing_campaigns
        set status = 'running', finished_at = null, watched_since = p_now, next_send_at = null
        where id = p_id;
      end if;
  end case;
  return portal.end_operation(asker, p_operation_id, 'campaign.' || p_wish,
    (select to_jsonb(c) from public.remarketing_campaigns c where c.id = p_id));
exception
  when unique_violation then
    raise exception 'Esta campanha já está sendo processada' using errcode = 'PT409', hint = 'campaign.active';
end $$;
comment on function portal.steer_campaign(bigint, text, uuid, timestamptz) is
  'pause, resume, stop, or retry (the failed ones, never those with an unknown end), once an operation; what it already is, it stays. Answers the row. Server only.';

create function portal.active_campaign() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  me public.brokers := portal.my_broker();
begin
  return (
    select jsonb_build_object(
      'campaign', to_jsonb(c),
      'counts', (
        select coalesce(jsonb_object_agg(s.state, s.n), '{}')
        from (select r.state, count(*) as n from public.campaign_recipients r where r.campaign_id = c.id group by 1) s),
      'current', (
        select jsonb_build_object('contactId', r.contact_id, 'name', r.name)
        from public.campaign_recipients r where r.id = c.current_recipient))
    from public.remarketing_campaigns c
    where c.broker_id = me.id and c.status in ('scheduled', 'running', 'paused'));
end $$;
comment on function portal.active_campaign() is
  'The asking broker''s campaign under way, {campaign, counts, current}; null without one. Server only.';


-- Running campaigns: one line at a time into the queue of its instance, behind what persons wrote.
-- Offered, claimed, sent, settled. The claim and its lease are those of every line, so that no two portals send the same one.
-- Time comes from the portal's clock, so that a test turns its hands.

create function portal.link_trouble(instance text) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when exists (select from portal.instance_states s
      where s."instanceName" = instance and (s.dead_at is not null or s.state <> 'open')) then 'not-linked'
    when exists (select from portal.send_queues q
      where q."instanceName" = instance and q.held_until > clock_timestamp()) then 'unreachable'
  end
$$;
comment on function portal.link_trouble(text) is 'Why nothing can go out over an instance now; null while nothing speaks against it. Server only.';

create function portal.sign_of_restriction(p_campaign public.remarketing_campaigns, instance text, p_now timestamptz) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  since timestamptz := coalesce(p_campaign.watched_since, '-infinity');
begin
  if exists (select from portal.instance_states s
    where s."instanceName" = instance and s.state <> 'open' and s.reason in (401, 403)) then
    return 'restricted';
  elsif exists (select from public.campaign_recipients r
    where r.campaign_id = p_campaign.id and r.reason = 'restricted' and r.settled_at >= since) then
    return 'restricted';
  elsif (select count(*) from public.campaign_recipients r
    where r.campaign_id = p_campaign.id and r.reason in ('rejected', 'restricted') and r.settled_at >= since) >= 2 then
    return 'rejected';
  elsif (select count(*) = 3 and bool_and(last.reason is not distinct from 'not-on-whatsapp') from (
    select r.reason from public.campaign_recipients r
    where r.campaign_id = p_campaign.id and r.settled_at >= since order by r.settled_at desc, r.id desc limit 3) as last) then
    return 'wrong-numbers';
  elsif exists (select from public.campaign_recipients r
    where r.campaign_id = p_campaign.id and r.state = 'sent' and not r.acknowledged
      and r.settled_at >= since and r.settled_at < p_now - interval '2 minutes') then
    return 'no-confirmation';
  end if;
  return null;
end $$;
comment on function portal.sign_of_restriction(public.remarketing_campaigns, text, timestamptz) is
  'A sign that WhatsApp restricts the number, since a person last looked: logged out by WhatsApp, an account barred from new chats, two refusals after acceptance, three numbers in a row without WhatsApp, or nothing confirmed within two minutes. Server only.';

create function portal.phone_of(instance text) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select portal.number_key(s.owner_jid) from portal.instance_states s where s."instanceName" = instance), instance)
$$;
comment on function portal.phone_of(text) is 'What the daily cap counts by: the linked phone, or the instance while none is known. Server only.';

create function portal.pacing_of(instance text, p_now timestamptz) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'opensAt', s.opens_at, 'closesAt', s.closes_at, 'sendsOnSundays', s.sends_on_sundays,
    'dailyCap', s.daily_cap, 'warmUpFrom', s.warm_up_from, 'warmUpDays', s.warm_up_days, 'restDays', s.rest_days,
    'day', today.day,
    'sentToday', coalesce((select d.sent from portal.campaign_days d where d.number = today.number and d.day = today.day), 0),
    'earlierDays', (select count(*) from portal.campaign_days d where d.number = today.number and d.day < today.day))
  from public.campaign_settings s,
    (select (p_now at time zone portal.time_zone())::date, portal.phone_of(instance)) as today (day, number)
  where s.id
$$;
comment on function portal.pacing_of(text, timestamptz) is
  'The settings, and how far the instance''s phone is today: what it sent, and on how many earlier days it sent campaigns. Server only.';

create function portal.due_campaigns(p_now timestamptz) returns table (id bigint, "instanceName" text, pacing jsonb)
language sql stable security definer set search_path = '' as $$
  select c.id, b."instanceName", portal.pacing_of(b."instanceName", p_now)
  from public.remarketing_campaigns c join public.brokers b on b.id = c.broker_id
  where case c.status
    when 'scheduled' then c.scheduled_at <= p_now
    when 'paused' then c.pause_reason in ('not-linked', 'unreachable') and portal.link_trouble(b."instanceName") is null
    when 'running' then (c.next_send_at is null or c.next_send_at <= p_now) and (
      portal.link_trouble(b."instanceName") is not null
      or not exists (select from public.campaign_recipients r where r.id = c.current_recipient and r.state = 'sending')
      or portal.line_hindrance(c.current_recipient) = 'handed-over')
    else false
  end
$$;
comment on function portal.due_campaigns(timestamptz) is 'Campaigns with something to do now, and the pace of each. Server only.';

create function portal.next_recipient(p_campaign bigint, instance text, p_now timestamptz) returns public.campaign_recipients
language plpgsql volatile security definer set search_path = '' as $$
declare
  recipient public.campaign_recipients;
  lead public.whatsapp_contacts;
  hindrance text;
begin
  loop
    select r.* into recipient from public.campaign_recipients r
    where r.campaign_id = p_campaign and r.state = 'pending' order by r.id limit 1 for update;
    if not found then return null; end if;
    -- Held until the line is in the queue of its owner. Who is changing it right now is not waited for: that may wait for this.
    select c.* into lead from public.whatsapp_contacts c where c.id = recipient.contact_id for no key update skip locked;
    if not found and exists (select from public.whatsapp_contacts c where c.id = recipient.contact_id) then return null; end if;
    hindrance := case
      when lead.id is null then 'no-lead'
      when lead."instanceName" is distinct from instance then 'handed-over'
      when exists (select from portal.people p where p.id = lead.person_id and p.opted_out_at is not null) then 'opted-out'
      when portal.number_to_send(portal.address_of(lead.id, instance)) is null then 'no-number'
    end;
    exit when hindrance is null;
    update public.campaign_recipients
    set state = case hindrance when 'no-number' then 'failed' else 'cancelled' end, reason = hindrance, settled_at = p_now
    where id = recipient.id;
  end loop;
  return recipient;
end $$;
comment on function portal.next_recipient(bigint, text, timestamptz) is
  'The next one who may still get it, locked with the lead; who may not any more is passed with the reason. Null at the end, and while someone is changing the lead. Server only.';

create function portal.queue_recipient(recipient public.campaign_recipients, instance text, p_media jsonb, p_typing_ms integer) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  sender_jid text := (select s.owner_jid from portal.instance_states s where s."instanceName" = instance);
  line bigint;
begin
  insert into public.whatsapp_messages
    (contact_id, "instanceName", "from", from_number, body, "timestamp", type, kind, author, delivery, content)
  values (
    recipient.contact_id, instance, sender_jid, split_part(split_part(sender_jid, '@', 1), ':', 1), recipient.body,
    extract(epoch from now())::bigint, 'outgoing', coalesce(p_media ->> 'kind', 'text'), 'campaign', 'queued', p_media -> 'content')
  returning id into line;
  insert into portal.outgoing (message_id, recipient_id, typing_ms) values (line, recipient.id, p_typing_ms);
  update public.campaign_recipients set state = 'sending', message_id = line where id = recipient.id;
end $$;
comment on function portal.queue_recipient(public.campaign_recipients, text, jsonb, integer) is
  'A recipient''s text into the conversation and the queue. Server only.';

create function portal.rest_campaign(p_campaign bigint, p_instance text, p_now timestamptz, p_gap_ms integer) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  recipient public.campaign_recipients;
begin
  select r.* into recipient from public.campaign_recipients r
  join public.remarketing_campaigns c on c.current_recipient = r.id where c.id = p_campaign;
  if recipient.state = 'sending' and portal.line_hindrance(recipient.id) = 'handed-over' then
    if not portal.withdraw_line(recipient.id, 'cancelled', 'handed-over') then return false; end if;
  elsif recipient.state = 'sending' then
    -- Its line went back to its place because nothing can go out: it is taken out until something can.
    if portal.link_trouble(p_instance) is null
      or not exists (select from portal.outgoing o
        join public.whatsapp_messages m on m.id = o.message_id
        where o.recipient_id = recipient.id and o.claimed_at is null and m.delivery_reason is not null) then
      return false;
    end if;
    if not portal.withdraw_line(recipient.id, 'pending', null) then return false; end if;
  end if;
  update public.campaign_recipients set settled_at = p_now
  where id = recipient.id and state in ('sent', 'failed', 'unknown') and settled_at is null;
  update public.remarketing_campaigns
  set current_recipient = null, next_send_at = p_now + p_gap_ms * interval '1 millisecond'
  where id = p_campaign;
  return true;
end $$;
comment on function portal.rest_campaign(bigint, text, timestamptz, integer) is
  'The line under way has its end: the gap begins. False while it is still being sent. Server only.';

create function portal.run_campaign(p_id bigint, p_now timestamptz, p_pace jsonb) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  c public.remarketing_campaigns;
  instance text;
  trouble text;
  recipient public.campaign_recipients;
begin
  -- Whoever saves the settings waits, and then finds what this step made wait.
  perform from public.campaign_settings s where s.id for share;
  select * into c from public.remarketing_campaigns where id = p_id for update skip locked;
  if not found or c.status not in ('scheduled', 'running', 'paused') or c.pause_reason = 'person' then return 'idle'; end if;
  if c.status = 'scheduled' and c.scheduled_at > p_now then return 'idle'; end if;
  select b."instanceName" into instance from public.brokers b where b.id = c.broker_id;
  trouble := portal.link_trouble(instance);
  if c.status = 'paused' and (trouble is not null or c.pause_reason not in ('not-linked', 'unreachable')) then
    return 'idle';
  end if;
  if c.status <> 'running' then
    update public.remarketing_campaigns
    set status = 'running', pause_reason = null, started_at = coalesce(started_at, p_now), watched_since = coalesce(watched_since, p_now)
    where id = p_id;
  elsif c.started_at is null then
    update public.remarketing_campaigns set started_at = p_now, watched_since = p_now where id = p_id;
  end if;
  if c.current_recipient is not null then
    if not portal.rest_campaign(p_id, instance, p_now, (p_pace ->> 'gapMs')::integer) then return 'busy'; end if;
  end if;
  select * into c from public.remarketing_campaigns where id = p_id;
  if not exists (select from public.campaign_recipients r where r.campaign_id = p_id and r.state = 'pending') then
    update public.remarketing_campaigns
    set status = 'completed', finished_at = p_now, next_send_at = null, wait_reason = null where id = p_id;
    return 'completed';
  end if;
  trouble := coalesce(portal.sign_of_restriction(c, instance, p_now), trouble);
  if trouble is not null then
    update public.remarketing_campaigns
    set status = 'paused', pause_reason = trouble, wait_reason = null,
      next_send_at = case when wait_reason is null then next_send_at end
    where id = p_id;
    return 'paused';
  end if;
  if c.next_send_at > p_now then return 'resting'; end if;
  -- Made under settings that were saved since, it is no pace any more.
  if not portal.pacing_of(instance, p_now) @> (p_pace -> 'settings') then return 'passed'; end if;
  if p_pace ->> 'waitUntil' is not null then
    update public.remarketing_campaigns
    set next_send_at = (p_pace ->> 'waitUntil')::timestamptz, wait_reason = p_pace ->> 'waitReason' where id = p_id;
    return 'waiting';
  end if;
  recipient := portal.next_recipient(p_id, instance, p_now);
  if recipient.id is null then
    -- The next look ends it, unless someone is just changing the lead whose turn it is.
    return case when exists (select from public.campaign_recipients r where r.campaign_id = p_id and r.state = 'pending')
      then 'busy' else 'passed' end;
  end if;
  insert into portal.campaign_days as d (number, day, sent) values (portal.phone_of(instance), (p_pace ->> 'day')::date, 1)
  on conflict (number, day) do update set sent = d.sent + 1 where d.sent < (p_pace ->> 'cap')::integer;
  if not found then return 'capped'; end if;
  perform portal.queue_recipient(recipient, instance, c.media, (p_pace ->> 'typingMs')::integer);
  update public.remarketing_campaigns set current_recipient = recipient.id, wait_reason = null, next_send_at = null where id = p_id;
  return 'queued';
end $$;
comment on function portal.run_campaign(bigint, timestamptz, jsonb) is
  'One step of a campaign at the pace {settings, day, cap, gapMs, typingMs, waitUntil, waitReason}, made under these settings: begins the gap, ends, pauses, waits, or queues the next line (''queued''). Whoever else runs it steps aside. Server only.';

create function portal.fail_campaign(p_id bigint, p_now timestamptz) returns void
language sql volatile security definer set search_path = '' as $$
  update public.remarketing_campaigns
  set status = 'error', finished_at = p_now, pause_reason = null, wait_reason = null, next_send_at = null
  where id = p_id and status in ('scheduled', 'running', 'paused')
$$;
comment on function portal.fail_campaign(bigint, timestamptz) is 'What cannot be processed says so; nothing of it is lost, and a person may resume it. Server only.';

create function portal.note_campaign_line() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  before public.campaign_recipients;
  is_accepted boolean := new.message_id is not null;
begin
  select * into before from public.campaign_recipients r where r.message_id = new.id for update;
  if not found then return null; end if;
  update public.campaign_recipients
  set state = case new.delivery when 'failed' then 'failed' when 'unknown' then 'unknown' when 'queued' then 'sending' else 'sent' end,
    reason = new.delivery_reason,
    accepted_at = coalesce(accepted_at, case when is_accepted then now() end),
    acknowledged = acknowledged or new.delivery in ('delivered', 'read')
  where id = before.id;
  if is_accepted and before.accepted_at is null then
    update public.remarketing_campaigns set processed_contacts = processed_contacts + 1 where id = before.campaign_id;
    update public.whatsapp_contacts set remarketing_sent_at = now()
    where id = new.contact_id and (select c.marks from public.remarketing_campaigns c where c.id = before.campaign_id);
  end if;
  return null;
end $$;
comment on function portal.note_campaign_line() is
  'Trigger: what became of a campaign''s line is what became of its recipient; counted as processed when the gateway took it, once.';
create trigger note_campaign_line after update of delivery on public.whatsapp_messages
  for each row when (new.author = 'campaign' and old.delivery is distinct from new.delivery)
  execute function portal.note_campaign_line();

create function portal.free_recipient() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.state := 'cancelled';
  new.reason := 'no-lead';
  return new;
end $$;
comment on function portal.free_recipient() is 'Trigger: a lead that was removed while the line went out holds no campaign back.';
create trigger free_recipient before update of message_id on public.campaign_recipients
  for each row when (old.message_id is not null and new.message_id is null and old.state = 'sending' and new.state = 'sending')
  execute function portal.free_recipient();

-- A campaign speaks over its broker's own phone alone: a line that waits when its lead gets another owner is taken back, and the
-- campaign goes on; and a lead that is being changed at that moment is neither written to nor waited for.
create function portal.line_hindrance(p_recipient bigint) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when p.opted_out_at is not null then 'opted-out'
    when l."instanceName" is distinct from b."instanceName" then 'handed-over'
    when c.status = 'paused' then 'paused'
    when c.status <> 'running' then 'stopped'
  end
  from public.campaign_recipients r
  join public.remarketing_campaigns c on c.id = r.campaign_id
  join public.brokers b on b.id = c.broker_id
  join public.whatsapp_contacts l on l.id = r.contact_id
  join portal.people p on p.id = l.person_id
  where r.id = p_recipient
$$;
comment on function portal.line_hindrance(bigint) is
  'Why a campaign''s line that waited must not go out any more: opted-out, handed-over, paused, stopped; null when it may, or is no campaign''s. Server only.';


-- A recipient whose end nobody knows is settled by a person: sent once more, or taken as sent; never by itself.

create function portal.settle_recipient(p_campaign bigint, p_recipient bigint, p_wish text, p_operation_id uuid, p_now timestamptz)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  asker uuid := portal.require_member();
  answer jsonb := portal.begin_operation(asker, p_operation_id);
  line public.whatsapp_messages;
  campaign public.remarketing_campaigns;
  recipient public.campaign_recipients;
begin
  if answer is not null then return answer; end if;
  -- Its line first, as whoever reports its end does.
  select m.* into line from public.whatsapp_messages m
  where m.id = (select r.message_id from public.campaign_recipients r where r.id = p_recipient and r.campaign_id = p_campaign)
  for update;
  campaign := portal.campaign_to_steer(p_campaign);
  select r.* into recipient from public.campaign_recipients r where r.id = p_recipient and r.campaign_id = p_campaign for update;
  if not found then
    raise exception 'Este contato não está nesta campanha.' using errcode = 'PT404', hint = 'campaign.unknown-recipient';
  elsif recipient.state <> 'unknown' then
    raise exception 'O fim deste envio já é conhecido.' using errcode = 'PT409', hint = 'campaign.settled';
  end if;
  case p_wish
    when 'sent' then
      -- Its line stays as it is: a report that comes yet says how far it came.
      update public.campaign_recipients
      set state = 'sent', reason = 'by-hand', acknowledged = true, settled_at = coalesce(settled_at, p_now),
        accepted_at = coalesce(accepted_at, to_timestamp(line."timestamp"), p_now)
      where id = p_recipient;
      if recipient.accepted_at is null then
        update public.remarketing_campaigns set processed_contacts = processed_contacts + 1 where id = p_campaign;
        update public.whatsapp_contacts set remarketing_sent_at = now() where id = recipient.contact_id and campaign.marks;
      end if;
    when 'again' then
      if line.delivery_reason = 'retried' then
        raise exception 'Esta mensagem já foi enviada de novo.' using errcode = 'PT409', hint = 'message.retried';
      end if;
      -- What goes now is another line, and both are seen.
      update public.whatsapp_messages set delivery_reason = 'retried' where id = line.id;
      update public.campaign_recipients
      set state = 'pending', reason = null, message_id = null, settled_at = null, acknowledged = false
      where id = p_recipient;
      update public.remarketing_campaigns
      set status = 'running', finished_at = null, watched_since = p_now, next_send_at = null
      where id = p_campaign and status in ('completed', 'stopped', 'error');
  end case;
  return portal.end_operation(asker, p_operation_id, 'campaign.' || p_wish,
    (select to_jsonb(c) from public.remarketing_campaigns c where c.id = p_campaign));
exception
  when unique_violation then
    raise exception 'Esta campanha já está sendo processada' using errcode = 'PT409', hint = 'campaign.active';
end $$;
comment on function portal.settle_recipient(bigint, bigint, text, uuid, timestamptz) is
  'again or sent: what becomes of a recipient with an unknown end, once an operation; by the campaign''s broker or an administrator. Answers the campaign''s row. Server only.';


-- What became of campaigns: for the broker's own history and for the administrators' report.

-- Read by index alone however many there were; the lines of erased persons count, and nobody can say whose they were.
create function portal.campaign_outcomes(p_campaigns bigint[]) returns table (
  campaign_id bigint, delivered bigint, read bigint, answered bigint, opted_out bigint, failed bigint, unknown bigint, waiting bigint
)
language sql stable security definer set search_path = '' as $$
  with reached as (
    select r.campaign_id, coalesce(m.delivery, r.erased_delivery) as delivery, r.state, r.accepted_at, r.contact_id, r.erased_answer,
      coalesce(p.opted_out_at between r.accepted_at and r.accepted_at + interval '72 hours', false) as has_opted_out
    from public.campaign_recipients r
    left join public.whatsapp_messages m on m.id = r.message_id
    left join portal.people p on p.id = r.person_id and p.opted_out_at is not null
    where r.campaign_id = any (p_campaigns)
  )
  select r.campaign_id,
    count(*) filter (where r.delivery in ('delivered', 'read')),
    count(*) filter (where r.delivery = 'read'),
    -- Nobody answers, nor asks to be left alone, before it came.
    count(*) filter (where r.erased_answer = 'answered'
      or r.accepted_at is not null and not r.has_opted_out and portal.answers_campaign(r.contact_id, r.accepted_at)),
    count(*) filter (where r.has_opted_out or r.erased_answer = 'opted-out'),
    count(*) filter (where r.state = 'failed'),
    count(*) filter (where r.state = 'unknown'),
    count(*) filter (where r.state in ('pending', 'sending'))
  from reached r
  group by 1
$$;
comment on function portal.campaign_outcomes(bigint[]) is
  'Of each campaign the contacts that got it as far as the phone, read it, wrote back within 72 hours, asked within 72 hours to be left alone (such a wish is no answer), failed, have an unknown end, or still wait. Server only.';

create function public.get_campaign_history(p_cursor timestamptz default null, p_id_cursor bigint default null) returns table (
  id bigint,
  "instanceName" text,
  created_at timestamptz,
  scheduled_at timestamptz,
  finished_at timestamptz,
  kanban_stage text,
  stage_name text,
  status text,
  pause_reason text,
  total_contacts integer,
  processed_contacts integer,
  message text,
  delivered bigint,
  read bigint,
  answered bigint,
  opted_out bigint,
  failed bigint,
  unknown bigint,
  waiting bigint
)
language plpgsql stable security definer set search_path = '' as $$
declare
  asker uuid := portal.require_member();
  found_ids bigint[];
begin
  select array_agg(page.id) into found_ids
  from (
    select c.id from public.remarketing_campaigns c
    where (asker is null or portal.is_admin() or c.broker_id = asker)
      and (c.created_at, c.id) < (coalesce(p_cursor, 'infinity'), coalesce(p_id_cursor, 0))
    order by c.created_at desc, c.id desc
    limit 30
  ) page;
  return query
    select c.id, b."instanceName", c.created_at, c.scheduled_at, c.finished_at, c.kanban_stage, s.name, c.status, c.pause_reason,
      c.total_contacts, c.processed_contacts, c.message,
      coalesce(o.delivered, 0), coalesce(o.read, 0), coalesce(o.answered, 0), coalesce(o.opted_out, 0), coalesce(o.failed, 0),
      coalesce(o.unknown, 0), coalesce(o.waiting, 0)
    from public.remarketing_campaigns c
    join public.brokers b on b.id = c.broker_id
    left join public.kanban_stages s on s.slug = c.kanban_stage
    left join portal.campaign_outcomes(found_ids) o on o.campaign_id = c.id
    where c.id = any (found_ids)
    order by c.created_at desc, c.id desc;
end $$;
comment on function public.get_campaign_history(timestamptz, bigint) is
  'A page of 30 campaigns, the newest first, with what became of their contacts: a broker''s own, an administrator''s of everyone. The next page by created_at and id of the last row. stage_name is null for a stage that is gone. 401 once the session has ended.';
grant execute on function public.get_campaign_history(timestamptz, bigint) to authenticated, service_role;

create function public.get_campaign_stats() returns table (
  broker_id uuid,
  "instanceName" text,
  total_campaigns bigint,
  total_contacts bigint,
  processed_contacts bigint,
  delivered bigint,
  read bigint,
  answered bigint,
  opted_out bigint
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return query
    select b.id, b."instanceName", count(*), sum(c.total_contacts)::bigint, sum(c.processed_contacts)::bigint,
      coalesce(sum(o.delivered), 0)::bigint, coalesce(sum(o.read), 0)::bigint, coalesce(sum(o.answered), 0)::bigint,
      coalesce(sum(o.opted_out), 0)::bigint
    from public.remarketing_campaigns c
    join public.brokers b on b.id = c.broker_id
    left join portal.campaign_outcomes((select array_agg(every.id) from public.remarketing_campaigns every)) o on o.campaign_id = c.id
    group by b.id, b."instanceName"
    order by b."instanceName";
end $$;
comment on function public.get_campaign_stats() is
  '''Resumo por Corretor'': each broker''s campaigns added up; who has none is left out. Administrators only.';
grant execute on function public.get_campaign_stats() to authenticated, service_role;

create function public.get_opt_outs(p_cursor timestamptz default null, p_id_cursor bigint default null) returns table (
  contact_id bigint,
  name text,
  number text,
  "instanceName" text,
  opted_out_at timestamptz
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return query
    select c.id, c.name, c.number, c."instanceName", p.opted_out_at
    from portal.people p
    join lateral (
      select l.id, l.name, l.number, l."instanceName" from public.whatsapp_contacts l
      where l.person_id = p.id order by l.last_message_timestamp desc nulls last, l.id desc limit 1
    ) c on true
    where p.opted_out_at is not null
      and (p.opted_out_at, c.id) < (coalesce(p_cursor, 'infinity'), coalesce(p_id_cursor, 0))
    order by p.opted_out_at desc, c.id desc
    limit 50;
end $$;
comment on function public.get_opt_outs(timestamptz, bigint) is
  'A page of 50 of the persons who asked to be left alone, the latest first, each by the contact that last wrote; undo_opt_out takes its id. The next page by opted_out_at and contact_id of the last row. Administrators only.';
grant execute on function public.get_opt_outs(timestamptz, bigint) to authenticated, service_role;

create function portal.push_campaign() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.status in ('completed', 'error')
    or new.status = 'paused' and new.pause_reason not in ('person', 'not-linked', 'unreachable') then
    perform portal.push(b."instanceName", 'campaign', 'campaign-' || new.id, new.id, interval '0')
    from public.brokers b where b.id = new.broker_id;
  end if;
  return null;
end $$;
comment on function portal.push_campaign() is 'Trigger: a campaign ended, or waits for its broker to decide.';
create trigger push_campaign after update of status on public.remarketing_campaigns
  for each row when (new.status <> old.status) execute function portal.push_campaign();

-- Rotations: who takes part, whose turn it is, the way of each lead through them, and what brokers do with what is offered.

create table public.roletas (
  id integer generated by default as identity primary key,
  empreendimento text not null unique check (btrim(empreendimento) <> '' and length(empreendimento) <= 120),
  ativa boolean not null default true,
  created_at timestamptz not null default now(),
  needs_acceptance boolean not null default false,
  accept_minutes smallint not null default 5 check (accept_minutes between 1 and 1440),
  answer_minutes smallint check (answer_minutes between 1 and 10080),
  max_hops smallint not null default 3 check (max_hops between 1 and 50),
  text_code text unique check (text_code ~ '^[A-Z0-9]{2,20}$')
);
comment on table public.roletas is 'Rotations that hand the leads of a development to brokers in turn. Administrators only.';
comment on column public.roletas.needs_acceptance is 'Whether a broker has to accept a lead before it is theirs.';
comment on column public.roletas.accept_minutes is 'How long an offer stands.';
comment on column public.roletas.answer_minutes is 'Within how long the new owner has to write to the lead, else it goes on; null: it stays.';
comment on column public.roletas.max_hops is 'To how many brokers a lead goes before every broker of the rotation may take it (bolsão).';
comment on column public.roletas.text_code is 'Stands in the text of this development''s WhatsApp links, so that a central instance knows what a first message is about.';
alter table public.roletas enable row level security;
create policy roletas_all on public.roletas for all to authenticated
  using ((select portal.is_admin())) with check ((select portal.is_admin()));
comment on policy roletas_all on public.roletas is 'Only an administrator sees and changes rotations.';
grant select, insert, delete on public.roletas to authenticated;
grant update (empreendimento, ativa) on public.roletas to authenticated;
grant all on public.roletas to service_role;

create function portal.are_shifts(p_shifts jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select jsonb_typeof(p_shifts) = 'array' and jsonb_array_length(p_shifts) between 1 and 50 and not exists (
    select from jsonb_array_elements(p_shifts) as s (shift)
    where not coalesce(
      jsonb_typeof(shift -> 'days') = 'array' and jsonb_array_length(shift -> 'days') between 1 and 7
        and not exists (select from jsonb_array_elements_text(shift -> 'days') as d (day) where d.day !~ '^[1-7]$')
        and (shift ->> 'from') ~ '^[0-9]{1,4}$' and (shift ->> 'to') ~ '^[0-9]{1,4}$'
        and (shift ->> 'from')::integer between 0 and 1439 and (shift ->> 'to')::integer between 1 and 1440
        and shift ->> 'from' <> shift ->> 'to', false))
$$;
comment on function portal.are_shifts(jsonb) is
  'Whether it is a list of shifts: days 1 (Monday) to 7, from and to in minutes of the day; one that ends before it begins goes on into the next day.';
grant execute on function portal.are_shifts(jsonb) to authenticated, service_role;

create table public.roleta_corretores (
  id uuid primary key default gen_random_uuid(),
  "roletaName" text not null references public.roletas (empreendimento) on update cascade on delete cascade,
  "instanceName" text not null references public.brokers ("instanceName") on update cascade on delete cascade,
  ordem integer not null check (ordem >= 1),
  leads_recebidos integer not null default 0 check (leads_recebidos >= 0),
  ativo boolean not null default true,
  weight smallint not null default 1 check (weight between 1 and 100),
  shifts jsonb check (portal.are_shifts(shifts)),
  daily_cap smallint check (daily_cap between 1 and 1000),
  credit integer not null default 0,
  unique ("roletaName", "instanceName"),
  unique ("roletaName", ordem) deferrable initially deferred
);
comment on table public.roleta_corretores is 'Seats of a rotation, in order. Administrators write, a broker sees the own seats.';
comment on column public.roleta_corretores.weight is 'Leads this seat gets beside the others'': twice the weight, twice the leads.';
comment on column public.roleta_corretores.shifts is 'Plantão: when the seat gets leads, as portal.are_shifts takes it, in the portal''s zone; null: at any time.';
comment on column public.roleta_corretores.daily_cap is 'The most leads of a day; null: no limit.';
comment on column public.roleta_corretores.credit is 'What the rotation owes this seat, in weights; written by the decision (src/domain/rotation/rotation.ts).';
create index seats_broker on public.roleta_corretores ("instanceName");
comment on index public.seats_broker is 'Serves a broker''s own seats.';
alter table public.roleta_corretores enable row level security;
create policy seats_read on public.roleta_corretores for select to authenticated
  using ((select portal.is_admin()) or "instanceName" = (select portal.my_instance()));
comment on policy seats_read on public.roleta_corretores is 'A broker sees the own seats, an administrator all.';
create policy seats_write on public.roleta_corretores for all to authenticated
  using ((select portal.is_admin())) with check ((select portal.is_admin()));
comment on policy seats_write on public.roleta_corretores is 'Only an administrator seats brokers.';
grant select, insert, delete on public.roleta_corretores to authenticated;
grant update (ordem, ativo) on public.roleta_corretores to authenticated;
grant all on public.roleta_corretores to service_role;

create function portal.make_room() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Seats that were not moved themselves and stand where one was moved to take the places that became free.
  with
    moved as (
      select n.id, n."roletaName", o.ordem as old_place, n.ordem as new_place
      from new_rows n join old_rows o using (id)
      where n.ordem <> o.ordem
    ),
    displaced as (
      select s.id, s."roletaName", row_number() over (partition by s."roletaName" order by s.ordem) as n
      from public.roleta_corretores s
      where exists (select from moved m where m."roletaName" = s."roletaName" and m.new_place = s.ordem)
        and s.id not in (select m.id from moved m)
    ),
    free as (
      select m."roletaName", m.old_place as ordem, row_number() over (partition by m."roletaName" order by m.old_place) as n
      from moved m
      where not exists (select from moved t where t."roletaName" = m."roletaName" and t.new_place = m.old_place)
    )
  update public.roleta_corretores s set ordem = free.ordem
  from displaced join free using ("roletaName", n)
  where s.id = displaced.id;
  return null;
end $$;
comment on function portal.make_room() is
  'Trigger: a seat moved to a taken place changes places with the one there, so that an order may be written seat by seat.';
create trigger make_room after update on public.roleta_corretores
  referencing old table as old_rows new table as new_rows for each statement
  when (pg_trigger_depth() = 0) execute function portal.make_room();


-- The rotations' calls. Administrators only, by the rules of their tables; a broker sees the own seats.

create function public.listar_roletas_com_corretores()
returns table (id integer, empreendimento text, ativa boolean, total_corretores bigint, created_at timestamptz)
language sql stable set search_path = '' as $$
  select r.id, r.empreendimento, r.ativa, count(s.id), r.created_at
  from public.roletas r left join public.roleta_corretores s on s."roletaName" = r.empreendimento
  group by r.id
  order by r.created_at, r.id
$$;
comment on function public.listar_roletas_com_corretores() is
  'All rotations with how many brokers each has; none for whoever is no administrator.';
grant execute on function public.listar_roletas_com_corretores() to authenticated, service_role;

create function public.get_brokers_by_roleta(roleta_id integer)
returns table (instance_id text, broker_name text, ordem integer, leads_recebidos integer, ativo boolean)
language sql stable set search_path = '' as $$
  select s."instanceName", s."instanceName", s.ordem, s.leads_recebidos, s.ativo
  from public.roletas r join public.roleta_corretores s on s."roletaName" = r.empreendimento
  where r.id = roleta_id
  order by s.ordem
$$;
comment on function public.get_brokers_by_roleta(integer) is
  'Seats of a rotation in order: instance_id and broker_name both are the instance name, ordem counts from 1. None for an unknown rotation and for whoever is no administrator.';
grant execute on function public.get_brokers_by_roleta(integer) to authenticated, service_role;

create function public.set_roleta_ativa(roleta_id integer, nova_ativa boolean)
returns table (id integer, empreendimento text, ativa boolean)
language plpgsql volatile set search_path = '' as $$
begin
  perform portal.require_admin();
  if nova_ativa is null then
    raise exception 'Informe se a roleta fica ativa.' using errcode = '22023';
  end if;
  return query
    update public.roletas r set ativa = nova_ativa where r.id = roleta_id returning r.id, r.empreendimento, r.ativa;
  if not found then
    raise exception 'Roleta não encontrada.' using errcode = 'PT404';
  end if;
end $$;
comment on function public.set_roleta_ativa(integer, boolean) is
  'Switches a rotation on or off and answers its row. 22023 without a choice, 404 for an unknown one, 42501 for whoever is no administrator.';
grant execute on function public.set_roleta_ativa(integer, boolean) to authenticated, service_role;


-- How a rotation hands out: weights, shifts, caps, acceptance; who pauses; which instances are central.

create function portal.development_key(p_development text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select nullif(regexp_replace(
    translate(lower(p_development), 'áàâãäéèêëíìîïóòôõöúùûüçñ', 'aaaaaeeeeiiiiooooouuuucn'), '[^a-z0-9]+', '', 'g'), '')
$$;
comment on function portal.development_key(text) is 'A development''s name for comparing only: without case, accents and what is between the letters.';

create function portal.pause_leads(p_until timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.brokers b set paused_until = p_until where b."instanceName" = portal.require_broker();
  return jsonb_build_object('pausedUntil', p_until);
end $$;
comment on function portal.pause_leads(timestamptz) is
  'The broker who asks gets no leads from rotations until then; null: again from now on. Brokers, by the server only.';

create function portal.set_central(p_instance text, p_is_central boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  if p_is_central and exists (select from public.roleta_corretores s where s."instanceName" = p_instance) then
    raise exception 'Tire este corretor das roletas antes de usar o número como central.'
      using errcode = 'PT409', hint = 'central.seated';
  end if;
  update public.brokers b set central_since = case when p_is_central then coalesce(b.central_since, now()) end
  where b."instanceName" = p_instance;
  if not found then
    raise exception 'Corretor não encontrado' using errcode = 'PT404', hint = 'broker.unknown';
  end if;
  perform portal.audit('central.switched', portal.username_of(p_instance), jsonb_build_object('on', p_is_central));
  return jsonb_build_object('instanceName', p_instance, 'isCentral', p_is_central);
end $$;
comment on function portal.set_central(text, boolean) is
  'Makes an instance central, so that first messages to it are leads for a rotation, or a broker''s own again. Administrators, by the server only.';


-- A lead's way through a rotation, every step of it with its reasons, append only.

create table portal.roleta_cases (
  id bigint generated always as identity primary key,
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  roleta_id integer references public.roletas on delete set null,
  development text,
  state text not null default 'waiting'
    check (state in ('waiting', 'offered', 'watched', 'pool', 'inbox', 'done', 'closed')),
  holder text references public.brokers ("instanceName") on update cascade on delete set null,
  tried text[] not null default '{}',
  arrived_at timestamptz not null,
  since timestamptz not null,
  next_at timestamptz,
  -- An answer of the very second in which a lead was given counts only when it was written after.
  since_message bigint not null default 0
);
comment on table portal.roleta_cases is 'Each lead that came in for distribution. Reached through functions only.';
comment on column portal.roleta_cases.state is
  'waiting (for a decision, or for somebody to be there), offered, watched (has an owner who has not written yet), pool (bolsão), inbox (the administrator''s), done (has its owner), closed (given away by hand).';
comment on column portal.roleta_cases.holder is 'Instance name of the broker it is offered to, or who has it.';
comment on column portal.roleta_cases.tried is 'Who had it offered or given already.';
comment on column portal.roleta_cases.since is 'Since when it is in this state.';
comment on column portal.roleta_cases.next_at is 'When the portal looks at it again; null: not by itself.';
comment on column portal.roleta_cases.since_message is
  'The newest message of the lead when its broker''s time to answer began: of the second of since, what came after it counts.';
create unique index roleta_cases_open on portal.roleta_cases (contact_id) where state in ('waiting', 'offered', 'watched', 'pool');
comment on index portal.roleta_cases_open is 'A lead is on one way at a time.';
create index roleta_cases_contact on portal.roleta_cases (contact_id, id desc);
comment on index portal.roleta_cases_contact is 'Serves the ways of a lead, and its removal.';
create index roleta_cases_due on portal.roleta_cases (next_at, id) where next_at is not null;
comment on index portal.roleta_cases_due is 'Serves what is to be looked at now.';
create index roleta_cases_holder on portal.roleta_cases (holder, state);
comment on index portal.roleta_cases_holder is 'Serves what is offered to a broker, and the removal of one.';
create index roleta_cases_roleta on portal.roleta_cases (roleta_id, arrived_at);
comment on index portal.roleta_cases_roleta is 'Serves a rotation''s leads of a period, its bolsão and its removal.';
create index roleta_cases_pool on portal.roleta_cases (id) where state = 'pool';
comment on index portal.roleta_cases_pool is 'Serves the look for leads of the bolsão whose person has a broker by now.';
alter table portal.roleta_cases enable row level security;

create table portal.roleta_events (
  id bigint generated always as identity primary key,
  case_id bigint not null references portal.roleta_cases on delete cascade,
  roleta_id integer references public.roletas on delete set null,
  kind text not null check (kind in ('received', 'offered', 'given', 'accepted', 'passed', 'expired', 'unanswered', 'answered',
    'pooled', 'claimed', 'waiting', 'inbox', 'theirs', 'closed', 'sent')),
  "instanceName" text,
  changed_by text not null default portal.actor(),
  decision jsonb,
  at timestamptz not null
);
comment on table portal.roleta_events is 'The steps of each case, append only; beside a decision all it was made from, so that it can be made again.';
comment on column portal.roleta_events."instanceName" is 'The broker it is about, who may be gone since.';
comment on column portal.roleta_events.decision is '{seats, moment, picked, verdicts} as src/domain/rotation/rotation.ts takes and gives them; of what was received its {source}.';
create index roleta_events_case on portal.roleta_events (case_id, id);
comment on index portal.roleta_events_case is 'Serves the steps of a lead in order.';
create index roleta_events_share on portal.roleta_events (roleta_id, at);
comment on index portal.roleta_events_share is 'Serves who got how much of a rotation in a period, today above all.';
create index roleta_events_handed on portal.roleta_events (at) where kind in ('given', 'accepted', 'claimed');
comment on index portal.roleta_events_handed is 'Serves the leads that rotations handed out in a period, over all rotations.';
alter table portal.roleta_events enable row level security;

create function portal.keep_events() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise exception 'O histórico da roleta não muda.' using errcode = '42501';
end $$;
comment on function portal.keep_events() is 'Trigger: what was decided is never rewritten.';
create trigger keep_events before update on portal.roleta_events
  for each row when (old.decision is distinct from new.decision or old.kind <> new.kind or old.at <> new.at
    or old."instanceName" is distinct from new."instanceName" or old.case_id <> new.case_id)
  execute function portal.keep_events();

create function portal.add_roleta_event(p_case portal.roleta_cases, p_kind text, p_instance text, p_at timestamptz, p_decision jsonb default null)
returns void
language sql volatile security definer set search_path = '' as $$
  insert into portal.roleta_events (case_id, roleta_id, kind, "instanceName", decision, at)
  values (p_case.id, p_case.roleta_id, p_kind, p_instance, p_decision, p_at)
$$;
comment on function portal.add_roleta_event(portal.roleta_cases, text, text, timestamptz, jsonb) is 'Appends a step to a case. Server only.';

create function portal.take_roleta_turn() returns void
language sql volatile set search_path = '' as $$
  select pg_advisory_xact_lock(71302212)
$$;
comment on function portal.take_roleta_turn() is
  'One decision at a time over all portals, until the transaction ends. Taken before any row. Server only.';

create function portal.roleta_of(p_development text) returns integer
language sql stable security definer set search_path = '' as $$
  select r.id from public.roletas r
  where portal.development_key(r.empreendimento) = portal.development_key(p_development) and r.ativa
  order by r.created_at, r.id limit 1
$$;
comment on function portal.roleta_of(text) is 'The active rotation of a development, however its name is written; null without one. Server only.';

create function portal.open_case(p_contact bigint, p_development text, p_source text, p_now timestamptz) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  opened portal.roleta_cases;
begin
  select * into opened from portal.roleta_cases c
  where c.contact_id = p_contact and c.state in ('waiting', 'offered', 'watched', 'pool', 'inbox')
  order by c.state = 'inbox', c.id desc limit 1;
  if opened.state = 'inbox' then
    -- There may be a rotation by now, or for what is asked for this time.
    update portal.roleta_cases c
    set state = 'waiting', since = p_now, next_at = p_now, development = coalesce(p_development, c.development),
      roleta_id = portal.roleta_of(coalesce(p_development, c.development))
    where c.id = opened.id returning * into opened;
  elsif opened.id is null then
    insert into portal.roleta_cases (contact_id, roleta_id, development, arrived_at, since, next_at)
    values (p_contact, portal.roleta_of(p_development), p_development, p_now, p_now, p_now)
    returning * into opened;
  end if;
  perform portal.add_roleta_event(opened, 'received', null, p_now, jsonb_build_object('source', p_source));
  return opened.id;
end $$;
comment on function portal.open_case(bigint, text, text, timestamptz) is
  'Puts a lead on its way, or notes that it came in once more where it already is. Whoever calls holds the lead or its person. Server only.';

create function portal.close_case() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  closed portal.roleta_cases;
begin
  if current_setting('portal.roleta', true) = 'on' then return null; end if;
  update portal.roleta_cases c set state = 'closed', next_at = null, since = now(), holder = new."instanceName"
  where c.contact_id = new.id and c.state in ('waiting', 'offered', 'watched', 'pool')
  returning * into closed;
  if found then perform portal.add_roleta_event(closed, 'closed', new."instanceName", now()); end if;
  return null;
end $$;
comment on function portal.close_case() is 'Trigger: a lead that gets another owner by hand leaves its rotation.';
create trigger close_case after update of "instanceName" on public.whatsapp_contacts
  for each row when (old."instanceName" is distinct from new."instanceName")
  execute function portal.close_case();

create function portal.move_cases() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  owner text := new.kept_before ->> 'instanceName';
  closed portal.roleta_cases;
begin
  -- By hand a lead that becomes one with a broker's own is that broker's; and two ways become one.
  if current_setting('portal.roleta', true) is distinct from 'on' and (owner is not null or exists (
    select from portal.roleta_cases c
    where c.contact_id = new.kept_contact_id and c.state in ('waiting', 'offered', 'watched', 'pool'))) then
    update portal.roleta_cases c set state = 'closed', next_at = null, since = now(), holder = owner
    where c.contact_id = new.gone_contact_id and c.state in ('waiting', 'offered', 'watched', 'pool')
    returning * into closed;
    if found then perform portal.add_roleta_event(closed, 'closed', owner, now()); end if;
  elsif exists (select from portal.roleta_cases c
    where c.contact_id = new.gone_contact_id and c.state in ('waiting', 'offered', 'watched', 'pool')) then
    update portal.roleta_cases c set state = 'done', next_at = null, since = now()
    where c.contact_id = new.kept_contact_id and c.state in ('waiting', 'offered', 'watched', 'pool');
  end if;
  update portal.roleta_cases set contact_id = new.kept_contact_id where contact_id = new.gone_contact_id;
  return null;
end $$;
comment on function portal.move_cases() is 'Trigger: a lead that becomes one with another takes its ways along.';
create trigger move_cases after insert on portal.contact_merges
  for each row execute function portal.move_cases();

create function portal.note_since_message() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.since_message := coalesce((
    -- Found by the conversation's index, and not by looking for the lead among the newest of all messages.
    select max(own.id) from (
      select m.id from public.whatsapp_messages m where m.contact_id = new.contact_id offset 0) own), 0);
  return new;
end $$;
comment on function portal.note_since_message() is
  'Trigger on portal.roleta_cases: which message was the newest when a broker''s time to answer began.';
create trigger note_since_message before update of since on portal.roleta_cases
  for each row when (new.state = 'watched') execute function portal.note_since_message();

create function portal.open_old_case(p_contact bigint, p_development text, p_source text, p_at timestamptz) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  opened portal.roleta_cases;
begin
  insert into portal.roleta_cases (contact_id, roleta_id, development, state, arrived_at, since, next_at)
  values (p_contact, portal.roleta_of(p_development), p_development, 'inbox', p_at, p_at, null)
  returning * into opened;
  perform portal.add_roleta_event(opened, 'received', null, p_at, jsonb_build_object('source', p_source));
  return opened.id;
end $$;
comment on function portal.open_old_case(bigint, text, text, timestamptz) is
  'A lead that wrote to a central instance while no phone was linked waits in the inbox: whoever is there decides, nobody is offered it late. Server only.';


-- What a decision of the rotation is made from, and what becomes of it. The decision itself is
-- src/domain/rotation/rotation.ts. Locks are taken in one order: the turn, brokers, leads, cases, seats.

create function portal.roleta_seats(p_roleta integer, p_tried text[], p_now timestamptz) returns jsonb
language sql stable security definer set search_path = '' as $$
  with today as (
    select date_trunc('day', p_now at time zone portal.time_zone()) at time zone portal.time_zone() as starts_at
  ),
  taken as (
    select e."instanceName", count(*) as leads
    from portal.roleta_events e, today
    where e.roleta_id = p_roleta and e.at >= today.starts_at and e.kind in ('given', 'accepted', 'claimed')
    group by e."instanceName"
  ),
  offered as (
    select c.holder as "instanceName", count(*) as leads
    from portal.roleta_cases c where c.roleta_id = p_roleta and c.state = 'offered' group by c.holder
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'instanceName', s."instanceName", 'position', s.ordem, 'weight', s.weight, 'credit', s.credit,
    'isActive', s.ativo and b.central_since is null,
    'isPaused', coalesce(b.paused_until > p_now, false),
    'isLinked', coalesce(i.state = 'open' and i.dead_at is null, false),
    'shifts', s.shifts, 'dailyCap', s.daily_cap,
    'receivedToday', coalesce(taken.leads, 0) + coalesce(offered.leads, 0),
    'wasTried', s."instanceName" = any (p_tried)
  ) order by s.ordem), '[]')
  from public.roletas r
  join public.roleta_corretores s on s."roletaName" = r.empreendimento
  join public.brokers b using ("instanceName")
  left join portal.instance_states i using ("instanceName")
  left join taken using ("instanceName")
  left join offered using ("instanceName")
  where r.id = p_roleta
$$;
comment on function portal.roleta_seats(integer, text[], timestamptz) is
  'The seats of a rotation as src/domain/rotation/rotation.ts decides over them. Server only.';

create function portal.moment_of(p_now timestamptz) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('weekday', extract(isodow from l.local)::integer,
    'minute', (extract(hour from l.local) * 60 + extract(minute from l.local))::integer, 'day', l.local::date)
  from (select p_now at time zone portal.time_zone()) as l (local)
$$;
comment on function portal.moment_of(timestamptz) is 'Weekday (1 Monday to 7), minute of the day and date in the portal''s zone. Server only.';

create function portal.due_cases(p_now timestamptz) returns table (id bigint)
language sql stable security definer set search_path = '' as $$
  (select c.id from portal.roleta_cases c where c.next_at <= p_now order by c.next_at, c.id limit 100)
  union all
  (select c.id from portal.roleta_cases c where c.state = 'pool' and portal.keeper_of(c.contact_id) is not null
   order by c.id limit 100)
$$;
comment on function portal.due_cases(timestamptz) is
  'Cases to be looked at now: those whose time has come, the longest due first, and those of the bolsão whose person has a broker by now. Server only.';

create function portal.case_to_decide(p_case bigint, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  c portal.roleta_cases;
  r public.roletas;
  theirs text;
  ended text;
begin
  perform portal.take_roleta_turn();
  perform set_config('portal.roleta', 'on', true);
  select * into c from portal.roleta_cases k where k.id = p_case and (k.next_at <= p_now or k.state = 'pool');
  if not found then return null; end if;
  if c.state = 'watched' then
    ended := case when exists (
      select from public.whatsapp_messages m
      where m.contact_id = c.contact_id and m.type = 'outgoing' and m.author = 'human' and m.delivery <> 'failed'
        and m."timestamp" >= floor(extract(epoch from c.since))
        and (m."timestamp" > floor(extract(epoch from c.since)) or m.id > c.since_message)
    ) then 'answered' else 'unanswered' end;
  elsif c.state = 'offered' then
    ended := 'expired';
  end if;
  if ended is distinct from 'unanswered' then theirs := portal.keeper_of(c.contact_id); end if;
  -- Out of the bolsão by itself it goes to nobody else.
  if c.state = 'pool' and theirs is null then return null; end if;
  if c.roleta_id is null then c.roleta_id := portal.roleta_of(c.development); end if;
  select * into r from public.roletas k where k.id = c.roleta_id and k.ativa;
  if ended = 'unanswered' and r.id is null then
    -- A rotation that is switched off takes nothing away.
    ended := null;
    theirs := portal.keeper_of(c.contact_id);
  end if;
  return jsonb_build_object(
    'id', c.id, 'contactId', c.contact_id, 'state', c.state, 'nextAt', c.next_at,
    'ended', ended, 'holder', c.holder, 'theirs', theirs, 'hops', cardinality(c.tried),
    'moment', portal.moment_of(p_now),
    'roleta', case when r.id is not null then jsonb_build_object(
      'id', r.id, 'needsAcceptance', r.needs_acceptance, 'maxHops', r.max_hops,
      'seats', portal.roleta_seats(r.id, c.tried, p_now)) end);
end $$;
comment on function portal.case_to_decide(bigint, timestamptz) is
  'Takes the turn and tells all that the next step of a case is decided by; null where there is nothing to do any more. Server only.';

create function portal.give_lead(p_case bigint, p_to text, p_kind text, p_now timestamptz, p_decision jsonb default null) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  c portal.roleta_cases;
begin
  perform set_config('portal.roleta', 'on', true);
  perform from public.brokers b where b."instanceName" = p_to for key share;
  if not found then
    raise exception 'Este corretor não existe mais.' using errcode = 'PT409', hint = 'broker.unknown';
  end if;
  select * into strict c from portal.roleta_cases k where k.id = p_case;
  perform portal.hand_over(array[c.contact_id], p_to);
  -- Where the broker had the person already, the case went along to that lead.
  update portal.roleta_cases k
  set
    holder = p_to, since = p_now,
    tried = case when p_to = any (k.tried) then k.tried else k.tried || p_to end,
    state = case when p_kind = 'theirs' then 'done' when r.answer_minutes is null then 'done' else 'watched' end,
    next_at = case when p_kind <> 'theirs' then p_now + make_interval(mins => r.answer_minutes) end
  from portal.roleta_cases own left join public.roletas r on r.id = own.roleta_id
  where k.id = p_case and own.id = k.id
  returning k.* into c;
  if p_kind <> 'theirs' then
    update public.roleta_corretores s set leads_recebidos = s.leads_recebidos + 1
    from public.roletas r
    where r.id = c.roleta_id and s."roletaName" = r.empreendimento and s."instanceName" = p_to;
  end if;
  perform portal.add_roleta_event(c, p_kind, p_to, p_now, p_decision);
  perform set_config('portal.roleta', '', true);
  return c.contact_id;
end $$;
comment on function portal.give_lead(bigint, text, text, timestamptz, jsonb) is
  'Makes a broker the owner of a case''s lead; answers the lead, which is another where the broker had the person already. Server only.';

create function portal.settle_case(p_case bigint, p_now timestamptz, p_step jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  c portal.roleta_cases;
  before portal.roleta_cases;
  wanted text := p_step ->> 'kind';
  picked text := p_step ->> 'to';
  roleta integer := (p_step ->> 'roletaId')::integer;
  logged jsonb := nullif(p_step -> 'decision', 'null');
  minutes integer;
begin
  -- In the order of a removal, which holds the broker before the leads; whoever loses the lead too.
  perform from public.brokers b
  where b."instanceName" in (picked, (select k.holder from portal.roleta_cases k where k.id = p_case))
  order by b."instanceName" for key share;
  if picked is not null and not exists (select from public.brokers b where b."instanceName" = picked) then
    raise exception 'The broker of a decision is gone.' using errcode = '40001';
  end if;
  perform from public.whatsapp_contacts w
  where w.id = (select k.contact_id from portal.roleta_cases k where k.id = p_case) for update;
  select * into strict before from portal.roleta_cases k where k.id = p_case for update;
  -- Given away by hand, answered or merged meanwhile: what was decided was over something else.
  if before.state <> p_step ->> 'state' or before.next_at is distinct from (p_step ->> 'nextAt')::timestamptz then
    perform set_config('portal.roleta', '', true);
    return;
  end if;
  if p_step ->> 'ended' = 'unanswered' then
    -- What the lead writes to the old owner's number still joins it.
    update public.whatsapp_contacts w set "instanceName" = null
    from portal.roleta_cases k where k.id = p_case and w.id = k.contact_id;
  end if;
  select * into strict c from portal.roleta_cases k where k.id = p_case;
  if p_step ->> 'ended' is not null then
    perform portal.add_roleta_event(c, p_step ->> 'ended', c.holder, p_now);
  end if;
  update public.roleta_corretores s set credit = (given.credit)::integer
  from jsonb_each_text(coalesce(p_step -> 'credits', '{}')) as given ("instanceName", credit), public.roletas r
  where r.id = roleta and s."roletaName" = r.empreendimento and s."instanceName" = given."instanceName"
    and s.credit <> (given.credit)::integer;
  select r.accept_minutes into minutes from public.roletas r where r.id = roleta;
  -- Nobody being there is said once, not at every look.
  if not (wanted = 'waiting' and c.state = 'waiting' and c.holder is null and coalesce((
    select e.kind = 'waiting' and e.decision -> 'verdicts' = logged -> 'verdicts'
    from portal.roleta_events e where e.case_id = p_case order by e.id desc limit 1), false))
    and wanted not in ('given', 'theirs', 'answered') then
    c.roleta_id := roleta;
    perform portal.add_roleta_event(c, wanted, picked, p_now, logged);
  end if;
  update portal.roleta_cases k
  set
    roleta_id = coalesce(roleta, k.roleta_id),
    state = case wanted when 'offered' then 'offered' when 'pooled' then 'pool' when 'inbox' then 'inbox'
      when 'answered' then 'done' else 'waiting' end,
    holder = case when wanted = 'answered' then k.holder else picked end,
    tried = case when wanted = 'offered' then k.tried || picked else k.tried end,
    since = case when wanted = 'waiting' and k.state = 'waiting' then k.since else p_now end,
    next_at = case wanted when 'offered' then p_now + make_interval(mins => minutes)
      when 'waiting' then p_now + interval '1 minute' end
  where k.id = p_case returning * into c;
  if wanted in ('given', 'theirs') then perform portal.give_lead(p_case, picked, wanted, p_now, logged); end if;
  perform set_config('portal.roleta', '', true);
  if before.state = 'pool' then perform portal.tell_case(before); end if;
  perform portal.tell_case(c);
end $$;
comment on function portal.settle_case(bigint, timestamptz, jsonb) is
  'Carries out the next step of a case in the transaction of case_to_decide: {kind, to, roletaId, ended, credits, decision}, and the state and nextAt it was decided over; nothing where they are others by now. Server only.';

create function portal.tell_case(p_case portal.roleta_cases) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.tell(jsonb_build_object('kind', 'offers', 'instanceName', named.instance))
  from (
    select p_case.holder as instance
    union select unnest(p_case.tried)
    union select portal.pool_brokers(p_case.roleta_id) where p_case.state = 'pool'
  ) named
  where named.instance is not null;
end $$;
comment on function portal.tell_case(portal.roleta_cases) is 'Tells whom a case concerns that their offers changed. Server only.';

create function portal.postpone_case(p_case bigint, p_until timestamptz) returns void
language sql volatile security definer set search_path = '' as $$
  update portal.roleta_cases set next_at = p_until where id = p_case and next_at < p_until
$$;
comment on function portal.postpone_case(bigint, timestamptz) is 'Looks at a case later that could not be decided, so that it holds nobody up. Server only.';


-- Decisions of the rotation and hand-overs by people never undo each other: one turn, and locks in one order, the turn, brokers,
-- leads, cases, seats. Whose the person is by now counts in every step.

create function portal.keeper_of(p_contact bigint) returns text
language sql stable security definer set search_path = '' as $$
  select w."instanceName"
  from public.whatsapp_contacts lead
  join public.whatsapp_contacts w on w.person_id = lead.person_id
  join public.brokers b on b."instanceName" = w."instanceName"
  where lead.id = p_contact and b.central_since is null
  order by w.id = lead.id desc, w.last_message_timestamp desc nulls last, w.id limit 1
$$;
comment on function portal.keeper_of(bigint) is
  'The broker who has the person of a lead already, of several the one talked to last; null where nobody has. Server only.';


-- Who writes to a broker's own number is that broker's; a rotation that is switched on takes its waiting leads; the
-- administrator sees all leads without a broker; and a rotation's own steps stand in the leads' history only.

create function portal.end_watch() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  kept portal.roleta_cases;
begin
  update portal.roleta_cases k set state = 'done', next_at = null, since = now()
  where k.contact_id = new.contact_id and k.state = 'watched' and k.holder = new."instanceName"
  returning * into kept;
  if found then perform portal.add_roleta_event(kept, 'theirs', kept.holder, now()); end if;
  return null;
end $$;
comment on function portal.end_watch() is
  'Trigger: a lead that writes to its owner''s own number stays there, answered in time or not.';
create trigger end_watch after insert on public.whatsapp_messages
  for each row when (new.type = 'incoming') execute function portal.end_watch();


-- Leads that are the administrator's go to a rotation when the administrator says so: one that is switched on or newly made
-- offers to take those it is for, and hands them out as it does any other.

create function portal.inbox_cases() returns table (id bigint, roleta_id integer)
language sql stable security definer set search_path = '' as $$
  select k.id, r.id
  from portal.roleta_cases k
  join public.whatsapp_contacts w on w.id = k.contact_id
  left join public.brokers b on b."instanceName" = w."instanceName"
  join lateral (
    select coalesce((select own.id from public.roletas own where own.id = k.roleta_id and own.ativa),
      portal.roleta_of(k.development)) as id
  ) r on r.id is not null
  where k.state = 'inbox' and (w."instanceName" is null or b.central_since is not null)
    and not exists (
      select from portal.roleta_cases other
      where other.contact_id = k.contact_id and other.id <> k.id
        and (other.state in ('waiting', 'offered', 'watched', 'pool') or other.state = 'inbox' and other.id > k.id))
    and exists (
      select from public.roletas seated join public.roleta_corretores s on s."roletaName" = seated.empreendimento
      where seated.id = r.id and s.ativo)
$$;
comment on function portal.inbox_cases() is
  'Cases that are the administrator''s, without a broker, and the active rotation with an active seat that could take each: its own, else that of its development. Server only.';

create function portal.inbox_leads() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', c.roleta_id, 'leads', c.leads) order by c.roleta_id), '[]')
    from (select k.roleta_id, count(*) as leads from portal.inbox_cases() k group by k.roleta_id) c
  );
end $$;
comment on function portal.inbox_leads() is
  'How many leads of the administrator each rotation could take, those that could take none left out. Administrators, by the server only.';

create function portal.send_inbox(p_roleta integer, p_operation_id uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
  sent portal.roleta_cases;
  leads integer := 0;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  perform portal.take_roleta_turn();
  if not exists (select from public.roletas r where r.id = p_roleta) then
    raise exception 'Roleta não encontrada' using errcode = 'PT404', hint = 'roleta.unknown';
  end if;
  for sent in
    update portal.roleta_cases k set state = 'waiting', roleta_id = p_roleta, since = p_now, next_at = p_now
    from portal.inbox_cases() found
    where k.id = found.id and found.roleta_id = p_roleta and k.state = 'inbox'
    returning k.*
  loop
    perform portal.add_roleta_event(sent, 'sent', null, p_now);
    leads := leads + 1;
  end loop;
  if leads > 0 then
    perform portal.audit('roleta.inbox-sent', (select r.empreendimento from public.roletas r where r.id = p_roleta),
      jsonb_build_object('count', leads));
  end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'roleta.inbox', jsonb_build_object('leads', leads));
end $$;
comment on function portal.send_inbox(integer, uuid, timestamptz) is
  'Puts the leads of the administrator that a rotation could take on their way through it, the first come first, decided like any other; once an operation: {leads}. 404 for an unknown rotation. Administrators, by the server only.';


-- What brokers do with what the rotation offers, and what each may see of it.

create function portal.first_name(p_name text) returns text
language sql immutable set search_path = '' as $$
  -- Some put their number in the place of their name.
  select case when word !~ '[0-9@]' then left(nullif(word, ''), 40) end
  from split_part(btrim(p_name), ' ', 1) as word
$$;
comment on function portal.first_name(text) is 'All that is shown of a lead before it is accepted; null where that would be a number or an address.';

create function portal.my_offers(p_now timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  instance text := portal.require_broker();
begin
  return jsonb_build_object(
    'offers', (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'firstName', portal.first_name(w.name),
        'development', c.development, 'offeredAt', c.since, 'expiresAt', c.next_at) order by c.next_at, c.id), '[]')
      from portal.roleta_cases c join public.whatsapp_contacts w on w.id = c.contact_id
      where c.holder = instance and c.state = 'offered' and c.next_at > p_now),
    'pool', (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'firstName', portal.first_name(w.name),
        'development', c.development, 'since', c.since) order by c.since, c.id), '[]')
      from portal.roleta_cases c join public.whatsapp_contacts w on w.id = c.contact_id
      join public.roletas r on r.id = c.roleta_id
      join public.roleta_corretores s on s."roletaName" = r.empreendimento
      where c.state = 'pool' and s."instanceName" = instance and s.ativo),
    'pausedUntil', (select b.paused_until from public.brokers b where b."instanceName" = instance and b.paused_until > p_now),
    'now', p_now);
end $$;
comment on function portal.my_offers(timestamptz) is
  'What the broker who asks is offered, with the first name and the development only, and the bolsão of the own rotations. Brokers, by the server only.';

create function portal.answer_offer(p_case bigint, p_wish text, p_operation_id uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  instance text := portal.require_broker();
  answer jsonb := portal.begin_operation(portal.account_id(), p_operation_id);
  c portal.roleta_cases;
  owner text;
  has_seat boolean;
  is_theirs boolean;
  is_free boolean;
  lead bigint;
begin
  if answer is not null then return answer; end if;
  perform portal.take_roleta_turn();
  perform from public.brokers b where b."instanceName" = instance for key share;
  perform from public.whatsapp_contacts w
  where w.id = (select k.contact_id from portal.roleta_cases k where k.id = p_case) for update;
  select * into c from portal.roleta_cases k where k.id = p_case for update;
  select w."instanceName" into owner from public.whatsapp_contacts w where w.id = c.contact_id;
  has_seat := exists (
    select from public.roletas r join public.roleta_corretores s on s."roletaName" = r.empreendimento
    where r.id = c.roleta_id and s."instanceName" = instance and s.ativo);
  is_theirs := c.state in ('watched', 'done', 'closed') and owner = instance;
  is_free := coalesce(portal.keeper_of(c.contact_id), instance) = instance;
  if c.id is null or not (has_seat or instance = any (c.tried) and (p_wish <> 'claim' or coalesce(is_theirs, false))) then
    raise exception 'Lead não encontrado.' using errcode = 'PT404', hint = 'offer.unknown';
  end if;
  if p_wish <> 'pass' and is_theirs then
    lead := c.contact_id;
  elsif p_wish = 'accept' and is_free and c.state = 'offered' and c.holder = instance and c.next_at > p_now then
    lead := portal.give_lead(c.id, instance, 'accepted', p_now);
  elsif p_wish = 'claim' and is_free and c.state = 'pool' then
    lead := portal.give_lead(c.id, instance, 'claimed', p_now);
  elsif p_wish = 'pass' and c.state = 'offered' and c.holder = instance and c.next_at > p_now then
    update portal.roleta_cases k set state = 'waiting', holder = null, since = p_now, next_at = p_now where k.id = c.id;
    perform portal.add_roleta_event(c, 'passed', instance, p_now);
  elsif c.holder = instance and c.state = 'offered' and c.next_at <= p_now then
    raise exception 'O tempo para aceitar este lead acabou.' using errcode = 'PT409', hint = 'offer.expired';
  else
    raise exception 'Este lead já passou para outro corretor.' using errcode = 'PT409', hint = 'offer.gone';
  end if;
  perform portal.tell_case(c);
  return portal.end_operation(portal.account_id(), p_operation_id, 'roleta.' || p_wish,
    jsonb_build_object('success', true, 'contactId', lead));
end $$;
comment on function portal.answer_offer(bigint, text, uuid, timestamptz) is
  'accept, pass or claim (out of the bolsão, with an active seat), once an operation: {success, contactId}, the lead that is theirs now or null. Of two devices, and of two brokers who claim, one wins: the same broker again, or who got the lead by hand, is told yes, another 409, as is everybody once the person has another broker. 404 for who never had it offered and has no seat. Brokers, by the server only.';

-- Of a lead that is to be given out, whose it is meanwhile, so that a screen can lead to its conversation.
create function portal.open_cases() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'contactId', c.contact_id, 'name', w.name, 'number', w.number,
      'development', c.development, 'roletaId', c.roleta_id, 'state', c.state, 'holder', c.holder, 'owner', w."instanceName",
      'arrivedAt', c.arrived_at, 'since', c.since, 'nextAt', c.next_at, 'hops', cardinality(c.tried)) order by c.arrived_at, c.id), '[]')
    from portal.roleta_cases c
    join public.whatsapp_contacts w on w.id = c.contact_id
    left join public.brokers b on b."instanceName" = w."instanceName"
    where c.state in ('waiting', 'offered', 'pool')
      or c.state = 'inbox' and (w."instanceName" is null or b.central_since is not null)
  );
end $$;
comment on function portal.open_cases() is
  'Leads that no broker has yet: on their way, in the bolsão, or the administrator''s because no rotation takes them. Administrators, by the server only.';

create function portal.lead_course(p_contact bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return portal.course_of(p_contact, true);
end $$;
comment on function portal.lead_course(bigint) is
  'How a lead came in and went from broker to broker, the newest way first, each decision with what it was made from. Administrators, by the server only.';

create function portal.shares_of(p_roleta integer, p_from timestamptz, p_to timestamptz)
returns table ("instanceName" text, weight integer, kinds jsonb, reasons jsonb)
language sql stable security definer set search_path = '' as $$
  with
    within as (select e.* from portal.roleta_events e where e.roleta_id = p_roleta and e.at >= p_from and e.at < p_to),
    steps as (
      select k."instanceName", jsonb_object_agg(k.kind, k.n) as counts
      from (select w."instanceName", w.kind, count(*) as n from within w where w."instanceName" is not null group by 1, 2) k
      group by 1
    ),
    verdicts as (
      select k."instanceName", jsonb_object_agg(k.reason, k.n) as counts
      from (
        select v."instanceName", v.reason, count(*) as n
        from within w, jsonb_to_recordset(w.decision -> 'verdicts') as v ("instanceName" text, reason text)
        group by 1, 2
      ) k
      group by 1
    ),
    seats as (
      select s."instanceName", s.weight, s.ordem
      from public.roletas r join public.roleta_corretores s on s."roletaName" = r.empreendimento where r.id = p_roleta
    )
  select coalesce(seats."instanceName", steps."instanceName"), coalesce(seats.weight, 0)::integer,
    coalesce(steps.counts, '{}'), coalesce(verdicts.counts, '{}')
  from seats full join steps using ("instanceName") left join verdicts using ("instanceName")
  order by seats.ordem nulls last, 1
$$;
comment on function portal.shares_of(integer, timestamptz, timestamptz) is
  'Of a rotation and period, a broker: the weight now (0 once out of it), how many steps of each kind, and how often each reason spoke for or against. Server only.';

create function portal.roleta_shares(p_roleta integer, p_from timestamptz, p_to timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (select coalesce(jsonb_agg(to_jsonb(s)), '[]') from portal.shares_of(p_roleta, p_from, p_to) s);
end $$;
comment on function portal.roleta_shares(integer, timestamptz, timestamptz) is 'portal.shares_of. Administrators, by the server only.';

create function portal.my_shares(p_from timestamptz, p_to timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  instance text := portal.require_broker();
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object('roleta', r.empreendimento, 'weight', s.weight,
      'totalWeight', (select sum(t.weight) from public.roleta_corretores t where t."roletaName" = r.empreendimento and t.ativo),
      'total', (select count(*) from portal.roleta_events e
        where e.roleta_id = r.id and e.at >= p_from and e.at < p_to and e.kind in ('given', 'accepted', 'claimed')),
      'kinds', own.kinds, 'reasons', own.reasons) order by r.empreendimento), '[]')
    from public.roleta_corretores s
    join public.roletas r on r.empreendimento = s."roletaName"
    join lateral portal.shares_of(r.id, p_from, p_to) own on own."instanceName" = s."instanceName"
    where s."instanceName" = instance
  );
end $$;
comment on function portal.my_shares(timestamptz, timestamptz) is
  'Of each own rotation what the broker who asks got, of how many, and why not more; nothing of the others. Brokers, by the server only.';

create function portal.roleta_arrivals(p_roleta integer, p_from timestamptz, p_to timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('moment', portal.moment_of(first.at),
      'away', (select coalesce(jsonb_agg(s ->> 'instanceName'), '[]') from jsonb_array_elements(first.decision -> 'seats') s
        where not (s ->> 'isLinked')::boolean or (s ->> 'isPaused')::boolean)) order by first.at, first.id), '[]')
    from portal.roleta_cases c
    cross join lateral (
      select e.id, e.at, e.decision from portal.roleta_events e
      where e.case_id = c.id and e.decision ? 'seats' order by e.id limit 1
    ) first
    where c.roleta_id = p_roleta and c.arrived_at >= p_from and c.arrived_at < p_to
  );
end $$;
comment on function portal.roleta_arrivals(integer, timestamptz, timestamptz) is
  'When each lead of a rotation and period came in, and which brokers were paused or without WhatsApp then: what a simulation replays. Administrators, by the server only.';


-- A lead's way as its own broker reads it, and a development that keeps its one name however a form writes it.

create function portal.known_development(p_development text) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select r.empreendimento from public.roletas r
     where portal.development_key(r.empreendimento) = portal.development_key(p_development) order by r.id limit 1),
    (select a.empreendimento from public.prompts_agents a
     where portal.development_key(a.empreendimento) = portal.development_key(p_development) order by a.id limit 1),
    p_development)
$$;
comment on function portal.known_development(text) is
  'The name by which rotations or agents know a development, so that figures do not count it under several; else as it was told. Server only.';

create function portal.course_of(p_contact bigint, p_has_reasons boolean) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', c.id, 'development', c.development, 'state', c.state, 'holder', c.holder, 'arrivedAt', c.arrived_at,
    'roleta', (select r.empreendimento from public.roletas r where r.id = c.roleta_id),
    'events', (
      select jsonb_agg(jsonb_build_object('kind', e.kind, 'instanceName', e."instanceName", 'changedBy', e.changed_by,
        'at', e.at, 'decision', case when p_has_reasons then e.decision end) order by e.id)
      from portal.roleta_events e where e.case_id = c.id),
    'intakes', (
      select coalesce(jsonb_agg(jsonb_build_object('source', i.source, 'campaign', i.campaign, 'message', i.message,
        'fields', i.fields, 'consentAt', i.consent_at, 'consentText', i.consent_text, 'receivedAt', i.received_at,
        'key', (select k.name from portal.intake_keys k where k.id = i.key_id)) order by i.id), '[]')
      from portal.lead_intakes i where i.case_id = c.id)
  ) order by c.id desc), '[]')
  from portal.roleta_cases c where c.contact_id = p_contact
$$;
comment on function portal.course_of(bigint, boolean) is
  'How a lead came in and went from broker to broker, the newest way first; with what each decision was made from, or without. Server only.';

create function portal.my_lead_course(p_contact bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  instance text := portal.require_broker();
begin
  if not exists (select from public.whatsapp_contacts c where c.id = p_contact and c."instanceName" = instance) then
    raise exception 'Lead não encontrado.' using errcode = 'PT404', hint = 'lead.unknown';
  end if;
  return portal.course_of(p_contact, false);
end $$;
comment on function portal.my_lead_course(bigint) is
  'portal.course_of of an own lead, without what the decisions were made from: that tells of others. 404 for any other. Brokers, by the server only.';

-- A rotation read and saved as one. Administrators, by the server only.
create function portal.roleta_details(p_roleta integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  details jsonb;
begin
  perform portal.require_admin();
  select jsonb_build_object('id', r.id, 'name', r.empreendimento,
    'settings', jsonb_build_object('needsAcceptance', r.needs_acceptance, 'acceptMinutes', r.accept_minutes,
      'answerMinutes', r.answer_minutes, 'maxHops', r.max_hops, 'textCode', r.text_code),
    'seats', (
      select coalesce(jsonb_agg(jsonb_build_object('instanceName', s."instanceName", 'weight', s.weight, 'shifts', s.shifts,
        'dailyCap', s.daily_cap, 'isActive', s.ativo) order by s.ordem), '[]')
      from public.roleta_corretores s where s."roletaName" = r.empreendimento))
  into details from public.roletas r where r.id = p_roleta;
  if details is null then
    raise exception 'Roleta não encontrada' using errcode = 'PT404', hint = 'roleta.unknown';
  end if;
  return details || jsonb_build_object(
    'version', md5(details::text),
    'isActive', (select r.ativa from public.roletas r where r.id = p_roleta),
    'leadsReceived', (
      select coalesce(jsonb_object_agg(s."instanceName", s.leads_recebidos), '{}') from public.roleta_corretores s
      where s."roletaName" = details ->> 'name'));
end $$;
comment on function portal.roleta_details(integer) is
  'A rotation with its settings and seats in order, and the version that saving it goes by: it changes with whatever can be edited, by whatever way. 404 for an unknown one. Administrators, by the server only.';

create function portal.save_roleta(p_roleta integer, p_version text, p_wanted jsonb, p_operation_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
  settings jsonb := p_wanted -> 'settings';
  name text := btrim(p_wanted ->> 'name');
  last_place integer;
  before jsonb;
  saved jsonb;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  perform portal.take_roleta_turn();
  perform from public.roletas r where r.id = p_roleta for update;
  before := portal.roleta_details(p_roleta);
  if (before ->> 'version') <> p_version then
    raise exception 'Esta roleta foi alterada por outra pessoa. Abra-a de novo para ver como ficou.'
      using errcode = 'PT409', hint = 'roleta.changed';
  elsif exists (select from public.roletas r where r.empreendimento = name and r.id <> p_roleta) then
    raise exception 'Já existe uma roleta com este nome.' using errcode = 'PT409', hint = 'roleta.taken';
  elsif exists (select from public.roletas r where r.text_code = settings ->> 'textCode' and r.id <> p_roleta) then
    raise exception 'Outra roleta já usa este código.' using errcode = 'PT409', hint = 'roleta.code-taken';
  elsif exists (
    select from jsonb_to_recordset(p_wanted -> 'seats') as w ("instanceName" text)
    where not exists (select from public.brokers b where b."instanceName" = w."instanceName" and b.central_since is null)) then
    raise exception 'Um dos corretores não existe mais. Abra a roleta de novo.' using errcode = 'PT422', hint = 'roleta.no-broker';
  end if;
  update public.roletas r
  set empreendimento = name, needs_acceptance = (settings ->> 'needsAcceptance')::boolean,
    accept_minutes = (settings ->> 'acceptMinutes')::smallint, answer_minutes = (settings ->> 'answerMinutes')::smallint,
    max_hops = (settings ->> 'maxHops')::smallint, text_code = settings ->> 'textCode'
  where r.id = p_roleta;
  delete from public.roleta_corretores s
  where s."roletaName" = name
    and s."instanceName" not in (select w."instanceName" from jsonb_to_recordset(p_wanted -> 'seats') as w ("instanceName" text));
  select coalesce(max(s.ordem), 0) into last_place from public.roleta_corretores s where s."roletaName" = name;
  insert into public.roleta_corretores ("roletaName", "instanceName", ordem)
  select name, w.seat ->> 'instanceName', last_place + row_number() over (order by w.place)
  from jsonb_array_elements(p_wanted -> 'seats') with ordinality as w (seat, place)
  on conflict ("roletaName", "instanceName") do nothing;
  update public.roleta_corretores s
  set ordem = w.place, weight = (w.seat ->> 'weight')::smallint, shifts = nullif(w.seat -> 'shifts', 'null'),
    daily_cap = (w.seat ->> 'dailyCap')::smallint, ativo = (w.seat ->> 'isActive')::boolean
  from jsonb_array_elements(p_wanted -> 'seats') with ordinality as w (seat, place)
  where s."roletaName" = name and s."instanceName" = w.seat ->> 'instanceName';
  saved := portal.roleta_details(p_roleta);
  if saved ->> 'version' <> p_version then
    perform portal.audit('roleta.changed', name, portal.roleta_changes(before, saved));
  end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'roleta.save', saved);
end $$;
comment on function portal.save_roleta(integer, text, jsonb, uuid) is
  'Saves a rotation in one transaction and in this order, so that no two seats ask for one place: the name, who is removed, who is added, the order of all, with settings and seats as portal.roleta_details shows them. Once an operation; answers the details. 409 where somebody else changed it since, or the name or code is taken; 404 for an unknown one; 422 for a broker who is gone. Administrators, by the server only.';


-- Brokers are told of offers on their devices.

create function portal.push_offer() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.push(new.holder, 'offer', 'offer-' || new.id, new.id, interval '0');
  return null;
end $$;
comment on function portal.push_offer() is 'Trigger: a broker is offered a lead.';
create trigger push_offer after update on portal.roleta_cases
  for each row when (new.state = 'offered' and new.holder is not null
    and (old.state <> 'offered' or old.holder is distinct from new.holder))
  execute function portal.push_offer();

create function portal.push_no_assignment() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from portal.push_queue q
  using portal.roleta_cases k, portal.push_devices d, portal.sessions s, public.brokers b
  where k.id = new.case_id and q.tag = 'lead-' || k.contact_id and q.kind = 'assigned' and q.claimed_by is null
    and d.id = q.device_id and s.id = d.session_id and b.id = s.account_id and b."instanceName" = new."instanceName";
  return null;
end $$;
comment on function portal.push_no_assignment() is 'Trigger: who took a lead need not be told that it is theirs.';
create trigger push_no_assignment after insert on portal.roleta_events
  for each row when (new.kind in ('accepted', 'claimed')) execute function portal.push_no_assignment();


-- Who asks again is heard: the owner is told and finds the message with the lead; and who may take a lead out of the bolsão is
-- told that it is there.

create function portal.pool_brokers(p_roleta integer) returns setof text
language sql stable security definer set search_path = '' as $$
  select s."instanceName"
  from public.roletas r join public.roleta_corretores s on s."roletaName" = r.empreendimento
  where r.id = p_roleta and s.ativo
$$;
comment on function portal.pool_brokers(integer) is 'Who may take leads out of the bolsão of a rotation: its active seats. Server only.';

create function portal.push_pooled() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.push(instance, 'offer', 'offer-' || new.id, new.id, interval '0')
  from portal.pool_brokers(new.roleta_id) as instance order by instance;
  return null;
end $$;
comment on function portal.push_pooled() is 'Trigger: a lead may be taken by every broker of its rotation.';
create trigger push_pooled after update on portal.roleta_cases
  for each row when (new.state = 'pool' and old.state <> 'pool') execute function portal.push_pooled();

-- Leads that come in: by form, by portal, by Meta Lead Ads, by a first message to a central instance.

-- What is secret of a key of Meta lies sealed: a copy of the database signs and reads nothing at Meta.
-- Rows of before are sealed by the portal at its next start: only it has the key.
create table portal.intake_keys (
  id uuid primary key,
  kind text not null check (kind in ('form', 'meta')),
  name text not null check (btrim(name) <> '' and length(name) <= 80),
  hash bytea not null unique,
  settings jsonb not null default '{}',
  secrets jsonb not null default '{}',
  per_minute integer not null check (per_minute between 1 and 6000),
  created_by text not null,
  created_at timestamptz not null,
  revoked_at timestamptz
);
comment on table portal.intake_keys is 'Who may bring leads in: SHA-256 of each key, what is known of its leads, and how many a minute.';
comment on column portal.intake_keys.settings is 'source, campaign and development where a lead says none; mapping of a foreign payload; developments by Meta''s form.';
comment on column portal.intake_keys.secrets is
  'Of Meta: appSecret, verifyToken and pageToken as {sealed}, AES-256-GCM under a key made from JWT_SECRET. Never shown.';
alter table portal.intake_keys add constraint intake_keys_sealed check (secrets = '{}' or secrets ? 'sealed') not valid;
alter table portal.intake_keys enable row level security;

create table portal.lead_intakes (
  id bigint generated always as identity primary key,
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  case_id bigint references portal.roleta_cases on delete set null,
  key_id uuid references portal.intake_keys on delete set null,
  external_id text check (length(external_id) <= 200),
  name text,
  number text,
  source text not null,
  campaign text,
  development text,
  message text,
  fields jsonb not null default '{}',
  consent_at timestamptz,
  consent_text text,
  received_at timestamptz not null,
  unique (key_id, external_id)
);
comment on table portal.lead_intakes is 'Every time somebody came in, as they put it themselves, with origin and consent.';
comment on column portal.lead_intakes.key_id is 'Null: by a first message to a central instance.';
comment on column portal.lead_intakes.external_id is 'The sender''s own id of this delivery: the same again is a repeat.';
create index lead_intakes_contact on portal.lead_intakes (contact_id, id desc);
comment on index portal.lead_intakes_contact is 'Serves the deliveries of a lead, its newest above all, and its removal.';
create index lead_intakes_case on portal.lead_intakes (case_id);
comment on index portal.lead_intakes_case is 'Serves the removal of a case.';
create index lead_intakes_key on portal.lead_intakes (key_id, received_at);
comment on index portal.lead_intakes_key is 'Serves how many leads a key brought in this minute, and when the last one.';
alter table portal.lead_intakes enable row level security;

create table portal.meta_inbox (
  key_id uuid not null references portal.intake_keys on delete cascade,
  leadgen_id text not null check (length(leadgen_id) <= 60),
  value jsonb not null,
  attempts integer not null default 0,
  next_at timestamptz,
  received_at timestamptz not null,
  fault text,
  primary key (key_id, leadgen_id)
);
comment on table portal.meta_inbox is 'Leads that Meta told of by id only and that are still to be read there; a row goes in the transaction that takes the lead.';
comment on column portal.meta_inbox.next_at is 'When it is tried again; null: given up, for a person to look at.';
create index meta_inbox_due on portal.meta_inbox (next_at) where next_at is not null;
comment on index portal.meta_inbox_due is 'Serves what is to be read now.';
alter table portal.meta_inbox enable row level security;

create function portal.move_intakes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update portal.lead_intakes set contact_id = new.kept_contact_id where contact_id = new.gone_contact_id;
  return null;
end $$;
comment on function portal.move_intakes() is 'Trigger: a lead that becomes one with another takes along how it came in.';
create trigger move_intakes after insert on portal.contact_merges
  for each row execute function portal.move_intakes();

create function portal.contact_for_intake(p_person bigint) returns public.whatsapp_contacts
language sql stable security definer set search_path = '' as $$
  select c.* from public.whatsapp_contacts c left join public.brokers b using ("instanceName")
  where c.person_id = p_person
  -- A broker's before a central instance's, both before the administrator's; of several the one talked to last.
  order by c."instanceName" is null, b.central_since is not null, c.last_message_timestamp desc nulls last, c.id
  limit 1
$$;
comment on function portal.contact_for_intake(bigint) is 'Which of a person''s leads an intake belongs to; nothing for a new person. Server only.';

-- A delivery that comes again after its person was erased brings nobody back (LGPD art. 18 VI).
create function portal.take_lead(p_key uuid, p_lead jsonb, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  person bigint;
  known portal.lead_intakes;
  contact public.whatsapp_contacts;
  opened bigint;
  asked text := portal.known_development(p_lead ->> 'development');
  told text := 'Mensagem do formulário: ' || (p_lead ->> 'message');
begin
  if exists (select from portal.erasures e where e.hash = portal.opt_out_hash('intake ' || (p_lead ->> 'externalId'))) then
    delete from portal.meta_inbox m where m.key_id = p_key and m.leadgen_id = p_lead ->> 'externalId';
    return jsonb_build_object('id', null, 'contactId', null, 'isRepeat', true);
  end if;
  person := portal.person_of(p_lead ->> 'number');
  -- Deliveries of one person go one after the other.
  perform from portal.people p where p.id = person for no key update;
  select * into known from portal.lead_intakes i where i.key_id = p_key and i.external_id = p_lead ->> 'externalId';
  contact := portal.contact_for_intake(person);
  if known.id is null and p_lead ->> 'externalId' is null then
    select * into known from portal.lead_intakes i
    where i.contact_id = contact.id and i.key_id is not distinct from p_key and i.received_at > p_now - interval '10 minutes'
      -- Not what a clock that ran ahead wrote.
      and i.received_at <= p_now + interval '10 minutes'
      and (i.development, i.campaign, i.message, i.fields)
        is not distinct from (asked, p_lead ->> 'campaign', p_lead ->> 'message', p_lead -> 'fields')
    order by i.id desc limit 1;
  end if;
  if known.id is not null then
    return jsonb_build_object('id', known.id, 'contactId', known.contact_id, 'isRepeat', true);
  end if;
  if contact.id is null then
    insert into public.whatsapp_contacts (person_id, name, number, source, campaign, empreendimento, notes)
    values (person, p_lead ->> 'name', p_lead ->> 'number', p_lead ->> 'source', p_lead ->> 'campaign',
      asked, told)
    returning * into contact;
  else
    update public.whatsapp_contacts c
    set name = coalesce(c.name, p_lead ->> 'name'), number = coalesce(c.number, p_lead ->> 'number'),
      campaign = coalesce(c.campaign, p_lead ->> 'campaign'),
      empreendimento = coalesce(c.empreendimento, asked),
      source = case when c.source in ('desconhecida', 'whatsapp') then p_lead ->> 'source' else c.source end,
      notes = case when told is null or position(told in c.notes) > 0 then c.notes
        else concat_ws(E'\n\n', nullif(btrim(c.notes), ''), told) end
    where c.id = contact.id;
    perform portal.push(contact."instanceName", 'assigned', 'lead-' || contact.id, contact.id, interval '1 second');
  end if;
  opened := portal.open_case(contact.id, asked, p_lead ->> 'source', p_now);
  insert into portal.lead_intakes (contact_id, case_id, key_id, external_id, name, number, source, campaign, development,
    message, fields, consent_at, consent_text, received_at)
  values (contact.id, opened, p_key, p_lead ->> 'externalId', p_lead ->> 'name', p_lead ->> 'number', p_lead ->> 'source',
    p_lead ->> 'campaign', asked, p_lead ->> 'message', coalesce(p_lead -> 'fields', '{}'),
    (p_lead ->> 'consentAt')::timestamptz, p_lead ->> 'consentText', p_now)
  returning * into known;
  delete from portal.meta_inbox m where m.key_id = p_key and m.leadgen_id = p_lead ->> 'externalId';
  return jsonb_build_object('id', known.id, 'contactId', contact.id, 'isRepeat', false);
end $$;
comment on function portal.take_lead(uuid, jsonb, timestamptz) is
  'Takes somebody in, once a delivery: {name, number, source, campaign, development, message, fields, externalId, consentAt, consentText}. The same person under any form of the number is one lead; who has a broker stays there. Answers {id, contactId, isRepeat}, id and contactId null for a delivery whose person was erased. Server only.';

create function portal.take_central() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  contact public.whatsapp_contacts;
  since timestamptz := (select b.central_since from public.brokers b where b."instanceName" = new."instanceName");
  is_history boolean := coalesce(current_setting('portal.history', true), '') = 'on';
  arrived_at timestamptz := case when is_history then to_timestamp(new."timestamp") else now() end;
  words text[];
  development text;
begin
  if since is null then return null; end if;
  select * into contact from public.whatsapp_contacts c where c.id = new.contact_id;
  if contact."instanceName" is distinct from new."instanceName" or contact.created_at < since
    or exists (select from portal.lead_intakes i where i.contact_id = contact.id) then
    return null;
  end if;
  words := regexp_split_to_array(upper(new.body), '[^A-Z0-9]+');
  select r.empreendimento into development from public.roletas r
  where r.text_code = any (words) order by array_position(words, r.text_code) limit 1;
  if development is null then
    select a.empreendimento into development from public.prompts_agents a where a."instanceName" = new."instanceName"
    order by a.id limit 1;
  end if;
  update public.whatsapp_contacts c set empreendimento = coalesce(c.empreendimento, development) where c.id = contact.id;
  insert into portal.lead_intakes (contact_id, case_id, name, number, source, campaign, development, message, received_at)
  values (contact.id,
    case when is_history then portal.open_old_case(contact.id, development, contact.source, arrived_at)
      else portal.open_case(contact.id, development, contact.source, arrived_at) end,
    contact.name, contact.number, contact.source, contact.campaign, development, new.body, arrived_at);
  return null;
end $$;
comment on function portal.take_central() is
  'Trigger: the first message of somebody new to a central instance is an intake; the development is told by the code in its text, else it is the one of the instance''s agent.';
create trigger take_central after insert on public.whatsapp_messages
  for each row when (new.type = 'incoming') execute function portal.take_central();

create function portal.intake_key_list() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'kind', k.kind, 'name', k.name, 'settings', k.settings,
      'perMinute', k.per_minute, 'createdBy', k.created_by, 'createdAt', k.created_at, 'usedAt', (select max(i.received_at) from portal.lead_intakes i where i.key_id = k.id),
      'revokedAt', k.revoked_at,
      'leads', (select count(*) from portal.lead_intakes i where i.key_id = k.id),
      'waiting', (select count(*) from portal.meta_inbox m where m.key_id = k.id and m.next_at is not null)
        + (select count(*) from portal.intake_raw r where r.key_id = k.id and r.next_at is not null),
      'failed', (select count(*) from portal.meta_inbox m where m.key_id = k.id and m.next_at is null)
        + (select count(*) from portal.intake_raw r where r.key_id = k.id and r.next_at is null)
    ) order by k.revoked_at is not null, k.created_at desc, k.id), '[]')
    from portal.intake_keys k
  );
end $$;
comment on function portal.intake_key_list() is
  'All intake keys without what is secret of them; failed are the leads of Meta that could not be read there. Administrators, by the server only.';

create function portal.add_intake_key(p_operation_id uuid, p_key jsonb, p_hash bytea, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  insert into portal.intake_keys (id, kind, name, hash, settings, secrets, per_minute, created_by, created_at)
  values (p_operation_id, p_key ->> 'kind', p_key ->> 'name', p_hash, p_key -> 'settings', p_key -> 'secrets',
    (p_key ->> 'perMinute')::integer, portal.actor(), p_now);
  perform portal.audit('intake-key.made', p_key ->> 'name');
  return portal.end_operation(portal.account_id(), p_operation_id, 'intake-key.add', jsonb_build_object('id', p_operation_id));
end $$;
comment on function portal.add_intake_key(uuid, jsonb, bytea, timestamptz) is
  'A new intake key, {kind, name, settings, secrets, perMinute}, named by its operation; once an operation. Administrators, by the server only.';

create function portal.revoke_intake_key(p_id uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  revoked text;
begin
  perform portal.require_admin();
  if not exists (select from portal.intake_keys k where k.id = p_id) then
    raise exception 'Chave não encontrada.' using errcode = 'PT404', hint = 'intake-key.unknown';
  end if;
  update portal.intake_keys k set revoked_at = p_now, secrets = '{}' where k.id = p_id and k.revoked_at is null
  returning k.name into revoked;
  if found then perform portal.audit('intake-key.revoked', revoked); end if;
  return jsonb_build_object('id', p_id);
end $$;
comment on function portal.revoke_intake_key(uuid, timestamptz) is
  'From now on a key brings nothing in, and what was secret of it is forgotten; again changes nothing. Administrators, by the server only.';


-- Leads of one key do not wait for each other: what came in is counted from what was taken in, nothing is written on the key.
-- And a decision holds the broker who loses a lead as well.

create function portal.intake_key(p_hash bytea, p_id uuid, p_now timestamp with time zone) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', k.id, 'kind', k.kind, 'settings', k.settings, 'secrets', k.secrets,
    'waitSeconds', case when recent.leads >= k.per_minute
      then greatest(1, ceil(extract(epoch from recent.first_at + interval '1 minute' - p_now))) else 0 end)
  from portal.intake_keys k
  cross join lateral (
    select count(*) as leads, min(i.received_at) as first_at from portal.lead_intakes i
    where i.key_id = k.id and i.received_at > p_now - interval '1 minute' and i.received_at <= p_now
  ) recent
  where (k.hash = p_hash or k.id = p_id) and k.revoked_at is null
$$;
comment on function portal.intake_key(bytea, uuid, timestamptz) is
  'The key of a delivery, by its hash or, of Meta, which signs, by its id, and how long to wait where it brought in too many leads this minute. Null for an unknown or revoked one. Server only.';


-- What a form or a machine sends is stored before it is read, and the lead is made from it afterwards: a sender waits for one
-- insert, and what was answered is never lost.

create table portal.intake_raw (
  id bigint generated always as identity primary key,
  key_id uuid not null references portal.intake_keys (id) on delete cascade,
  content_type text not null check (length(content_type) <= 200),
  repeat_key text check (length(repeat_key) <= 200),
  body text not null check (octet_length(body) <= 262144),
  attempts integer not null default 0,
  next_at timestamptz,
  received_at timestamptz not null,
  fault text
);
comment on table portal.intake_raw is
  'Bodies of intake of which no lead is made yet, and those that could not be read, for a person to look at. Gone with the lead that was made of them.';
comment on column portal.intake_raw.body is 'As it was sent, at most 64 kB; what is no text, as base64 (the content type then ends in ;base64).';
comment on column portal.intake_raw.repeat_key is 'The sender''s Idempotency-Key, for a body that names no id of its own.';
comment on column portal.intake_raw.next_at is 'When it is tried (again); a portal that tries it puts this ahead. Null: it could not be read.';
comment on column portal.intake_raw.fault is 'Why it could not be read, in words, or the code of what went wrong.';
create index intake_raw_due on portal.intake_raw (next_at, id) where next_at is not null;
comment on index portal.intake_raw_due is 'Serves what is to be made into leads.';
create index intake_raw_key on portal.intake_raw (key_id, received_at);
comment on index portal.intake_raw_key is 'Serves how many bodies of a key wait, and the rate of a minute.';
alter table portal.intake_raw enable row level security;

create function portal.keep_intake(p_hash bytea, p_raw jsonb, p_now timestamptz, p_next_at timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  k portal.intake_keys;
  recent record;
  kept bigint;
begin
  select * into k from portal.intake_keys i where i.hash = p_hash and i.kind = 'form' and i.revoked_at is null;
  if not found then return null; end if;
  -- Up to now: what a clock that ran ahead wrote holds nobody up.
  select count(*) as leads, min(at) as first_at into recent from (
    select i.received_at as at from portal.lead_intakes i
    where i.key_id = k.id and i.received_at > p_now - interval '1 minute' and i.received_at <= p_now
    union all
    select r.received_at from portal.intake_raw r
    where r.key_id = k.id and r.received_at > p_now - interval '1 minute' and r.received_at <= p_now
  ) minute;
  if recent.leads >= k.per_minute then
    return jsonb_build_object('waitSeconds',
      greatest(1, ceil(extract(epoch from recent.first_at + interval '1 minute' - p_now))));
  end if;
  insert into portal.intake_raw (key_id, content_type, repeat_key, body, next_at, received_at)
  values (k.id, p_raw ->> 'contentType', p_raw ->> 'repeatKey', p_raw ->> 'body', p_next_at, p_now)
  returning id into kept;
  return jsonb_build_object('id', kept, 'keyId', k.id, 'settings', k.settings, 'waitSeconds', 0);
end $$;
comment on function portal.keep_intake(bytea, jsonb, timestamptz, timestamptz) is
  'Stores what came in with a key before anything of it is read: {id, keyId, settings, waitSeconds}; null for an unknown or revoked key; only {waitSeconds} where the key brought in too many this minute. Server only.';

create function portal.take_raw(p_id bigint, p_lead jsonb, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  raw portal.intake_raw;
begin
  delete from portal.intake_raw r where r.id = p_id returning * into raw;
  -- Whoever was faster made the lead.
  if not found then return null; end if;
  return portal.take_lead(raw.key_id, p_lead, p_now);
end $$;
comment on function portal.take_raw(bigint, jsonb, timestamptz) is
  'Makes the lead of a stored body and lets the body go, both or neither: as portal.take_lead; null where another portal did. Server only.';

create function portal.set_raw_unread(p_id bigint, p_fault text, p_most integer) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  raw portal.intake_raw;
begin
  select * into raw from portal.intake_raw r where r.id = p_id for update;
  if not found then return false; end if;
  -- One after the other for a key, so that the bound holds.
  perform from portal.intake_keys k where k.id = raw.key_id for no key update;
  if (select count(*) from portal.intake_raw r where r.key_id = raw.key_id and r.next_at is null) >= p_most then
    delete from portal.intake_raw r where r.id = p_id;
    return false;
  end if;
  update portal.intake_raw r set next_at = null, fault = p_fault where r.id = p_id;
  return true;
end $$;
comment on function portal.set_raw_unread(bigint, text, integer) is
  'Keeps a body that no lead can be made of, for a person to look at. False, and it is gone, where its key has p_most of them already. Server only.';


-- Who left a contact in a form, a portal or Meta and was called by nobody waits as well as who wrote.
-- Two lines, apart: who wrote is answered from the first message on; who left a contact, and did not write before a person
-- wrote to them, from the arrival on. Leads added by hand or imported have no arrival and never wait.

create function portal.note_arrival() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.whatsapp_contacts c
  set left_contact_at = (select min(i.received_at) from portal.lead_intakes i where i.contact_id = c.id)
  where c.id in (new.contact_id, case when tg_op = 'UPDATE' then old.contact_id end)
    and c.left_contact_at is distinct from (select min(i.received_at) from portal.lead_intakes i where i.contact_id = c.id);
  if found then
    perform portal.carry(array_remove(array[new.contact_id, case when tg_op = 'UPDATE' then old.contact_id end], null));
  end if;
  return null;
end $$;
comment on function portal.note_arrival() is
  'Trigger: keeps with the lead when it first left a contact, also where leads are joined or parted.';
create trigger note_arrival after insert or update of contact_id on portal.lead_intakes
  for each row execute function portal.note_arrival();

-- Agents: their prompts with every version, their conversations, and when they keep silent.

create table public.prompts_agents (
  id integer generated by default as identity primary key,
  nome_agente text not null unique check (btrim(nome_agente) <> ''),
  introducao_atendimento text not null default '',
  regras_atendimento text not null default '',
  atendimento_atendimento text not null default '',
  introducao_agendamento text not null default '',
  regras_agendamento text not null default '',
  atendimento_agendamento text not null default '',
  listar_horarios text not null default '',
  agendamento text not null default '',
  empreendimento text unique,
  "instanceName" text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  paused_at timestamptz,
  paused_by text
);
comment on table public.prompts_agents is 'AI agents, one a development, with their prompts. Administrators only; listar_horarios and agendamento are locked.';
comment on column public.prompts_agents."instanceName" is 'The development''s central WhatsApp instance.';
comment on column public.prompts_agents.paused_at is 'Since when the agent answers nobody; null while it does. By pause_agent.';
comment on column public.prompts_agents.paused_by is 'Username of who paused it.';
alter table public.prompts_agents enable row level security;
create policy agents_all on public.prompts_agents for all to authenticated
  using ((select portal.is_admin())) with check ((select portal.is_admin()));
comment on policy agents_all on public.prompts_agents is 'Only an administrator sees and changes agents.';
-- What the grants open. Every other table and function asks for a person.
create policy agents_service_read on public.prompts_agents for select to authenticated
  using ((select portal.has_grant('prompts:read')));
comment on policy agents_service_read on public.prompts_agents is 'A service with prompts:read reads every agent.';
create policy agents_service_write on public.prompts_agents for update to authenticated
  using ((select portal.has_grant('prompts:write'))) with check ((select portal.has_grant('prompts:write')));
comment on policy agents_service_write on public.prompts_agents is
  'A service with prompts:write changes prompts; guard_agent keeps it from the rest.';
grant select, insert, delete on public.prompts_agents to authenticated;
grant update (nome_agente, introducao_atendimento, regras_atendimento, atendimento_atendimento, introducao_agendamento, regras_agendamento, atendimento_agendamento, empreendimento, "instanceName") on public.prompts_agents
  to authenticated;
grant all on public.prompts_agents to service_role;

create function portal.guard_agent() returns trigger
language plpgsql set search_path = '' as $$
begin
  if current_user = 'authenticated' and portal.service_name() is not null
    and (new.nome_agente, new.empreendimento, new."instanceName")
      is distinct from (old.nome_agente, old.empreendimento, old."instanceName") then
    raise exception 'Um serviço só muda os textos do agente.' using errcode = '42501';
  end if;
  new.updated_at := now();
  return new;
end $$;
comment on function portal.guard_agent() is 'Trigger: dates the change of an agent, of which a service may write the prompts only.';
create trigger guard_agent before update on public.prompts_agents
  for each row execute function portal.guard_agent();

create view public.agent_prompts with (security_invoker = true) as
  select id, nome_agente, introducao_atendimento, regras_atendimento, atendimento_atendimento,
    introducao_agendamento, regras_agendamento, atendimento_agendamento
  from public.prompts_agents;
comment on view public.agent_prompts is 'The editable part of prompts_agents, under the name the diagnostics page asks for.';
grant select, insert, delete on public.agent_prompts to authenticated;
grant update (nome_agente, introducao_atendimento, regras_atendimento, atendimento_atendimento, introducao_agendamento, regras_agendamento, atendimento_agendamento) on public.agent_prompts
  to authenticated;
grant all on public.agent_prompts to service_role;

create table public.agent_chat_messages (
  id bigint generated always as identity primary key,
  agent_id integer not null references public.prompts_agents on delete cascade,
  remotejid text not null,
  message jsonb not null,
  created_at timestamptz not null default now()
);
comment on table public.agent_chat_messages is 'What the agents remember of each chat; deleted by deletar_chat_history_por_empreendimento. Administrators only.';
create index agent_chat_person on public.agent_chat_messages (agent_id, remotejid);
comment on index public.agent_chat_person is 'Serves reading the memory of one chat.';
create index agent_chat_number on public.agent_chat_messages (agent_id, portal.number_key(remotejid));
comment on index public.agent_chat_number is 'Serves deleting the memory of one person under every form of the number.';
alter table public.agent_chat_messages enable row level security;
create policy agent_chat_all on public.agent_chat_messages for all to authenticated
  using ((select portal.is_admin())) with check ((select portal.is_admin()));
comment on policy agent_chat_all on public.agent_chat_messages is 'Only an administrator sees and deletes what agents remember.';
create policy agent_chat_service on public.agent_chat_messages for all to authenticated
  using ((select portal.has_grant('memory'))) with check ((select portal.has_grant('memory')));
comment on policy agent_chat_service on public.agent_chat_messages is
  'A service with memory keeps what the agents remember of each chat.';
grant select, delete on public.agent_chat_messages to authenticated;
grant all on public.agent_chat_messages to service_role;
grant insert (agent_id, remotejid, message) on public.agent_chat_messages to authenticated;

create function portal.person_named(p_remotejid text) returns bigint
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select p.id from portal.people p where p.number_key = portal.number_key(p_remotejid)),
    (select min(i.person_id) from portal.identities i where i.jid = p_remotejid))
$$;
comment on function portal.person_named(text) is
  'The person of a number, jid or hidden id that is known here; null when nobody is. Server only.';

-- A chat is forgotten under every form of its number: as it was typed, as a jid that names its country, with and without the
-- ninth digit of a Brazilian mobile.
create function portal.addresses_of(p_remotejid text) returns text[]
language sql stable security definer set search_path = '' as $$
  with named as (
    -- As it is, and as Brazilians write it: without the country.
    select p_remotejid as jid
    union
    select substr(portal.number_key(split_part(p_remotejid, '@', 1)), 2) || '@s.whatsapp.net'
    where p_remotejid like '%@s.whatsapp.net'
  ),
  forms as (
    select unnest(array[
      jid,
      regexp_replace(jid, '^(55\d\d)9([6-9]\d{7}@s\.whatsapp\.net)$', '\1\2'),
      regexp_replace(jid, '^(55\d\d)([016-9]\d{7}@s\.whatsapp\.net)$', '\19\2')
    ]) as jid
    from named
    union
    select i.jid from portal.identities i where i.person_id in (select portal.person_named(n.jid) from named n)
  )
  select array_agg(jid order by jid) from forms where jid is not null
$$;
comment on function portal.addresses_of(text) is
  'Every address under which a person may be remembered elsewhere: the jid with and without the ninth digit and the country, and all that were seen here. Server only.';


-- The agents' calls: their prompts, and forgetting a chat. Administrators only, by the rules of their tables.

create function portal.prompt_column(p_coluna text, p_is_written boolean) returns text
language plpgsql immutable set search_path = '' as $$
begin
  if p_coluna in ('introducao_atendimento', 'regras_atendimento', 'atendimento_atendimento',
    'introducao_agendamento', 'regras_agendamento', 'atendimento_agendamento') then
    return p_coluna;
  end if;
  if p_coluna in ('listar_horarios', 'agendamento') then
    if not p_is_written then return p_coluna; end if;
    raise exception 'Este campo é bloqueado para edição.' using errcode = '42501';
  end if;
  raise exception 'Prompt ou campo não encontrado.' using errcode = '22023';
end $$;
comment on function portal.prompt_column(text, boolean) is
  'A column of prompts_agents that holds a prompt; 22023 for any other name, 42501 for writing a locked one.';
grant execute on function portal.prompt_column(text, boolean) to authenticated, service_role;

create function public.get_prompts_agents() returns table (id integer, nome_agente text, empreendimento text)
language sql stable set search_path = '' as $$
  select a.id, a.nome_agente, a.empreendimento from public.prompts_agents a order by a.nome_agente
$$;
comment on function public.get_prompts_agents() is
  'All agents, for their list; none for whoever is no administrator.';
grant execute on function public.get_prompts_agents() to authenticated, service_role;

create function public.get_prompt_by_id(p_id integer) returns setof public.prompts_agents
language sql stable set search_path = '' as $$
  select * from public.prompts_agents a where a.id = p_id
$$;
comment on function public.get_prompt_by_id(integer) is
  'One row with all prompts of an agent, none when there is no such agent or the caller is no administrator.';
grant execute on function public.get_prompt_by_id(integer) to authenticated, service_role;

create function public.get_coluna_prompt(p_coluna text, p_id integer) returns text
language plpgsql stable set search_path = '' as $$
declare
  prompt text;
begin
  perform portal.require_grant('prompts:read');
  execute format('select %I from public.prompts_agents where id = $1', portal.prompt_column(p_coluna, false))
  into prompt using p_id;
  if prompt is null then
    raise exception 'Prompt ou campo não encontrado.' using errcode = 'PT404';
  end if;
  return prompt;
end $$;
comment on function public.get_coluna_prompt(text, integer) is
  'One prompt of an agent, for its editor and for the agent itself. 22023 for an unknown column, 404 for an unknown agent, 42501 for whoever is neither an administrator nor a service with prompts:read.';
grant execute on function public.get_coluna_prompt(text, integer) to authenticated, service_role;

create function public.update_coluna_prompt(p_id integer, p_coluna text, p_valor text) returns void
language plpgsql volatile set search_path = '' as $$
declare
  changed bigint;
begin
  perform portal.require_grant('prompts:write');
  if p_valor is null then
    raise exception 'Informe o texto do prompt.' using errcode = '22023';
  end if;
  execute format('update public.prompts_agents set %I = $1 where id = $2', portal.prompt_column(p_coluna, true))
  using p_valor, p_id;
  get diagnostics changed = row_count;
  if changed = 0 then
    raise exception 'Prompt ou campo não encontrado.' using errcode = 'PT404';
  end if;
end $$;
comment on function public.update_coluna_prompt(integer, text, text) is
  'Writes one prompt of an agent over whatever stands there; answers nothing. 22023 for an unknown column or no text, 404 for an unknown agent, 42501 for a locked column and for whoever is neither an administrator nor a service with prompts:write.';
grant execute on function public.update_coluna_prompt(integer, text, text) to authenticated, service_role;

create function public.deletar_chat_history_por_empreendimento(p_empreendimento_id integer, p_remotejid text)
returns setof integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  as_jid text := portal.number_key(p_remotejid);
  as_typed text := portal.number_key(split_part(split_part(p_remotejid, '@', 1), ':', 1));
  deleted integer;
begin
  perform portal.require_grant('memory');
  if as_jid is null then
    raise exception 'Por favor, informe um número de telefone válido.' using errcode = '22023';
  end if;
  delete from public.agent_chat_messages m
  where m.agent_id = p_empreendimento_id
    and (portal.number_key(m.remotejid) = any (array[as_jid, as_typed]) or m.remotejid = any (portal.addresses_of(p_remotejid)));
  get diagnostics deleted = row_count;
  -- The rule of the original client drops the ninth digit of every mobile. Eight digits that begin with 2 to 5 are a
  -- landline as well, which has the first right to them; with 0 or 1 they are none.
  if deleted = 0 and as_typed ~ '^\+55\d\d[0-5]\d{7}$' then
    delete from public.agent_chat_messages m
    where m.agent_id = p_empreendimento_id
      and portal.number_key(m.remotejid) = regexp_replace(as_typed, '^(\+55\d\d)', '\19');
    get diagnostics deleted = row_count;
  end if;
  return next deleted;
end $$;
comment on function public.deletar_chat_history_por_empreendimento(integer, text) is
  'Makes the agent p_empreendimento_id (prompts_agents.id, one agent a development) forget a person: every message under any form of the number, with or without country and ninth digit, or under a known hidden id. Answers one row, how many were deleted. 22023 without a number, 42501 for whoever is neither an administrator nor a service with memory.';
grant execute on function public.deletar_chat_history_por_empreendimento(integer, text) to authenticated, service_role;


-- Prompts that can be edited without fear: every text that was saved, by whom and when, and a save that is refused when
-- someone else saved meanwhile.

create table public.prompt_versions (
  id bigint generated always as identity primary key,
  agent_id integer not null references public.prompts_agents on delete cascade,
  field text not null check (field in ('introducao_atendimento', 'regras_atendimento', 'atendimento_atendimento',
    'introducao_agendamento', 'regras_agendamento', 'atendimento_agendamento')),
  body text not null,
  saved_by text not null,
  saved_at timestamptz not null default now()
);
comment on table public.prompt_versions is
  'Every text that a prompt had, whichever way it was written; the newest of a field is the published one. Administrators read, triggers write.';
comment on column public.prompt_versions.saved_by is 'Username of who saved it, the name of a service, or ''portal''.';
create index prompt_versions_field on public.prompt_versions (agent_id, field, id desc);
comment on index public.prompt_versions_field is 'Serves the newest version of a prompt and its history.';
alter table public.prompt_versions enable row level security;
create policy versions_read on public.prompt_versions for select to authenticated
  using ((select portal.is_admin()));
comment on policy versions_read on public.prompt_versions is 'Only an administrator sees earlier prompts.';
grant select on public.prompt_versions to authenticated;
grant all on public.prompt_versions to service_role;

create function portal.keep_prompts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.prompt_versions (agent_id, field, body, saved_by)
  select new.id, prompt.field, prompt.body, coalesce(portal.service_name(), portal.actor())
  from (values
    ('introducao_atendimento', new.introducao_atendimento),
    ('regras_atendimento', new.regras_atendimento),
    ('atendimento_atendimento', new.atendimento_atendimento),
    ('introducao_agendamento', new.introducao_agendamento),
    ('regras_agendamento', new.regras_agendamento),
    ('atendimento_agendamento', new.atendimento_agendamento)
  ) as prompt (field, body)
  where prompt.body <> case when tg_op = 'INSERT' then '' else to_jsonb(old) ->> prompt.field end;
  return null;
end $$;
comment on function portal.keep_prompts() is 'Trigger: a prompt that got another text keeps the new one as a version.';
create trigger keep_first_prompts after insert on public.prompts_agents
  for each row execute function portal.keep_prompts();
create trigger keep_prompts after update of introducao_atendimento, regras_atendimento, atendimento_atendimento,
  introducao_agendamento, regras_agendamento, atendimento_agendamento on public.prompts_agents
  for each row execute function portal.keep_prompts();

create function public.save_prompt(
  p_id integer,
  p_coluna text,
  p_valor text,
  p_base_version bigint default null,
  p_operation_id uuid default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
  wanted text;
  standing text;
  newest public.prompt_versions;
  code text := 'saved';
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  wanted := portal.prompt_column(p_coluna, true);
  if p_valor is null then
    raise exception 'Informe o texto do prompt.' using errcode = '22023';
  elsif length(p_valor) > 100000 then
    raise exception 'O texto pode ter até 100.000 caracteres.' using errcode = 'PT422';
  end if;
  -- One saves at a time, so that the version looked at is the one that is replaced.
  select to_jsonb(a) ->> wanted into standing from public.prompts_agents a where a.id = p_id for update;
  if not found then
    raise exception 'Prompt ou campo não encontrado.' using errcode = 'PT404';
  end if;
  select v.* into newest from public.prompt_versions v where v.agent_id = p_id and v.field = wanted
  order by v.id desc limit 1;
  if standing = p_valor then code := 'already';
  elsif newest.id is distinct from p_base_version then code := 'conflict';
  else
    execute format('update public.prompts_agents set %I = $1 where id = $2', wanted) using p_valor, p_id;
    select v.* into newest from public.prompt_versions v where v.agent_id = p_id and v.field = wanted
    order by v.id desc limit 1;
  end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'prompt.save', jsonb_build_object(
    'code', code,
    'version', newest.id,
    'saved_by', newest.saved_by,
    'saved_at', newest.saved_at,
    'current', case when code = 'conflict' then standing end));
end $$;
comment on function public.save_prompt(integer, text, text, bigint, uuid) is
  'Saves one prompt of an agent for the editor. p_base_version: the newest version that the writer saw, null where there was none; another one standing there is a conflict, and nothing changes. p_operation_id: a repeat by the same account gets the stored answer. Answers {code, version, saved_by, saved_at, current}, code saved, already or conflict, current the text that stands there then. Errors are those of update_coluna_prompt, and 422 when too long. Administrators only.';
grant execute on function public.save_prompt(integer, text, text, bigint, uuid) to authenticated, service_role;


-- When an agent keeps silent: wholly, or towards one person, by an administrator or because a human answered.

create table portal.agent_pauses (
  agent_id integer not null references public.prompts_agents on delete cascade,
  person_id bigint not null references portal.people on delete cascade,
  reason text not null check (reason in ('person', 'portal', 'phone')),
  paused_by text not null,
  paused_at timestamptz not null default now(),
  paused_until timestamptz,
  primary key (agent_id, person_id)
);
comment on table portal.agent_pauses is
  'Whom an agent does not answer, whichever number form or broker''s line it is. Over once paused_until has passed; a row goes when it is resumed.';
comment on column portal.agent_pauses.reason is
  'person: asked for; portal: a human answered from the portal; phone: a human answered from the phone itself.';
comment on column portal.agent_pauses.paused_until is 'Null: until it is resumed.';
create index agent_pauses_person on portal.agent_pauses (person_id);
comment on index portal.agent_pauses_person is 'Serves the pauses of a person, for joining it to another.';
alter table portal.agent_pauses enable row level security;

create function portal.agents_of(p_contact_id bigint) returns setof integer
language sql stable security definer set search_path = '' as $$
  select a.id from public.whatsapp_contacts c
  join public.prompts_agents a on a.empreendimento = c.empreendimento or a."instanceName" = c."instanceName"
  where c.id = p_contact_id
$$;
comment on function portal.agents_of(bigint) is
  'The agents whose conversations a lead is one of: that of its development, and that on whose central instance it is. Server only.';

create function portal.pause_for_answer() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  answered_at timestamptz := to_timestamp(new."timestamp");
begin
  -- Long ago, and only read back now: whoever wrote is not in the conversation any more.
  if answered_at < now() - interval '24 hours' then return null; end if;
  insert into portal.agent_pauses as p (agent_id, person_id, reason, paused_by, paused_at, paused_until)
  select agent.id, c.person_id,
    case when new.operation_id is null then 'phone' else 'portal' end,
    case when new.operation_id is null then coalesce(regexp_replace(new."instanceName", '^corretor_', ''), 'portal')
      else portal.actor() end,
    answered_at, answered_at + interval '24 hours'
  from public.whatsapp_contacts c cross join portal.agents_of(c.id) as agent (id)
  where c.id = new.contact_id
  on conflict (agent_id, person_id) do update
  set reason = excluded.reason, paused_by = excluded.paused_by, paused_at = excluded.paused_at,
    paused_until = excluded.paused_until
  where p.paused_until < excluded.paused_until;
  return null;
end $$;
comment on function portal.pause_for_answer() is
  'Trigger: where a human answered, the agent keeps silent for a day from the last answer; a longer pause stays.';
create trigger pause_for_answer after insert on public.whatsapp_messages
  for each row when (new.type = 'outgoing' and new.author = 'human')
  execute function portal.pause_for_answer();

create function portal.join_pauses() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into portal.agent_pauses as p (agent_id, person_id, reason, paused_by, paused_at, paused_until)
  select g.agent_id, new.person_id, g.reason, g.paused_by, g.paused_at, g.paused_until
  from portal.agent_pauses g where g.person_id = old.person_id
  on conflict (agent_id, person_id) do update
  set reason = excluded.reason, paused_by = excluded.paused_by, paused_at = excluded.paused_at,
    paused_until = excluded.paused_until
  where coalesce(p.paused_until, 'infinity') < coalesce(excluded.paused_until, 'infinity');
  return null;
end $$;
comment on function portal.join_pauses() is
  'Trigger: an address turned out to be another person''s; whoever was not to be answered there still is not.';
create trigger join_pauses after update of person_id on portal.identities
  for each row when (old.person_id <> new.person_id) execute function portal.join_pauses();

create function portal.tell_agents() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.tell('{"kind": "agents"}');
  return null;
end $$;
comment on function portal.tell_agents() is 'Trigger: an agent, a prompt or a pause changed; told to administrators.';
create trigger tell_agents after insert or update or delete on public.prompts_agents
  for each statement execute function portal.tell_agents();
create trigger tell_pauses after insert or update or delete on portal.agent_pauses
  for each row execute function portal.tell_agents();

create function portal.pause_of(p_agent_id integer, p_person_id bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('reason', p.reason, 'by', p.paused_by, 'since', p.paused_at, 'until', p.paused_until)
  from portal.agent_pauses p
  where p.agent_id = p_agent_id and p.person_id = p_person_id and (p.paused_until is null or p.paused_until > now())
$$;
comment on function portal.pause_of(integer, bigint) is
  'The pause of an agent towards a person, {reason, by, since, until}; null while it may answer. Server only.';

create function public.get_agent_pause(p_id integer, p_remotejid text default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  agent public.prompts_agents;
  pause jsonb;
begin
  perform portal.require_grant('pauses:read');
  select a.* into agent from public.prompts_agents a where a.id = p_id;
  if not found then
    raise exception 'Agente não encontrado.' using errcode = 'PT404';
  end if;
  if agent.paused_at is not null then
    pause := jsonb_build_object('reason', 'agent', 'by', agent.paused_by, 'since', agent.paused_at, 'until', null);
  else
    pause := portal.pause_of(p_id, portal.person_named(p_remotejid));
  end if;
  return jsonb_build_object('paused', pause is not null)
    || coalesce(pause, '{"reason": null, "by": null, "since": null, "until": null}');
end $$;
comment on function public.get_agent_pause(integer, text) is
  'Whether the agent p_id must keep silent, wholly or towards p_remotejid (any form of the number, or a hidden id): {paused, reason (agent, person, portal or phone), by, since, until (null: until it is resumed)}. To be asked before each answer. For administrators and services with pauses:read; 404 for an unknown agent.';
grant execute on function public.get_agent_pause(integer, text) to authenticated, service_role;

create function public.pause_agent(p_id integer, p_is_paused boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  update public.prompts_agents a
  set paused_at = case when p_is_paused then now() end, paused_by = case when p_is_paused then portal.actor() end
  where a.id = p_id and (a.paused_at is not null) <> p_is_paused;
  if not exists (select from public.prompts_agents a where a.id = p_id) then
    raise exception 'Agente não encontrado.' using errcode = 'PT404';
  end if;
  return public.get_agent_pause(p_id);
end $$;
comment on function public.pause_agent(integer, boolean) is
  'Pauses an agent towards everyone, or lets it answer again; what it already is, it stays. Answers as get_agent_pause. Administrators only; 404 for an unknown agent.';
grant execute on function public.pause_agent(integer, boolean) to authenticated, service_role;

create function public.pause_conversation(
  p_agent_id integer, p_contact_id bigint, p_is_paused boolean, p_minutes integer default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  person bigint;
begin
  perform portal.require_admin();
  if p_minutes not between 1 and 525600 then
    raise exception 'A pausa pode durar de um minuto a um ano.' using errcode = 'PT422';
  end if;
  select c.person_id into person from public.whatsapp_contacts c
  where c.id = p_contact_id and p_agent_id in (select portal.agents_of(c.id));
  if person is null then
    raise exception 'Conversa não encontrada.' using errcode = 'PT404';
  end if;
  if p_is_paused then
    insert into portal.agent_pauses (agent_id, person_id, reason, paused_by, paused_until)
    values (p_agent_id, person, 'person', portal.actor(), now() + make_interval(mins => p_minutes))
    on conflict (agent_id, person_id) do update
    set reason = excluded.reason, paused_by = excluded.paused_by, paused_at = excluded.paused_at,
      paused_until = excluded.paused_until;
  else
    delete from portal.agent_pauses p where p.agent_id = p_agent_id and p.person_id = person;
  end if;
  return portal.pause_of(p_agent_id, person);
end $$;
comment on function public.pause_conversation(integer, bigint, boolean, integer) is
  'Pauses an agent towards the person of one of its conversations, for p_minutes or (null) until it is resumed; or resumes. Answers {reason, by, since, until}, null when it may answer. Administrators only; 404 for a lead that is none of the agent''s.';
grant execute on function public.pause_conversation(integer, bigint, boolean, integer) to authenticated, service_role;


-- What the administrator sees of the agents: the list, the facts of one, its conversations, and a new one.
-- A refusal has the HTTP status in its errcode and its code in the hint.

create function portal.fold(words text) returns text
language sql immutable strict parallel safe set search_path = '' as $$
  -- First the accents: not every database knows the small letters of others than a to z.
  select lower(translate(words,
    'áàâãäéèêëíìîïóòôõöúùûüçñÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑ', 'aaaaaeeeeiiiiooooouuuucnaaaaaeeeeiiiiooooouuuucn'))
$$;
comment on function portal.fold(text) is 'Words in small and without accents, as src/domain/search.ts folds them. Server only.';

create function portal.agent_leads(p_agent_id integer) returns setof public.whatsapp_contacts
language sql stable security definer set search_path = '' rows 200 as $$
  select c.* from public.prompts_agents a join public.whatsapp_contacts c on c.empreendimento = a.empreendimento
  where a.id = p_agent_id and c.last_message_id is not null
  union all
  select c.* from public.prompts_agents a join public.whatsapp_contacts c on c."instanceName" = a."instanceName"
  where a.id = p_agent_id and c.last_message_id is not null and c.empreendimento is distinct from a.empreendimento
$$;
comment on function portal.agent_leads(integer) is
  'The leads whose conversations are an agent''s, as portal.agents_of says, with at least one message. Server only.';

-- Whatever writes an agent's answers reads its prompts with a service token: without one in force no agent is said to answer.
create function portal.agent_list() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(row_to_json(listed) order by portal.fold(listed.name)), '[]')
    from (
      select a.id, a.nome_agente as name, a.empreendimento as development, a."instanceName", a.paused_at as "pausedAt",
        btrim(a.introducao_atendimento || a.regras_atendimento || a.atendimento_atendimento, E' \t\r\n') <> '' as "hasPrompt",
        s.dead_at is not null as "isDead",
        -- What answers reads the prompts with a token of its own.
        exists (
          select from portal.service_tokens t
          where t.revoked_at is null and t.expires_at > now() and t.grants && array['prompts:read', 'prompts:write']
        ) as "hasEngine"
      from public.prompts_agents a left join portal.instance_states s using ("instanceName")
    ) listed
  );
end $$;
comment on function portal.agent_list() is
  'All agents with what their cards say, but for the link, which the gateway knows. Administrators, by the server only.';

create function public.get_agent_info(p_id integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  agent public.prompts_agents;
  since bigint := extract(epoch from now() - interval '30 days');
begin
  perform portal.require_admin();
  select a.* into agent from public.prompts_agents a where a.id = p_id;
  if not found then
    raise exception 'Agente não encontrado.' using errcode = 'PT404';
  end if;
  return jsonb_build_object(
    'version', (select count(*) from public.prompt_versions v where v.agent_id = p_id),
    'last_edit', (
      select jsonb_build_object('field', v.field, 'by', v.saved_by, 'at', v.saved_at) from public.prompt_versions v
      where v.agent_id = p_id order by v.id desc limit 1),
    'paused_by', agent.paused_by,
    'paused_at', agent.paused_at,
    'active', counted.active,
    'paused', counted.paused,
    'replies', (
      select count(*) from portal.agent_leads(p_id) c join public.whatsapp_messages m on m.contact_id = c.id
      where m.author = 'agent' and m."timestamp" > extract(epoch from now() - interval '7 days')),
    'roleta', (
      select jsonb_build_object('name', r.empreendimento, 'is_active', r.ativa,
        'brokers', (select count(*) from public.roleta_corretores s where s."roletaName" = r.empreendimento and s.ativo))
      from public.roletas r where r.empreendimento = agent.empreendimento))
  from (
    select count(*) filter (where p.agent_id is null and c.last_message_timestamp > since) as active,
      count(p.agent_id) as paused
    from portal.agent_leads(p_id) c
    left join portal.agent_pauses p
      on p.agent_id = p_id and p.person_id = c.person_id and (p.paused_until is null or p.paused_until > now())
  ) as counted;
end $$;
comment on function public.get_agent_info(integer) is
  'The facts of an agent: {version (texts saved so far), last_edit {field, by, at}, paused_by, paused_at, active (conversations of the last 30 days that it may answer), paused (those it may not), replies (of the last 7 days), roleta {name, is_active, brokers}}. Administrators only; 404 for an unknown agent.';
grant execute on function public.get_agent_info(integer) to authenticated, service_role;

-- An agent's conversations are leads as every board shows them: who asked to be left alone included.
create function public.get_agent_conversations(
  p_agent_id integer,
  p_search text default null,
  p_before_at bigint default null,
  p_before_id bigint default null
) returns setof jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  words text[] := regexp_split_to_array(nullif(btrim(portal.fold(p_search)), ''), '\s+');
  digits text := case when p_search !~ '[[:alpha:]]' then nullif(regexp_replace(p_search, '[^0-9]', '', 'g'), '') end;
  since bigint := case when words is null then extract(epoch from now() - interval '30 days') else 0 end;
begin
  perform portal.require_admin();
  return query
    select portal.agent_talk(p_agent_id, c)
    from portal.agent_leads(p_agent_id) c join portal.people p on p.id = c.person_id
    where c.last_message_timestamp >= since
      and (p_before_at is null or (c.last_message_timestamp, c.id) < (p_before_at, p_before_id))
      and (
        words is null
        or not exists (select from unnest(words) as word where strpos(portal.fold(coalesce(c.name, '')), word) = 0)
        or regexp_replace(c.number, '[^0-9]', '', 'g') like '%' || digits || '%'
        or (length(digits) between 10 and 13 and p.number_key = portal.number_key(digits))
      )
    order by c.last_message_timestamp desc, c.id desc
    limit 50;
end $$;
comment on function public.get_agent_conversations(integer, text, bigint, bigint) is
  'The conversations of an agent''s development, the newest 50, or those before (p_before_at, p_before_id): of the last 30 days, or with p_search all whose name or number has it, whatever the accents and the form. Lead as in sync_board, with last_author (human, agent, campaign; null when the lead wrote last), and pause {reason, by, since, until} or null. Administrators only.';
grant execute on function public.get_agent_conversations(integer, text, bigint, bigint) to authenticated, service_role;

create function portal.check_central(p_agent_id integer, p_instance text) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  taken text := (
    select a.nome_agente from public.prompts_agents a where a."instanceName" = p_instance and a.id is distinct from p_agent_id);
begin
  if taken is not null then
    raise exception 'Este WhatsApp já é o do agente %.', taken using errcode = 'PT409', hint = 'agent.instance-taken';
  end if;
end $$;
comment on function portal.check_central(integer, text) is
  'Refuses an instance that is another agent''s: nobody would know which of both a lead writes to. Server only.';

create function portal.add_agent(p_operation_id uuid, p_name text, p_instance text, p_copy_from integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
  wanted text := btrim(regexp_replace(p_name, '\s+', ' ', 'g'));
  added integer;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  if coalesce(wanted, '') = '' then
    raise exception 'Nome do empreendimento é obrigatório' using errcode = 'PT422', hint = 'agent.no-name';
  end if;
  -- One is added at a time, so that two of one name at once are seen as such.
  perform pg_advisory_xact_lock(hashtextextended('portal.add_agent', 0));
  if exists (
    select from public.prompts_agents a where portal.fold(wanted) in (portal.fold(a.nome_agente), portal.fold(a.empreendimento))) then
    raise exception 'Já existe um agente para este empreendimento' using errcode = 'PT409', hint = 'agent.taken';
  end if;
  perform portal.check_central(null, p_instance);
  if p_copy_from is not null and not exists (select from public.prompts_agents a where a.id = p_copy_from) then
    raise exception 'O agente a copiar não existe mais.' using errcode = 'PT409', hint = 'agent.no-source';
  end if;
  insert into public.prompts_agents
    (nome_agente, empreendimento, "instanceName", introducao_atendimento, regras_atendimento, atendimento_atendimento,
     introducao_agendamento, regras_agendamento, atendimento_agendamento, listar_horarios, agendamento)
  select wanted, wanted, p_instance,
    coalesce(a.introducao_atendimento, ''), coalesce(a.regras_atendimento, ''), coalesce(a.atendimento_atendimento, ''),
    coalesce(a.introducao_agendamento, ''), coalesce(a.regras_agendamento, ''), coalesce(a.atendimento_agendamento, ''),
    coalesce(a.listar_horarios, ''), coalesce(a.agendamento, '')
  from (select 1) as one left join public.prompts_agents a on a.id = p_copy_from
  returning id into added;
  return portal.end_operation(portal.account_id(), p_operation_id, 'agent.add', jsonb_build_object('id', added));
end $$;
comment on function portal.add_agent(uuid, text, text, integer) is
  'The agent of a development, with its central instance (null: none yet) and the prompts of another; once an operation. 409 where the development or the instance has one. Administrators, by the server only.';

create function portal.move_agent(p_id integer, p_instance text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  perform portal.check_central(p_id, p_instance);
  update public.prompts_agents a set "instanceName" = p_instance where a.id = p_id;
  if not found then
    raise exception 'Agente não encontrado.' using errcode = 'PT404', hint = 'agent.unknown';
  end if;
end $$;
comment on function portal.move_agent(integer, text) is
  'Gives an agent another central instance, or none. Administrators, by the server only.';


-- One conversation of an agent by its lead, wherever it stands in the list: what is open is read again by itself.

create function portal.agent_talk(p_agent_id integer, p_lead public.whatsapp_contacts) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', p_lead.id, 'name', p_lead.name, 'number', p_lead.number, 'notes', p_lead.notes, 'status', p_lead.status,
    'unread_count', p_lead.unread_count, 'created_at', p_lead.created_at,
    'remarketing_sent_at', p_lead.remarketing_sent_at,
    'opted_out', exists (select from portal.people p where p.id = p_lead.person_id and p.opted_out_at is not null),
    'profile_pic_url', p_lead.profile_pic_url, 'instanceName', p_lead."instanceName",
    'last_message', jsonb_build_object(
      'body', p_lead.last_message_body, 'timestamp', p_lead.last_message_timestamp, 'type', p_lead.last_message_type,
      'kind', p_lead.last_message_kind, 'delivery', p_lead.last_message_delivery),
    'last_author', (
      select m.author from public.whatsapp_messages m where m.id = p_lead.last_message_id and m.type = 'outgoing'),
    'pause', portal.pause_of(p_agent_id, p_lead.person_id))
$$;
comment on function portal.agent_talk(integer, public.whatsapp_contacts) is
  'A lead as public.get_agent_conversations and public.get_agent_conversation answer it. Server only.';

create function public.get_agent_conversation(p_agent_id integer, p_contact_id bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  talk jsonb;
begin
  perform portal.require_admin();
  select portal.agent_talk(p_agent_id, c) into talk from public.whatsapp_contacts c
  where c.id = p_contact_id and c.last_message_id is not null and p_agent_id in (select portal.agents_of(c.id));
  if talk is null then
    raise exception 'Conversa não encontrada.' using errcode = 'PT404';
  end if;
  return talk;
end $$;
comment on function public.get_agent_conversation(integer, bigint) is
  'One of an agent''s conversations by its lead, however old, as get_agent_conversations answers it. Administrators only; 404 for a lead that is not this agent''s or has no message.';
grant execute on function public.get_agent_conversation(integer, bigint) to authenticated, service_role;

-- Figures: their one definition, the counts they are read from, and the lists behind them.


-- The one definition of every metric and of the leads that a filter means.

create view portal.leads with (security_invoker = true) as
select
  c.id,
  c."instanceName" as broker_name,
  c.name as nome_lead,
  c.number as number_lead,
  c.created_at,
  c.created_at at time zone (select portal.time_zone()) as local_created_at,
  c.status as kanban_lead,
  c.empreendimento,
  c.source,
  coalesce(c.campaign, 'sem campanha') as campaign,
  extract(epoch from c.first_response_at - c.first_incoming_at) as response_seconds,
  (c.first_incoming_at is not null and c.first_response_at is null)
    or (c.left_contact_at is not null and c.first_incoming_at is null and c.first_contacted_at is null) as is_unanswered,
  c.won_at is not null as is_won,
  case when c.first_contacted_at < coalesce(c.first_incoming_at, 'infinity')
    then greatest(0, extract(epoch from c.first_contacted_at - c.left_contact_at)) end as contact_seconds,
  case
    when c.first_incoming_at is not null then case when c.first_response_at is null then c.first_incoming_at end
    when c.first_contacted_at is null then c.left_contact_at
  end as waiting_since,
  c.left_contact_at is not null and c.first_incoming_at is null and c.first_contacted_at is null as is_uncontacted
from public.whatsapp_contacts c;
comment on view portal.leads is 'Leads with what is measured of each; merged contacts are one. Row rules of whatsapp_contacts hold.';
comment on column portal.leads.local_created_at is 'Wall-clock time in the portal''s zone, whose days and hours count.';
comment on column portal.leads.response_seconds is 'First human outgoing message minus first incoming one, in seconds: campaigns and agents do not count; null while unanswered.';
comment on column portal.leads.is_unanswered is 'Wrote and no human answered, or left a contact, did not write, and no human wrote to them.';
comment on column portal.leads.is_won is 'Reached a stage that is marked as won, wherever it is now.';
comment on column portal.leads.contact_seconds is
  'First human message minus arrival by a form, a portal or Meta, in seconds, where the lead did not write before it; null otherwise.';
comment on column portal.leads.is_uncontacted is 'Left a contact, did not write, and no human wrote to them: one of the unanswered.';
comment on column portal.leads.waiting_since is 'Since when an unanswered lead waits: its first message, else its arrival.';
grant select on portal.leads to authenticated, service_role;

-- A period beyond all calendars is refused in words: the days before the one asked for, which it is compared with, are out of
-- what the database can count.
create function portal.period(p_start timestamp, p_end timestamp, out starts_at timestamptz, out ends_at timestamptz)
language plpgsql stable set search_path = '' as $$
begin
  if p_end < p_start then
    raise exception 'O fim do período vem antes do início.' using errcode = '22023';
  end if;
  -- Wider than the words: as many days before those of the widest period go back a century more.
  if p_start < '1800-01-01' or p_start >= '2201-01-01' or p_end < '1800-01-01' or p_end >= '2201-01-01' then
    raise exception 'Escolha datas entre os anos 2000 e 2100.' using errcode = '22023';
  end if;
  starts_at := coalesce(p_start at time zone portal.time_zone(), '-infinity');
  ends_at := coalesce((date_trunc('second', p_end) + interval '1 second') at time zone portal.time_zone(), 'infinity');
end $$;
comment on function portal.period(timestamp, timestamp) is
  'Instants [starts_at, ends_at) of a period of the wire: ''2026-11-01T00:00:00Z'' is read as wall-clock time in the portal''s zone whatever stands behind it, the end exclusive at the next second; a bound left out is open. 22023 when the end is before the start, or a bound is far beyond the years 2000 to 2100.';
grant execute on function portal.period(timestamp, timestamp) to authenticated, service_role;

-- No search_path of its own, every name being qualified: only so is it planned as part of the query that asks.
create function portal.leads_of(p_brokers text[], p_empreendimentos text[], p_starts_at timestamptz, p_ends_at timestamptz)
returns setof portal.leads
language sql stable as $$
  select l.*
  from portal.leads l
  where l.created_at >= p_starts_at and l.created_at < p_ends_at
    and (coalesce(cardinality(p_brokers), 0) = 0 or l.broker_name = any (p_brokers))
    and (coalesce(cardinality(p_empreendimentos), 0) = 0 or l.empreendimento = any (p_empreendimentos))
$$;
comment on function portal.leads_of(text[], text[], timestamptz, timestamptz) is
  'Leads created in [start, end) of these brokers (instance names) and developments; none named = all.';
grant execute on function portal.leads_of(text[], text[], timestamptz, timestamptz) to authenticated, service_role;

create function portal.dashboard(p_brokers text[], p_empreendimentos text[], p_start timestamp, p_end timestamp) returns json
language plpgsql stable set search_path = '' as $$
declare
  today date := (now() at time zone portal.time_zone())::date;
  days integer := greatest(
    coalesce(p_end::date, today)
      - coalesce(p_start::date, portal.first_lead_day(p_brokers, p_empreendimentos), today) + 1,
    1);
  counts portal.lead_count[];
  total portal.lead_count;
  before portal.lead_count;
begin
  counts := array(
    select row(c.dimension, c.value, sum(c.leads), sum(c.answered), sum(c.unanswered), sum(c.won), sum(c.response_seconds))::portal.lead_count
    from portal.count_leads(p_brokers, p_empreendimentos, p_start, p_end, false) c
    group by c.dimension, c.value
    having sum(c.leads) > 0
  );
  select c.* into total from unnest(counts) c where c.dimension = 'total';
  if p_start is not null and p_end is not null then
    select 'total', '', sum(c.leads), sum(c.answered), sum(c.unanswered), sum(c.won), sum(c.response_seconds) into before
    from portal.count_leads(
      p_brokers, p_empreendimentos, p_start - days * interval '1 day', p_end - days * interval '1 day', true) c;
  end if;
  return json_build_object(
    'kpi', portal.dashboard_kpi(total, days),
    'charts', json_build_object(
      'statusDistribution', (select coalesce(json_agg(x), '[]') from (
        select c.value as status, c.leads as count from unnest(counts) c where c.dimension = 'status' order by 2 desc, 1) x),
      'leadSource', (select coalesce(json_agg(x), '[]') from (
        select c.value as source, c.leads as count from unnest(counts) c where c.dimension = 'source' order by 2 desc, 1) x),
      'leadsByDayOfWeek', (select coalesce(json_agg(x), '[]') from (
        select
          (array['domingo', 'segunda-feira', 'terça-feira', 'quarta-feira', 'quinta-feira', 'sexta-feira', 'sábado'])[
            c.value::integer + 1] as day_name,
          c.value::integer as day_number, c.leads as count
        from unnest(counts) c where c.dimension = 'weekday' order by 2) x),
      'leadsByCampaign', (select coalesce(json_agg(x), '[]') from (
        select c.value as campaign, c.leads as count from unnest(counts) c where c.dimension = 'campaign' order by 2 desc, 1) x)
    ),
    'period', json_build_object('start', p_start, 'end', p_end, 'days', days),
    'previous', case when p_start is not null and p_end is not null then json_build_object(
      'kpi', portal.dashboard_kpi(before, days),
      'start', p_start - days * interval '1 day',
      'end', p_end - days * interval '1 day'
    ) end
  );
end $$;
comment on function portal.dashboard(text[], text[], timestamp, timestamp) is
  'Metrics of the leads of a period: totalLeads; avgResponseTimeHours over the answeredLeads, null without one; unansweredLeads beside it; avgLeadsPerDay = total / calendar days; conversionRate in percent = leads that reached a won stage / leads; the four charts, counts descending, weekdays from day_number 0 = Sunday; and as previous the figures of as many days before, null for an open period.';
grant execute on function portal.dashboard(text[], text[], timestamp, timestamp) to authenticated, service_role;


-- Counts of leads by day and month, kept exact by what every write notes: a dashboard over a million leads
-- reads some thousand rows. Writers only append what changed, so that none waits for another; a fold adds it up later,
-- and a reader adds what is not folded yet.

-- Counts of leads by broker and development at once, by the month: a question about both is read from the
-- months, and only the days that a month has too few or too many of are counted from the leads.
create table portal.lead_rollup (
  level smallint not null check (level between 0 and 3),
  grain text not null check (grain in ('day', 'month')),
  instance text not null,
  development text not null,
  start date not null,
  dimension text not null check (dimension in ('total', 'status', 'source', 'campaign', 'weekday')),
  value text not null,
  leads bigint not null,
  answered bigint not null,
  unanswered bigint not null,
  won bigint not null,
  response_seconds numeric not null,
  primary key (level, grain, instance, development, start, dimension, value)
);
comment on table portal.lead_rollup is 'Leads by the local day or month they came in. Read by portal.count_leads only, together with portal.lead_deltas.';
comment on column portal.lead_rollup.level is
  '0 all leads, 1 by broker, 2 by development, the other of the two being empty; 3 by both, by the month only.';
comment on column portal.lead_rollup.instance is 'The owner''s instance name, empty for nobody''s.';
comment on column portal.lead_rollup.dimension is 'What value is one of; weekday (0 = Sunday) of months only, a day has but one.';
create index lead_rollup_empty on portal.lead_rollup (level) where leads = 0;
comment on index portal.lead_rollup_empty is 'Serves removing what nothing is left of.';
alter table portal.lead_rollup enable row level security;

create table portal.lead_deltas (
  day date not null,
  instance text not null,
  development text not null,
  status text not null,
  source text not null,
  campaign text not null,
  leads integer not null,
  answered integer not null,
  unanswered integer not null,
  won integer not null,
  response_seconds numeric not null
);
comment on table portal.lead_deltas is 'What writes changed of the counts and no fold has added up yet; minus for what a lead was before.';
alter table portal.lead_deltas enable row level security;

-- No search_path of its own, every name being qualified: only so is it planned as part of the statement that asks.
create function portal.lead_delta(lead public.whatsapp_contacts, sign integer, zone text) returns setof portal.lead_deltas
language sql stable as $$
  select
    (lead.created_at at time zone zone)::date,
    coalesce(lead."instanceName", ''),
    coalesce(lead.empreendimento, ''),
    lead.status,
    lead.source,
    coalesce(lead.campaign, 'sem campanha'),
    sign,
    sign * (lead.first_response_at - lead.first_incoming_at is not null)::integer,
    sign * ((lead.first_incoming_at is not null and lead.first_response_at is null)
      or (lead.left_contact_at is not null and lead.first_incoming_at is null and lead.first_contacted_at is null))::integer,
    sign * (lead.won_at is not null)::integer,
    sign * coalesce(extract(epoch from lead.first_response_at - lead.first_incoming_at), 0)
$$;
comment on function portal.lead_delta(public.whatsapp_contacts, integer, text) is
  'What one lead counts for, times sign; by the definitions of the view portal.leads.';

-- The portal's zone is looked up once a statement: as a column of a subselect it would be looked up for every lead, which makes
-- counting leads one by one many times dearer.
create function portal.note_lead_counts() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  zone text := portal.time_zone();
begin
  if tg_op = 'INSERT' then
    insert into portal.lead_deltas
    select d.* from new_rows n, portal.lead_delta(n, 1, zone) d;
  elsif tg_op = 'DELETE' then
    insert into portal.lead_deltas
    select d.* from old_rows o, portal.lead_delta(o, -1, zone) d;
  else
    insert into portal.lead_deltas
    select d.*
    from old_rows o
      -- A message changes none of these, and comes most often.
      join new_rows n on n.id = o.id
        and (n."instanceName", n.empreendimento, n.status, n.source, n.campaign, n.created_at,
          n.first_incoming_at, n.first_response_at, n.won_at, n.left_contact_at, n.first_contacted_at)
        is distinct from (o."instanceName", o.empreendimento, o.status, o.source, o.campaign, o.created_at,
          o.first_incoming_at, o.first_response_at, o.won_at, o.left_contact_at, o.first_contacted_at),
      lateral (
        select * from portal.lead_delta(o, -1, zone)
        union all
        select * from portal.lead_delta(n, 1, zone)
      ) d;
  end if;
  return null;
end $$;
comment on function portal.note_lead_counts() is 'Trigger: notes what a write changed of the counts of leads; appends only.';
create trigger note_new_lead_counts after insert on public.whatsapp_contacts
  referencing new table as new_rows for each statement execute function portal.note_lead_counts();
create trigger note_changed_lead_counts after update on public.whatsapp_contacts
  referencing old table as old_rows new table as new_rows for each statement execute function portal.note_lead_counts();
create trigger note_removed_lead_counts after delete on public.whatsapp_contacts
  referencing old table as old_rows for each statement execute function portal.note_lead_counts();

create function portal.fold_lead_deltas() returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  folded bigint;
begin
  -- One at a time; a second portal leaves it to the first.
  if not pg_try_advisory_xact_lock(hashtextextended('portal.lead_rollup', 0)) then return 0; end if;
  with
    noted as (delete from portal.lead_deltas returning *),
    spread as (
      select l.level, g.grain, l.instance, l.development, g.start, x.dimension, x.value,
        sum(n.leads) as leads, sum(n.answered) as answered, sum(n.unanswered) as unanswered, sum(n.won) as won,
        sum(n.response_seconds) as response_seconds
      from noted n
      cross join lateral (values
        (0, '', ''), (1, n.instance, ''), (2, '', n.development), (3, n.instance, n.development)
      ) as l (level, instance, development)
      cross join lateral (values ('day', n.day), ('month', date_trunc('month', n.day)::date)) as g (grain, start)
      cross join lateral (values
        ('total', ''), ('status', n.status), ('source', n.source), ('campaign', n.campaign),
        ('weekday', extract(dow from n.day)::text)) as x (dimension, value)
      where g.grain = 'month' or (x.dimension <> 'weekday' and l.level < 3)
      group by 1, 2, 3, 4, 5, 6, 7
    ),
    added as (
      insert into portal.lead_rollup as r
      select * from spread
      on conflict (level, grain, instance, development, start, dimension, value) do update
      set
        leads = r.leads + excluded.leads,
        answered = r.answered + excluded.answered,
        unanswered = r.unanswered + excluded.unanswered,
        won = r.won + excluded.won,
        response_seconds = r.response_seconds + excluded.response_seconds
    )
  select count(*) into folded from noted;
  delete from portal.lead_rollup where leads = 0;
  return folded;
end $$;
comment on function portal.fold_lead_deltas() is
  'Adds up what writes noted since the last time and answers how many notes those were. Called by the portal every minute; figures are the same before and after.';

create function portal.rebuild_lead_rollup() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  zone text := portal.time_zone();
begin
  -- Nobody may count by the old zone meanwhile.
  lock table public.whatsapp_contacts in share row exclusive mode;
  perform pg_advisory_xact_lock(hashtextextended('portal.lead_rollup', 0));
  delete from portal.lead_deltas;
  delete from portal.lead_rollup;
  insert into portal.lead_deltas
  select d.* from public.whatsapp_contacts c, portal.lead_delta(c, 1, zone) d;
  perform portal.fold_lead_deltas();
  return null;
end $$;
comment on function portal.rebuild_lead_rollup() is 'Trigger: another time zone gives every lead another day, so all is counted anew.';
create trigger rebuild_lead_rollup after update of value on portal.settings
  for each row when (new.key = 'time_zone' and old.value is distinct from new.value)
  execute function portal.rebuild_lead_rollup();


-- The dashboard over the roll-up: whole days are read from it, the rest from the leads themselves.

create function portal.asked_brokers(p_brokers text[]) returns text[]
language sql stable set search_path = '' as $$
  select case
    when portal.is_admin() or portal.is_service() then case when cardinality(p_brokers) > 0 then p_brokers end
    when coalesce(cardinality(p_brokers), 0) = 0 or portal.my_instance() = any (p_brokers) then array_remove(array[portal.my_instance()], null)
    else '{}'
  end
$$;
comment on function portal.asked_brokers(text[]) is
  'Instance names that a question about these brokers may be answered for: null = all, leads of nobody included; a broker gets the own name or none.';
grant execute on function portal.asked_brokers(text[]) to authenticated, service_role;

create type portal.lead_count as (
  dimension text,
  value text,
  leads bigint,
  answered bigint,
  unanswered bigint,
  won bigint,
  response_seconds numeric
);
comment on type portal.lead_count is 'How many leads have a value of a dimension (total, status, source, campaign, weekday), and what is measured of them.';

create function portal.count_plain_leads(
  p_brokers text[], p_empreendimentos text[], p_starts_at timestamptz, p_ends_at timestamptz, p_is_total_only boolean
) returns setof portal.lead_count
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  zone text := portal.time_zone();
begin
  if p_starts_at >= p_ends_at then return; end if;
  return query
    select x.dimension, x.value, sum(d.leads), sum(d.answered), sum(d.unanswered), sum(d.won), sum(d.response_seconds)
    from public.whatsapp_contacts c,
      portal.lead_delta(c, 1, zone) d,
      lateral (values ('total', ''), ('status', d.status), ('source', d.source), ('campaign', d.campaign),
        ('weekday', extract(dow from d.day)::text)) as x (dimension, value)
    where (x.dimension = 'total' or not p_is_total_only)
      and c.created_at >= p_starts_at and c.created_at < p_ends_at
      and (p_brokers is null or c."instanceName" = any (p_brokers))
      and (coalesce(cardinality(p_empreendimentos), 0) = 0 or c.empreendimento = any (p_empreendimentos))
    group by x.dimension, x.value;
end $$;
comment on function portal.count_plain_leads(text[], text[], timestamptz, timestamptz, boolean) is
  'Leads created in [start, end), counted one by one; p_brokers as portal.asked_brokers answers.';

create function portal.count_whole_days(
  p_brokers text[], p_empreendimentos text[], p_first_day date, p_after_day date, p_is_total_only boolean
) returns setof portal.lead_count
language plpgsql stable set search_path = '' as $$
declare
  asked_level smallint := (p_brokers is not null)::integer + 2 * coalesce(cardinality(p_empreendimentos) > 0, false)::integer;
  instances text[] := coalesce(p_brokers, '{""}');
  developments text[] := case when asked_level >= 2 then p_empreendimentos else '{""}' end;
  first_month date := date_trunc('month', p_first_day::timestamp + interval '1 month - 1 day')::date;
  after_month date := date_trunc('month', p_after_day::timestamp)::date;
  dimensions text[] := case when p_is_total_only then '{total}' else '{total,status,source,campaign,weekday}' end;
begin
  if p_first_day >= p_after_day then return; end if;
  if first_month >= after_month then
    first_month := p_after_day;
    after_month := p_after_day;
  end if;
  return query
    select r.dimension, r.value, r.leads, r.answered, r.unanswered, r.won, r.response_seconds
    from portal.lead_rollup r
    where r.level = asked_level and r.grain = 'month'
      and r.instance = any (instances) and r.development = any (developments) and r.dimension = any (dimensions)
      and r.start >= first_month and r.start < after_month;
  return query
    with days as (
      select r.*
      from portal.lead_rollup r
      where r.level = asked_level and r.grain = 'day'
        and r.instance = any (instances) and r.development = any (developments) and r.dimension = any (dimensions)
        and r.start >= p_first_day and r.start < first_month
      union all
      select r.*
      from portal.lead_rollup r
      where r.level = asked_level and r.grain = 'day'
        and r.instance = any (instances) and r.development = any (developments) and r.dimension = any (dimensions)
        and r.start >= after_month and r.start < p_after_day
    )
    select x.dimension, x.value, d.leads, d.answered, d.unanswered, d.won, d.response_seconds
    from days d
    cross join lateral (
      select d.dimension, d.value
      union all
      select 'weekday', extract(dow from d.start)::text where d.dimension = 'total' and not p_is_total_only
    ) x (dimension, value);
  return query
    select x.dimension, x.value, d.leads::bigint, d.answered::bigint, d.unanswered::bigint, d.won::bigint, d.response_seconds
    from portal.lead_deltas d
    cross join lateral (values ('total', ''), ('status', d.status), ('source', d.source), ('campaign', d.campaign),
      ('weekday', extract(dow from d.day)::text)) as x (dimension, value)
    where x.dimension = any (dimensions)
      and d.day >= p_first_day and d.day < p_after_day
      and (p_brokers is null or d.instance = any (instances))
      and (asked_level < 2 or d.development = any (developments));
end $$;
comment on function portal.count_whole_days(text[], text[], date, date, boolean) is
  'Leads of the local days [first, after) from the roll-up and the notes not folded yet; of some brokers and some developments at once in whole months only. Rows of one value may come several times, to be added up.';

create function portal.count_leads(
  p_brokers text[], p_empreendimentos text[], p_start timestamp, p_end timestamp, p_is_total_only boolean
) returns setof portal.lead_count
language plpgsql stable security definer set search_path = '' as $$
declare
  span record := portal.period(p_start, p_end);
  zone text := portal.time_zone();
  asked text[] := portal.asked_brokers(p_brokers);
  first_day date := date_trunc('day', coalesce(p_start + interval '1 day - 1 microsecond', '-infinity'))::date;
  after_day date := date_trunc('day', coalesce(p_end + interval '1 second', 'infinity'))::date;
begin
  if asked is not null and cardinality(p_empreendimentos) > 0 then
    -- The nearest borders of months, inside the period or out of it: no more than half a month is left at either end.
    first_day := date_trunc('month', coalesce(p_start + interval '15 days', '-infinity'))::date;
    after_day := date_trunc('month', coalesce(p_end + interval '15 days 1 second', 'infinity'))::date;
  end if;
  if first_day >= after_day then
    return query select * from portal.count_plain_leads(asked, p_empreendimentos, span.starts_at, span.ends_at, p_is_total_only);
    return;
  end if;
  return query select * from portal.count_whole_days(asked, p_empreendimentos, first_day, after_day, p_is_total_only);
  -- What these days have too few or too many at either end; nothing, as the screens ask about brokers or developments.
  return query
    select edge.dimension, edge.value, side.sign * edge.leads, side.sign * edge.answered, side.sign * edge.unanswered,
      side.sign * edge.won, side.sign * edge.response_seconds
    from
      (values (first_day::timestamp at time zone zone, after_day::timestamp at time zone zone)) as days (starts_at, ends_at),
      lateral (values
        (1, span.starts_at, days.starts_at), (-1, days.starts_at, span.starts_at),
        (1, days.ends_at, span.ends_at), (-1, span.ends_at, days.ends_at)) as side (sign, starts_at, ends_at),
      portal.count_plain_leads(asked, p_empreendimentos, side.starts_at, side.ends_at, p_is_total_only) edge;
end $$;
comment on function portal.count_leads(text[], text[], timestamp, timestamp, boolean) is
  'Counts of the leads of a period that the asker may see, exact at the moment of asking; none named = all; on wish the total alone. Rows of one value may come several times, to be added up. 22023 when the end is before the start.';
grant execute on function portal.count_leads(text[], text[], timestamp, timestamp, boolean) to authenticated, service_role;

create function portal.first_lead_day(p_brokers text[], p_empreendimentos text[]) returns date
language sql stable security definer set search_path = '' as $$
  select min(c.created_at at time zone portal.time_zone())::date
  from public.whatsapp_contacts c
  where (portal.asked_brokers(p_brokers) is null or c."instanceName" = any (portal.asked_brokers(p_brokers)))
    and (coalesce(cardinality(p_empreendimentos), 0) = 0 or c.empreendimento = any (p_empreendimentos))
$$;
comment on function portal.first_lead_day(text[], text[]) is 'The local day of the first lead of a filter that the asker may see, null without one; where a period without a start begins.';
grant execute on function portal.first_lead_day(text[], text[]) to authenticated, service_role;

create function portal.dashboard_kpi(p_total portal.lead_count, p_days integer) returns json
language sql immutable set search_path = '' as $$
  select json_build_object(
    'totalLeads', coalesce(p_total.leads, 0),
    'avgResponseTimeHours', round(p_total.response_seconds / nullif(p_total.answered, 0) / 3600, 6),
    'avgLeadsPerDay', round(coalesce(p_total.leads, 0)::numeric / greatest(p_days, 1), 4),
    'conversionRate', round(coalesce(100.0 * p_total.won / nullif(p_total.leads, 0), 0), 4),
    'answeredLeads', coalesce(p_total.answered, 0),
    'unansweredLeads', coalesce(p_total.unanswered, 0)
  )
$$;
comment on function portal.dashboard_kpi(portal.lead_count, integer) is 'The figures of a period of so many days from its total.';
grant execute on function portal.dashboard_kpi(portal.lead_count, integer) to authenticated, service_role;


-- The dashboard's calls, over the metrics of portal.leads. A broker gets the own leads, an administrator all.

create function public.get_dashboard_data_by_params(
  p_broker_names text[] default null,
  p_start_date timestamp default null,
  p_end_date timestamp default null,
  p_empreendimentos text[] default null
) returns json
language sql stable set search_path = '' as $$
  -- The period is looked at before its days are counted, which those of no calendar cannot be.
  select portal.dashboard(p_broker_names, p_empreendimentos, p_start_date, p_end_date)
  from portal.period(p_start_date, p_end_date)
$$;
comment on function public.get_dashboard_data_by_params(text[], timestamp, timestamp, text[]) is
  'The filtered dashboard: {kpi, charts, period}, as portal.dashboard says. Brokers by instance name; none named = all; a date left out = open. 22023 when the end is before the start.';
grant execute on function public.get_dashboard_data_by_params(text[], timestamp, timestamp, text[]) to authenticated, service_role;

create function public.get_dashboard_overview_data() returns json
language sql stable set search_path = '' as $$
  select portal.dashboard(null, null, (today - 29)::timestamp, today + time '23:59:59')
  from (select (now() at time zone portal.time_zone())::date) as clock (today)
$$;
comment on function public.get_dashboard_overview_data() is
  'The dashboard of the last 30 days, today included: {kpi, charts, period}, as portal.dashboard says. Also by GET.';
grant execute on function public.get_dashboard_overview_data() to authenticated, service_role;

-- A page of leads costs the same wherever it is and whatever the filter: each broker, development or pair of them has its leads
-- in order, a page takes the newest of each and merges them.
create function public.get_leads_with_filters_and_pagination(
  p_broker_names text[] default null,
  p_empreendimentos text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null,
  p_cursor timestamptz default null,
  p_id_cursor bigint default null
) returns table (
  id bigint,
  nome_lead text,
  number_lead text,
  created_at timestamptz,
  kanban_lead text,
  empreendimento text,
  broker_name text
)
language sql stable set search_path = '' as $$
  select * from public.get_leads_of_figure(
    'total', null, p_broker_names, p_empreendimentos, p_data_inicio, p_data_fim, p_cursor, p_id_cursor)
$$;
comment on function public.get_leads_with_filters_and_pagination(text[], text[], timestamp, timestamp, timestamptz, bigint) is
  'A page of 20 leads for ''Detalhamento de Leads'', the newest first. p_cursor and p_id_cursor are created_at, exactly as answered, and id of the last row seen, so that leads that come in meanwhile shift nothing. Filters as in get_dashboard_data_by_params. 22023 when the end is before the start.';
grant execute on function public.get_leads_with_filters_and_pagination(text[], text[], timestamp, timestamp, timestamptz, bigint)
  to authenticated, service_role;

create function public.buscar_leads_paginados(
  p_broker_names text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null,
  p_cursor timestamptz default null,
  p_id_cursor bigint default null
) returns table (
  id bigint,
  nome_lead text,
  number_lead text,
  created_at timestamptz,
  kanban_lead text,
  empreendimento text,
  broker_name text
)
language sql stable set search_path = '' as $$
  select * from public.get_leads_with_filters_and_pagination(
    p_broker_names, null, p_data_inicio, p_data_fim, p_cursor, p_id_cursor)
$$;
comment on function public.buscar_leads_paginados(text[], timestamp, timestamp, timestamptz, bigint) is
  'get_leads_with_filters_and_pagination without a choice of developments.';
grant execute on function public.buscar_leads_paginados(text[], timestamp, timestamp, timestamptz, bigint) to authenticated, service_role;

create function public.relatorio_leads_kanban_periodo2(
  p_brokers text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null
) returns table (broker_name text, kanban_lead text, stage_name text, order_index integer, total_leads bigint)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
begin
  return query
    select l.broker_name, l.kanban_lead, s.name, s.order_index, count(*)
    from portal.leads_of(p_brokers, null, span.starts_at, span.ends_at) l
    join public.kanban_stages s on s.slug = l.kanban_lead
    group by l.broker_name, l.kanban_lead, s.name, s.order_index
    order by l.broker_name, s.order_index;
end $$;
comment on function public.relatorio_leads_kanban_periodo2(text[], timestamp, timestamp) is
  'Leads of a period by broker (instance name, null for those of removed brokers) and the stage where they are now. Filters as in get_dashboard_data_by_params.';
grant execute on function public.relatorio_leads_kanban_periodo2(text[], timestamp, timestamp) to authenticated, service_role;

create function public.relatorio_leads_por_horario(
  p_instances text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null
) returns table (hora integer, total_leads bigint)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
begin
  return query
    select hours.hour, count(l.id)
    from generate_series(0, 23) as hours (hour)
    left join portal.leads_of(p_instances, null, span.starts_at, span.ends_at) l
      on extract(hour from l.local_created_at) = hours.hour
    group by hours.hour
    order by hours.hour;
end $$;
comment on function public.relatorio_leads_por_horario(text[], timestamp, timestamp) is
  'Leads of a period by the hour of the day they came in, all 24 hours, in the portal''s zone. Filters as in get_dashboard_data_by_params.';
grant execute on function public.relatorio_leads_por_horario(text[], timestamp, timestamp) to authenticated, service_role;

create function public.get_available_empreendimentos() returns table (empreendimento text, lead_count bigint)
language sql stable set search_path = '' as $$
  select c.empreendimento, count(*)
  from public.whatsapp_contacts c
  where c.empreendimento is not null
  group by c.empreendimento
  order by c.empreendimento
$$;
comment on function public.get_available_empreendimentos() is
  'Developments that leads asked for, with how many of those the caller may see. Also by GET.';
grant execute on function public.get_available_empreendimentos() to authenticated, service_role;

create function public.get_brokers_by_empreendimento(p_empreendimentos text[] default null) returns setof text
language sql stable set search_path = '' as $$
  select b."instanceName"
  from public.brokers b
  where coalesce(cardinality(p_empreendimentos), 0) = 0
    or exists (
      select from public.whatsapp_contacts c
      where c."instanceName" = b."instanceName" and c.empreendimento = any (p_empreendimentos))
    or exists (
      select from public.roleta_corretores s
      where s."instanceName" = b."instanceName" and s."roletaName" = any (p_empreendimentos))
  order by b."instanceName"
$$;
comment on function public.get_brokers_by_empreendimento(text[]) is
  'Instance names of the brokers with a lead of these developments or a seat in their rotations; none named = all brokers.';
grant execute on function public.get_brokers_by_empreendimento(text[]) to authenticated, service_role;


-- Behind a figure: the leads that make it, and how fast leads were answered beyond the mean.

-- No search_path of its own, every name being qualified: only so is it planned as part of the query that asks.
-- What is not there yet is told apart: both figures are lists, too.
create function portal.makes_figure(lead portal.leads, p_figure text, p_value text) returns boolean
language sql stable as $$
  select case p_figure
    when 'total' then true
    when 'answered' then lead.response_seconds is not null
    when 'unanswered' then lead.is_unanswered
    when 'won' then lead.is_won
    when 'within-five-minutes' then coalesce(lead.response_seconds <= 300, false)
    when 'contacted-within-five-minutes' then coalesce(lead.contact_seconds <= 300, false)
    when 'status' then lead.kanban_lead = p_value
    when 'source' then lead.source = p_value
    when 'campaign' then lead.campaign = p_value
    when 'weekday' then extract(dow from lead.local_created_at)::text = p_value
  end
$$;
comment on function portal.makes_figure(portal.leads, text, text) is 'Whether a lead is counted in a figure of the dashboard, or in the part of a chart that value names.';
grant execute on function portal.makes_figure(portal.leads, text, text) to authenticated, service_role;

create function portal.require_figure(p_figure text, p_value text) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if p_figure in ('total', 'answered', 'unanswered', 'won', 'within-five-minutes', 'contacted-within-five-minutes')
    and p_value is null then return; end if;
  if p_figure in ('status', 'source', 'campaign') and p_value is not null then return; end if;
  if p_figure = 'weekday' and p_value ~ '^[0-6]$' then return; end if;
  raise exception 'Este número do painel não existe.' using errcode = '22023';
end $$;
comment on function portal.require_figure(text, text) is 'Refuses a figure that the dashboard does not have: 22023.';
grant execute on function portal.require_figure(text, text) to authenticated, service_role;

create function public.get_leads_of_figure(
  p_figure text,
  p_value text default null,
  p_broker_names text[] default null,
  p_empreendimentos text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null,
  p_cursor timestamptz default null,
  p_id_cursor bigint default null
) returns table (
  id bigint,
  nome_lead text,
  number_lead text,
  created_at timestamptz,
  kanban_lead text,
  empreendimento text,
  broker_name text
)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
  is_any_broker boolean := coalesce(cardinality(p_broker_names), 0) = 0;
  is_any_development boolean := coalesce(cardinality(p_empreendimentos), 0) = 0;
  -- Beside the row comparison, so that both bounds lead to the same place of an index: one of them is where a scan starts,
  -- and which one depends on the version of Postgres.
  ends_at timestamptz := least(span.ends_at, p_cursor + interval '1 microsecond');
begin
  perform portal.require_figure(p_figure, p_value);
  return query
    select l.id, l.nome_lead, l.number_lead, l.created_at, l.kanban_lead, l.empreendimento, l.broker_name
    from
      (select distinct unnest(case when is_any_broker then '{""}' else p_broker_names end)) as b (name)
      cross join (select distinct unnest(case when is_any_development then '{""}' else p_empreendimentos end)) as d (name)
      cross join lateral (
        select *
        from portal.leads o
        where (is_any_broker or o.broker_name = b.name)
          and (is_any_development or o.empreendimento = d.name)
          and o.created_at >= span.starts_at and o.created_at < ends_at
          and (o.created_at, o.id) < (coalesce(p_cursor, 'infinity'), coalesce(p_id_cursor, 0))
          and portal.makes_figure(o, p_figure, p_value)
        order by o.created_at desc, o.id desc
        limit 20
      ) l
    order by l.created_at desc, l.id desc
    limit 20;
end $$;
comment on function public.get_leads_of_figure(text, text, text[], text[], timestamp, timestamp, timestamptz, bigint) is
  'A page of 20 of the leads that make a figure of the dashboard, the newest first: p_figure total, answered, unanswered, won, within-five-minutes, or status, source, campaign, weekday (0 = Sunday) with the p_value of a slice or bar. Filters and cursors as in get_leads_with_filters_and_pagination. 22023 for a figure that does not exist, and when the end is before the start.';
grant execute on function public.get_leads_of_figure(text, text, text[], text[], timestamp, timestamp, timestamptz, bigint)
  to authenticated, service_role;

create function public.count_leads_of_figure(
  p_figure text,
  p_value text default null,
  p_broker_names text[] default null,
  p_empreendimentos text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null
) returns bigint
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
begin
  perform portal.require_figure(p_figure, p_value);
  return (
    select count(*)
    from portal.leads_of(p_broker_names, p_empreendimentos, span.starts_at, span.ends_at) l
    where portal.makes_figure(l, p_figure, p_value)
  );
end $$;
comment on function public.count_leads_of_figure(text, text, text[], text[], timestamp, timestamp) is
  'How many leads all pages of get_leads_of_figure have, which is the figure itself.';
grant execute on function public.count_leads_of_figure(text, text, text[], text[], timestamp, timestamp) to authenticated, service_role;

create function public.get_response_times(
  p_broker_names text[] default null,
  p_empreendimentos text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null
) returns json
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
begin
  return (
    select json_build_object(
      'answeredLeads', count(l.response_seconds),
      'unansweredLeads', count(*) filter (where l.is_unanswered),
      'meanHours', round(avg(l.response_seconds) / 3600, 6),
      'medianHours', round((percentile_cont(0.5) within group (order by l.response_seconds) / 3600)::numeric, 6),
      'p90Hours', round((percentile_cont(0.9) within group (order by l.response_seconds) / 3600)::numeric, 6),
      'withinFiveMinutes', count(*) filter (where l.response_seconds <= 300),
      'withinFiveMinutesRate', round(
        100.0 * count(*) filter (where l.response_seconds <= 300)
          / nullif(count(l.response_seconds) + count(*) filter (where l.is_unanswered and not l.is_uncontacted), 0),
        4),
      'wroteUnansweredLeads', count(*) filter (where l.is_unanswered and not l.is_uncontacted),
      'leftContact', json_build_object(
        'answeredLeads', count(l.contact_seconds),
        'unansweredLeads', count(*) filter (where l.is_uncontacted),
        'medianHours', round((percentile_cont(0.5) within group (order by l.contact_seconds) / 3600)::numeric, 6),
        'p90Hours', round((percentile_cont(0.9) within group (order by l.contact_seconds) / 3600)::numeric, 6),
        'withinFiveMinutes', count(*) filter (where l.contact_seconds <= 300),
        'withinFiveMinutesRate', round(
          100.0 * count(*) filter (where l.contact_seconds <= 300)
            / nullif(count(l.contact_seconds) + count(*) filter (where l.is_uncontacted), 0),
          4)
      )
    )
    from portal.leads_of(p_broker_names, p_empreendimentos, span.starts_at, span.ends_at) l
  );
end $$;
comment on function public.get_response_times(text[], text[], timestamp, timestamp) is
  'How fast the leads of a period were answered. Of those who wrote: mean, median and p90 in hours over answeredLeads, null without one, wroteUnansweredLeads beside them, and the percentage answered within five minutes, null when nobody wrote. The same in leftContact of those who left a contact and did not write before a person wrote to them, from their arrival on. unansweredLeads is the sum of both. Filters as in get_dashboard_data_by_params.';
grant execute on function public.get_response_times(text[], text[], timestamp, timestamp) to authenticated, service_role;


-- Leads that rotations handed out, and the dashboard's detail rows as one of its figures.

-- What rotations handed out, as their own log tells it.
-- Who got a lead last stands last in the log.
create view portal.distributed_leads with (security_invoker = true) as
select
  e.case_id as id,
  c.name as nome_lead,
  c.number as number_lead,
  e.at as created_at,
  coalesce(r.empreendimento, k.development, '') as empreendimento,
  e."instanceName" as broker_name,
  e.id as event_id
from portal.roleta_events e
join portal.roleta_cases k on k.id = e.case_id
join public.whatsapp_contacts c on c.id = k.contact_id
left join public.roletas r on r.id = k.roleta_id
where e.kind in ('given', 'accepted', 'claimed');
comment on view portal.distributed_leads is
  'Each time a rotation handed a lead to a broker: the case, the lead, when, of which development, and who got it. Read by public.get_distributed_leads only.';

create function public.get_distributed_leads(
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null
) returns json
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
begin
  if not (portal.is_admin() or portal.is_service()) then
    return json_build_object('total', 0, 'leads', json_build_array());
  end if;
  return (
    with leads as materialized (
      select distinct on (d.id) d.id, d.nome_lead, d.number_lead, d.created_at, d.empreendimento, d.broker_name
      from portal.distributed_leads d
      where d.created_at >= span.starts_at and d.created_at < span.ends_at
      order by d.id, d.event_id desc
    )
    select json_build_object(
      'total', (select count(*) from leads),
      'leads', (select coalesce(json_agg(x), '[]') from (
        select * from leads l order by l.created_at desc, l.id desc limit 2000) x)
    )
  );
end $$;
comment on function public.get_distributed_leads(timestamp, timestamp) is
  'The leads that rotations handed to brokers in a period, each once, with who of them got it last and when: their total, and the newest 2,000, the newest first. Nothing for whoever is no administrator. Period as in get_dashboard_data_by_params; 22023 when the end is before the start.';
grant execute on function public.get_distributed_leads(timestamp, timestamp) to authenticated, service_role;

create function public.get_leads_behind_figure(
  p_figure text,
  p_value text default null,
  p_broker_names text[] default null,
  p_empreendimentos text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null,
  p_cursor timestamptz default null,
  p_id_cursor bigint default null
) returns table (
  id bigint,
  nome_lead text,
  number_lead text,
  created_at timestamptz,
  kanban_lead text,
  empreendimento text,
  broker_name text,
  response_seconds numeric,
  waiting_since timestamptz
)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
  is_any_broker boolean := coalesce(cardinality(p_broker_names), 0) = 0;
  is_any_development boolean := coalesce(cardinality(p_empreendimentos), 0) = 0;
  -- Beside the row comparison, so that both bounds lead to the same place of an index: one of them is where a scan starts,
  -- and which one depends on the version of Postgres.
  ends_at timestamptz := least(span.ends_at, p_cursor + interval '1 microsecond');
begin
  perform portal.require_figure(p_figure, p_value);
  return query
    select l.id, l.nome_lead, l.number_lead, l.created_at, l.kanban_lead, l.empreendimento, l.broker_name,
      case when p_figure = 'contacted-within-five-minutes' then l.contact_seconds
        else coalesce(l.response_seconds, l.contact_seconds) end,
      l.waiting_since
    from
      (select distinct unnest(case when is_any_broker then '{""}' else p_broker_names end)) as b (name)
      cross join (select distinct unnest(case when is_any_development then '{""}' else p_empreendimentos end)) as d (name)
      cross join lateral (
        select *
        from portal.leads o
        where (is_any_broker or o.broker_name = b.name)
          and (is_any_development or o.empreendimento = d.name)
          and o.created_at >= span.starts_at and o.created_at < ends_at
          and (o.created_at, o.id) < (coalesce(p_cursor, 'infinity'), coalesce(p_id_cursor, 0))
          and portal.makes_figure(o, p_figure, p_value)
        order by o.created_at desc, o.id desc
        limit 20
      ) l
    order by l.created_at desc, l.id desc
    limit 20;
end $$;
comment on function public.get_leads_behind_figure(text, text, text[], text[], timestamp, timestamp, timestamptz, bigint) is
  'As get_leads_of_figure, with how long the first answer took in response_seconds, or waiting_since, since when the lead waits for one. Filters and cursors as in get_leads_with_filters_and_pagination. 22023 for a figure that does not exist, and when the end is before the start.';
grant execute on function public.get_leads_behind_figure(text, text, text[], text[], timestamp, timestamp, timestamptz, bigint)
  to authenticated, service_role;

-- Auditoria: who did what, when. Written by triggers and functions in the transaction of the deed itself, read by
-- administrators through the portal, changed by nobody. Leads stand in it as counts and ids only, for a line can never be taken back.

create table portal.audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_id uuid,
  actor text,
  actor_role text not null check (actor_role in ('admin', 'broker', 'service', 'system', 'stranger')),
  action text not null check (action ~ '^[a-z-]+\.[a-z-]+$'),
  subject text check (length(subject) <= 200),
  details jsonb not null default '{}'
);
comment on table portal.audit_log is
  'Who did what, when; append-only. The actor is kept by name, for it outlives the account. Never bodies, tokens, or a lead''s name or number.';
comment on column portal.audit_log.actor_role is 'system: the portal by itself; service: a machine with a service key; stranger: nobody who was signed in.';
comment on column portal.audit_log.action is 'noun.verb, a code of src/domain/audit.ts.';
comment on column portal.audit_log.subject is 'What it was done to: a username, the name of a stage, an agent, a rotation.';
create index audit_by_actor on portal.audit_log (actor_id, id desc);
comment on index portal.audit_by_actor is 'Serves what one person did, and the list of those who did anything.';
create index audit_by_time on portal.audit_log (at);
comment on index portal.audit_by_time is 'Serves the lines of a period.';
alter table portal.audit_log enable row level security;

create function portal.keep_audit() returns trigger
language plpgsql set search_path = '' as $$
begin
  -- A day over the shortest time that the setting takes, so that a wrong clock of the portal costs nothing.
  if tg_op = 'DELETE' and old.at < now() - interval '364 days' then return old; end if;
  raise exception 'A auditoria não pode ser alterada nem apagada.' using errcode = '42501';
end $$;
comment on function portal.keep_audit() is
  'Trigger: a line of the audit log stays as it was written, whoever asks; after a year it may go as a whole.';
create trigger keep_audit before update or delete on portal.audit_log
  for each row execute function portal.keep_audit();
create trigger keep_audit_whole before truncate on portal.audit_log
  for each statement execute function portal.keep_audit();

create function portal.audit(
  p_action text, p_subject text default null, p_details jsonb default '{}', p_actor uuid default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  asking portal.accounts;
  service text := portal.service_name();
begin
  select * into asking from portal.accounts a where a.id = coalesce(p_actor, portal.account_id());
  insert into portal.audit_log (actor_id, actor, actor_role, action, subject, details)
  values (
    asking.id, coalesce(asking.username, service),
    coalesce(asking.role,
      case when service is not null or current_setting('role') = 'service_role' then 'service' else 'system' end),
    p_action, left(p_subject, 200), p_details);
end $$;
comment on function portal.audit(text, text, jsonb, uuid) is
  'Writes a line of the audit log, in the name of p_actor, else of who asks, else of the system. Server and triggers only.';

create function portal.audit_refusal(p_role text, p_username text, p_reason text) returns void
language sql volatile security definer set search_path = '' as $$
  -- Only of accounts that exist: what was typed for any other may be a password.
  insert into portal.audit_log (actor_role, action, subject, details)
  select 'stranger', 'sign-in.refused', a.username, jsonb_build_object('role', a.role, 'reason', p_reason)
  from portal.accounts a where a.role = p_role and a.username = p_username
$$;
comment on function portal.audit_refusal(text, text, text) is
  'Writes that a sign-in to an account was refused; nothing for a name that does not exist. Server only.';

-- What one transaction does many times is one line with its count.
create table portal.audit_notes (
  id bigint generated always as identity primary key,
  transaction_id xid8 not null default pg_current_xact_id(),
  action text not null,
  details jsonb not null,
  wakes boolean not null
);
comment on table portal.audit_notes is 'Deeds of transactions under way that are summed up at commit; empty otherwise.';
comment on column portal.audit_notes.wakes is 'The first of its transaction: has all of them written at commit.';
create index audit_notes_transaction on portal.audit_notes (transaction_id);
comment on index portal.audit_notes_transaction is 'Serves the summing up at commit.';
alter table portal.audit_notes enable row level security;

create function portal.audit_counted(p_action text, p_details jsonb) returns void
language sql volatile security definer set search_path = '' as $$
  insert into portal.audit_notes (action, details, wakes)
  values (p_action, p_details,
    not exists (select from portal.audit_notes n where n.transaction_id = pg_current_xact_id()))
$$;
comment on function portal.audit_counted(text, jsonb) is
  'Notes a deed that this transaction may do many times: at commit equal ones become one line with their count. Triggers only.';

create function portal.sum_up_audit() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.audit(summed.action, null, summed.details || jsonb_build_object('count', summed.count))
  from (
    select n.action, n.details, count(*) as count, min(n.id) as first from portal.audit_notes n
    where n.transaction_id = new.transaction_id
    group by n.action, n.details order by first
  ) summed;
  delete from portal.audit_notes n where n.transaction_id = new.transaction_id;
  return null;
end $$;
comment on function portal.sum_up_audit() is 'Deferred trigger: at commit, writes what the transaction did many times.';
create constraint trigger sum_up_audit after insert on portal.audit_notes
  deferrable initially deferred for each row when (new.wakes) execute function portal.sum_up_audit();

-- What is watched.
create function portal.audit_broker() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform portal.audit('broker.added', portal.username_of(new."instanceName"));
  elsif tg_op = 'DELETE' then
    perform portal.audit('broker.removed', portal.username_of(old."instanceName"));
  else
    perform portal.audit('broker.reset', portal.username_of(new."instanceName"));
  end if;
  return null;
end $$;
comment on function portal.audit_broker() is 'Trigger: a broker was added, reset or removed.';
create trigger audit_broker after insert or delete on public.brokers
  for each row execute function portal.audit_broker();
create trigger audit_broker_reset after update of password_hash on public.brokers
  for each row when (new.password_hash is null) execute function portal.audit_broker();

create function portal.audit_account() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform portal.audit('admin.added', new.username);
  elsif tg_op = 'DELETE' then
    perform portal.audit('admin.removed', old.username);
  elsif new.password_hash is null then
    if new.role = 'admin' then
      perform portal.audit('admin.reset', new.username,
        case when portal.account_id() is null then '{"place": "server"}'::jsonb else '{}' end);
    end if;
  else
    perform portal.audit(case when old.password_hash is null then 'password.set' else 'password.changed' end,
      new.username, '{}', coalesce(portal.account_id(), new.id));
  end if;
  return null;
end $$;
comment on function portal.audit_account() is
  'Trigger: an administrator was added, reset (also while there was no password yet; from the server''s machine where nobody is signed in) or removed; a password was set or changed, by its owner where nobody else is asking.';
create trigger audit_admin_added after insert on portal.accounts
  for each row when (new.role = 'admin') execute function portal.audit_account();
create trigger audit_admin_removed after delete on portal.accounts
  for each row when (old.role = 'admin') execute function portal.audit_account();
create trigger audit_password after update of password_hash, invite_hash on portal.accounts
  for each row when (old.password_hash is distinct from new.password_hash
    or new.role = 'admin' and new.password_hash is null and new.invite_hash is distinct from old.invite_hash)
  execute function portal.audit_account();

create function portal.audit_hand_over() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('portal.roleta', true) = 'on' then return null; end if;
  perform portal.audit_counted('leads.handed-over', jsonb_build_object(
    'from', portal.username_of(old."instanceName"), 'to', portal.username_of(new."instanceName")));
  return null;
end $$;
comment on function portal.audit_hand_over() is
  'Trigger: a lead changed its owner, and not by a rotation, which keeps a log of its own; a line for all of one owner to another.';
create trigger audit_hand_over after update of "instanceName" on public.whatsapp_contacts
  for each row when (old."instanceName" is distinct from new."instanceName") execute function portal.audit_hand_over();

create function portal.audit_stage() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform portal.audit('stage.added', new.name);
  elsif tg_op = 'DELETE' then
    perform portal.audit('stage.removed', old.name);
  else
    if old.name <> new.name then
      perform portal.audit('stage.renamed', old.name, jsonb_build_object('to', new.name));
    end if;
    if old.kind <> new.kind then
      perform portal.audit('stage.kind-changed', new.name, jsonb_build_object('from', old.kind, 'to', new.kind));
    end if;
    if old.order_index <> new.order_index then perform portal.audit_counted('stages.reordered', '{}'); end if;
  end if;
  return null;
end $$;
comment on function portal.audit_stage() is 'Trigger: a stage was added, removed, renamed, made of another kind or put elsewhere.';
create trigger audit_stage after insert or update or delete on public.kanban_stages
  for each row execute function portal.audit_stage();

create function portal.audit_agent() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  fields jsonb;
begin
  if tg_op = 'INSERT' then
    perform portal.audit('agent.added', new.nome_agente);
  elsif tg_op = 'DELETE' then
    perform portal.audit('agent.removed', old.nome_agente);
  else
    select jsonb_agg(after.key order by after.key) into fields
    from jsonb_each(to_jsonb(new)) after join jsonb_each(to_jsonb(old)) before using (key)
    where after.value is distinct from before.value and after.key not in ('updated_at', 'paused_at', 'paused_by');
    if to_jsonb(old) ->> 'paused_at' is distinct from to_jsonb(new) ->> 'paused_at' then
      perform portal.audit(
        case when to_jsonb(new) ->> 'paused_at' is null then 'agent.resumed' else 'agent.paused' end, new.nome_agente);
    end if;
    if fields is not null then
      perform portal.audit('agent.changed', old.nome_agente, jsonb_build_object('fields', fields));
    end if;
  end if;
  return null;
end $$;
comment on function portal.audit_agent() is 'Trigger: an agent was added, removed, paused, resumed or changed; which fields, never their text.';
create trigger audit_agent after insert or update or delete on public.prompts_agents
  for each row execute function portal.audit_agent();

create function portal.audit_roleta() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform portal.audit('roleta.added', new.empreendimento);
  elsif tg_op = 'DELETE' then
    perform portal.audit('roleta.removed', old.empreendimento);
  else
    if old.empreendimento <> new.empreendimento then
      perform portal.audit('roleta.renamed', old.empreendimento, jsonb_build_object('to', new.empreendimento));
    end if;
    if old.ativa <> new.ativa then
      perform portal.audit('roleta.switched', new.empreendimento, jsonb_build_object('on', new.ativa));
    end if;
  end if;
  return null;
end $$;
comment on function portal.audit_roleta() is 'Trigger: a rotation was added, removed, renamed, switched on or off.';
create trigger audit_roleta after insert or update or delete on public.roletas
  for each row execute function portal.audit_roleta();

create function portal.audit_setting() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- What a new version of the portal brings along was set by nobody.
  if tg_op = 'UPDATE' or portal.account_id() is not null then perform portal.audit('settings.changed', new.key); end if;
  return null;
end $$;
comment on function portal.audit_setting() is 'Trigger: a setting was changed; which one, never its value.';
create trigger audit_setting_added after insert on portal.settings
  for each row execute function portal.audit_setting();
create trigger audit_setting_changed after update on portal.settings
  for each row when (old.value is distinct from new.value) execute function portal.audit_setting();

create function portal.audit_opt_out() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.audit('opt-out.undone', null, jsonb_build_object('person', new.id));
  return null;
end $$;
comment on function portal.audit_opt_out() is 'Trigger: campaigns may reach a person again who had asked for none.';
create trigger audit_opt_out after update of opted_out_at on portal.people
  for each row when (old.opted_out_at is not null and new.opted_out_at is null) execute function portal.audit_opt_out();

-- How it is read.
create function portal.audit_page(
  p_actor uuid, p_role text, p_actions text[], p_from date, p_to date, p_before bigint, p_limit integer
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', line.id, 'atMs', floor(extract(epoch from line.at) * 1000)::bigint, 'actor', line.actor,
      'actorRole', line.actor_role, 'action', line.action, 'subject', line.subject, 'details', line.details)
      order by line.id desc), '[]')
    from (
      select * from portal.audit_log l
      where (p_before is null or l.id < p_before)
        and (p_actor is null or l.actor_id = p_actor)
        and (p_role is null or l.actor_role = p_role)
        and (p_actions is null or l.action = any (p_actions))
        and (p_from is null or l.at >= p_from::timestamp at time zone portal.time_zone())
        and (p_to is null or l.at < (p_to + 1)::timestamp at time zone portal.time_zone())
      order by l.id desc limit p_limit
    ) line
  );
end $$;
comment on function portal.audit_page(uuid, text, text[], date, date, bigint, integer) is
  'Lines of the audit log, newest first, before a line: of one actor or role, of some actions, from one day of the portal''s zone to another. Administrators, by the server only.';

create function portal.audit_actors() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    -- From one actor to the next by the index, however long the log is.
    with recursive met as (
      (select l.actor_id, l.actor, l.actor_role from portal.audit_log l
       where l.actor_id is not null order by l.actor_id, l.id desc limit 1)
      union all
      select next.* from met cross join lateral (
        select l.actor_id, l.actor, l.actor_role from portal.audit_log l
        where l.actor_id > met.actor_id order by l.actor_id, l.id desc limit 1
      ) next
    )
    select coalesce(jsonb_agg(jsonb_build_object('id', met.actor_id, 'name', met.actor, 'role', met.actor_role)
      order by met.actor_role, met.actor), '[]')
    from met
  );
end $$;
comment on function portal.audit_actors() is 'Everyone who stands in the audit log, removed or not. Administrators, by the server only.';

create function public.note_export(p_what text, p_rows integer) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  perform portal.audit('export.done', p_what, jsonb_build_object('count', p_rows));
end $$;
comment on function public.note_export(text, integer) is
  'Writes in the audit log that rows were taken out as a file: what, and how many. Called by every screen that exports; administrators only.';
grant execute on function public.note_export(text, integer) to authenticated, service_role;

-- Campaigns begun, steered and ended, the rules of their pace, and services by name.
create function portal.audit_campaign() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  before text := case when tg_op = 'UPDATE' then old.status end;
  deed text := case
    when tg_op = 'INSERT' and new.status = 'scheduled' then 'campaign.planned'
    when new.status = 'running' and before = 'paused' then 'campaign.resumed'
    when tg_op = 'INSERT' and new.status <> 'running' then null
    else case new.status
      when 'running' then 'campaign.started'
      when 'paused' then 'campaign.paused'
      when 'stopped' then 'campaign.stopped'
      when 'completed' then 'campaign.completed'
      when 'error' then 'campaign.failed'
    end
  end;
begin
  -- A line to WhatsApp that comes and goes pauses and resumes by itself: nobody did that.
  if deed is null or (portal.account_id() is null and deed in ('campaign.paused', 'campaign.resumed')) then return null; end if;
  perform portal.audit(deed, (select portal.username_of(b."instanceName") from public.brokers b where b.id = new.broker_id),
    jsonb_build_object('campaign', new.id));
  return null;
end $$;
comment on function portal.audit_campaign() is 'Trigger: a campaign was planned, started, paused, resumed or stopped by someone, or came to its end.';
create trigger audit_campaign_added after insert on public.remarketing_campaigns
  for each row execute function portal.audit_campaign();
create trigger audit_campaign_changed after update of status on public.remarketing_campaigns
  for each row when (old.status <> new.status) execute function portal.audit_campaign();

create function portal.audit_campaign_rules() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.audit('settings.changed', changed.key, jsonb_build_object('from', changed.before, 'to', changed.after))
  from (
    select after.key, before.value as before, after.value as after
    from jsonb_each(to_jsonb(new)) after join jsonb_each(to_jsonb(old)) before using (key)
    where after.value is distinct from before.value
  ) changed;
  return null;
end $$;
comment on function portal.audit_campaign_rules() is 'Trigger: the hours, caps or rests of campaigns were changed, from what to what.';
create trigger audit_campaign_rules after update on public.campaign_settings
  for each row execute function portal.audit_campaign_rules();

create function portal.audit_service_token() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.audit(case when tg_op = 'INSERT' then 'service-token.made' else 'service-token.revoked' end,
    new.name, jsonb_build_object('grants', to_jsonb(new.grants)));
  return null;
end $$;
comment on function portal.audit_service_token() is 'Trigger: a machine was given a token, or its token was revoked.';
create trigger audit_service_token_made after insert on portal.service_tokens
  for each row execute function portal.audit_service_token();
create trigger audit_service_token_revoked after update of revoked_at on portal.service_tokens
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function portal.audit_service_token();


-- The audit line of a rotation says what was changed.

create function portal.roleta_changes(before jsonb, after jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  with
    olds as (select s.value ->> 'instanceName' as name, s.value as rules, s.ordinality as place
      from jsonb_array_elements(before -> 'seats') with ordinality s),
    news as (select s.value ->> 'instanceName' as name, s.value as rules, s.ordinality as place
      from jsonb_array_elements(after -> 'seats') with ordinality s),
    stayed as (select n.name, o.rules <> n.rules as is_ruled,
        row_number() over (order by o.place) <> row_number() over (order by n.place) as is_moved
      from olds o join news n using (name))
  select jsonb_build_object(
    'settings', (select coalesce(jsonb_agg(n.key order by n.key), '[]') from jsonb_each(after -> 'settings') n
      where n.value is distinct from before -> 'settings' -> n.key),
    'added', (select coalesce(jsonb_agg(n.name order by n.place), '[]') from news n where n.name not in (select o.name from olds o)),
    'removed', (select coalesce(jsonb_agg(o.name order by o.place), '[]') from olds o where o.name not in (select n.name from news n)),
    'ruled', (select coalesce(jsonb_agg(s.name order by s.name), '[]') from stayed s where s.is_ruled),
    'isReordered', coalesce((select bool_or(s.is_moved) from stayed s), false))
$$;
comment on function portal.roleta_changes(jsonb, jsonb) is
  'What differs between two states of a rotation as portal.roleta_details tells them: settings by name; who joined, left, or got other rules, by instance name; whether those who stayed stand in another order. Server only.';

-- All that is held about one person: found, taken out as a file, erased, and what is left to keep it erased (LGPD art. 18).


-- What is left of a person whose data were erased: that the number is never written to by campaigns, that nothing of before comes
-- back, and which files are still to go (LGPD art. 18).

create table portal.erasures (
  hash bytea primary key,
  erased_at timestamptz not null default now()
);
comment on table portal.erasures is
  'Numbers, hidden ids and late message ids of erased persons, as keyed hashes: what the gateway still holds of them is not taken in again.';
create index erasures_age on portal.erasures (erased_at);
comment on index portal.erasures_age is 'Serves the question whether anybody was erased since a message was written.';
alter table portal.erasures enable row level security;

create table portal.media_removals (
  media_id text primary key check (media_id ~ '^[0-9a-f]{64}$'),
  noted_at timestamptz not null default now()
);
comment on table portal.media_removals is
  'Files that lost a message for good: each is removed once nothing refers to it any more. Written with the deed, emptied by the portal.';
alter table portal.media_removals enable row level security;

-- A campaign keeps its attachment as messages do, with its kind beside it.
create function portal.media_is_used(p_media text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.whatsapp_messages m where m.content ->> 'mediaId' = p_media)
    or exists (select from public.remarketing_campaigns c where c.media #>> '{content,mediaId}' = p_media)
    or exists (select from portal.webhook_inbox i where strpos(i.body, 'stored:' || p_media) > 0)
$$;
comment on function portal.media_is_used(text) is 'Whether a message, a campaign or a delivery that waits refers to a file. Server only.';

-- Planned into the query that asks.
create function portal.answers_campaign(p_contact bigint, p_accepted_at timestamptz) returns boolean
language sql stable as $$
  select exists (
    select from public.whatsapp_messages a
    where a.contact_id = p_contact and a.type = 'incoming'
      -- Whole seconds, as messages have them: only so does the index serve.
      and a."timestamp" between ceil(extract(epoch from p_accepted_at))::bigint
        and floor(extract(epoch from p_accepted_at + interval '72 hours'))::bigint)
$$;
comment on function portal.answers_campaign(bigint, timestamptz) is
  'Whether a contact wrote within 72 hours of a campaign''s line that was taken then. Server only.';

-- Who wrote as a hidden id only and comes back has not forgotten the wish to be left alone either.
create function portal.keep_hidden_opt_out() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update portal.people p set opted_out_at = o.opted_out_at
  from portal.opt_outs o
  where p.id = new.person_id and p.opted_out_at is null and o.number_hash = portal.opt_out_hash(new.jid);
  return null;
end $$;
comment on function portal.keep_hidden_opt_out() is 'Trigger: a hidden id that belonged to an erased person is sent no campaign.';
create trigger keep_hidden_opt_out after insert on portal.identities
  for each row when (new.jid like '%@lid') execute function portal.keep_hidden_opt_out();

create function portal.was_erased(event jsonb) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  newest timestamptz := (select max(e.erased_at) from portal.erasures e);
  address text;
  of_person timestamptz;
begin
  if newest is null then return false; end if;
  if event ->> 'event' = 'message' then
    -- What is written after the last erasure is nobody's past.
    if (event ->> 'sentAtSeconds')::bigint > extract(epoch from newest) then return false; end if;
    for address in select jsonb_array_elements_text(event #> '{chat,jids}') loop
      select e.erased_at into of_person from portal.erasures e
      where e.hash = portal.opt_out_hash(coalesce(portal.number_key(address), address));
      if (event ->> 'sentAtSeconds')::bigint <= extract(epoch from of_person) then return true; end if;
    end loop;
  elsif event ->> 'event' = 'name' then
    return exists (select from portal.erasures e
      where e.hash = portal.opt_out_hash(coalesce(portal.number_key(event ->> 'jid'), event ->> 'jid')));
  elsif event ->> 'event' = 'edit' and exists (
    select from portal.erasures e
    where e.hash = portal.opt_out_hash(coalesce(portal.number_key(event ->> 'jid'), event ->> 'jid'))
      and e.erased_at >= portal.from_ms(event ->> 'atMs')) then
    return true;
  end if;
  return exists (select from portal.erasures e where e.hash = portal.opt_out_hash(event ->> 'messageId'));
end $$;
comment on function portal.was_erased(jsonb) is
  'Whether an event is of the past of an erased person: a message not newer than the erasure, or what belongs to one of its messages; a name, for as long as nobody is known there. Server only.';


-- Everything that is held about one person, over every table: told, taken out as a file, and what an erasure goes by (LGPD art. 18).

create type portal.subject as (
  people bigint[],
  contacts bigint[],
  former_contacts bigint[],
  addresses text[],
  keys text[],
  pattern text
);
comment on type portal.subject is
  'One person wherever met: rows of portal.people, contacts, those merged into them, addresses, number keys, and an expression that finds any of the numbers and hidden ids in a text.';

create function portal.subject_of(p_number text, p_contact bigint) returns portal.subject
language plpgsql stable security definer set search_path = '' as $$
declare
  s portal.subject;
  known integer := -1;
begin
  s.keys := array_remove(array[portal.number_key(p_number)], null);
  s.people := array(
    select p.id from portal.people p where p.number_key = any (s.keys)
    union select c.person_id from public.whatsapp_contacts c where c.id = p_contact);
  -- Until nothing more is found: who was merged in, and the same hidden id where no other number stands against it.
  while cardinality(s.people) > known loop
    known := cardinality(s.people);
    s.keys := array(
      select unnest(s.keys) union select p.number_key from portal.people p where p.id = any (s.people) and p.number_key is not null);
    s.addresses := array(select distinct i.jid from portal.identities i where i.person_id = any (s.people));
    s.people := array(
      select unnest(s.people)
      union
      select m.gone_person_id from portal.contact_merges m where m.kept_person_id = any (s.people) and m.undone_at is null
      union
      select p.id from portal.identities i join portal.people p on p.id = i.person_id
      where i.jid = any (s.addresses) and (p.number_key is null or cardinality(s.keys) = 0));
  end loop;
  s.contacts := array(select c.id from public.whatsapp_contacts c where c.person_id = any (s.people));
  s.former_contacts := array(
    with recursive former as (
      select m.gone_contact_id as id from portal.contact_merges m
      where m.kept_contact_id = any (s.contacts) and m.undone_at is null
      union
      select m.gone_contact_id from portal.contact_merges m join former f on m.kept_contact_id = f.id where m.undone_at is null
    )
    select id from former);
  s.pattern := (
    select string_agg('(^|[^0-9])' || found.form || '($|[^0-9])', '|')
    from (
      select case
        when key like '+55%' then '(55)?' || substr(key, 4, 2) || '9?' || substr(key, 6)
        else substr(key, 2) end as form
      from unnest(s.keys) as key
      union select split_part(jid, '@', 1) from unnest(s.addresses) as jid where jid like '%@lid'
    ) found);
  return s;
end $$;
comment on function portal.subject_of(text, bigint) is
  'The person of a number in any form, or of a contact; empty lists for nobody. Server only.';

create function portal.items_about(p_body text, p_pattern text) returns jsonb
language plpgsql immutable set search_path = '' as $$
declare
  data jsonb := p_body::jsonb -> 'data';
begin
  return (
    select jsonb_agg(item) from jsonb_array_elements(case jsonb_typeof(data) when 'array' then data else jsonb_build_array(data) end) as item
    where item::text ~ p_pattern);
exception
  -- What cannot be read cannot be told apart either.
  when invalid_text_representation then return null;
end $$;
comment on function portal.items_about(text, text) is
  'Of the events in a delivery of the gateway those that an expression finds; null where it is none. Server only.';

create function portal.held_rows(s portal.subject, p_place text, p_after bigint, p_limit integer) returns table (id bigint, at timestamp with time zone, data jsonb)
language sql stable security definer set search_path = '' as $$
  -- One place is asked for; the others are not begun. What is another person's is left out: who else a rotation weighed, and in a
  -- delivery that held several events, theirs.
  select found.id, found.at, found.data
  from (
    select p.id, p.created_at as at, jsonb_build_object('numberKey', p.number_key, 'optedOutAt', p.opted_out_at) as data
    from portal.people p where p_place = 'person' and p.id = any ((s).people)
    union all
    select row_number() over (order by i."instanceName", i.jid), i.first_seen_at, to_jsonb(i) - 'person_id'
    from portal.identities i where p_place = 'addresses' and i.person_id = any ((s).people)
    union all
    select c.id, c.created_at, to_jsonb(c) - 'person_id'
    from public.whatsapp_contacts c where p_place = 'leads' and c.id = any ((s).contacts)
    union all
    select m.id, to_timestamp(m."timestamp"), to_jsonb(m) || jsonb_build_object('raw', r.raw)
    from public.whatsapp_messages m left join portal.message_raw r on r.message_id = m.id
    where p_place = 'messages' and m.contact_id = any ((s).contacts)
    union all
    select h.id, h.changed_at, to_jsonb(h) - 'account_id'
    from portal.stage_history h where p_place = 'stages' and h.contact_id = any ((s).contacts)
    union all
    select h.id, h.changed_at, to_jsonb(h) - 'account_id'
    from portal.owner_history h where p_place = 'owners' and h.contact_id = any ((s).contacts)
    union all
    select i.id, i.received_at, to_jsonb(i) - 'key_id'
    from portal.lead_intakes i where p_place = 'intakes' and i.contact_id = any ((s).contacts)
    union all
    select e.id, e.at, jsonb_build_object('case', c.id, 'contact_id', c.contact_id, 'development', c.development, 'state', c.state,
      'kind', e.kind, 'instanceName', e."instanceName", 'changed_by', e.changed_by)
    from portal.roleta_cases c join portal.roleta_events e on e.case_id = c.id
    where p_place = 'distribution' and c.contact_id = any ((s).contacts)
    union all
    select r.id, coalesce(r.accepted_at, c.created_at), to_jsonb(r) - 'person_id'
    from public.campaign_recipients r join public.remarketing_campaigns c on c.id = r.campaign_id
    where p_place = 'campaigns' and r.person_id = any ((s).people)
    union all
    select a.id, a.created_at, to_jsonb(a) from public.agent_chat_messages a
    where p_place = 'agents' and (portal.number_key(a.remotejid) = any ((s).keys) or a.remotejid = any ((s).addresses))
    union all
    select row_number() over (order by p.agent_id), p.paused_at, to_jsonb(p) - 'person_id'
    from portal.agent_pauses p where p_place = 'pauses' and p.person_id = any ((s).people)
    union all
    select m.id, m.merged_at, jsonb_build_object('instanceName', m."instanceName", 'kept_before', m.kept_before,
      'gone_before', m.gone_before, 'jids', m.jids)
    from portal.contact_merges m
    where p_place = 'merges' and m.kept_person_id = any ((s).people) and m.gone_person_id = any ((s).people)
    union all
    select row_number() over (order by o.applied_at, o.operation_id), o.applied_at,
      jsonb_build_object('kind', o.kind, 'result', o.result)
    from portal.applied_operations o
    where p_place = 'operations' and o.kind in ('lead.note', 'lead.rename', 'message.send')
      and (o.result ->> 'contact_id')::bigint = any ((s).contacts || (s).former_contacts)
    union all
    select q.id, q.queued_at, jsonb_build_object('kind', q.kind, 'due_at', q.due_at)
    from portal.push_queue q
    where p_place = 'pushes' and (
      q.kind in ('lead', 'assigned', 'message') and q.subject = any ((s).contacts || (s).former_contacts)
      or q.kind = 'offer' and q.subject in (select c.id from portal.roleta_cases c where c.contact_id = any ((s).contacts)))
    union all
    select row_number() over (order by w.received_at, w.target), w.received_at, w.waited
    from portal.waiting_events w
    where p_place = 'waiting' and (w.target = any ((s).addresses) or w.waited::text ~ (s).pattern)
    union all
    select w.id, w.received_at, jsonb_build_object('reason', w.reason, 'events', portal.items_about(w.body, (s).pattern))
    from portal.webhook_aside w where p_place = 'aside' and w.body ~ (s).pattern
    union all
    -- Beyond the numbers of the others, so that one page follows the other.
    select 4503599627370496 + r.id, r.received_at, jsonb_build_object('reason', r.fault, 'body', r.body)
    from portal.intake_raw r where p_place = 'aside' and portal.body_names(r.body, s)
  ) found
  where found.id > p_after
  order by found.id
  limit p_limit
$$;
comment on function portal.held_rows(portal.subject, text, bigint, integer) is
  'What one place of portal.held_places holds about a person, by its own id after p_after. Server only.';

create function portal.held_places() returns text[]
language sql immutable set search_path = '' as $$
  select array['person', 'addresses', 'leads', 'messages', 'stages', 'owners', 'intakes', 'distribution', 'campaigns', 'agents',
    'pauses', 'merges', 'operations', 'pushes', 'waiting', 'aside']
$$;
comment on function portal.held_places() is 'Where something of a person can stand, as src/domain/person-data.ts names it. Server only.';

create function portal.find_person(p_number text, p_contact bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  s portal.subject;
begin
  perform portal.require_admin();
  s := portal.subject_of(p_number, p_contact);
  return jsonb_build_object(
    'optedOutAtMs', (
      select floor(extract(epoch from min(found.at)) * 1000)::bigint from (
        select p.opted_out_at as at from portal.people p where p.id = any (s.people)
        union all
        select o.opted_out_at from portal.opt_outs o
        where o.number_hash in (select portal.opt_out_hash(key) from unnest(s.keys || s.addresses) as key)
      ) found),
    'leads', (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'number', c.number,
        'instanceName', c."instanceName", 'stage', k.name, 'createdAtMs', floor(extract(epoch from c.created_at) * 1000)::bigint,
        'messages', (select count(*) from public.whatsapp_messages m where m.contact_id = c.id)) order by c.id), '[]')
      from public.whatsapp_contacts c left join public.kanban_stages k on k.slug = c.status where c.id = any (s.contacts)),
    'files', (
      select count(distinct m.content ->> 'mediaId') from public.whatsapp_messages m where m.contact_id = any (s.contacts)),
    'places', (
      select coalesce(jsonb_agg(jsonb_build_object('place', held.place, 'count', held.count,
        'fromMs', floor(extract(epoch from held.first) * 1000)::bigint,
        'toMs', floor(extract(epoch from held.last) * 1000)::bigint) order by held.n), '[]')
      from (
        select listed.place, listed.n, count(*) as count, min(r.at) as first, max(r.at) as last
        from unnest(portal.held_places()) with ordinality as listed (place, n)
        cross join lateral portal.held_rows(s, listed.place, 0, null) r
        group by listed.place, listed.n
      ) held)
  );
end $$;
comment on function portal.find_person(text, bigint) is
  'What is held about the person of a number in any form, or of a contact: {optedOutAtMs, leads, files, places}; empty for nobody. Administrators, by the server only.';

create function portal.read_person(p_number text, p_contact bigint, p_place text, p_after bigint, p_limit integer)
returns table (id bigint, data jsonb)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return query
    select r.id, r.data from portal.held_rows(portal.subject_of(p_number, p_contact), p_place, p_after, p_limit) r order by r.id;
end $$;
comment on function portal.read_person(text, bigint, text, bigint, integer) is
  'portal.held_rows page by page, for the file that is taken out. Administrators, by the server only.';

create function portal.person_ending(s portal.subject) returns text
language sql immutable set search_path = '' as $$ select right((s).keys[1], 2) $$;
comment on function portal.person_ending(portal.subject) is
  'The last two digits of the number: all that the audit log says of who it was; null for a hidden id. Server only.';

create function portal.count_person(s portal.subject) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('leads', cardinality((s).contacts),
    'messages', (select count(*) from public.whatsapp_messages m where m.contact_id = any ((s).contacts)),
    'rows', (select count(*) from unnest(portal.held_places()) as place cross join lateral portal.held_rows(s, place, 0, null)))
$$;
comment on function portal.count_person(portal.subject) is 'How much is held about a person: {leads, messages, rows}. Server only.';

create function portal.note_person_export(p_number text, p_contact bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  s portal.subject;
  counts jsonb;
begin
  perform portal.require_admin();
  s := portal.subject_of(p_number, p_contact);
  counts := portal.count_person(s);
  if counts ->> 'rows' = '0' then
    raise exception 'O portal não tem dados desta pessoa.' using errcode = 'PT404', hint = 'person.unknown';
  end if;
  perform portal.audit('person.exported', null, counts || jsonb_build_object('ending', portal.person_ending(s)));
end $$;
comment on function portal.note_person_export(text, bigint) is
  'Writes in the audit log that all about a person is taken out, before it is. 404 where nothing is held. Administrators, by the server only.';

create function portal.person_addresses(p_number text, p_contact bigint) returns text[]
language plpgsql stable security definer set search_path = '' as $$
declare
  s portal.subject;
begin
  perform portal.require_admin();
  s := portal.subject_of(p_number, p_contact);
  return array(
    select unnest(s.addresses)
    union select unnest(portal.addresses_of(substr(key, 2) || '@s.whatsapp.net')) from unnest(s.keys) as key);
end $$;
comment on function portal.person_addresses(text, bigint) is
  'Every address under which a person may be remembered elsewhere. Administrators, by the server only.';


-- Erasing all that is held about one person in one transaction; the files follow it (LGPD art. 18 VI).

create function portal.free_recipients(s portal.subject) returns void
language sql volatile security definer set search_path = '' as $$
  update public.campaign_recipients r
  set name = null, body = '', person_id = null, contact_id = null, message_id = null,
    erased_delivery = nullif(m.delivery, 'queued'),
    erased_answer = case
      when p.opted_out_at between before.accepted_at and before.accepted_at + interval '72 hours' then 'opted-out'
      when portal.answers_campaign(before.contact_id, before.accepted_at) then 'answered'
    end,
    state = case when r.state in ('pending', 'sending') then 'cancelled' else r.state end,
    reason = case when r.state in ('pending', 'sending') then 'erased' else r.reason end
  from public.campaign_recipients before
  join portal.people p on p.id = before.person_id
  left join public.whatsapp_messages m on m.id = before.message_id
  where before.id = r.id and r.person_id = any ((s).people)
$$;
comment on function portal.free_recipients(portal.subject) is
  'A person leaves the lists of campaigns: what became of the line stays and counts, who it was and what it said goes; what was still to be sent is not. Server only.';

-- What was written to an erased person's number until the erasure was done stays away, also when it waited for its turn (LGPD art. 18).
create function portal.remember_erasure(s portal.subject) returns void
language sql volatile security definer set search_path = '' as $$
  -- When it is done, not when it was asked for: what came in while it waited for its turn goes, too, and must not come back.
  insert into portal.erasures (hash, erased_at)
  select portal.opt_out_hash(word), clock_timestamp()
  from (
    select unnest((s).keys) as word
    union select jid from unnest((s).addresses) as jid where jid like '%@lid'
    -- WhatsApp lets a message be edited for a quarter of an hour; a link that was down tells of it later.
    union select m.message_id from public.whatsapp_messages m
    where m.contact_id = any ((s).contacts) and m.created_at > now() - interval '3 days' and m.message_id is not null
    union select 'intake ' || i.external_id from portal.lead_intakes i
    where i.contact_id = any ((s).contacts) and i.external_id is not null
    -- By which devices know her, those of before a merge too.
    union select 'lead ' || id from unnest((s).contacts || (s).former_contacts) as id
  ) words
  on conflict (hash) do update set erased_at = excluded.erased_at;
  insert into portal.opt_outs (number_hash, opted_out_at)
  select portal.opt_out_hash(word), now()
  from (select unnest((s).keys) as word union select jid from unnest((s).addresses) as jid where jid like '%@lid') words
  on conflict do nothing
$$;
comment on function portal.remember_erasure(portal.subject) is
  'Keeps, as keyed hashes alone, that no campaign goes to the person and that nothing of before is taken in again. Server only.';

create function portal.note_media_of(s portal.subject) returns bigint
language sql volatile security definer set search_path = '' as $$
  with noted as (
    insert into portal.media_removals (media_id)
    select m.content ->> 'mediaId' from public.whatsapp_messages m
    where m.contact_id = any ((s).contacts) and m.content ->> 'mediaId' is not null
    union
    select (regexp_matches(w.body, 'stored:([0-9a-f]{64})', 'g'))[1] from portal.webhook_aside w where w.body ~ (s).pattern
    on conflict (media_id) do update set noted_at = excluded.noted_at
    returning 1
  )
  select count(*) from noted
$$;
comment on function portal.note_media_of(portal.subject) is 'Notes a person''s files for removal; how many. Server only.';

create function portal.erase_person(p_number text, p_contact bigint, p_operation_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  account uuid := portal.account_id();
  answer jsonb;
  s portal.subject;
  every_contact bigint[];
  told portal.roleta_cases;
  counts jsonb;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(account, p_operation_id);
  if answer is not null then return answer; end if;
  perform portal.take_roleta_turn();
  s := portal.subject_of(p_number, p_contact);
  -- Whoever is writing about this person is waited for, and whoever comes after finds nobody.
  perform from portal.people p where p.id = any (s.people) order by p.id for update;
  s := portal.subject_of(p_number, p_contact);
  perform from public.whatsapp_contacts c where c.id = any (s.contacts) order by c.id for update;
  counts := portal.count_person(s);
  if counts ->> 'rows' = '0' then
    raise exception 'O portal não tem dados desta pessoa.' using errcode = 'PT404', hint = 'person.unknown';
  end if;
  perform from portal.outgoing o join public.whatsapp_messages m on m.id = o.message_id
  where m.contact_id = any (s.contacts) for update of o;
  if exists (
    select from portal.outgoing o join public.whatsapp_messages m on m.id = o.message_id
    where m.contact_id = any (s.contacts) and o.claimed_at is not null) then
    raise exception 'Uma mensagem para esta pessoa está sendo enviada agora. Tente de novo em instantes.'
      using errcode = 'PT409', hint = 'person.sending';
  end if;

  every_contact := s.contacts || s.former_contacts;
  for told in select c.* from portal.roleta_cases c
    where c.contact_id = any (s.contacts) and c.state in ('waiting', 'offered', 'watched', 'pool') loop
    perform portal.tell_case(told);
  end loop;
  perform portal.remember_erasure(s);
  counts := counts || jsonb_build_object('files', portal.note_media_of(s));
  perform portal.free_recipients(s);
  delete from portal.push_queue q
  where q.kind in ('lead', 'assigned', 'message') and q.subject = any (every_contact)
    or q.kind = 'offer' and q.subject in (select c.id from portal.roleta_cases c where c.contact_id = any (s.contacts));
  update portal.push_devices d set watched_contact = null, watched_until = null where d.watched_contact = any (every_contact);
  delete from portal.applied_operations o
  where o.kind in ('lead.note', 'lead.rename', 'message.send') and (o.result ->> 'contact_id')::bigint = any (every_contact);
  delete from public.agent_chat_messages a
  where portal.number_key(a.remotejid) = any (s.keys) or a.remotejid = any (s.addresses);
  delete from portal.waiting_events w
  where w.target = any (s.addresses) or w.waited::text ~ s.pattern
    or w.target in (select m.message_id from public.whatsapp_messages m where m.contact_id = any (s.contacts));
  delete from portal.webhook_aside w where w.body ~ s.pattern;
  delete from portal.intake_raw r where portal.body_names(r.body, s);
  delete from portal.meta_inbox m
  where m.leadgen_id in (select i.external_id from portal.lead_intakes i where i.contact_id = any (s.contacts));
  delete from portal.contact_merges m
  where m.kept_person_id = any (s.people) or m.gone_person_id = any (s.people)
    or m.kept_contact_id = any (every_contact) or m.gone_contact_id = any (every_contact);
  delete from public.whatsapp_contacts c where c.id = any (s.contacts);
  delete from portal.people p where p.id = any (s.people);

  perform portal.audit('person.erased', null, counts || jsonb_build_object('ending', portal.person_ending(s)));
  return portal.end_operation(account, p_operation_id, 'person.erase', counts);
end $$;
comment on function portal.erase_person(text, bigint, uuid) is
  'Erases all that is held about the person of a number in any form, or of a contact, once an operation: {leads, messages, rows, files}. The files themselves go once nothing refers to them. 404 where nothing is held, 409 while a line is just being sent. Taken in the turn of applying deliveries. Administrators, by the server only.';


-- What a device still holds for an erased person goes from there, too, and is never sent to her under a later contact (LGPD art. 18).

create function portal.lead_was_erased(p_contact bigint) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from portal.erasures e where e.hash = portal.opt_out_hash('lead ' || p_contact))
$$;
comment on function portal.lead_was_erased(bigint) is 'Whether a contact went with all that was held about its person. Server only.';

create function public.erased_leads(p_contacts bigint[]) returns bigint[]
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_member();
  if cardinality(p_contacts) > 1000 then
    raise exception 'Até 1.000 leads de cada vez.' using errcode = 'PT422';
  end if;
  return (
    select coalesce(array_agg(id order by id), '{}') from unnest(p_contacts) as id where portal.lead_was_erased(id));
end $$;
comment on function public.erased_leads(bigint[]) is
  'Which of these leads were erased with their person: what a device still holds for them is to go. Of up to 1,000; an id alone tells nobody who it was. Everyone who is signed in.';
grant execute on function public.erased_leads(bigint[]) to authenticated, service_role;

create function portal.body_names(p_body text, s portal.subject) returns boolean
language sql immutable set search_path = '' as $$
  -- As people write numbers: with signs in between, with or without the country and the 9.
  select p_body ~ (s).pattern or exists (
    select from unnest((s).keys) as key
    where key ~ '^\+?55\d{10}$'
      and regexp_replace(p_body, '\D', '', 'g') ~ (substr(ltrim(key, '+'), 3, 2) || '9?' || right(key, 8)))
$$;
comment on function portal.body_names(text, portal.subject) is
  'Whether a body that was sent by a form names a person''s number, in whatever form it was written.';

-- What the portal looks after by itself: files without a row, how long rows are kept, clocks and databases that went back.


-- Files that lost their last row otherwise than by an erasure, or never had one, go like those of an erased person.

create function portal.note_orphaned_media(p_ids text[]) returns integer
language sql volatile security definer set search_path = '' as $$
  with noted as (
    insert into portal.media_removals (media_id)
    select asked.media from unnest(p_ids) as asked (media)
    where not portal.media_is_used(asked.media)
      and not exists (select from portal.webhook_aside a where strpos(a.body, 'stored:' || asked.media) > 0)
      and not exists (select from portal.waiting_events w where strpos(w.waited::text, asked.media) > 0)
    on conflict do nothing
    returning 1
  )
  select count(*)::integer from noted
$$;
comment on function portal.note_orphaned_media(text[]) is
  'Notes those files for removal that no row names, not even a delivery that was set aside; how many. Asked of old files alone: a new one may be about to be named. Server only.';


-- How long is kept what only grows: the settings KEEP_RAW_DAYS and KEEP_AUDIT_DAYS, applied by the portal in batches.

create function portal.forget_raw(p_before timestamp with time zone, p_most integer) returns bigint
language sql set search_path = '' as $$
  with aside as (
    delete from portal.webhook_aside where id in (
      select a.id from portal.webhook_aside a where a.received_at < p_before order by a.id limit p_most)
    returning 1
  ), waiting as (
    delete from portal.waiting_events w where (w."instanceName", w.target, w.kind) in (
      select o."instanceName", o.target, o.kind from portal.waiting_events o
      where o.received_at < p_before order by o.received_at limit p_most)
    returning 1
  ), given_up as (
    -- One that is still tried stays, however old.
    delete from portal.meta_inbox m where m.next_at is null and (m.key_id, m.leadgen_id) in (
      select o.key_id, o.leadgen_id from portal.meta_inbox o
      where o.next_at is null and o.received_at < p_before order by o.received_at limit p_most)
    returning 1
  ), unread as (
    delete from portal.intake_raw r where r.id in (
      select o.id from portal.intake_raw o
      where o.next_at is null and o.received_at < p_before order by o.received_at, o.id limit p_most)
    returning 1
  ), words as (
    delete from portal.message_raw where message_id in (
      select r.message_id from portal.message_raw r join public.whatsapp_messages m on m.id = r.message_id
      where m."timestamp" < extract(epoch from p_before) order by r.message_id limit p_most)
    returning 1
  )
  select greatest((select count(*) from aside), (select count(*) from waiting), (select count(*) from given_up), (select count(*) from unread), (select count(*) from words))
$$;
comment on function portal.forget_raw(timestamptz, integer) is
  'Removes the gateway''s and Meta''s own words from before then: set aside, waiting in vain, given up, and those kept beside messages, p_most of each at once; the messages stay. Answers the most that went of one kind. Server only.';

create function portal.forget_audit(p_before timestamptz, p_most integer) returns bigint
language sql volatile set search_path = '' as $$
  with gone as (
    delete from portal.audit_log where id in (
      select a.id from portal.audit_log a where a.at < p_before order by a.at limit p_most)
    returning 1
  )
  select count(*) from gone
$$;
comment on function portal.forget_audit(timestamptz, integer) is
  'Removes lines of the audit log from before then, the oldest first, p_most at once; how many. Server only.';


-- A database that went back in time: what it would do a second time, and who would not notice.

create function portal.settle_restored(p_made_at timestamptz) returns table (campaigns bigint, lines bigint)
language plpgsql volatile set search_path = '' as $$
begin
  -- Ended, removed or taken sessions would live again.
  delete from portal.sessions;
  -- What waited then may have gone out since.
  with stopped as (
    delete from portal.outgoing returning message_id
  ), noted as (
    update public.whatsapp_messages m set delivery = 'unknown', delivery_reason = 'interrupted'
    from stopped where m.id = stopped.message_id and m.message_id is null
    returning m.id
  )
  select count(*) into lines from noted;
  with paused as (
    update public.remarketing_campaigns c
    set status = 'paused', pause_reason = 'person', wait_reason = null
    where c.status in ('scheduled', 'running') or c.status = 'paused' and c.pause_reason <> 'person'
    returning c.id
  )
  select count(*) into campaigns from paused;
  delete from portal.push_queue;
  -- Every screen reads its whole board again.
  update portal.board_sequences s set epoch = left(replace(gen_random_uuid()::text, '-', ''), 12);
  perform portal.audit('backup.restored', null, jsonb_build_object('madeAt', p_made_at));
  return next;
end $$;
comment on function portal.settle_restored(timestamptz) is
  'After a backup was put back: all sessions end, lines that waited get an unknown end, campaigns wait for a person, boards are read anew. Answers how many campaigns and lines. Operator only.';

-- A wait is over after its own length, also where it was written down by a clock that ran ahead and was set right since.
create function portal.cap_waits(p_now timestamptz, p_longest_gap interval) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  capped integer := 0;
  changed integer;
  -- What the database dates by itself, and what the portal does: they may be two machines.
  here timestamptz := clock_timestamp();
begin
  -- The outbox to the gateway: held for up to five minutes after a fault, and leased for half a minute.
  update portal.send_queues
  set held_until = least(held_until, here + interval '5 minutes'), leased_until = least(leased_until, here + interval '1 minute')
  where held_until > here + interval '5 minutes' or leased_until > here + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.name_turns set held_until = here + interval '1 minute' where held_until > here + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.leftover_instances set noted_at = here where noted_at > here;
  get diagnostics changed = row_count; capped := capped + changed;
  -- Read back up to then, says a mark of the future, and nothing would be read back until then.
  update portal.instance_sweeps set claimed_at = least(claimed_at, here), read_until = least(read_until, p_now)
  where claimed_at > here or read_until > p_now;
  get diagnostics changed = row_count; capped := capped + changed;
  -- A gateway whose clock is a little ahead keeps its order; one that was far ahead is heard again.
  update portal.instance_states
  set changed_at = least(changed_at, here), dead_at = least(dead_at, here), qr_received_at = least(qr_received_at, here),
    state_at = least(state_at, here + interval '1 minute'), owner_at = least(owner_at, here + interval '1 minute'),
    qr_at = least(qr_at, here + interval '1 minute')
  where greatest(changed_at, dead_at, qr_received_at) > here
    or greatest(state_at, owner_at, qr_at) > here + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  -- What is written to an erased person's number from now on is new.
  update portal.erasures set erased_at = here where erased_at > here;
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.agent_pauses
  set paused_until = paused_until - (paused_at - here), paused_at = here where paused_at > here + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;

  -- Pushes: as long after now as they were after they were queued; a device is left in peace for an hour at most.
  update portal.push_queue set due_at = due_at - (queued_at - p_now), queued_at = p_now
  where queued_at > p_now + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.push_queue set claimed_until = p_now + interval '1 minute' where claimed_until > p_now + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.push_devices
  set held_until = least(held_until, p_now + interval '1 hour'), watched_until = least(watched_until, p_now + interval '1 minute')
  where held_until > p_now + interval '1 hour' or watched_until > p_now + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;

  -- Rotations: the time to answer or accept begins now; without anybody there it is looked again within minutes.
  update portal.roleta_cases set next_at = p_now + (next_at - since), since = p_now
  where since > p_now and next_at is not null;
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.roleta_cases set next_at = p_now + interval '5 minutes'
  where state = 'waiting' and next_at > p_now + interval '5 minutes';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.intake_raw set next_at = p_now + interval '10 minutes' where next_at > p_now + interval '10 minutes';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.meta_inbox set next_at = p_now + interval '1 hour' where next_at > p_now + interval '1 hour';
  get diagnostics changed = row_count; capped := capped + changed;

  -- Campaigns: a gap is as long as gaps are; what waits for hours or for the day is looked at again, and waits if it must.
  update public.remarketing_campaigns
  set watched_since = least(watched_since, p_now),
    next_send_at = least(next_send_at, case when wait_reason is null then p_now + p_longest_gap
      when next_send_at > p_now + interval '2 days' then p_now else next_send_at end)
  where status in ('running', 'paused') and (watched_since > p_now
    or wait_reason is null and next_send_at > p_now + p_longest_gap
    or wait_reason is not null and next_send_at > p_now + interval '2 days');
  get diagnostics changed = row_count; capped := capped + changed;

  -- What opens something lasts no longer than it would have.
  update portal.sessions set expires_at = p_now + interval '30 days' where expires_at > p_now + interval '30 days';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.accounts
  set first_access_until = least(first_access_until, p_now + interval '24 hours'),
    invite_expires_at = least(invite_expires_at, p_now + interval '7 days')
  where first_access_until > p_now + interval '24 hours' or invite_expires_at > p_now + interval '7 days';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.throttle set trusted_until = p_now + interval '90 days' where trusted_until > p_now + interval '90 days';
  get diagnostics changed = row_count; return capped + changed;
end $$;
comment on function portal.cap_waits(timestamptz, interval) is
  'Every wait, lease and term that lies further ahead than it is ever made, as after a clock that ran ahead, ends after its own length from now (the portal''s p_now). p_longest_gap is the longest between two texts of a campaign. Run by the portal at its start and every minute; answers how many rows changed. Times that a person chose stay.';

reset check_function_bodies;
