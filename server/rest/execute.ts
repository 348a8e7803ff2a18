// One request in one transaction: a statement that sets the caller's identity, then the request's own.
import { askerOf, MAX_CALL_MS, MAX_OPEN_MS } from '#server/db/as-user.ts'
import {
  READ_ONLY,
  SqlError,
  type Answered,
  type Database,
  type Statement,
  type TransactionOptions,
} from '#server/db/database.ts'
import { invalidToken, onlyReading } from './errors.ts'
import type { AnswerRow } from './sql/answer.ts'
import { quoteName, type FinishedStatement } from './sql/statement.ts'

export type Principal = { role: 'anon' | 'authenticated' | 'service_role'; claims: Record<string, unknown> }

/** The caller's identity and the request's settings; all of it ends with the transaction. */
export type Session = {
  principal: Principal
  schema: string
  request: Request
  path: string
  /** Time zone of timestamps in the answer; null for the database's own. */
  timezone: string | null
  isReadOnly: boolean
  /** True: the request composes the query itself, instead of calling a function. */
  isOpen: boolean
  isRolledBack: boolean
  /**
   * SQL that checks, as the caller, whether an authenticated session is live; null: the claims are enough.
   */
  livenessSql: string | null
}

type Execution = {
  statement: FinishedStatement
  check: (row: AnswerRow) => void
  /** True: `check` may throw, which refuses the request. */
  isChecked: boolean
}

/**
 * Runs the statement under the caller's role, claims and row rules, in one round trip. `check` may throw,
 * which undoes the writes; in that case the commit waits for it.
 */
export async function execute(
  db: Database,
  session: Session,
  { statement, check, isChecked }: Execution,
): Promise<AnswerRow> {
  const statements = [identify(session), statement]
  const verify = (answers: readonly Answered[]) => {
    const row = answers[1]?.rows[0] as AnswerRow | undefined
    // Every statement aggregates into one row; without one the engine has failed.
    if (!row) throw new Error('The database answered no row')
    check(row)
    return row
  }
  const options = optionsOf(db, session)
  // A read-only request has nothing to undo.
  const mayUndo = isChecked && !session.isReadOnly
  try {
    return verify(await db.batch(statements, { ...options, ...(mayUndo ? { check: verify } : {}) }))
  } catch (error) {
    if (isEnded(error)) throw invalidToken('expired')
    // The request chose a read-only transaction. In any other request, 25006 means that the server is read-only.
    if (session.isReadOnly && error instanceof SqlError && error.code === READ_ONLY) throw onlyReading(error)
    throw error
  }
}

/** Refuses a session that has ended. */
export async function requireLive(db: Database, session: Session): Promise<void> {
  try {
    await db.batch([identify(session)], optionsOf(db, session))
  } catch (error) {
    throw isEnded(error) ? invalidToken('expired') : error
  }
}

/** Takes on the caller's identity, and divides by zero if the caller's session has ended. */
function identify(session: Session): Statement {
  const settings = toSettings(session)
  const asked = session.principal.role === 'authenticated' ? (session.livenessSql ?? 'true') : 'true'
  // Evaluated from left to right, so that the session is checked as the caller. An ended session is refused
  // before the statement runs; row rules alone would return no rows, as if there were none.
  return {
    sql: `select ${settings.map(([name], at) => `set_config('${name}', $${at + 1}, true)`).join(', ')}, 1 / coalesce((${asked})::int, 0)`,
    values: settings.map(([, value]) => value),
  }
}

const optionsOf = ({ engine }: Database, session: Session): TransactionOptions => ({
  rollback: session.isRolledBack,
  limitMs: session.isOpen ? MAX_OPEN_MS : MAX_CALL_MS[engine],
  // A write runs to its end even if the client is gone: a phone without a signal asks for the answer later.
  asker: {
    ...askerOf({ ...session.principal.claims, role: session.principal.role }, session.isOpen),
    ...(session.isReadOnly ? { signal: session.request.signal } : {}),
  },
})

const DIVISION_BY_ZERO = '22012'
const isEnded = (error: unknown): boolean =>
  error instanceof SqlError && error.at === 0 && error.code === DIVISION_BY_ZERO

/**
 * Request headers that SQL functions may read: no credentials, and nothing that a proxy adds about the
 * caller.
 */
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

/** The claims of each token as text: its owner sends the same ones with every request for an hour. */
const claimsTexts = new WeakMap<Principal['claims'], string>()

function claimsText({ claims, role }: Principal): string {
  const known = claimsTexts.get(claims)
  if (known !== undefined) return known
  const text = JSON.stringify({ ...claims, role })
  claimsTexts.set(claims, text)
  return text
}

function toSettings(session: Session): [name: string, value: string][] {
  const { principal, schema, request, path, timezone, isReadOnly } = session
  const schemas = new Set([schema, 'public', 'extensions'])
  return [
    ['search_path', [...schemas].map(quoteName).join(', ')],
    ['request.jwt.claims', claimsText(principal)],
    ['request.method', request.method],
    ['request.path', path],
    ['request.headers', JSON.stringify(toldHeaders(request))],
    ...(timezone === null ? [] : [['timezone', timezone] as [string, string]]),
    ...(isReadOnly ? [['transaction_read_only', 'on'] as [string, string]] : []),
    ['role', principal.role],
  ]
}
