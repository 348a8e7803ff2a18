// A function of the database's own, called for the person who asks: it decides by that, and refuses in words that can be shown.
import { onBehalf, type Claims } from './as-user.ts'
import type { Database, Row, SqlValue } from './database.ts'
import { toRefusal } from './refusal.ts'

/** Both reject with a PortalError where the function refused. */
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
    /** The one value of a statement that names it `answer`. */
    one: async <T>(claims: Claims, sql: string, values: SqlValue[]): Promise<T> =>
      // A function's answer is always one row.
      (await rows<{ answer: T }>(claims, sql, values))[0]!.answer,
  }
}
