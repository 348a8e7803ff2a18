// One request in one transaction: a statement that says who asks, then the statement itself.
import { askerOf, STATEMENT_LIMIT_MS } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import { tryAgain } from '#server/db/try-again.ts'
import { invalidToken } from './errors.ts'
import type { AnswerRow } from './sql/answer.ts'
import { quoteName, type FinishedStatement } from './sql/statement.ts'

export type Principal = { role: 'anon' | 'authenticated' | 'service_role'; claims: Record<string, unknown> }

/** Who asks, for what, and how; all of it is gone with the transaction. */
export type Session = {
  principal: Principal
  schema: string
  request: Request
  path: string
  /** Of the answer's times; null for the database's own. */
  timezone: string | null
  isReadOnly: boolean
  /** Whether the request makes up what is read, rather than calling a function of ours. */
  isOpen: boolean
  isRolledBack: boolean
  /** SQL that says, as the asker, whether the session of an authenticated one still lives; none: claims are enough. */
  livenessSql: string | null
}

/**
 * Runs the statement under the asker's role, claims and row rules. `check` may throw on the answer, which undoes what
 * was written.
 */
export function execute(
  db: Database,
  session: Session,
  { statement, check }: { statement: FinishedStatement; check: (row: AnswerRow) => void },
): Promise<AnswerRow> {
  const settings = toSettings(session)
  const asked = session.principal.role === 'authenticated' ? (session.livenessSql ?? 'true') : 'true'
  // Evaluated from left to right: the question about the session is asked as the asker.
  const setting = `select ${settings.map(([name], at) => `set_config('${name}', $${at + 1}, true)`).join(', ')}, (${asked}) as is_alive`
  return tryAgain(() =>
    db.transaction(
      async (query) => {
        const set = await query<{ is_alive: boolean }>(
          setting,
          settings.map(([, value]) => value),
        )
        // Row rules alone would answer an ended session with nothing, which reads as if there were nothing.
        if (!set.rows[0]?.is_alive) throw invalidToken('expired')
        const { rows } = await query<AnswerRow>(statement.sql, statement.values)
        const [row] = rows
        // Every statement aggregates into one row; none means that the engine lost its way.
        if (!row) throw new Error('The database answered no row')
        check(row)
        return row
      },
      {
        rollback: session.isRolledBack,
        limitMs: STATEMENT_LIMIT_MS[db.engine],
        // A write under way is finished: a phone that lost its signal will ask for its answer.
        asker: {
          ...askerOf({ ...session.principal.claims, role: session.principal.role }, session.isOpen),
          ...(session.isReadOnly ? { signal: session.request.signal } : {}),
        },
      },
    ),
  )
}

/** What a function may know of the request's headers: none that proves who asks, and none that a proxy adds about him. */
const TOLD = [
  'accept',
  'accept-language',
  'accept-profile',
  'content-profile',
  'content-type',
  'host',
  'origin',
  'prefer',
  'range',
  'range-unit',
  'user-agent',
  'x-client-info',
  'x-request-id',
]

const toldHeaders = ({ headers }: Request): Record<string, string> =>
  Object.fromEntries(
    TOLD.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )

function toSettings(session: Session): [name: string, value: string][] {
  const { principal, schema, request, path, timezone, isReadOnly } = session
  const schemas = [...new Set([schema, 'public', 'extensions'])]
  return [
    ['search_path', schemas.map(quoteName).join(', ')],
    ['request.jwt.claims', JSON.stringify({ ...principal.claims, role: principal.role })],
    ['request.method', request.method],
    ['request.path', path],
    ['request.headers', JSON.stringify(toldHeaders(request))],
    ...(timezone === null ? [] : [['timezone', timezone] as [string, string]]),
    ...(isReadOnly ? [['transaction_read_only', 'on'] as [string, string]] : []),
    ['role', principal.role],
  ]
}
