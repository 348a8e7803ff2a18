-- What every other file stands on: the schema, what a new object is granted to nobody, settings, who is asking, and what is published
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
language plpgsql stable security definer set search_path = '' as $$
begin
  -- A plan is kept for the connection; a SQL function is planned by every statement that calls it.
  return (select value #>> '{}' from portal.settings where key = 'time_zone');
end $$;
comment on function portal.time_zone() is 'IANA name of the zone whose days bound every period.';
grant execute on function portal.time_zone() to authenticated, service_role;

-- Who is asking. Claims alone open nothing: the session and the account must still be there. They are looked up at the first question
-- of a transaction and stand in its settings until it ends; whoever could write those settings could take any role as well.
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
    -- Whom nobody was found for is looked for again: the session may come with this very transaction.
    set_config('portal.asker', case when met.id is null then '' else claims end, true);
end $$;
comment on function portal.look_up_asker(text) is
  'Finds the account of a living session that owes no second step, and keeps it for the rest of the transaction; for portal.account_id.';

create function portal.account_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  -- As auth.jwt reads them.
  claims text := coalesce(nullif(current_setting('request.jwt.claim', true), ''), current_setting('request.jwt.claims', true), '');
begin
  if claims = '' then return null; end if;
  if claims is distinct from current_setting('portal.asker', true) then perform portal.look_up_asker(claims); end if;
  return nullif(current_setting('portal.account', true), '');
end $$;
comment on function portal.account_id() is
  'The signed-in account of this request, or null, also while its session still owes the second step; for row rules.';
grant execute on function portal.account_id() to authenticated, service_role;

create function portal.is_admin() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return portal.account_id() is not null and current_setting('portal.role') = 'admin';
end $$;
comment on function portal.is_admin() is 'Whether an administrator is asking; for row rules.';
grant execute on function portal.is_admin() to authenticated, service_role;

create function portal.my_instance() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  if portal.account_id() is null then return null; end if;
  return nullif(current_setting('portal.instance'), '');
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

create function portal.require_few(p_list anyarray) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  if cardinality(p_list) > 500 then
    raise exception 'Escolha no máximo 500 de cada vez.' using errcode = 'PT422', hint = 'list.long';
  end if;
  return true;
end $$;
comment on function portal.require_few(anyarray) is
  'Refuses a list of more than 500 as 422: each row is held against it, so that a long one of one account would keep all others waiting. True, so that it may stand in a query.';
grant execute on function portal.require_few(anyarray) to authenticated, service_role;

create function portal.actor() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  if portal.account_id() is not null then return current_setting('portal.username'); end if;
  return coalesce(
    case when auth.jwt() -> 'app_metadata' ->> 'portal_role' = 'service' then portal.service_name() end, 'portal');
end $$;
comment on function portal.actor() is 'Username of who is asking, the name of a service, ''portal'' for the server itself.';

-- What changed is published on channel portal, by id and once a transaction; src/domain/events.ts is the list. A NOTIFY holds a lock of the
-- whole server until its transaction is flushed: a portal gets a notice instead and notifies after the commit.
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
  'Wakes whoever listens on a channel once this transaction is committed; equal ones of a transaction are one. Where portal.client_notifies is on, the client hears it as a notice and is the one to notify.';

create function portal.publish(event jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.notify_channel('portal', event::text);
end $$;
comment on function portal.publish(jsonb) is 'Sends a live event to every portal process at commit; equal ones of a transaction are one.';
