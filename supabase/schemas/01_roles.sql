-- What all other files build on: the schema, default grants, settings, the identity of the caller, and the publishing
-- of live events.

-- SQL functions may name functions of later files.
set check_function_bodies = off;

create schema portal;
comment on schema portal is
  'Tables and functions of the portal itself. The data service does not expose this schema; clients reach it through functions of public.';
grant usage on schema portal to authenticated, service_role;

-- Supabase, and the bootstrap of an own database, grant every new object of public to anon, authenticated and
-- service_role. These statements revoke that default for anon and authenticated. Postgres also lets everybody execute a
-- new function; that default is revoked, too.
alter default privileges in schema public revoke all on tables from anon, authenticated;
alter default privileges in schema public revoke all on sequences from anon, authenticated;
alter default privileges in schema public revoke execute on functions from public, anon, authenticated;
alter default privileges in schema portal revoke execute on functions from public;
alter default privileges revoke execute on functions from public;

create table portal.settings (
  key text primary key,
  value jsonb not null
);
comment on table portal.settings is
  'Settings that functions in SQL read, too. The portal writes them at its start; an administrator changes some on screen.';
alter table portal.settings enable row level security;
insert into portal.settings (key, value) values ('time_zone', '"America/Sao_Paulo"');

create table portal.heartbeat (
  id integer primary key constraint heartbeat_one_row check (id = 1),
  beat_at timestamptz not null
);
comment on table portal.heartbeat is
  'One row. The health check updates it to prove that the database accepts writes.';
alter table portal.heartbeat enable row level security;

