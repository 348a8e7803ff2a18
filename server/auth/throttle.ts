// The throttle of sign-in attempts. The database counts; portal.throttle_rules (02_accounts.sql) holds the limits.
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { waitOf } from '#server/http/rate-limit.ts'
import type { Login } from './accounts/accounts.ts'
import { inBatches } from './forget.ts'

export type Attempt = {
  /** The key of an account, as `countedAs` makes it. */
  account: string
  /** The client's network, as client-address.ts reads it. */
  address: string
}

export type Throttle = {
  /** Charges a sign-in attempt; returns 0, or the seconds to wait without charging it. */
  chargeSignIn(attempt: Attempt): Promise<number>
  /** The password was correct: refunds the charge and trusts the pair. */
  forgiveSignIn(attempt: Attempt): Promise<void>
  /** Charges a look-up of a username; returns the same as `chargeSignIn`. */
  chargeLookup(address: string): Promise<number>
  /** Charges a code of an account's second step; returns the same as `chargeSignIn`. */
  chargeCode(accountId: string): Promise<number>
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
    removeForgotten: () =>
      inBatches(db, {
        table: 'portal.throttle',
        isOver: 'portal.attempts_left(t, $1) = 0 and (t.trusted_until is null or t.trusted_until <= $1)',
        instant: now(),
      }),
  }
}

/** The throttle's key for an account, whether it exists or not; impossible names share one. */
export const countedAs = (login: Login | null) => (login ? `${login.role}:${login.username}` : 'none')
