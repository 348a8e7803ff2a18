-- What an empty Postgres lacks to look like Supabase: roles, schemas, auth functions, default grants.
-- Idempotent; run by the portal before the migrations, never on Supabase itself. Needs CREATEROLE and CREATE on the
-- database; without superuser service_role cannot bypass row security and gets policies instead (migrate.ts).
do $$
declare
  wanted text;
  -- From Postgres 16 on, who makes a role belongs to it without being able to take it.
  needed text := case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end;
begin
  foreach wanted in array array['anon', 'authenticated', 'service_role', 'authenticator'] loop
    if not exists (select from pg_roles where rolname = wanted) then
      begin
        execute format('create role %I nologin', wanted);
      exception when duplicate_object or unique_violation then
        null; -- another portal made it meanwhile
      end;
    end if;
  end loop;
  if (select rolsuper from pg_roles where rolname = current_user)
    and not (select rolbypassrls from pg_roles where rolname = 'service_role') then
    alter role service_role bypassrls;
  end if;
  foreach wanted in array array['anon', 'authenticated', 'service_role'] loop
    if not pg_has_role(current_user, wanted, needed) then
      execute format('grant %I to current_user', wanted);
    end if;
  end loop;
end $$;

create schema if not exists extensions;
create extension if not exists pgcrypto with schema extensions;
create extension if not exists pg_trgm with schema extensions;
create extension if not exists unaccent with schema extensions;
create extension if not exists "uuid-ossp" with schema extensions;
grant usage on schema extensions to anon, authenticated, service_role;

grant usage on schema public to anon, authenticated, service_role;
-- The first migration takes these back: whoever comes second must not give them again.
do $$
begin
  if to_regclass('supabase_migrations.schema_migrations') is null then
    alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
    alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
    alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;
  end if;
end $$;

create schema if not exists auth;
grant usage on schema auth to anon, authenticated, service_role;

create or replace function auth.jwt() returns jsonb language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')
  )::jsonb
$$;
create or replace function auth.uid() returns uuid language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claim.sub', true), ''), auth.jwt() ->> 'sub')::uuid
$$;
create or replace function auth.role() returns text language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claim.role', true), ''), auth.jwt() ->> 'role')
$$;
