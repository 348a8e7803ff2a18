// Runs one transaction as a signed-in person, so that the row rules apply.
import type { Asker, Database, Query, TransactionOptions } from './database.ts'
import { tryAgain } from './try-again.ts'

/** Claims of a verified access token; `role` is the database role. */
export type Claims = {
  readonly role: 'anon' | 'authenticated' | 'service_role'
  readonly [claim: string]: unknown
}

/**
 * For a statement that a person writes. Supabase has the same limit, and a board waits at most ten seconds for its
 * turn.
 */
export const MAX_OPEN_MS = 8_000
/** Time limit of a function that a person calls. */
export const MAX_CALL_MS = { postgres: 8_000, pglite: 15_000 }
/** Limit of one statement of the portal's own addresses, because exports and dashboards may take longer. */
const OWN_SQL_LIMIT_MS = 30_000

/** Shares are by account; everybody without an account shares one. */
export const askerOf = (claims: Claims, isOpen = false): Asker => ({
  account: typeof claims['sub'] === 'string' ? claims['sub'] : claims.role,
  isOpen,
})

/**
 * Sets role and claims until the end of the transaction. Claims alone give no access: the row rules check the session.
 */
export async function becomeUser(query: Query, claims: Claims): Promise<void> {
  await query(`select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)`, [
    claims.role,
    JSON.stringify(claims),
  ])
}

/** The role of the service key has no account, so its work counts as the portal's own. */
const personal = (claims: Claims): TransactionOptions =>
  claims.role === 'service_role' && typeof claims['sub'] !== 'string'
    ? {}
    : { asker: askerOf(claims), limitMs: OWN_SQL_LIMIT_MS }

/** Runs `run` in one transaction of this person, and again after a deadlock, so `run` must have no other effects. */
export function asUser<T>(db: Database, claims: Claims, run: (query: Query) => Promise<T>): Promise<T> {
  return tryAgain(() =>
    db.transaction(async (query) => {
      await becomeUser(query, claims)
      return run(query)
    }, personal(claims)),
  )
}

/**
 * Runs `run` in one transaction of the server's role in which the database knows who asks, for functions that check
 * this themselves and that no request's role may run. Runs it again after a deadlock, as above.
 */
export function onBehalf<T>(db: Database, claims: Claims, run: (query: Query) => Promise<T>): Promise<T> {
  return tryAgain(() =>
    db.transaction(async (query) => {
      await query(`select set_config('request.jwt.claims', $1, true)`, [JSON.stringify(claims)])
      return run(query)
    }, personal(claims)),
  )
}
