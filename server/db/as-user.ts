// One transaction as a signed-in person, so that the row rules decide.
import type { Asker, Database, Query, TransactionOptions } from './database.ts'
import { tryAgain } from './try-again.ts'

/** Claims of a verified access token; `role` is the database role. */
export type Claims = {
  readonly role: 'anon' | 'authenticated' | 'service_role'
  readonly [claim: string]: unknown
}

/** The longest time of one statement that a person makes up; Supabase gives its own the same, and a board waits ten seconds for its turn. */
export const MAX_OPEN_MS = 8_000
/** Of one that a person calls. */
export const MAX_CALL_MS = { postgres: 8_000, pglite: 15_000 }
/** What the portal's own addresses ask is our own SQL: exports and dashboards may take longer. */
const OWN_SQL_LIMIT_MS = 30_000

/** Shares are by account; whoever has none shares with all who have none. */
export const askerOf = (claims: Claims, isOpen = false): Asker => ({
  account: typeof claims['sub'] === 'string' ? claims['sub'] : claims.role,
  isOpen,
})

/** Takes role and claims until the end of the transaction; claims alone open nothing, the row rules look the session up. */
export async function becomeUser(query: Query, claims: Claims): Promise<void> {
  await query(`select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)`, [
    claims.role,
    JSON.stringify(claims),
  ])
}

/** The server's own role is nobody: its work is the portal's own. */
const personal = (claims: Claims): TransactionOptions =>
  claims.role === 'service_role' && typeof claims['sub'] !== 'string'
    ? {}
    : { asker: askerOf(claims), limitMs: OWN_SQL_LIMIT_MS }

/** Runs `run` in one transaction of this person, and again after a deadlock: it must touch nothing else. */
export function asUser<T>(db: Database, claims: Claims, run: (query: Query) => Promise<T>): Promise<T> {
  return tryAgain(() =>
    db.transaction(async (query) => {
      await becomeUser(query, claims)
      return run(query)
    }, personal(claims)),
  )
}

/**
 * Runs `run` in one transaction of the server's own in which the database knows who asks: for functions that decide by
 * that themselves and that no request's role may run. Again after a deadlock, as above.
 */
export function onBehalf<T>(db: Database, claims: Claims, run: (query: Query) => Promise<T>): Promise<T> {
  return tryAgain(() =>
    db.transaction(async (query) => {
      await query(`select set_config('request.jwt.claims', $1, true)`, [JSON.stringify(claims)])
      return run(query)
    }, personal(claims)),
  )
}
