// A database on the way of the migrator, for tests that go another one.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Database } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'

/** The bootstrap and an empty history, as the migrator leaves them before its first file. */
export async function prepareEmpty(db: Database): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-no-migrations-'))
  try {
    await migrate(db, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export const recordMigration = (db: Database, version: string, name: string) =>
  db.query('insert into supabase_migrations.schema_migrations (version, name) values ($1, $2)', [
    version,
    name,
  ])

/** Roles, schemas and grants of a new Supabase project, as far as the portal's schema meets them; for a superuser. */
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
