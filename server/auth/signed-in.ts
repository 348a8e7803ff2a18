// A live session and its account.
import type { Query } from '#server/db/database.ts'
import { ACCOUNT, timeText, toAccount, type Account, type AccountRow } from './accounts/accounts.ts'

export type Factor = { id: string; name: string; isVerified: boolean; createdAt: string; updatedAt: string }

export type SignedIn = {
  account: Account
  session: {
    id: string
    createdAt: string
    /** When the person completed the second step; null: not yet. */
    secondStepAt: string | null
    /** True: the second step is pending, and the session gives access only to that step. */
    isHalf: boolean
  }
  /** The account's authenticator apps, verified or not. */
  factors: readonly Factor[]
}

/** Access and refresh of a session: the result of a sign-in or an exchange. */
export type Granted = { signedIn: SignedIn; refreshToken: string }

type SignedInRow = AccountRow & {
  session_id: string
  session_created_at: string
  second_step_at: string | null
  factors: Factor[]
}

const FACTORS = `(
  select coalesce(json_agg(json_build_object('id', f.id, 'name', f.friendly_name, 'isVerified', f.verified_at is not null,
    'createdAt', ${timeText('f.created_at')}, 'updatedAt', ${timeText('coalesce(f.verified_at, f.created_at)')})
    order by f.created_at, f.id), '[]')
  from portal.factors f where f.account_id = a.id)`

/** The session and its account; null if either was deleted, or has expired at `now`. */
export async function findSignedIn(query: Query, sessionId: string, now: string): Promise<SignedIn | null> {
  const { rows } = await query<SignedInRow>(
    `select ${ACCOUNT.columns}, s.id as session_id, ${timeText('s.created_at')} as session_created_at,
      ${timeText('s.second_step_at')} as second_step_at, ${FACTORS} as factors
    from ${ACCOUNT.from} join portal.sessions s on s.account_id = a.id
    where s.id = $1 and s.expires_at > $2`,
    [sessionId, now],
  )
  const [row] = rows
  return row ? toSignedIn(row) : null
}

/** Returns those sessions that are live and have no pending second step. */
export async function findLiving(
  query: Query,
  sessionIds: readonly string[],
  now: string,
): Promise<Set<string>> {
  const { rows } = await query<{ id: string }>(
    `select s.id from portal.sessions s
    where s.id = any($1::uuid[]) and s.expires_at > $2
      and (s.second_step_at is not null or not exists (
        select from portal.factors f where f.account_id = s.account_id and f.verified_at is not null))`,
    [sessionIds, now],
  )
  return new Set(rows.map(({ id }) => id))
}

function toSignedIn(row: SignedInRow): SignedIn {
  const { session_id: id, session_created_at: createdAt, second_step_at: secondStepAt, factors } = row
  const isHalf = secondStepAt === null && factors.some(({ isVerified }) => isVerified)
  return { account: toAccount(row), session: { id, createdAt, secondStepAt, isHalf }, factors }
}
