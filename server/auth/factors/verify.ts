// Checks the answer to a challenge: a code of the app or a recovery code, each accepted once.
import type { Clock } from '#server/clock.ts'
import type { Database, Query } from '#server/db/database.ts'
import { instant } from '#server/db/instant.ts'
import type { SecretBox } from '#server/secret-box.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import { replaceSession } from '../session-store.ts'
import type { Granted, SignedIn } from '../signed-in.ts'
import { stepOf } from './totp.ts'

export type Answer = { factorId: string; challengeId: string; code: string }
export type Verification = ({ outcome: 'granted' } & Granted) | { outcome: 'wrong' | 'expired' | 'unknown' }
export type VerifyCode = (signedIn: SignedIn, answer: Answer) => Promise<Verification>

type VerifyParts = { db: Database; clock: Clock; secretBox: SecretBox }

/**
 * Replaces the session by one with a completed second step, so that the old tokens give no access; with the
 * account's first app all other sessions end, too.
 */
export function createVerification(parts: VerifyParts): VerifyCode {
  const { db, clock } = parts
  return (signedIn, answer) =>
    db.transaction(async (query) => {
      const { account, session } = signedIn
      const nowMs = clock.now()
      await holdAccount(query, account.id)
      const factor = await findAsked(query, signedIn, answer)
      if (!factor) return { outcome: 'unknown' }
      if (factor.expires_at <= nowMs) return { outcome: 'expired' }
      const given = { query, nowMs, code: answer.code, factor }
      const isRight = /^\d{6}$/.test(answer.code)
        ? await takeCode(given, parts.secretBox)
        : factor.is_verified && (await takeRecoveryCode(given))
      if (!isRight) return { outcome: 'wrong' }
      if (!factor.is_verified) {
        await query('update portal.factors set verified_at = $2 where id = $1', [factor.id, instant(nowMs)])
        await query(`select portal.audit('second-step.on', null, '{}', $1)`, [account.id])
        await query(
          'delete from portal.sessions where account_id = $1 and id <> $2 and second_step_at is null',
          [account.id, session.id],
        )
      }
      const granted = await replaceSession(query, signedIn, nowMs)
      return granted ? { outcome: 'granted', ...granted } : { outcome: 'unknown' }
    })
}

/** Serialises concurrent codes and sign-ins of an account. */
export const holdAccount = (query: Query, accountId: string) =>
  query('select from portal.accounts where id = $1 for no key update', [accountId])

type Asked = {
  id: string
  account_id: string
  secret: Uint8Array
  is_verified: boolean
  last_step: number
  expires_at: number
}

type Given = { query: Query; nowMs: number; code: string; factor: Asked }

/** The challenged app in its current state. */
async function findAsked(query: Query, { account, session }: SignedIn, { factorId, challengeId }: Answer) {
  const { rows } = await query<Asked>(
    `select f.id, f.account_id, f.secret, f.verified_at is not null as is_verified, f.last_step::float8 as last_step,
      (extract(epoch from c.expires_at) * 1000)::float8 as expires_at
    from portal.factors f join portal.factor_challenges c on c.factor_id = f.id
    where f.id = $1 and c.id = $2 and c.session_id = $3 and f.account_id = $4`,
    [factorId, challengeId, session.id, account.id],
  )
  return rows[0]
}

async function takeCode({ query, nowMs, code, factor }: Given, secretBox: SecretBox): Promise<boolean> {
  const secret = secretBox.decrypt(factor.secret)
  const step = secret && stepOf(code, secret, { ms: nowMs, lastStep: factor.last_step })
  if (step === null) return false
  await query('update portal.factors set last_step = $2 where id = $1', [factor.id, step])
  return true
}

async function takeRecoveryCode({ query, nowMs, code, factor }: Given): Promise<boolean> {
  const hash = hashRecoveryCode(code)
  if (!hash) return false
  const { rowCount } = await query(
    'update portal.recovery_codes set used_at = $3 where account_id = $1 and code_hash = $2 and used_at is null',
    [factor.account_id, hash, instant(nowMs)],
  )
  if (rowCount === 0) return false
  await query(`select portal.audit('recovery-code.used', null, '{}', $1)`, [factor.account_id])
  return true
}
