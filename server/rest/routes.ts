// PostgREST's protocol under /rest/v1, implemented by the portal: one request, one statement, one answer.
import type { Hono } from 'hono'
import type { Database } from '#server/db/database.ts'
import type { Reading } from '#server/db/replica.ts'
import { createCatalogCache, type CatalogCache } from './catalog/cache.ts'
import { createRestHandler, type RestHandlerOptions } from './handler.ts'
import { execute, requireLive, type Principal, type Session } from './execute.ts'
import { optionsOf } from './options.ts'
import { namedIn } from './parse/logic.ts'
import { planCall } from './plan-call.ts'
import { planRoot, type RootDocument } from './plan-root.ts'
import { planTable } from './plan-table.ts'
import type { Inquiry, Plan } from './plan.ts'
import { negotiateMedia } from './request/accept.ts'
import { namesTimeZone, parsePreferences } from './request/preferences.ts'
import { readSchema, readTarget, type Target } from './request/target.ts'

export type RestOptions = RestHandlerOptions & {
  db: Database
  /** The replica that answers the reads of `isReport`. */
  reading?: Reading
  /** True where the asker accepts an answer that is some seconds old, as reports do. */
  isReport?: (asked: Asked) => boolean
  /** Exposed schemas, the default one first. */
  schemas: readonly string[]
  /** True: clients may send `Prefer: tx=rollback`. */
  allowRollback: boolean
  /** Maximum rows of one answer, and of one embed. */
  maxRows: number
  bodyLimitBytes: number
  /** SQL that checks, as the caller, whether an authenticated session is live; 401 if not. */
  livenessSql?: string
  /** The document at the root; undefined: there is none. */
  root?: RootDocument
  /**
   * SQL that holds for every row of a table that this principal may read, in the table's columns. It repeats
   * the row rule for one kind of caller, so that an index can be used, or excludes rows. `named`: columns for
   * which the request names values.
   */
  knownOf?: (principal: Principal, table: string, named: readonly string[]) => string | null
}

/** A request of /rest/v1: the table or function that it names, and its address. */
export type Asked = Target & { url: URL; principal: Principal }

export type Rest = {
  /** The caller mounts these routes at /rest/v1. */
  routes: Hono
  /** The caller must call this after a change of the schema. */
  reloadCatalog(): Promise<void>
}

export function createRest(options: RestOptions): Rest {
  const cache = createCatalogCache(options)
  return {
    routes: createRestHandler(options, (request, principal) => serve(request, principal, { options, cache })),
    reloadCatalog: () => cache.reload(),
  }
}

type Server = { options: RestOptions; cache: CatalogCache }

async function serve(request: Request, principal: Principal, { options, cache }: Server): Promise<Response> {
  const url = new URL(request.url)
  const path = url.pathname.replace(/^\/rest\/v1(?=\/|$)/, '')
  const target = readTarget(path)
  const asked = { request, principal, path }
  if (target.kind === 'root') {
    const schema = readSchema(request, options.schemas)
    const plan = planRoot(
      { request, url, role: principal.role, schema, catalog: await cache.get() },
      options.root ?? null,
    )
    return plan.respond(await execute(options.db, sessionOf(plan, { ...asked, schema, options }), plan))
  }
  const prefer = request.headers.get('prefer')
  const inquiry: Inquiry = {
    request,
    url,
    role: principal.role,
    schema: readSchema(request, options.schemas),
    namesSchema: options.schemas.length > 1,
    preferences: parsePreferences(
      prefer,
      options.allowRollback,
      namesTimeZone(prefer) ? await cache.timeZones() : undefined,
    ),
    media: negotiateMedia(request.headers.get('accept')),
    catalog: await cache.get(),
    maxRows: options.maxRows,
    bodyLimitBytes: options.bodyLimitBytes,
    knownOf: ({ schema, name }, { conditions }) =>
      options.knownOf?.(principal, `${schema}.${name}`, namedIn(conditions)) ?? null,
  }
  if (request.method === 'OPTIONS') return optionsOf(inquiry, target)
  const plan =
    target.kind === 'table' ? await planTable(inquiry, target.name) : await planCall(inquiry, target.name)
  const { preferences, schema } = inquiry
  const session = {
    ...sessionOf(plan, { ...asked, schema, options }),
    timezone: preferences.timezone,
    isOpen: target.kind === 'table',
    isRolledBack: preferences.tx === 'rollback',
  }
  const run = (db: Database) => execute(db, session, plan)
  const { reading, isReport } = options
  if (!reading || !plan.isReadOnly || !isReport?.({ ...target, url, principal }))
    return plan.respond(await run(options.db))
  // Refuses a session that has ended, although the replica may not know it yet.
  await requireLive(options.db, session)
  return plan.respond(await reading(run))
}

type Asking = Pick<Session, 'request' | 'principal' | 'path' | 'schema'> & { options: RestOptions }

const sessionOf = ({ isReadOnly }: Plan, { options, ...asking }: Asking): Session => ({
  ...asking,
  timezone: null,
  isReadOnly,
  isOpen: false,
  isRolledBack: false,
  livenessSql: options.livenessSql ?? null,
})
