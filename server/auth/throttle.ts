// How often one may try: counted in the database, asked from here.
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { waitOf } from '#server/http/rate-limit.ts'
import type { Login } from './accounts/accounts.ts'

export type Attempt = {
  /** From `countedAs`. */
  account: string
  /** From client-address.ts. */
  address: string
}

export type Throttle = {
  /** Counts a look at a password; answers 0, or the seconds to wait, and then nothing is counted. */
  chargeSignIn(attempt: Attempt): Promise<number>
  /** The password was right: takes the charge back and trusts the pair. */
  forgiveSignIn(attempt: Attempt): Promise<void>
  /** Counts a question for a username; answers as `chargeSignIn`. */
  chargeLookup(address: string): Promise<number>
  /** Counts a code of an account's second step; answers as `chargeSignIn`. */
  chargeCode(accountId: string): Promise<number>
  /** The code was right. */
  forgiveCode(accountId: string): Promise<void>
  removeForgotten(): Promise<void>
}

export function createThrottle(db: Database, clock: Clock): Throttle {
  const now = () => new Date(clock.now()).toISOString()
  return {
    chargeSignIn: ({ account, address }) =>
      waitOf(db, 'portal.charge_sign_in($1, $2, $3)', [account, address, now()]),
    forgiveSignIn: async ({ account, address }) =>
      void (await db.query('select portal.forgive_sign_in($1, $2, $3)', [account, address, now()])),
    chargeLookup: (address) =>
      waitOf(db, `portal.charge_attempt(array['lookup'], array[$1], $2)`, [address, now()]),
    chargeCode: (accountId) =>
      waitOf(db, `portal.charge_attempt(array['code'], array[$1], $2)`, [accountId, now()]),
    forgiveCode: async (accountId) =>
      void (await db.query(`delete from portal.throttle where key = portal.throttle_key('code', $1)`, [
        accountId,
      ])),
    removeForgotten: async () =>
      void (await db.query(
        `delete from portal.throttle t
        where portal.attempts_left(t, $1) = 0 and (t.trusted_until is null or t.trusted_until <= $1)`,
        [now()],
      )),
  }
}

/** What attempts on an account are counted under, whether it exists or not; all that can be no account share one. */
export const countedAs = (login: Login | null) => (login ? `${login.role}:${login.username}` : 'none')
