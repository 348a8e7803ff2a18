// The secret in each instance's webhook address: made here, stored as a hash, compared in constant time.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { hasPassed, type Clock } from '#server/clock.ts'
import type { Database, Query } from '#server/db/database.ts'

const SECRET_BYTES = 32

/**
 * A new secret for the instance's address. The previous one stays valid until the next call, because the
 * gateway still uses the old address. The instance must belong to a broker.
 */
export async function mintWebhookSecret(query: Query, instanceName: string): Promise<string> {
  const { secret, hash } = makeWebhookSecret()
  await query(
    `insert into portal.webhook_secrets as s ("instanceName", hash) values ($1, $2)
    on conflict ("instanceName") do update set hash = excluded.hash, previous_hash = s.hash, created_at = now()`,
    [instanceName, hash],
  )
  return secret
}

/** For an instance without a broker; the caller stores the hash with the broker. */
export function makeWebhookSecret(): { secret: string; hash: Uint8Array } {
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  return { secret, hash: hashOf(secret) }
}

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

const TRUST_MS = 10_000
const NO_HASH = Buffer.alloc(32)

/** Whether the secret belongs to the instance; a valid pair is cached for ten seconds. */
export function createSecretCheck(db: Database, clock: Clock) {
  const trusted = new Map<string, { hash: Buffer; sinceMs: number }>()

  return async (instanceName: string, secret: string): Promise<boolean> => {
    const given = hashOf(secret)
    const seen = trusted.get(instanceName)
    if (seen && !hasPassed(clock, seen.sinceMs, TRUST_MS) && timingSafeEqual(seen.hash, given)) return true
    const { rows } = await db.query<{ hash: Uint8Array; previous_hash: Uint8Array | null }>(
      'select hash, previous_hash from portal.webhook_secrets where "instanceName" = $1',
      [instanceName],
    )
    const hashes = [rows[0]?.hash ?? NO_HASH, rows[0]?.previous_hash ?? NO_HASH]
    // Compares all hashes, so that the duration reveals nothing.
    const matches = hashes.map((hash) => timingSafeEqual(Buffer.from(hash), given))
    const isKnown = rows.length > 0 && matches.includes(true)
    if (isKnown) trusted.set(instanceName, { hash: given, sinceMs: clock.now() })
    else trusted.delete(instanceName)
    return isKnown
  }
}
