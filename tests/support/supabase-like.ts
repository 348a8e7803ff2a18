// A native Postgres with the roles, schemas and grants of a new Supabase project, and an owner without superuser
// rights, made by a stored copy of Supabase's own init scripts.
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { openPostgres } from '#server/db/postgres/postgres.ts'
import { type As, findPostgres, startPostgres, type RunningPostgres } from './runner/native-postgres.mjs'

export const postgresPrograms = await findPostgres()

/** `url` signs in as the project's owner, which Supabase names postgres, over TLS with a verified certificate. */
export async function startSupabaseLike(): Promise<RunningPostgres & { projectUrl: string }> {
  let certificate = ''
  const encrypt = async (as: As) => {
    certificate = makeCertificate(as)
    return ['ssl=on', `ssl_cert_file=${certificate}`, `ssl_key_file=${certificate}.key`]
  }
  const postgres = await startPostgres(postgresPrograms ?? '', { more: encrypt })
  const admin = openPostgres({ url: postgres.url, maxConnections: 1, onError: () => undefined })
  await admin.exec(ROLES)
  await admin.query('create database project owner project_owner')
  await admin.close()
  const address = new URL(postgres.url)
  address.pathname = '/project'
  const inside = openPostgres({ url: address.href, maxConnections: 1, onError: () => undefined })
  await inside.exec(SCHEMAS)
  await inside.close()
  Object.assign(address, { username: 'project_owner', password: 'owner', hostname: 'localhost' })
  address.searchParams.set('sslmode', 'verify-full')
  address.searchParams.set('sslrootcert', certificate)
  return { ...postgres, projectUrl: address.href }
}

/** A self-signed certificate for localhost, with its key beside it. */
function makeCertificate(as: As): string {
  const file = path.join(as.cwd, 'server.crt')
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', ...kind, ...names, '-keyout', `${file}.key`, '-out', file], {
    ...as,
    stdio: 'ignore',
  })
  return file
}

const ROLES = `
  create role supabase_admin superuser;
  create role anon nologin noinherit;
  create role authenticated nologin noinherit;
  create role service_role nologin noinherit bypassrls;
  create role authenticator login noinherit;
  create role supabase_auth_admin noinherit createrole;
  create role dashboard_user createrole;
  create role project_owner login createrole createdb bypassrls replication password 'owner';
  grant anon, authenticated, service_role to authenticator;
  grant anon, authenticated, service_role to project_owner with admin option;
  alter role anon set statement_timeout = '3s';
  alter role authenticated set statement_timeout = '8s';`

const SCHEMAS = `
  create schema extensions authorization project_owner;
  create extension pgcrypto with schema extensions;
  create extension "uuid-ossp" with schema extensions;
  create schema auth authorization supabase_auth_admin;
  create schema storage authorization supabase_admin;
  create schema realtime authorization supabase_admin;
  create schema graphql authorization supabase_admin;
  create schema graphql_public authorization supabase_admin;
  create function auth.jwt() returns jsonb language sql stable as
    $$ select nullif(current_setting('request.jwt.claims', true), '')::jsonb $$;
  create function auth.uid() returns uuid language sql stable as $$ select (auth.jwt() ->> 'sub')::uuid $$;
  create function auth.role() returns text language sql stable as $$ select auth.jwt() ->> 'role' $$;
  alter function auth.jwt() owner to supabase_auth_admin;
  alter function auth.uid() owner to supabase_auth_admin;
  alter function auth.role() owner to supabase_auth_admin;
  create publication supabase_realtime;
  grant usage on schema public, extensions, auth to project_owner, anon, authenticated, service_role;
  alter default privileges for role project_owner in schema public grant all on tables to anon, authenticated, service_role;
  alter default privileges for role project_owner in schema public grant all on functions to anon, authenticated, service_role;
  alter default privileges for role project_owner in schema public grant all on sequences to anon, authenticated, service_role;`
