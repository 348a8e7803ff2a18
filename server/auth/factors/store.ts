// Authenticator apps of administrators, and checking their codes.
import type { Clock } from '#server/clock.ts'
import type { Database, Query } from '#server/db/database.ts'
import type { SecretBox } from '#server/secret-box.ts'
import { createVerification, holdAccount } from './verify.ts'
import type { SignedIn } from '../signed-in.ts'
import { makeSecret } from './totp.ts'

const CHALLENGE_LIFETIME_MS = 300_000
const MAX_FACTORS = 10

export type Challenge = { id: string; expiresAtMs: number }
export type FactorStore = ReturnType<typeof createFactorStore>

export function createFactorStore(parts: { db: Database; clock: Clock; secretBox: SecretBox }) {
  const { db, clock } = parts
  const at = (offsetMs = 0) => new Date(clock.now() + offsetMs).toISOString()
  return {
    /**
     * Adds an app, which counts only after its owner has entered a code. It replaces an app that was never verified.
     */
    enroll: (
      accountId: string,
      name: string,
    ): Promise<{ id: string; secret: Uint8Array } | 'taken' | 'full'> =>
      db.transaction(async (query) => {
        await holdAccount(query, accountId)
        await query('delete from portal.factors where account_id = $1 and verified_at is null', [accountId])
        const { rows: held } = await query<{ friendly_name: string }>(
          'select friendly_name from portal.factors where account_id = $1',
          [accountId],
        )
        if (held.length >= MAX_FACTORS) return 'full'
        if (held.some((factor) => factor.friendly_name === name)) return 'taken'
        const secret = makeSecret()
        const { rows } = await query<{ id: string }>(
          `insert into portal.factors (account_id, friendly_name, secret, created_at) values ($1, $2, $3, $4) returning id`,
          [accountId, name, parts.secretBox.encrypt(secret), at()],
        )
        return { id: rows[0]?.id ?? '', secret }
      }),

    /** Opens a challenge: this session must answer with a code of the app. Null: the account has no such app. */
    challenge: async ({ account, session }: SignedIn, factorId: string): Promise<Challenge | null> => {
      const { rows } = await db.query<{ id: string }>(
        `insert into portal.factor_challenges (factor_id, session_id, expires_at)
        select id, $2, $4 from portal.factors where id = $1 and account_id = $3
        on conflict (factor_id, session_id) do update set id = gen_random_uuid(), expires_at = excluded.expires_at
        returning id`,
        [factorId, session.id, account.id, at(CHALLENGE_LIFETIME_MS)],
      )
      const [challenge] = rows
      return challenge ? { id: challenge.id, expiresAtMs: clock.now() + CHALLENGE_LIFETIME_MS } : null
    },

    /** Checks the answer to a challenge: a code of the app, or a recovery code if the app is verified. */
    verify: createVerification(parts),

    /** Removes an app. With the last app the recovery codes go, too, and signing in needs only the password again. */
    remove: ({ account }: SignedIn, factorId: string): Promise<boolean> =>
      db.transaction(async (query) => {
        await holdAccount(query, account.id)
        const { rows } = await query<{ was_verified: boolean }>(
          'delete from portal.factors where id = $1 and account_id = $2 returning verified_at is not null as was_verified',
          [factorId, account.id],
        )
        const [removed] = rows
        if (!removed) return false
        if (removed.was_verified) await forgetSecondStep(query, account.id)
        return true
      }),
  }
}

async function forgetSecondStep(query: Query, accountId: string): Promise<void> {
  const { rows } = await query<{ is_on: boolean }>('select portal.has_second_step($1) as is_on', [accountId])
  if (rows[0]?.is_on === true) return
  await query('update portal.sessions set second_step_at = null where account_id = $1', [accountId])
  await query('delete from portal.recovery_codes where account_id = $1', [accountId])
  await query(`select portal.audit('second-step.off', null, '{}', $1)`, [accountId])
}
