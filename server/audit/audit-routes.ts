// /api/audit: the audit log page by page, and as a file; for administrators alone.
import { Hono, type Context } from 'hono'
import * as v from 'valibot'
import {
  actionsOf,
  auditActor,
  auditRole,
  auditSentence,
  type AuditEntry,
  type AuditRole,
} from '#domain/audit.ts'
import { formatNumber } from '#domain/count.ts'
import { toCsv } from '#domain/csv.ts'
import { PortalError } from '#domain/errors.ts'
import { onBehalf } from '#server/db/as-user.ts'
import type { Database, Query } from '#server/db/database.ts'
import { day } from '#server/http/dates.ts'
import type { RateLimit } from '#server/http/rate-limit.ts'
import { signedInAdmin, type Member, type Signed } from '#server/http/requests.ts'

const PAGE = 50
/** Maximum entries of a file: a year of a busy agency. Larger exports must be split by period. */
const MAX_FILE = 20_000
const HEADER = ['Data', 'Hora', 'Quem', 'Papel', 'O que fez']
const NOT_PERSONS: readonly AuditRole[] = ['service', 'system', 'stranger']

const Filter = v.object({
  /** An account's id, or the role of an actor without an account. */
  who: v.optional(v.union([v.pipe(v.string(), v.uuid()), v.picklist(NOT_PERSONS)])),
  what: v.optional(v.string()),
  from: v.optional(day),
  to: v.optional(day),
  before: v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number))),
})
type Filter = v.InferOutput<typeof Filter>

type AuditParts = {
  db: Database
  timeZone: string
  memberOf: (request: Request) => Promise<Member>
  rateLimit: RateLimit
}

export function createAuditRoutes({ db, timeZone, memberOf, rateLimit }: AuditParts): Hono<Signed<Member>> {
  const routes = new Hono<Signed<Member>>()
  routes.use(signedInAdmin(memberOf))
  routes.get('/', async (context) => {
    const { claims } = context.var
    const filter = filterOf(context)
    const entries = await onBehalf(db, claims, (query) => readPage(query, filter, PAGE + 1))
    const shown = entries.slice(0, PAGE)
    return context.json({ entries: shown, next: entries.length > PAGE ? (shown.at(-1)?.id ?? null) : null })
  })
  routes.get('/actors', async (context) => {
    const { rows } = await onBehalf(db, context.var.claims, (query) =>
      query<{ answer: unknown }>('select portal.audit_actors() as answer'),
    )
    return context.json(rows[0]?.answer)
  })
  routes.post('/export', rateLimit('export'), async (context) => {
    const { claims } = context.var
    const filter = filterOf(context)
    // One transaction reads the entries and audits the export.
    const entries = await onBehalf(db, claims, async (query) => {
      const found = await readPage(query, filter, MAX_FILE + 1)
      if (found.length <= MAX_FILE) await query(`select public.note_export('audit', $1)`, [found.length])
      return found
    })
    if (entries.length > MAX_FILE)
      throw new PortalError(
        'audit.too-long',
        `São mais de ${formatNumber(MAX_FILE)} linhas. Escolha um período menor.`,
        { status: 422 },
      )
    return context.body(toFile(entries, timeZone), 200, { 'content-type': 'text/csv; charset=utf-8' })
  })
  return routes
}

/** Reads the filter of a request. An empty value does not filter. */
function filterOf(context: Context): Filter {
  const given = Object.entries(context.req.query()).filter(([, value]) => value !== '')
  const filter = v.safeParse(Filter, Object.fromEntries(given))
  const isKnown =
    filter.success && (filter.output.what === undefined || actionsOf(filter.output.what) !== null)
  if (!isKnown) throw new PortalError('audit.bad-filter', 'Este filtro não existe.', { status: 400 })
  return filter.output
}

async function readPage(query: Query, filter: Filter, limit: number): Promise<AuditEntry[]> {
  const { who, what, from = null, to = null, before = null } = filter
  const role = NOT_PERSONS.find((known) => known === who) ?? null
  const { rows } = await query<{ answer: AuditEntry[] }>(
    'select portal.audit_page($1, $2, $3::text[], $4, $5, $6, $7) as answer',
    [
      role === null ? (who ?? null) : null,
      role,
      what === undefined ? null : actionsOf(what),
      from,
      to,
      before,
      limit,
    ],
  )
  return rows[0]?.answer ?? []
}

function toFile(entries: readonly AuditEntry[], timeZone: string): string {
  const date = new Intl.DateTimeFormat('pt-BR', { timeZone, dateStyle: 'short' })
  const hour = new Intl.DateTimeFormat('pt-BR', { timeZone, timeStyle: 'medium' })
  return toCsv(
    HEADER,
    entries.map((entry) => [
      date.format(entry.atMs),
      hour.format(entry.atMs),
      auditActor(entry),
      auditRole(entry.actorRole),
      auditSentence(entry),
    ]),
  )
}
