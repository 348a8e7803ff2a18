// Database access for unparsed bodies; every method rejects with a PortalError whose message a person may
// read.
import type { Claims } from '#server/db/as-user.ts'
import { createAsking } from '#server/db/asking.ts'
import type { Database } from '#server/db/database.ts'
import type { Raw } from './raw/store.ts'

/** A delivery that could not be parsed, as an administrator sees it. */
export type Unread = Omit<Raw, 'attempts'> & {
  keyId: string
  keyName: string
  receivedAt: string
  fault: string | null
}

export function createUnreadStore(db: Database) {
  const { one } = createAsking(db)
  return {
    list: (claims: Claims) => one<unknown[]>(claims, 'select portal.unread_intakes() as answer', []),
    find: (claims: Claims, id: number) =>
      one<Unread>(claims, 'select portal.unread_intake($1) as answer', [id]),
    /** Takes deliveries to parse again, leased to the caller until `untilMs`. */
    readAgain: (claims: Claims, ids: readonly number[], untilMs: number) =>
      one<Raw[]>(claims, 'select portal.read_again($1::text[]::bigint[], $2) as answer', [
        ids.map(String),
        new Date(untilMs).toISOString(),
      ]),
    discard: (claims: Claims, ids: readonly number[]) =>
      one<number>(claims, 'select portal.discard_intakes($1::text[]::bigint[]) as answer', [ids.map(String)]),
  }
}
