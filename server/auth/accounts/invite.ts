// One-time links for a first password: the token in the address, and its stored hash.
import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { hashSecret } from '../tokens/refresh-token.ts'

const SECRET_BYTES = 32

export const INVITE_LIFETIME_MS = 7 * 86_400_000

export type Invite = { token: string; hash: Uint8Array }

/**
 * Creates invites. A retry of an operation by the same account gets the same link, although only the hash is
 * stored, so that a lost answer does no harm. The link is derived from the portal's secret and cannot be
 * guessed.
 */
export function createInvites(
  jwtSecret: string,
): (operation: { accountId: string; operationId: string }) => Invite {
  const key = Buffer.from(hkdfSync('sha256', jwtSecret, '', 'portal first-access invite', SECRET_BYTES))
  return ({ accountId, operationId }) => {
    const token = createHmac('sha256', key).update(`${accountId} ${operationId}`).digest('base64url')
    return { token, hash: hashSecret(token) }
  }
}

/** A random invite, for callers whose answer cannot get lost. */
export function makeInvite(): Invite {
  const token = randomBytes(SECRET_BYTES).toString('base64url')
  return { token, hash: hashSecret(token) }
}
