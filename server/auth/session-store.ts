// Sessions: opened, found, ended (portal.sessions); refresh-exchange.ts refreshes them.
import type { Clock } from '#server/clock.ts'
import type { Database, Query } from '#server/db/database.ts'
import type { Account } from './accounts/accounts.ts'
import { inBatches } from './forget.ts'
import { hashSecret, makeRefreshToken, REFRESH_LIFETIME_MS } from './tokens/refresh-token.ts'
import { findLiving, findSignedIn, type Granted, type SignedIn } from './signed-in.ts'

const MAX_USER_AGENT = 300

export type LogoutScope = 'global' | 'local' | 'others'

/** The bcrypt hashes before and after. */
export type PasswordChange = { from: string; to: string }

type TokenSubject = { session_id: string; sub: string }

export type SessionStore = ReturnType<typeof createSessionStore>

export function createSessionStore(db: Database, clock: Clock) {
  const at = (offsetMs = 0) => new Date(clock.now() + offsetMs).toISOString()
  const findAny = async (claims: TokenSubject): Promise<SignedIn | null> => {
    const signedIn = await findSignedIn(db.query, claims.session_id, at())
    return signedIn?.account.id === claims.sub ? signedIn : null
  }

  return {
    /** Opens a session. Null: the account has another password by now. */
    open: (accountId: string, passwordHash: string, userAgent: string | null): Promise<Granted | null> =>
      db.transaction(async (query) => {
        const { rows } = await query<{ id: string }>(
          `insert into portal.sessions (account_id, created_at, refreshed_at, expires_at, user_agent)
          select id, $3, $3, $4, $5 from portal.accounts where id = $1 and password_hash = $2 for share
          returning id`,
          [
            accountId,
            passwordHash,
            at(),
            at(REFRESH_LIFETIME_MS),
            userAgent?.slice(0, MAX_USER_AGENT) ?? null,
          ],
        )
        const [session] = rows
        if (!session) return null
        const granted = await grant(query, session.id, at())
        if (granted && !granted.signedIn.session.isHalf) await noteOpened(query, granted.signedIn)
        return granted
      }),

    /**
     * The live session of a token's claims, even with a pending second step; null if session or account were
     * deleted.
     */
    findAny,

    /** Answers which of these sessions are live and have finished the second step of signing in. */
    findLiving: (sessionIds: readonly string[]): Promise<Set<string>> =>
      findLiving(db.query, sessionIds, at()),

    /** Finds a session as findAny does; null also while its second step is pending. */
    find: async (claims: TokenSubject): Promise<SignedIn | null> => {
      const signedIn = await findAny(claims)
      return signedIn?.session.isHalf === false ? signedIn : null
    },

    /** Adds a refused sign-in to the audit log. */
    noteRefusal: async (
      { role, username }: Pick<Account, 'role' | 'username'>,
      reason: 'password' | 'code',
    ): Promise<void> => {
      await db.query('select portal.audit_refusal($1, $2, $3)', [role, username, reason])
    },

    /** Ends this session, all sessions of its account, or all others. */
    logout: async ({ account, session }: SignedIn, scope: LogoutScope): Promise<void> => {
      await db.query(
        `with held as (select id from portal.accounts where id = $1 for no key update),
        ended as (
          delete from portal.sessions s using held
          where s.account_id = held.id and case $3 when 'local' then s.id = $2 when 'others' then s.id <> $2 else true end
          returning s.id)
        select portal.audit('session.closed', null, jsonb_build_object('scope', $3::text), $1)
        from (select from ended limit 1) any_ended`,
        [account.id, session.id, scope],
      )
    },

    /**
     * Changes the password and ends the account's other sessions; false if the password or the session has
     * changed meanwhile.
     */
    changePassword: ({ account, session }: SignedIn, change: PasswordChange): Promise<boolean> =>
      db.transaction(async (query) => {
        const { rowCount } = await query(
          `update portal.accounts set password_hash = $4
          where id = $1 and password_hash = $3
            and exists (select from portal.sessions where id = $2 and account_id = $1)`,
          [account.id, session.id, change.from, change.to],
        )
        if (rowCount === 0) return false
        await query('delete from portal.sessions where account_id = $1 and id <> $2', [
          account.id,
          session.id,
        ])
        return true
      }),

    /** Deletes expired rows; a token that can still be exchanged, or is the newest one's parent, stays. */
    removeExpired: async (): Promise<void> => {
      await inBatches(db, { table: 'portal.sessions', isOver: 't.expires_at <= $1', instant: at() })
      await inBatches(db, {
        table: 'portal.refresh_tokens',
        isOver: `t.created_at <= $1 and exists (
          select from portal.refresh_tokens c where c.parent_hash = t.token_hash and c.used_at is not null)`,
        instant: at(-REFRESH_LIFETIME_MS),
      })
    },
  }
}

/** Replaces this session, whose tokens end, by one with a completed second step. */
export async function replaceSession(
  query: Query,
  { session }: SignedIn,
  nowMs: number,
): Promise<Granted | null> {
  const now = new Date(nowMs).toISOString()
  const { rows } = await query<{ id: string }>(
    `with gone as (delete from portal.sessions where id = $1 returning account_id, created_at, user_agent)
    insert into portal.sessions (account_id, created_at, user_agent, refreshed_at, expires_at, second_step_at)
    select account_id, created_at, user_agent, $2, $3, $2 from gone returning id`,
    [session.id, now, new Date(nowMs + REFRESH_LIFETIME_MS).toISOString()],
  )
  const granted = rows[0] ? await grant(query, rows[0].id, now) : null
  if (granted && session.isHalf) await noteOpened(query, granted.signedIn)
  return granted
}

async function grant(query: Query, sessionId: string, now: string): Promise<Granted | null> {
  const refreshToken = makeRefreshToken()
  await query('insert into portal.refresh_tokens (token_hash, session_id, created_at) values ($1, $2, $3)', [
    hashSecret(refreshToken),
    sessionId,
    now,
  ])
  const signedIn = await findSignedIn(query, sessionId, now)
  return signedIn && { signedIn, refreshToken }
}

const noteOpened = (query: Query, { account, session }: SignedIn) =>
  query(`select portal.audit('session.opened', null, jsonb_build_object('secondStep', $2::boolean), $1)`, [
    account.id,
    session.secondStepAt !== null,
  ])