create function portal.time_zone() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  -- This is plpgsql, because a connection caches its plan. Postgres would plan a SQL function again in every statement.
  return (select value #>> '{}' from portal.settings where key = 'time_zone');
end $$;
comment on function portal.time_zone() is 'IANA name of the time zone in which days and periods begin and end.';
grant execute on function portal.time_zone() to authenticated, service_role;

-- The identity of the caller. A token alone is not enough: its session must be alive, its account must exist, and the
-- second step of that account, if any, must be passed. A transaction looks this up once and stores a success in its own
-- settings. Only a connection that may switch to any role could forge those settings.
create function portal.look_up_asker(claims text) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  session uuid := claims::jsonb ->> 'session_id';
  account uuid := claims::jsonb ->> 'sub';
  met record;
begin
  select a.id, a.role, a.username, b."instanceName" into met
  from portal.sessions s
  join portal.accounts a on a.id = s.account_id
  left join public.brokers b on b.id = a.id
  where s.id = session and s.account_id = account and s.expires_at > now()
    and (s.second_step_at is not null
      or not exists (select from portal.factors f where f.account_id = account and f.verified_at is not null));
  perform set_config('portal.account', coalesce(met.id::text, ''), true),
    set_config('portal.role', coalesce(met.role, ''), true),
    set_config('portal.username', coalesce(met.username, ''), true),
    set_config('portal.instance', coalesce(met."instanceName", ''), true),
    -- Only a success is stored: this transaction may still create the session, and then looks it up again.
    set_config('portal.asker', case when met.id is null then '' else claims end, true);
end $$;
comment on function portal.look_up_asker(text) is
  'Looks up the account of a session that is alive and needs no second step any more. Caches the account for the transaction; portal.account_id reads it.';

create function portal.account_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  -- auth.jwt reads the same two settings.
  claims text := coalesce(nullif(current_setting('request.jwt.claim', true), ''), current_setting('request.jwt.claims', true), '');
begin
  if claims = '' then return null; end if;
  if claims is distinct from current_setting('portal.asker', true) then perform portal.look_up_asker(claims); end if;
  return nullif(current_setting('portal.account', true), '');
end $$;
comment on function portal.account_id() is
  'The signed-in account of this request. Null without one, and while its sign-in still needs the second step. For row rules.';
grant execute on function portal.account_id() to authenticated, service_role;

create function portal.is_admin() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return portal.account_id() is not null and current_setting('portal.role') = 'admin';
end $$;
comment on function portal.is_admin() is 'Whether the caller is an administrator; for row rules.';
grant execute on function portal.is_admin() to authenticated, service_role;

create function portal.my_instance() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  if portal.account_id() is null then return null; end if;
  return nullif(current_setting('portal.instance'), '');
end $$;
comment on function portal.my_instance() is 'Instance name of the calling broker, or null; for row rules.';
grant execute on function portal.my_instance() to authenticated, service_role;

create function portal.is_member() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return portal.account_id() is not null;
end $$;
comment on function portal.is_member() is 'Whether the caller has a live session; for row rules.';
grant execute on function portal.is_member() to authenticated, service_role;

create function portal.led_instances() returns text[]
language plpgsql stable security definer set search_path = '' as $$
begin
  if portal.account_id() is null then return '{}'; end if;
  return array(
    select b."instanceName"
    from portal.team_managers g
    join portal.team_members m using (team_id)
    join public.brokers b on b.id = m.broker_id
    where g.account_id = portal.account_id() order by 1);
end $$;
comment on function portal.led_instances() is
  'Instance names of the brokers whose teams the caller leads. Empty for everybody who leads no team, administrators included. For row rules.';
grant execute on function portal.led_instances() to authenticated, service_role;

create function portal.led_teams() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  if portal.account_id() is null then return '{}'; end if;
  return array(select g.team_id from portal.team_managers g where g.account_id = portal.account_id() order by 1);
end $$;
comment on function portal.led_teams() is
  'Ids of the teams that the caller leads. Empty for everybody who leads no team, administrators included. For row rules.';
grant execute on function portal.led_teams() to authenticated, service_role;

create function portal.reaches(p_instance text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  if portal.is_admin() or p_instance = portal.my_instance() then return true; end if;
  return coalesce(p_instance = any (portal.led_instances()), false);
end $$;
comment on function portal.reaches(text) is
  'Whether the caller may read and change the leads of an instance: an administrator of any, a broker of its own, a gerente of the brokers it leads. The instance is null for leads without a broker, which only administrators reach. Server only.';

create function portal.is_service() returns boolean
language sql stable set search_path = '' as $$
  select current_setting('role', true) = 'service_role'
$$;
comment on function portal.is_service() is
  'Whether the caller uses the service key (role service_role), which bypasses row rules. True inside a security definer function, too, because its owner is the current user there.';

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
comment on function portal.service_name() is 'Name of the service whose valid token the caller uses, or null.';
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
comment on function portal.has_grant(text) is 'Whether the caller is a service with that grant; for row rules.';
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
  'Refuses everybody but services with that grant, administrators and service_role: 42501, or 401 once the session has ended.';
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
comment on function portal.require_member() is
  'The account of the caller; null for service_role. Callers without a live session get 401, so that the app signs in again and keeps its unsent changes.';

create function portal.require_admin() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if portal.require_member() is not null and not portal.is_admin() then
    raise exception 'Somente um administrador pode fazer isto.' using errcode = '42501';
  end if;
end $$;
comment on function portal.require_admin() is
  'Refuses everybody but administrators and service_role: 42501, or 401 once the session has ended.';
grant execute on function portal.require_admin() to authenticated, service_role;

create function portal.require_manager() returns text[]
language plpgsql stable security definer set search_path = '' as $$
declare
  led text[];
begin
  if portal.require_member() is null or portal.is_admin() then return null; end if;
  led := portal.led_instances();
  if led = '{}' and current_setting('portal.role') <> 'gerente' then
    raise exception 'Somente um administrador ou um gerente pode fazer isto.' using errcode = '42501';
  end if;
  return led;
end $$;
comment on function portal.require_manager() is
  'Instance names of the brokers that the caller leads. Null means all: for administrators and service_role. Others are refused with 42501, or with 401 once their session has ended. Server only.';

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
comment on function portal.require_broker() is
  'Instance name of the calling broker; everybody else is refused. Server only.';

create function portal.require_few(p_list anyarray) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  if cardinality(p_list) > 500 then
    raise exception 'Escolha no máximo 500 de cada vez.' using errcode = 'PT422', hint = 'list.long';
  end if;
  return true;
end $$;
comment on function portal.require_few(anyarray) is
  'Refuses a list of more than 500 values with 422. Postgres compares every row with the list, so a long one would slow down all other requests. Returns true, so that a query can call it in its where clause.';
grant execute on function portal.require_few(anyarray) to authenticated, service_role;

create function portal.actor() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  if portal.account_id() is not null then return current_setting('portal.username'); end if;
  return coalesce(
    case when auth.jwt() -> 'app_metadata' ->> 'portal_role' = 'service' then portal.service_name() end, 'portal');
end $$;
comment on function portal.actor() is
  'Name of the caller for histories: a username, the name of a service, or ''portal'' for the server itself.';

-- Live events go to the Postgres channel 'portal'. They carry ids only (src/domain/events.ts). Of equal events in one
-- transaction only one is sent. NOTIFY holds a lock of the whole server until its transaction is flushed. So a portal
-- on a Postgres server turns on client_notifies: it gets the event as a notice, and sends the NOTIFY itself after the
-- commit.
create function portal.notify_channel(channel text, payload text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('portal.client_notifies', true) = 'on' then
    raise info using message = 'portal.notify', hint = channel, detail = payload;
  else
    perform pg_notify(channel, payload);
  end if;
end $$;
comment on function portal.notify_channel(text, text) is
  'Notifies the listeners of a channel after this transaction commits; equal payloads are sent once. If the setting portal.client_notifies is on, the portal that runs the transaction gets a notice and sends the NOTIFY itself.';

create function portal.publish(event jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.notify_channel('portal', event::text);
end $$;
comment on function portal.publish(jsonb) is
  'Sends a live event to every portal process at commit; equal events of one transaction are sent once.';
