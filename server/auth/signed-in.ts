// A living session and whose it is.
import type { Query } from '#server/db/database.ts'
import { ACCOUNT, timeText, toAccount, type Account, type AccountRow } from './accounts.ts'

export type SignedIn = { account: Account; session: { id: string; createdAt: string } }

/** A session's access and refresh: what a sign-in or an exchange gives. */
export type Granted = { signedIn: SignedIn; refreshToken: string }

/** The session and its account; null when either is gone, or over at `now`. */
export async function findSignedIn(query: Query, sessionId: string, now: string): Promise<SignedIn | null> {
  const { rows } = await query<AccountRow & { session_id: string; session_created_at: string }>(
    `select ${ACCOUNT.columns}, s.id as session_id, ${timeText('s.created_at')} as session_created_at
    from ${ACCOUNT.from} join portal.sessions s on s.account_id = a.id
    where s.id = $1 and s.expires_at > $2`,
    [sessionId, now],
  )
  const [row] = rows
  return row
    ? { account: toAccount(row), session: { id: row.session_id, createdAt: row.session_created_at } }
    : null
}
