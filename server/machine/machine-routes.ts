// /api/v1 for other systems with service tokens: authentication, rate limits, idempotent writes; refusals are
// problems (RFC 9457).
import { Hono, type Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import { onBehalf, type Claims } from '#server/db/as-user.ts'
import type { Reading } from '#server/db/replica.ts'
import type { Database, Query, SqlValue } from '#server/db/database.ts'
import { plainAddress } from '#server/http/address/plain.ts'
import { limitBody } from '#server/http/requests.ts'
import type { Log } from '#server/log.ts'
import { makeDocsPage } from './docs-page.ts'
import { createOnce, type Asked, type Done } from './once.ts'
import { makeOpenApi } from './openapi.ts'
import {
  ADD_DEVELOPMENT,
  ADD_INTEREST,
  CHANGE_DEVELOPMENT,
  CHANGE_LEAD,
  OPERATIONS,
  READS,
  REMOVE_INTEREST,
  SEND_MESSAGE,
  TAKE_LEAD,
  type Read,
  type Write,
} from './operations.ts'
import {
  asked,
  invalid,
  parsed,
  person,
  problemOf,
  stranger,
  unknownAddress,
  wrongMethod,
} from './problem.ts'

const MAX_BODY_BYTES = 64 * 1024
const MAX_DEVELOPMENT_BYTES = 512 * 1024
const PAGE = 50

export type NewMachineLead = v.InferOutput<typeof TAKE_LEAD.body>

type MachineParts = {
  db: Database
  /** Reads tolerate an answer that is some seconds old. */
  reading: Reading
  clock: Clock
  log: Log
  version: string
  /** Claims of the request's bearer token; null without a valid one. */
  claimsOf: (request: Request) => Promise<Claims | null>
  /** Makes the argument of portal.take_lead. Raises PortalError `lead.invalid`. */
  toNewLead: (delivered: NewMachineLead, nowMs: number) => object
  toWanted: ToWanted
  /** Called when a lead was created. */
  onTaken: () => void
  onQueued: (instanceName: string) => void
}
/**
 * What a change makes of a development's record (null: a new one), for portal.machine_save_development; null if nothing
 * changes. Raises PortalError `development.invalid`.
 */
type ToWanted = (before: object | null, change: Record<string, unknown>) => object | null
type Allowed = { limit: number; remaining: number; resetSeconds: number; isRefused: boolean }

export function createMachineRoutes(parts: MachineParts): Hono<Asked> {
  const { reading, log, version } = parts
  const routes = new Hono<Asked>()
  routes.use(plainAddress)
  routes.onError((error, context) => problemOf(log, error, context))
  const document = makeOpenApi(version)
  const page = makeDocsPage(document)
  routes.get('/openapi.json', (context) => context.json(document))
  routes.get('/docs', (context) => context.html(page))

  const enter = createEntry(parts)
  for (const operation of READS)
    routes.get(addressOf(operation), enter(operation), async (context) =>
      context.json(await read(reading, operation, context)),
    )

  addWrites(routes, enter, parts)
  for (const { path } of OPERATIONS)
    routes.all(addressOf({ path }), (context) => {
      context.header('allow', allowedAt(path))
      throw wrongMethod()
    })
  routes.all('*', () => {
    throw unknownAddress()
  })
  return routes
}

type WriteRun = (query: Query, body: Record<string, unknown>, ids: Record<string, string>) => Promise<Done>
type WriteOptions = { maxBytes?: number; onDone?: (done: Done) => void }

function addWrites(
  routes: Hono<Asked>,
  enter: ReturnType<typeof createEntry>,
  { db, clock, ...parts }: MachineParts,
): void {
  const once = createOnce(db)
  const add = (operation: Write, run: WriteRun, { maxBytes = MAX_BODY_BYTES, onDone }: WriteOptions = {}) =>
    routes.on(
      operation.method.toUpperCase(),
      addressOf(operation),
      enter(operation),
      limitBody(maxBytes),
      async (context) => {
        const ids: Record<string, string> = context.req.param()
        const done = await once(context, operation, (query, body) => run(query, body, ids))
        onDone?.(done)
        return context.json(done.body, done.status as ContentfulStatusCode)
      },
    )

  add(
    TAKE_LEAD,
    async (query, delivered) => {
      const nowMs = clock.now()
      const lead = parts.toNewLead(delivered, nowMs)
      const taken = await one(query, 'portal.machine_take_lead($1::jsonb, $2)', [
        JSON.stringify(lead),
        new Date(nowMs).toISOString(),
      ])
      return { status: taken['isRepeat'] === true ? 200 : TAKE_LEAD.status, body: taken }
    },
    { onDone: parts.onTaken },
  )
  add(CHANGE_LEAD, async (query, change, { id }) => ({
    status: CHANGE_LEAD.status,
    body: await changeLead(query, Number(id), change),
  }))
  add(
    SEND_MESSAGE,
    async (query, { leadId, text }) => ({
      status: SEND_MESSAGE.status,
      body: await one(query, 'portal.machine_send($1, $2)', [Number(leadId), String(text)]),
    }),
    { onDone: ({ body }) => parts.onQueued(String(body['instanceName'])) },
  )
  for (const operation of [ADD_INTEREST, REMOVE_INTEREST])
    add(operation, async (query, body, { id, developmentId = body['developmentId'] }) => ({
      status: operation.status,
      body: await one(query, 'portal.machine_set_interest($1, $2, $3)', [
        Number(id),
        Number(developmentId),
        operation === ADD_INTEREST,
      ]),
    }))
  for (const operation of [ADD_DEVELOPMENT, CHANGE_DEVELOPMENT])
    add(
      operation,
      async (query, change, { id }) => ({
        status: operation.status,
        body: await saveDevelopment(query, change, {
          ...parts,
          id: id === undefined ? null : Number(id),
          nowMs: clock.now(),
        }),
      }),
      { maxBytes: MAX_DEVELOPMENT_BYTES },
    )
}

async function saveDevelopment(
  query: Query,
  { isArchived, expectedVersion, ...change }: Record<string, unknown>,
  { toWanted, id, nowMs }: Pick<MachineParts, 'toWanted'> & { id: number | null; nowMs: number },
): Promise<Record<string, unknown>> {
  const before =
    id === null
      ? null
      : await one(query, 'portal.machine_development_before($1, $2)', [id, Number(expectedVersion) || null])
  const wanted = toWanted(before, change)
  return one(query, 'portal.machine_save_development($1::jsonb, $2::jsonb, $3, $4)', [
    before && JSON.stringify(before),
    wanted && JSON.stringify(wanted),
    typeof isArchived === 'boolean' ? isArchived : null,
    new Date(nowMs).toISOString(),
  ])
}

type Change = Partial<Record<'stage' | 'expectedStage' | 'notes' | 'expectedNotes', string | null>>

/** Changes stage and notes together: if one is refused, neither changes. */
async function changeLead(query: Query, lead: number, change: Change): Promise<Record<string, unknown>> {
  const { stage, expectedStage = null, notes, expectedNotes } = change
  const moved =
    stage === undefined
      ? null
      : await one(query, 'portal.machine_move_lead($1, $2, $3)', [lead, stage, expectedStage])
  if (notes === undefined) return { ...moved, isNoted: false }
  // Null lets the write replace any notes.
  const over = expectedNotes === undefined ? null : (expectedNotes ?? '')
  return { ...(await one(query, 'portal.machine_note_lead($1, $2, $3)', [lead, notes, over])), ...moved }
}

/** Lets a token with the operation's grant in, within its rate limit, and sets the rate limit headers. */
const createEntry =
  ({ db, clock, claimsOf }: Pick<MachineParts, 'db' | 'clock' | 'claimsOf'>) =>
  (operation: Read | Write) =>
  async (context: Context<Asked>, next: () => Promise<void>) => {
    const claims = await claimsOf(context.req.raw)
    if (claims === null) throw stranger()
    if (Reflect.get(Object(claims['app_metadata']), 'portal_role') !== 'service') throw person()
    context.set('claims', claims)
    const kind = operation.method === 'get' ? 'read' : 'write'
    const { rows } = await asked(() =>
      onBehalf(db, claims, (query) =>
        query<{ allowed: Allowed }>('select portal.begin_machine_request($1, $2, $3) as allowed', [
          operation.grant,
          kind,
          nowOf(clock),
        ]),
      ),
    )
    // A function always returns one row.
    const { limit, remaining, resetSeconds, isRefused } = rows[0]!.allowed
    context.header('ratelimit-policy', `"${kind}";q=${limit};w=60`)
    context.header('ratelimit', `"${kind}";r=${remaining};t=${resetSeconds}`)
    if (isRefused) {
      context.header('retry-after', String(resetSeconds))
      throw new PortalError('request.too-often', `Pedidos demais. Espere ${resetSeconds} segundos.`, {
        status: 429,
      })
    }
    await next()
  }

const nowOf = (clock: Clock) => new Date(clock.now()).toISOString()
const allowedAt = (path: string) =>
  OPERATIONS.flatMap((operation) => (operation.path === path ? [operation.method.toUpperCase()] : [])).join(
    ', ',
  )
const addressOf = ({ path }: { path: string }) => path.replaceAll(/\{(\w+)\}/g, ':$1{[0-9]{1,15}}')

async function one(query: Query, sql: string, values: SqlValue[]): Promise<Record<string, unknown>> {
  const { rows } = await query<{ answer: Record<string, unknown> }>(`select ${sql} as answer`, values)
  // A function always returns one row.
  return rows[0]!.answer
}

type Page = { data: Record<string, unknown>[]; nextCursor: string | null }

async function read(reading: Reading, operation: Read, context: Context<Asked>): Promise<unknown> {
  const { sql, shape } = operation
  const { cursor, limit = PAGE, ...filter } = parsed(operation.query, context.req.query())
  const run = <T>(values: SqlValue[]) =>
    asked(() =>
      reading((db) =>
        onBehalf(db, context.var.claims, async (query) => {
          const { rows } = await query<{ answer: T }>(`select ${sql} as answer`, values)
          return rows[0]!.answer
        }),
      ),
    )
  const id = Number(context.req.param('id'))
  if (shape === 'one') return run([id])
  if (shape === 'all' || shape === 'of')
    return { data: await run<Page['data']>(shape === 'of' ? [id] : []), nextCursor: null }
  const from = typeof cursor === 'string' ? idOf(cursor) : shape === 'ascending' ? 0 : Number.MAX_SAFE_INTEGER
  const found = await run<Page['data']>([from, Number(limit) + 1, JSON.stringify(filter)])
  const data = found.slice(0, Number(limit))
  return { data, nextCursor: found.length > data.length ? cursorOf(data.at(-1)?.['id']) : null }
}

const cursorOf = (id: unknown) => Buffer.from(String(id)).toString('base64url')
function idOf(cursor: string): number {
  const id = Buffer.from(cursor, 'base64url').toString()
  if (/^\d{1,15}$/.test(id)) return Number(id)
  throw invalid('cursor')
}
