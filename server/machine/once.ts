// A write of another system, done once for each Idempotency-Key.
import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { PortalError } from '#domain/errors.ts'
import { onBehalf, type Claims } from '#server/db/as-user.ts'
import type { Database, Query } from '#server/db/database.ts'
import { tryAgain } from '#server/db/try-again.ts'
import { jsonOf } from '#server/http/requests.ts'
import type { Write } from './operations.ts'
import { asked, parsed } from './problem.ts'

const MAX_KEY = 255
/** A concurrent request created the same person; the retry finds it. */
const OVERTAKEN = ['23505', '23503']

export type Asked = { Variables: { claims: Claims } }
export type Done = { status: number; body: Record<string, unknown> }
type Run = (query: Query, body: Record<string, unknown>) => Promise<Done>

/**
 * Runs in one transaction with the stored answer. Raises `idempotency.missing` (400), `idempotency.reused`
 * (422).
 */
export const createOnce =
  (db: Database) =>
  async (context: Context<Asked>, operation: Write, run: Run): Promise<Done> => {
    const key = context.req.header('idempotency-key') ?? ''
    if (key === '' || key.length > MAX_KEY)
      throw new PortalError('idempotency.missing', 'Envie o cabeçalho Idempotency-Key.', { status: 400 })
    // A deletion has no body, because its address says what to delete.
    const body = parsed(operation.body, operation.method === 'delete' ? {} : await jsonOf(context))
    const print = createHash('sha256')
      .update(`${context.req.method} ${context.req.path}\n${JSON.stringify(body)}`)
      .digest()
    const doOnce = () =>
      onBehalf(db, context.var.claims, async (query) => {
        const { rows } = await query<{ known: Done | null }>(
          'select portal.begin_machine_write($1, $2) as known',
          [key, print],
        )
        const known = rows[0]?.known
        if (known) return known
        const done = await run(query, body)
        await query('select portal.end_machine_write($1, $2, $3::jsonb)', [key, print, JSON.stringify(done)])
        return done
      })
    return asked(() => tryAgain(doOnce, { codes: OVERTAKEN }))
  }
