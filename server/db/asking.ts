// Calls a database function for the person who asks. The function decides by that person, and its refusals can be
// shown.
import { onBehalf, type Claims } from './as-user.ts'
import type { Database, Row, SqlValue } from './database.ts'
import { toRefusal } from './refusal.ts'

/** Two ways to call a function of the database; both reject with a PortalError if it refused. */
export function createAsking(db: Database) {
  const rows = async <T extends Row>(claims: Claims, sql: string, values: SqlValue[]): Promise<T[]> => {
    try {
      return (await onBehalf(db, claims, (query) => query<T>(sql, values))).rows
    } catch (error) {
      throw toRefusal(error)
    }
  }
  return {
    rows,
    /** The value of the column `answer`, of a statement with one row. */
    one: async <T>(claims: Claims, sql: string, values: SqlValue[]): Promise<T> =>
      // A function always returns one row.
      (await rows<{ answer: T }>(claims, sql, values))[0]!.answer,
  }
}
