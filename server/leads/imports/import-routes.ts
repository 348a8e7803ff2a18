// /api/imports: lists of leads that an administrator imports, in rows as the browser read them from the file.
import { Hono, type Context } from 'hono'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import { BINDING_FAULTS, type BindingFault, LIST_FIELDS, type ListRow } from '#domain/lead/list/fields.ts'
import { MAX_ROWS } from '#domain/lead/list/limits.ts'
import { readRow } from '#domain/lead/list/row.ts'
import type { Clock } from '#server/clock.ts'
import { shortId } from '#server/http/ids.ts'
import { jsonOf, limitBody, signedInAdmin, type Member, type Signed, UUID } from '#server/http/requests.ts'
import type { createImportStore, RawRow, StoredRow } from './import-store.ts'
import { refusedFile } from './refused-file.ts'

type Parts = {
  store: ReturnType<typeof createImportStore>
  clock: Clock
  memberOf: (request: Request) => Promise<Member>
  /** Called when an import may have work to do. */
  onReady: () => void
}

/** Maximum size of a request: as many rows as may be sent at once, with long cells. */
const MAX_BODY_BYTES = 2 * 1024 * 1024
const MAX_AT_ONCE = 1_000
const MAX_PEOPLE = 5_000
const MAX_CELL = 10_000
const MAX_SHEETS = 200
const MAX_COLUMNS = 500
const MAX_TITLE = 200
const word = (most: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(most))

const New = v.intersect([
  v.object({
    id: v.pipe(v.string(), v.uuid()),
    fileName: word(200),
    total: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_ROWS)),
    development: v.optional(word(120)),
    source: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9-]{2,60}$/)), 'importacao'),
    /** The imported sheets of the file; the file of refused rows repeats them. */
    sheets: v.optional(
      v.pipe(
        v.array(
          v.object({
            name: v.nullable(v.pipe(v.string(), v.maxLength(MAX_TITLE))),
            titles: v.pipe(v.array(v.pipe(v.string(), v.maxLength(MAX_TITLE))), v.maxLength(MAX_COLUMNS)),
          }),
        ),
        v.maxLength(MAX_SHEETS),
      ),
      [],
    ),
  }),
  v.variant('destination', [
    v.object({ destination: v.literal('broker'), instanceName: word(200) }),
    v.object({
      destination: v.literal('rotation'),
      roletaId: shortId,
    }),
    v.object({ destination: v.literal('inbox') }),
  ]),
])
const place = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000))
/**
 * Each row: its place (unique in an import; the line of the file if it has one sheet), then its cells in the
 * order of LIST_FIELDS, without empty ones at the end. `raw`: the same place, the sheet from 0, the line,
 * then all cells of a refused row. `refused`: rows that the importing person does not want.
 */
const Rows = v.object({
  rows: v.pipe(
    v.array(
      v.pipe(
        v.tupleWithRest([place], v.nullable(v.pipe(v.string(), v.maxLength(MAX_CELL)))),
        v.maxLength(LIST_FIELDS.length + 1),
      ),
    ),
    v.minLength(1),
    v.maxLength(MAX_AT_ONCE),
  ),
  raw: v.optional(
    v.pipe(
      v.array(
        v.pipe(
          v.tupleWithRest(
            [place, v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_SHEETS)), place],
            v.pipe(v.string(), v.maxLength(MAX_CELL)),
          ),
          v.maxLength(MAX_COLUMNS + 3),
        ),
      ),
      v.maxLength(MAX_AT_ONCE),
    ),
    [],
  ),
  refused: v.optional(
    v.pipe(v.array(v.tuple([place, v.picklist(BINDING_FAULTS)])), v.maxLength(MAX_AT_ONCE)),
    [],
  ),
})

const people = v.pipe(v.array(word(320)), v.maxLength(MAX_PEOPLE))
const People = v.object({ keys: people, emails: people })

export function createImportRoutes({ store, clock, memberOf, onReady }: Parts): Hono<Signed<Member>> {
  const routes = new Hono<Signed<Member>>()
  routes.use(signedInAdmin(memberOf), limitBody(MAX_BODY_BYTES))
  routes.get('/', async (context) => context.json({ imports: await store.list(context.var.claims) }))
  routes.post('/', async (context) => {
    const { id, ...wanted } = await read(context, New)
    return context.json(await store.begin(context.var.claims, id, wanted))
  })
  routes.post('/known', async (context) =>
    context.json({ known: await store.countKnown(context.var.claims, await read(context, People)) }),
  )
  routes.post(`/:id{${UUID}}/rows`, async (context) => {
    const { rows, raw, refused } = await read(context, Rows)
    const whole = new Map(raw.map(([at, sheet, line, ...cells]) => [at, { sheet, line, cells }]))
    const unwanted = new Map(refused)
    const nowMs = clock.now()
    const stored = rows.map((row) =>
      toStored(row, { raw: whole.get(row[0]), unwanted: unwanted.get(row[0]) ?? null, nowMs }),
    )
    const answer = await store.addRows(context.var.claims, context.req.param('id'), stored)
    if (answer.state === 'running') onReady()
    return context.json(answer)
  })
  routes.post(`/:id{${UUID}}/stop`, async (context) =>
    context.json(await store.stop(context.var.claims, context.req.param('id'))),
  )
  routes.post(`/:id{${UUID}}/undo`, async (context) => {
    const answer = await store.undo(context.var.claims, context.req.param('id'))
    onReady()
    return context.json(answer)
  })
  // The file can be corrected and imported again.
  routes.post(`/:id{${UUID}}/refused`, async (context) => {
    const file = refusedFile(await store.refused(context.var.claims, context.req.param('id')))
    return context.body(file, 200, { 'content-type': 'text/csv; charset=utf-8' })
  })
  return routes
}

async function read<Schema extends v.GenericSchema>(
  context: Context,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const parsed = v.safeParse(schema, await jsonOf(context))
  if (!parsed.success)
    throw new PortalError('request.invalid', 'A importação não pôde ser lida.', { status: 422 })
  return parsed.output
}

type Told = { raw: RawRow | undefined; unwanted: BindingFault | null; nowMs: number }

function toStored(
  [at, ...cells]: readonly [number, ...(string | null)[]],
  { raw, unwanted, nowMs }: Told,
): StoredRow {
  const row: ListRow = {}
  for (const [n, field] of LIST_FIELDS.entries()) {
    const cell = cells[n]?.trim()
    if (cell) row[field] = cell
  }
  const { lead, fault } = readRow(row, { nowMs })
  const refusal = fault ?? unwanted
  return { place: at, fault: refusal, data: refusal === null && lead ? lead : raw ? { ...row, raw } : row }
}
