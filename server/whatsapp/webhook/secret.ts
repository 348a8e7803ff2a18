// The secret in each instance's webhook address: made here, stored as a hash, compared in constant time.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { hasPassed, type Clock } from '#server/clock.ts'
import type { Database, Query } from '#server/db/database.ts'
import type { GatewayKind } from '#server/gateway.ts'

const SECRET_BYTES = 32

const RENEWED = `on conflict ("instanceName") do update set hash = excluded.hash, previous_hash = s.hash,
  previous_gateway = s.gateway, created_at = now()`

/**
 * Makes a new secret for the instance's webhook address. `kind`: the gateway that gets it; undefined: the one on which
 * the instance runs. The previous secret stays valid until the next call, because the gateway still uses the old
 * address. The instance must belong to a broker.
 */
export async function mintWebhookSecret(
  query: Query,
  instanceName: string,
  kind?: GatewayKind,
): Promise<string> {
  const { secret, hash } = makeWebhookSecret()
  await query(
    kind === undefined
      ? `insert into portal.webhook_secrets as s ("instanceName", hash) values ($1, $2) ${RENEWED}`
      : `insert into portal.webhook_secrets as s ("instanceName", hash, gateway) values ($1, $2, $3)
        ${RENEWED}, gateway = excluded.gateway`,
    [instanceName, hash, ...(kind === undefined ? [] : [kind])],
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

type Row = { hash: Uint8Array | null; gateway: GatewayKind }

/** All valid secrets of an instance: the current one, the previous one, and that of the gateway to which it moves. */
const SECRETS = `select hash, gateway from portal.webhook_secrets where "instanceName" = $1
  union all select previous_hash, coalesce(previous_gateway, gateway) from portal.webhook_secrets where "instanceName" = $1
  union all select hash, gateway from portal.instance_moves where "instanceName" = $1`

/**
 * Whose address it is: the kind of gateway that was given this secret for the instance, or null. A valid pair is cached
 * for ten seconds.
 */
export function createSecretCheck(db: Database, clock: Clock) {
  const trusted = new Map<string, { hash: Buffer; kind: GatewayKind; sinceMs: number }>()

  return async (instanceName: string, secret: string): Promise<GatewayKind | null> => {
    const given = hashOf(secret)
    const seen = trusted.get(instanceName)
    if (seen && !hasPassed(clock, seen.sinceMs, TRUST_MS) && timingSafeEqual(seen.hash, given))
      return seen.kind
    const { rows } = await db.query<Row>(SECRETS, [instanceName])
    // Compares all hashes, so that the duration reveals nothing.
    const matches = rows.filter(({ hash }) => timingSafeEqual(Buffer.from(hash ?? NO_HASH), given))
    const kind = matches[0]?.gateway ?? null
    if (kind === null) trusted.delete(instanceName)
    else trusted.set(instanceName, { hash: given, kind, sinceMs: clock.now() })
    return kind
  }
}
