-- Accounts of brokers, gerentes and administrators, tokens of machines, passwords, sessions, second steps, and the
-- throttle of sign-in attempts.

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
comment on table public.brokers is
  'Brokers (corretores), each with one WhatsApp instance. An administrator reads and writes all rows. A gerente reads the brokers it leads, a broker its own row.';
comment on column public.brokers."instanceName" is
  '''corretor_'' plus the username; all other tables refer to a broker by it.';
comment on column public.brokers.status is
  '''ativo'' once the broker''s WhatsApp was connected for the first time. Screens treat ''connected'' the same.';
comment on column public.brokers.password_hash is
  'A marker only: ''definida'' if a password is set. Writing null deletes the real password (portal.accounts) and ends every session.';
comment on column public.brokers.paused_until is
  'No rotation gives the broker leads until this time. ''infinity'': until somebody resumes the broker.';
comment on column public.brokers.central_since is
  'Since when this is a central number, which belongs to the whole agency. A person''s first message to it then becomes a new lead for a rotation. Null: it is the broker''s own number.';
alter table public.brokers enable row level security;
create policy brokers_read on public.brokers for select to authenticated
  using ((select portal.is_admin()) or id = (select portal.account_id())
    or "instanceName" = any ((select portal.led_instances())::text[]));
comment on policy brokers_read on public.brokers is
  'An administrator sees every broker, a broker its own row, a gerente the brokers it leads.';
create policy brokers_write on public.brokers for all to authenticated
  using ((select portal.is_admin())) with check ((select portal.is_admin()));
comment on policy brokers_write on public.brokers is 'Only an administrator adds, changes and removes brokers.';
grant select, delete on public.brokers to authenticated;
grant insert (id, "instanceId", "instanceName", broker_number, status, created_at), update ("instanceId", "instanceName", broker_number, status, password_hash) on public.brokers
  to authenticated;
grant all on public.brokers to service_role;

