-- Who may sign in: brokers, administrators, their one password hash each, and their sessions (PRODUCT.md 3, 4.1).
-- Schema portal is the server's own; nothing in it is exposed by /rest/v1, its functions serve the row rules.

create schema portal;
comment on schema portal is 'The portal''s own rows: never exposed, reached through functions only.';

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
insert into portal.settings (key, value) values ('time_zone', '"America/Sao_Paulo"');

create function portal.time_zone() returns text
language sql stable security definer set search_path = '' as $$
  select value #>> '{}' from portal.settings where key = 'time_zone'
$$;
comment on function portal.time_zone() is 'IANA name of the zone whose days bound every period (PRODUCT.md 4.6).';

create table public.brokers (
  id uuid primary key default gen_random_uuid(),
  "instanceId" text unique,
  "instanceName" text not null unique check ("instanceName" ~ '^corretor_[a-z]{1,60}$'),
  broker_number text check (broker_number ~ '^[0-9]{8,15}$'),
  whatsapp_number text generated always as (broker_number) stored,
  status text not null default 'inativo' check (status in ('ativo', 'connected', 'inativo')),
  password_hash text check (password_hash = 'definida'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table public.brokers is 'Corretores, each tied to one WhatsApp instance (SPEC.md 3). An administrator reads and writes all, a broker reads the own row.';
comment on column public.brokers."instanceName" is '''corretor_'' plus the username; the key everywhere.';
comment on column public.brokers.status is '''ativo'' once the WhatsApp was connected; ''connected'' also counts for the green dot.';
comment on column public.brokers.password_hash is 'A marker only: ''definida'' when a password is set. Setting it to null clears the real one and ends every session.';

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

create table portal.sessions (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references portal.accounts on delete cascade,
  created_at timestamptz not null default now(),
  refreshed_at timestamptz not null default now(),
  expires_at timestamptz not null,
  user_agent text
);
comment on table portal.sessions is 'Signed-in sessions; a row gone or expired ends access at once (PRODUCT.md 3).';
create index sessions_account on portal.sessions (account_id);
comment on index portal.sessions_account is 'Serves ending every session of an account.';

create table portal.refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references portal.sessions on delete cascade,
  parent_hash bytea references portal.refresh_tokens on delete set null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
comment on table portal.refresh_tokens is 'SHA-256 of each refresh token and of the one it was exchanged for, to tell a lost answer from a theft (PRODUCT.md 3).';
create index refresh_tokens_session on portal.refresh_tokens (session_id);
comment on index portal.refresh_tokens_session is 'Serves the removal of a session''s tokens.';
create index refresh_tokens_parent on portal.refresh_tokens (parent_hash);
comment on index portal.refresh_tokens_parent is 'Serves the question whether a token''s children were used.';

-- Who is asking. Claims alone open nothing: the session and the account must still be there.
-- In plpgsql because that keeps its plans, and every request asks.

create function portal.account_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  claims jsonb := auth.jwt();
  session uuid := claims ->> 'session_id';
  account uuid := claims ->> 'sub';
begin
  perform from portal.sessions s where s.id = session and s.account_id = account and s.expires_at > now();
  return case when found then account end;
end $$;
comment on function portal.account_id() is 'The signed-in account of this request, or null; for row rules.';

create function portal.is_admin() returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  account uuid := portal.account_id();
begin
  return exists (select from portal.accounts a where a.id = account and a.role = 'admin');
end $$;
comment on function portal.is_admin() is 'Whether an administrator is asking; for row rules.';

create function portal.my_instance() returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  account uuid := portal.account_id();
begin
  return (select b."instanceName" from public.brokers b where b.id = account);
end $$;
comment on function portal.my_instance() is 'Instance name of the broker who is asking, or null; for row rules.';

create function portal.is_member() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return portal.account_id() is not null;
end $$;
comment on function portal.is_member() is 'Whether anyone with a living session is asking; for row rules.';

grant usage on schema portal to authenticated, service_role;
grant execute on function portal.account_id(), portal.is_admin(), portal.my_instance(), portal.is_member(), portal.time_zone()
  to authenticated, service_role;

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

alter table public.brokers enable row level security;
create policy brokers_read on public.brokers for select to authenticated
  using ((select portal.is_admin()) or id = (select portal.account_id()));
comment on policy brokers_read on public.brokers is 'An administrator sees every broker, a broker sees the own row.';
create policy brokers_write on public.brokers for all to authenticated
  using ((select portal.is_admin())) with check ((select portal.is_admin()));
comment on policy brokers_write on public.brokers is 'Only an administrator adds, changes and removes brokers.';
grant select, delete on public.brokers to authenticated;
grant insert (id, "instanceId", "instanceName", broker_number, status, created_at),
  update ("instanceId", "instanceName", broker_number, status, password_hash) on public.brokers to authenticated;
grant all on public.brokers to service_role;

alter table portal.settings enable row level security;
alter table portal.accounts enable row level security;
alter table portal.sessions enable row level security;
alter table portal.refresh_tokens enable row level security;
