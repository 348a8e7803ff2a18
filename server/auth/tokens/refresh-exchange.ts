// Exchanges a refresh token for a new one, safe against lost answers, two tabs at once, and theft.
import type { Clock } from '#server/clock.ts'
import type { Database, Query } from '#server/db/database.ts'
import { createSuccession, hashSecret, REFRESH_LIFETIME_MS } from './refresh-token.ts'
import { findSignedIn, type Granted } from '../signed-in.ts'

/**
 * `reused`: an old token was presented, so the session was ended. `expired`: the session's time was over, and it was
 * ended.
 */
export type Exchange = ({ outcome: 'granted' } & Granted) | { outcome: 'unknown' | 'expired' | 'reused' }

/**
 * The token before the newest one is accepted while the newest was never used: its answer was lost, or
 * another tab asked at once; both get the same successor. Any older token ends the session.
 */
export type ExchangeToken = (refreshToken: string) => Promise<Exchange>

export function createExchange(parts: { db: Database; clock: Clock; jwtSecret: string }): ExchangeToken {
  const { db, clock } = parts
  const successorOf = createSuccession(parts.jwtSecret)
  return (refreshToken) =>
    db.transaction(async (query) => {
      const now = new Date(clock.now()).toISOString()
      const held = await holdToken(query, hashSecret(refreshToken), now)
      if (!held) return { outcome: 'unknown' }
      if (held.is_superseded || held.is_over) {
        await query('delete from portal.sessions where id = $1', [held.session_id])
        return { outcome: held.is_superseded ? 'reused' : 'expired' }
      }
      const successor = successorOf(refreshToken)
      await query(EXCHANGE, [
        hashSecret(refreshToken),
        hashSecret(successor),
        held.session_id,
        now,
        new Date(clock.now() + REFRESH_LIFETIME_MS).toISOString(),
      ])
      const signedIn = await findSignedIn(query, held.session_id, now)
      return signedIn ? { outcome: 'granted', signedIn, refreshToken: successor } : { outcome: 'unknown' }
    })
}

/** $1 presented, $2 successor, $3 session, $4 now, $5 the new end. */
const EXCHANGE = `
  with used as (
    update portal.refresh_tokens set used_at = coalesce(used_at, $4) where token_hash = $1
  ), refreshed as (
    update portal.sessions set refreshed_at = $4, expires_at = $5 where id = $3
  )
  insert into portal.refresh_tokens (token_hash, session_id, parent_hash, created_at) values ($2, $3, $1, $4)
  on conflict (token_hash) do update set created_at = excluded.created_at`

type HeldToken = { session_id: string; is_superseded: boolean; is_over: boolean }

/** The stored token, after locking its session, so that concurrent exchanges are serialised. */
async function holdToken(query: Query, tokenHash: Uint8Array, now: string): Promise<HeldToken | undefined> {
  await query(
    `select from portal.sessions
    where id = (select session_id from portal.refresh_tokens where token_hash = $1) for update`,
    [tokenHash],
  )
  const { rows } = await query<HeldToken>(
    `select t.session_id, s.expires_at <= $2 as is_over,
      exists (select from portal.refresh_tokens c where c.parent_hash = t.token_hash and c.used_at is not null) as is_superseded
    from portal.refresh_tokens t join portal.sessions s on s.id = t.session_id where t.token_hash = $1`,
    [tokenHash, now],
  )
  return rows[0]
}