create table portal.accounts (
  id uuid primary key default gen_random_uuid(),
  role text not null check (role in ('admin', 'broker', 'gerente')),
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
comment on table portal.accounts is
  'One row for each person who may sign in. A broker''s account has the same id as the broker. Only this table holds the real password hash (bcrypt, $2a$).';
comment on column portal.accounts.role is
  'admin, broker, or gerente: somebody who only leads teams (portal.team_managers).';
create unique index accounts_panel on portal.accounts (username) where role in ('admin', 'gerente');
comment on index portal.accounts_panel is
  'Gives every administrator and gerente a different name, because both sign in on the same page.';
comment on column portal.accounts.first_access_until is
  'Until this time a broker without a password may set one, if the setting FIRST_ACCESS allows it. Null: only an invite allows it.';
comment on column portal.accounts.invite_hash is
  'SHA-256 of the secret in the one-time link for the first access. Null if no link was made, or it was used.';
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
comment on table portal.sessions is
  'Sessions of signed-in accounts. Deleting a row, or letting it expire, ends access at once.';
comment on column portal.sessions.second_step_at is
  'When the account passed the second step in this session. Null: it has not, or needs none.';
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
comment on table portal.refresh_tokens is
  'SHA-256 of each refresh token and of the one that follows it. By these the portal tells a client''s retry after a lost answer from the use of a stolen token.';
create index refresh_tokens_session on portal.refresh_tokens (session_id);
comment on index portal.refresh_tokens_session is 'Serves the removal of a session''s tokens.';
create index refresh_tokens_parent on portal.refresh_tokens (parent_hash);
comment on index portal.refresh_tokens_parent is 'Serves the check whether a token''s successors were used.';
alter table portal.refresh_tokens enable row level security;

-- A trigger creates a broker's account with the broker; the foreign key deletes it with the broker. Other triggers set
-- the marker brokers.password_hash once the account has a password, and delete the password when the marker is cleared.
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
comment on function portal.guard_broker() is
  'Trigger: refuses to rename a broker, and to set the marker while the account has no password.';
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
  'Trigger: runs when somebody sets brokers.password_hash to null, even if it was null before. Deletes the real password, ends every session and opens the first access for 24 hours.';
create trigger reset_password after update of password_hash on public.brokers
  for each row when (new.password_hash is null) execute function portal.reset_password();

create function portal.mark_password() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.brokers set password_hash = 'definida' where id = new.broker_id;
  return null;
end $$;
comment on function portal.mark_password() is
  'Trigger: sets the marker in brokers when the account gets its first password.';
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
comment on table portal.applied_operations is
  'Answers that clients'' writes got, by operation id. A retry gets the stored answer, and nothing is written twice.';
create index applied_operations_age on portal.applied_operations (applied_at);
comment on index portal.applied_operations_age is 'Serves deleting old answers.';
alter table portal.applied_operations enable row level security;

create function portal.begin_operation(p_account uuid, p_operation_id uuid) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  if p_account is null or p_operation_id is null then return null; end if;
  -- A retry that arrives while the first attempt still runs waits here for the result of that attempt.
  perform pg_advisory_xact_lock(hashtextextended(p_account::text || p_operation_id::text, 0));
  -- Live events of boards carry the id of the operation, so that the device that caused a change does not read it
  -- again.
  perform set_config('portal.operation', p_operation_id::text, true);
  return (
    select o.result from portal.applied_operations o
    where o.account_id = p_account and o.operation_id = p_operation_id
  );
end $$;
comment on function portal.begin_operation(uuid, uuid) is
  'The stored answer, if this account has already done this write; else null. A second attempt at the same time waits until this transaction ends.';

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
  'Stores the answer of a client write in the transaction of its change, and returns it.';

create function portal.forget_old_operations() returns bigint
language sql volatile set search_path = '' as $$
  with gone as (
    delete from portal.applied_operations where (account_id, operation_id) in (
      select o.account_id, o.operation_id from portal.applied_operations o
      where o.applied_at < now() - interval '90 days' order by o.applied_at limit 1000)
    returning 1
  )
  select count(*) from gone
$$;
comment on function portal.forget_old_operations() is
  'Deletes stored answers after 90 days, longer than a phone keeps unsent writes; returns how many. The portal runs it daily.';


-- Throttle of sign-in attempts. It lies in the database, so that all portals and SQL functions share one count and a
-- restart does not reset it.

create table portal.throttle_rules (
  kind text primary key,
  free_attempts integer not null check (free_attempts >= 1),
  first_wait_seconds integer not null check (first_wait_seconds >= 1),
  longest_wait_seconds integer not null check (longest_wait_seconds >= first_wait_seconds),
  forgets_one_in_seconds integer not null check (forgets_one_in_seconds >= 1)
);
comment on table portal.throttle_rules is
  'How many attempts of each kind are free, and how long callers wait afterwards. The wait doubles with each further attempt, up to the longest. One attempt is forgotten per forgets_one_in_seconds.';
alter table portal.throttle_rules enable row level security;
insert into portal.throttle_rules (kind, free_attempts, first_wait_seconds, longest_wait_seconds, forgets_one_in_seconds) values
  ('pair', 5, 30, 300, 1800), -- attempts at one account from one address: strict
  ('account', 20, 1, 15, 120), -- attempts at one account from anywhere: mild, so that a stranger cannot lock its owner out
  ('address', 60, 5, 300, 30), -- attempts at any accounts from one address: enough for an office of brokers, too few for a list of passwords
  ('lookup', 30, 2, 60, 20); -- questions from one address whether a username exists
insert into portal.throttle_rules (kind, free_attempts, first_wait_seconds, longest_wait_seconds, forgets_one_in_seconds) values
  ('code', 5, 30, 900, 1800); -- codes of the second step for one account: who guesses them already knows the password
-- Costly requests are counted by account (server/http/rate-limit.ts). Uploads fill the disk, exports read the whole
-- database, errands to the gateway block its queue. No person in a hurry reaches these limits.
insert into portal.throttle_rules (kind, free_attempts, first_wait_seconds, longest_wait_seconds, forgets_one_in_seconds) values
  ('upload', 120, 5, 60, 5), -- uploaded or announced files: all pictures of a development at once, then one in five seconds
  ('export', 10, 10, 60, 60), -- exports and other downloads of all data: ten at once, then one a minute
  ('errand', 30, 5, 60, 10);

create table portal.throttle (
  key bytea primary key,
  kind text not null references portal.throttle_rules,
  attempts double precision not null check (attempts >= 0),
  counted_at timestamptz not null,
  trusted_until timestamptz
);
comment on table portal.throttle is
  'Recent attempts, counted by account, by address and by the pair of both. The portal deletes expired rows.';
comment on column portal.throttle.key is
  'SHA-256 of kind and subject, so that addresses and mistyped usernames are not stored in clear text.';
comment on column portal.throttle.attempts is
  'The number of attempts as of counted_at. portal.attempts_left subtracts what has expired since.';
comment on column portal.throttle.trusted_until is
  'Only rows of kind ''pair'' (an account and an address): the account''s own limit does not stop this pair until then. Set for 90 days by each correct password. Null: never.';
alter table portal.throttle enable row level security;

create function portal.throttle_key(kind text, subject text) returns bytea
language sql immutable strict parallel safe set search_path = '' as $$
  select sha256(convert_to(kind || ':' || subject, 'UTF8'))
$$;
comment on function portal.throttle_key(text, text) is 'Primary key of an attempt counter in portal.throttle.';

create function portal.attempts_left(entry portal.throttle, moment timestamptz) returns double precision
language sql stable set search_path = '' as $$
  select greatest(0, entry.attempts
    - greatest(0, extract(epoch from moment - entry.counted_at)) / rule.forgets_one_in_seconds)::double precision
  from portal.throttle_rules rule
  where rule.kind = entry.kind
$$;
comment on function portal.attempts_left(portal.throttle, timestamptz) is
  'How many attempts of a counter have not expired at a moment.';

create function portal.attempt_wait(entry portal.throttle, moment timestamptz) returns double precision
language sql stable set search_path = '' as $$
  select case
    -- An attempt that has expired in part still counts as a whole one.
    when ceil(counted.attempts) < rule.free_attempts then 0
    else extract(epoch from entry.counted_at - moment)
      + least(rule.longest_wait_seconds, rule.first_wait_seconds * power(2, ceil(counted.attempts) - rule.free_attempts))
  end
  from portal.throttle_rules rule, portal.attempts_left(entry, moment) as counted (attempts)
  where rule.kind = entry.kind
$$;
comment on function portal.attempt_wait(portal.throttle, timestamptz) is
  'Seconds from a moment until the next attempt is allowed; zero or less: now.';

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
  -- Creates and locks the counter of the first subject, which is an address or an account. Concurrent attempts with the
  -- same first subject are then counted one after the other.
  insert into portal.throttle (key, kind, attempts, counted_at) values (keys[1], kinds[1], 0, moment) on conflict do nothing;
  perform from portal.throttle t where t.key = any (keys) order by array_position(keys, t.key) for update;
  -- A counter from the future was written while a clock ran ahead. It counts from now on and expires normally.
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
  -- The count stops where the wait is longest. The owner of the account then waits no longer after a long attack than
  -- after a short one.
  set attempts = least(portal.attempts_left(t, moment) + 1, (
      select rule.free_attempts + ceil(log(2.0, rule.longest_wait_seconds::numeric / rule.first_wait_seconds))
      from portal.throttle_rules rule where rule.kind = t.kind)),
    counted_at = moment;
  return 0;
end $$;
comment on function portal.charge_attempt(text[], text[], timestamptz) is
  'Counts one attempt for every subject and returns 0, or counts nothing and returns the seconds to wait. The caller charges before it checks the password, so that parallel guesses are throttled.';

create function portal.charge_sign_in(account text, address text, moment timestamptz) returns integer
language sql volatile set search_path = '' as $$
  select portal.charge_attempt(array['address', 'pair', 'account'], array[address, account || ' ' || address, account], moment)
$$;
comment on function portal.charge_sign_in(text, text, timestamptz) is
  'Counts a sign-in attempt for an account (role:username) from an address; returns 0 or the seconds to wait.';

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
  'After a correct password: refunds the charge, clears the counter of the pair (account and address) and trusts the pair for 90 days.';


-- The four public sign-in functions. They share with the portal's own sign-in the hash, the throttle and the way to set
-- a first password.

create function portal.idle_password_hash() returns text
language sql immutable parallel safe set search_path = '' as $$
  select '$2a$10$6xVCSBBX5.83EOho3OBh6ecGvlXbBARoBszQ5L4hWsmjQYlwNYg6i'
$$;
comment on function portal.idle_password_hash() is
  'Hash of a password that nobody has. It is checked when the account does not exist, so that both refusals take the same time.';

create function portal.may_check_passwords() returns boolean
language sql stable set search_path = '' as $$
  -- Inside a security definer function current_user is the owner; the setting still names the caller's role.
  select coalesce(nullif(current_setting('role'), 'none'), session_user::text) in (current_user, 'service_role')
    or portal.is_admin()
$$;
comment on function portal.may_check_passwords() is
  'Whether the caller is the portal''s own role, service_role or an administrator. For the functions below.';

create function portal.matches_password(attempt text, password_hash text) returns boolean
language plpgsql stable set search_path = '' as $$
declare
  given text := normalize(coalesce(attempt, ''), nfc);
  made text := extensions.crypt(given, coalesce(password_hash, portal.idle_password_hash()));
begin
  -- bcrypt reads only 72 bytes: a longer password would match by its first 72.
  return password_hash is not null and octet_length(given) <= 72 and made = password_hash;
end $$;
comment on function portal.matches_password(text, text) is
  'Whether a password matches a bcrypt hash. Without a hash it returns false after the same work.';

create function portal.try_password(wanted_role text, wanted_username text, attempt text) returns uuid
language plpgsql volatile set search_path = '' as $$
declare
  account portal.accounts;
  subject text := wanted_role || ':' || coalesce(wanted_username, '');
  -- Calls by /rest/v1 carry no client address, so each caller counts as an address of its own.
  caller text := 'rpc ' || coalesce(portal.account_id()::text, current_setting('role'));
  moment timestamptz := clock_timestamp();
  wait_seconds integer;
begin
  if not portal.may_check_passwords() then
    raise exception 'Só um administrador pode conferir senhas.' using errcode = '42501';
  end if;
  -- An attempt without name or password is no guess, because no account has an empty one. Health probes send such
  -- attempts all the time.
  if coalesce(wanted_username, '') = '' or coalesce(attempt, '') = '' then return null; end if;
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
  'The account of a username and password, or null. The throttle counts every attempt that has both. Raises 42501 for callers who may not check passwords, PT429 after too many attempts.';

create function portal.username_of(instance text) returns text
language sql immutable set search_path = '' as $$
  select case when starts_with(instance, 'corretor_') then substr(instance, length('corretor_') + 1) else instance end
$$;
comment on function portal.username_of(text) is
  'The username within an instance name; a bare username is returned as it is.';

create function portal.first_access_holds(account portal.accounts, is_open boolean, invite bytea, moment timestamptz)
returns boolean
language sql immutable set search_path = '' as $$
  select account.password_hash is null and coalesce(
    (is_open and account.first_access_until > moment)
      or (account.invite_hash = invite and account.invite_expires_at > moment), false)
$$;
comment on function portal.first_access_holds(portal.accounts, boolean, bytea, timestamptz) is
  'Whether a first password may be set. The account must have none, and one of two must hold: its open period still runs and is_open allows it, or the invite (its SHA-256) matches and has not expired.';

create function portal.set_first_password(
  account uuid, new_hash text, is_open boolean, invite bytea, moment timestamptz
) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  -- Locks the broker's row before the account, as a reset does, so that the two cannot deadlock.
  perform from public.brokers b where b.id = account for no key update;
  update portal.accounts a
  set password_hash = new_hash, first_access_until = null, invite_hash = null, invite_expires_at = null
  where a.id = account and portal.first_access_holds(a, is_open, invite, moment);
  return found;
end $$;
comment on function portal.set_first_password(uuid, text, boolean, bytea, timestamptz) is
  'Sets a broker''s first password and uses up the invite. Returns false if portal.first_access_holds does not allow it.';

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
  'Checks an administrator''s password: one row, with id null and authenticated false when it is wrong. Callers: the portal and administrators; browsers sign in through /auth/v1.';
grant execute on function public.authenticate_admin(text, text) to authenticated, service_role;

create function public.authenticate_broker(broker_instance text, password_attempt text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  return portal.try_password('broker', portal.username_of(broker_instance), password_attempt) is not null;
end $$;
comment on function public.authenticate_broker(text, text) is
  'Whether the password is that broker''s. Callers: the portal and administrators; browsers sign in through /auth/v1.';
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
  'Whether the broker has set a password; false for an unknown broker. Callers: the portal and administrators; browsers ask /api/login/lookup.';
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
  'Sets a broker''s first password while first access is open, else raises a Portuguese message. Callers: the portal and administrators; browsers use /api/login/first-access.';
grant execute on function public.set_broker_password(text, text) to authenticated, service_role;


-- Second step of the sign-in of administrators and gerentes: codes of an authenticator app, and recovery codes. A
-- session with a pending second step has no access.

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
comment on table portal.factors is
  'Authenticator apps of administrators and gerentes. An app counts once its owner has entered a code of it.';
comment on column portal.factors.secret is
  'The secret that app and portal share, encrypted by the portal with a key outside the database (AES-256-GCM).';
comment on column portal.factors.last_step is
  'Time step (30 s) of the newest accepted code; codes of this step or an earlier one are refused.';
alter table portal.factors enable row level security;

create table portal.factor_challenges (
  id uuid primary key default gen_random_uuid(),
  factor_id uuid not null references portal.factors on delete cascade,
  session_id uuid not null references portal.sessions on delete cascade,
  expires_at timestamptz not null,
  unique (factor_id, session_id)
);
comment on table portal.factor_challenges is
  'Open challenges of a session: the sign-in waits for a code of this factor. One row for each factor.';
create index factor_challenges_session on portal.factor_challenges (session_id);
comment on index portal.factor_challenges_session is 'Serves the deletion of a session.';
alter table portal.factor_challenges enable row level security;

create table portal.recovery_codes (
  account_id uuid not null references portal.accounts on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (account_id, code_hash)
);
comment on table portal.recovery_codes is
  'SHA-256 of the recovery codes, which replace a lost authenticator app. Each is valid once.';
alter table portal.recovery_codes enable row level security;

create function portal.has_second_step(account uuid) returns boolean
language sql stable set search_path = '' as $$
  select exists (select from portal.factors f where f.account_id = account and f.verified_at is not null)
$$;
comment on function portal.has_second_step(uuid) is 'Whether an account needs a second step to sign in.';

create function portal.require_second_step() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if portal.require_member() is not null and current_setting('portal.role') <> 'gerente' then perform portal.require_admin(); end if;
end $$;
comment on function portal.require_second_step() is
  'Refuses brokers, who have no second step: 42501, or 401 once the session has ended. Server only.';

create function portal.renew_recovery_codes(p_operation_id uuid, p_hashes bytea[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.account_id();
begin
  perform portal.require_second_step();
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
  'Replaces all recovery codes of the calling administrator or gerente; a retry changes nothing. 409 without a second step. Server only.';

create function portal.my_second_step() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  account uuid := portal.account_id();
begin
  perform portal.require_second_step();
  return jsonb_build_object(
    'isOn', portal.has_second_step(account),
    'codesLeft', (select count(*) from portal.recovery_codes c where c.account_id = account and c.used_at is null));
end $$;
comment on function portal.my_second_step() is
  'Whether the calling administrator or gerente has a second step, and how many recovery codes are left. Server only.';


-- Administrators add, reset and remove one another. A refusal has the HTTP status in its errcode and its code in the
-- hint.

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
comment on function portal.admin_list() is 'All administrators. For administrators, through the server only.';

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
  on conflict do nothing;
  if not found then
    raise exception 'Já existe um administrador com este nome' using errcode = 'PT409', hint = 'admin.taken';
  end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'admin.add', jsonb_build_object('username', p_username));
end $$;
comment on function portal.add_admin(uuid, text, bytea, timestamptz) is
  'Adds an administrator, invited to set the first password; a retry changes nothing. 409 if the name is taken. For administrators, through the server only.';

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
  'Clears another administrator''s password, second step and sessions, and stores a new invite; a retry changes nothing. For administrators, through the server only.';

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
  -- Nobody can remove the own account, so at least one administrator stays.
  delete from portal.accounts a where a.id = p_admin;
  return portal.end_operation(portal.account_id(), p_operation_id, 'admin.remove',
    jsonb_build_object('username', wanted.username));
end $$;
comment on function portal.remove_admin(uuid, uuid) is
  'Removes another administrator and ends that access at once; never the caller''s own account, and so never the last one. A retry changes nothing. For administrators, through the server only.';

create function portal.hold_admins() returns void
language plpgsql volatile set search_path = '' as $$
begin
  -- Locks in a fixed order, so that two administrators who remove each other at once cannot deadlock: the second waits.
  perform from portal.accounts a where a.role = 'admin' order by a.id for update;
  -- Forgets who was found to ask before the lock. An administrator who was removed or reset meanwhile is refused.
  perform set_config('portal.asker', '', true);
  perform portal.require_admin();
end $$;
comment on function portal.hold_admins() is
  'Locks all administrators'' accounts for the transaction, then checks again that the caller still is an administrator.';

-- Two callers restore an administrator's access: another administrator, and the operator on the server's own machine.
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
  'Clears an administrator''s password, second step and sessions, and issues a new invite. The callers check the permission: portal.reset_admin, and the operator''s command. Server only.';


-- Administrators add, reset and remove brokers. A refusal has the HTTP status in its errcode and its code in the hint.

create table portal.leftover_instances (
  "instanceName" text primary key,
  noted_at timestamptz not null default now(),
  gateway text
);
comment on table portal.leftover_instances is
  'Gateway instances that belong to no broker any more: the broker was removed, could not be added, or has moved to another gateway. The portal deletes them at the gateway as soon as it can.';
comment on column portal.leftover_instances.gateway is 'The kind of gateway at which the portal deletes the instance. Null: at every kind.';
alter table portal.leftover_instances enable row level security;

create function portal.publish_broker_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.publish(jsonb_build_object('kind', 'brokers', 'instanceName', coalesce(new."instanceName", old."instanceName")));
  return null;
end $$;
comment on function portal.publish_broker_change() is
  'Trigger: publishes that a broker was added, changed or removed, or lost access.';
create trigger publish_broker_change after insert or update or delete on public.brokers
  for each row execute function portal.publish_broker_change();

create function portal.add_broker(
  p_operation_id uuid, p_instance text, p_instance_id text, p_secret_hash bytea, p_invite_hash bytea, p_invite_until timestamptz,
  -- A portal of the previous release may run beside this one, and passes no gateway.
  p_gateway text default null
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
  update portal.webhook_secrets set gateway = p_gateway where "instanceName" = p_instance and p_gateway is not null;
  delete from portal.leftover_instances where "instanceName" = p_instance;
  return portal.end_operation(portal.account_id(), p_operation_id, 'broker.add', jsonb_build_object('instanceName', p_instance));
end $$;
comment on function portal.add_broker(uuid, text, text, bytea, bytea, timestamptz, text) is
  'Adds a broker with an account that is invited to its first access. Stores the webhook secret that the gateway was given, and the kind of gateway if the agency has several. A retry changes nothing. 409 if the name is taken. For administrators, through the server only.';

create function portal.reset_broker(p_operation_id uuid, p_instance text, p_invite_hash bytea, p_invite_until timestamptz)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  -- The trigger reset_password then deletes the real password, ends the sessions and opens the first access.
  update public.brokers set password_hash = null where "instanceName" = p_instance;
  if not found then
    raise exception 'Corretor não encontrado' using errcode = 'PT404', hint = 'broker.unknown';
  end if;
  update portal.accounts a set invite_hash = p_invite_hash, invite_expires_at = p_invite_until
  from public.brokers b where b.id = a.broker_id and b."instanceName" = p_instance;
  -- Without this, the calendar on a lost phone would still show the broker's visits.
  delete from portal.calendar_feeds f using public.brokers b where b.id = f.broker_id and b."instanceName" = p_instance;
  return portal.end_operation(portal.account_id(), p_operation_id, 'broker.reset', jsonb_build_object('instanceName', p_instance));
end $$;
comment on function portal.reset_broker(uuid, text, bytea, timestamptz) is
  'Clears a broker''s password, sessions and calendar address, and issues a new invite; a retry changes nothing. For administrators, through the server only.';

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
  -- Locks both rows in a fixed order, so that two removals cannot deadlock.
  perform from public.brokers b where b."instanceName" in (p_instance, p_heir) order by b."instanceName" for update;
  if not exists (select from public.brokers b where b."instanceName" = p_instance) then
    raise exception 'Corretor não encontrado' using errcode = 'PT404', hint = 'broker.unknown';
  elsif p_heir = p_instance
    or (p_heir is not null and not exists (select from public.brokers b where b."instanceName" = p_heir)) then
    raise exception 'Escolha outro corretor para ficar com os leads.' using errcode = 'PT422', hint = 'broker.no-heir';
  end if;
  leads := array(select c.id from public.whatsapp_contacts c where c."instanceName" = p_instance order by c.id);
  if p_heir is not null then perform portal.hand_over(leads, p_heir); end if;
  -- Recorded in the same transaction: even after a crash the instance does not stay at the gateway unnoticed.
  insert into portal.leftover_instances ("instanceName") values (p_instance)
  on conflict ("instanceName") do update set gateway = null;
  delete from public.brokers where "instanceName" = p_instance;
  return portal.end_operation(portal.account_id(), p_operation_id, 'broker.remove',
    jsonb_build_object('instanceName', p_instance, 'leads', cardinality(leads), 'heir', p_heir));
end $$;
comment on function portal.remove_broker(uuid, text, text) is
  'Removes a broker with account, sessions, campaigns and seats in rotations. The leads go to the broker p_heir; null: they become the administrator''s. A retry changes nothing. For administrators, through the server only.';

create function portal.broker_list() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  led constant text[] := portal.require_manager();
begin
  return (
    select coalesce(jsonb_agg(row_to_json(listed) order by listed."instanceName"), '[]')
    from (
      select b.id, b."instanceName", b.broker_number as number, b.created_at as "createdAt",
        b.password_hash is not null as "hasPassword", b.status, coalesce(s.state, 'close') as state, s.dead_at as "deadAt",
        s.changed_at as "changedAt", s.profile_pic_url as "pictureUrl", b.central_since is not null as "isCentral",
        case when s.alarmed_at is not null then coalesce(s.dead_at, s.away_since, s.changed_at) end as "lostAt",
        portal.limit_of(b."instanceName", now()) as "limit",
        (select max(seen.refreshed_at) from portal.sessions seen where seen.account_id = b.id) as "seenAt",
        (select count(*) from public.remarketing_campaigns c where c.broker_id = b.id) as campaigns,
        (select count(*) from public.roleta_corretores r where r."instanceName" = b."instanceName") as seats
      from public.brokers b left join portal.instance_states s using ("instanceName")
      where led is null or b."instanceName" = any (led)
    ) listed
  );
end $$;
comment on function portal.broker_list() is
  'All brokers as ''Gerenciar Corretores'' shows them. lostAt: since when the link is down without anybody having disconnected it. campaigns and seats: how many a removal would delete. For administrators, and for gerentes the brokers they lead, through the server only.';


-- A portal that creates or deletes an instance at the gateway locks its name here against other portals.

create table portal.name_turns (
  "instanceName" text primary key,
  holder uuid not null,
  held_until timestamptz not null
);
comment on table portal.name_turns is
  'Instance names that one portal is creating or deleting at the gateway. No other portal deletes what this one creates. The lock of a crashed portal expires.';
alter table portal.name_turns enable row level security;


-- Tokens of agents and other machines. Each has a list of grants, and ends when it expires or an administrator revokes
-- it.

create table portal.service_tokens (
  id uuid primary key default gen_random_uuid(),
  name text not null check (btrim(name) <> '' and length(name) <= 60),
  grants text[] not null
    check (grants <> '{}' and grants <@ array['prompts:read', 'prompts:write', 'pauses:read', 'memory', 'leads:read',
      'leads:write', 'messages:read', 'messages:send', 'brokers:read', 'rotations:read', 'events:read', 'developments:read',
      'developments:write']),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  tail text,
  used_at timestamptz
);
comment on table portal.service_tokens is
  'Services that may call the portal, by the id in their token. A service has no account and no session, and may do only what its grants say. A revoked token keeps its row.';
comment on column portal.service_tokens.grants is
  'Grants of agents: prompts:read, prompts:write (includes reading), pauses:read, memory (what agents remember of each chat). Grants of other machines, for /api/v1: leads:read, leads:write, messages:read, messages:send, brokers:read, rotations:read, events:read, developments:read, developments:write.';
comment on column portal.service_tokens.tail is
  'Last characters of the token, shown to identify it; the token itself is not stored. Null for tokens older than this column.';
comment on column portal.service_tokens.used_at is 'When the token was last used with /api/v1, to the minute.';
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
comment on function portal.my_broker() is
  'The calling broker; 403 for everybody else, 401 once the session has ended. Server only.';
