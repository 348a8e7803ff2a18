// The initial objects of a Supabase project.

/**
 * Roles, schemas and grants of a new Supabase project, as far as they concern the portal's schema; run by a superuser.
 */
export const AS_SUPABASE = `
  create role supabase_admin superuser;
  create role anon; create role authenticated; create role service_role bypassrls; create role authenticator noinherit;
  create schema extensions authorization supabase_admin;
  create extension pgcrypto with schema extensions;
  create schema auth authorization supabase_admin;
  create function auth.jwt() returns jsonb language sql stable as
    $$ select nullif(current_setting('request.jwt.claims', true), '')::jsonb /* Supabase's own */ $$;
  grant usage on schema public, auth, extensions to anon, authenticated, service_role;
  alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
  alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
  alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;`
