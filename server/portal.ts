// The portal as one thing: its routes and its workers, made from parts. Here, and only here, the server's modules meet.
import { Hono } from 'hono'
import { createAuth } from '#server/auth/routes.ts'
import { TokenError } from '#server/auth/token.ts'
import { startMaintenance } from '#server/db/maintenance.ts'
import { migrate } from '#server/db/migrate.ts'
import { compression } from '#server/http/compression.ts'
import { createErrorHandler, notFound } from '#server/http/errors.ts'
import { createHealth } from '#server/http/health.ts'
import { requestId } from '#server/http/request-id.ts'
import { secureHeaders } from '#server/http/secure-headers.ts'
import { serveApp } from '#server/http/static.ts'
import type { Parts } from '#server/parts.ts'
import { RestError } from '#server/rest/errors.ts'
import { createRest } from '#server/rest/routes.ts'

export type Portal = {
  fetch: Hono['fetch']
  /** The first administrator's password when one was made now, to be shown once. */
  firstAdmin: { username: string; password: string } | null
  stop(): void
}

type PortalOptions = {
  /** Signs access tokens. */
  jwtSecret: string
  /** Folder of supabase/migrations. */
  migrations: string
  /** Folder of the built app; none in tests of the server alone. */
  client?: string
  version: string
}

const REST_MAX_ROWS = 1_000
const REST_BODY_LIMIT_BYTES = 2_000_000

/** Brings the database up to date and makes the portal over it; nothing listens yet. */
export async function createPortal(parts: Parts, options: PortalOptions): Promise<Portal> {
  const { db, clock, log, settings } = parts
  const applied = await migrate(db, options.migrations)
  if (applied.length > 0) log.info('migrations.applied', { count: applied.length, last: applied.at(-1) })
  await db.query(
    `insert into portal.settings (key, value) values ('time_zone', to_jsonb($1::text))
    on conflict (key) do update set value = excluded.value`,
    [settings.timeZone],
  )

  const auth = createAuth({
    db,
    clock,
    log,
    jwtSecret: options.jwtSecret,
    firstAccess: settings.firstAccess,
    hasPublicUrl: settings.publicUrl !== undefined,
  })
  const rest = createRest({
    db,
    log,
    schemas: settings.restSchemas,
    allowRollback: settings.restTxRollback,
    maxRows: REST_MAX_ROWS,
    bodyLimitBytes: REST_BODY_LIMIT_BYTES,
    principalOf: (request) => auth.principalOf(request).catch(toRestError),
  })

  const app = new Hono()
  app.onError(createErrorHandler(log))
  app.notFound(notFound)
  app.use(requestId, secureHeaders, compression)
  app.route('/rest/v1', rest.routes)
  app.route('/auth/v1', auth.gotrue)
  app.route('/api/login', auth.login)
  app.route('/api', createHealth(parts, options.version))
  for (const wire of ['/api/*', '/auth/*', '/rest/*', '/webhook/*']) app.all(wire, notFound)
  if (options.client !== undefined) app.use(await serveApp(options.client))

  const firstAdmin = await auth.ensureFirstAdmin(settings.adminUsername, settings.adminPassword)
  const stops = [startMaintenance(db, clock, log), auth.upkeep()]
  return { fetch: app.fetch, firstAdmin, stop: () => stops.forEach((stop) => stop()) }
}

function toRestError(error: unknown): never {
  if (!(error instanceof TokenError)) throw error
  throw error.kind === 'expired'
    ? new RestError({ status: 401, code: 'PGRST303', message: 'JWT expired' })
    : new RestError({ status: 401, code: 'PGRST301', message: 'No suitable key or wrong key type' })
}
