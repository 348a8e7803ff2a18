// One-time links for a first password: what stands in the address, and its hash that is kept.
import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { hashSecret } from '../tokens/refresh-token.ts'

const SECRET_BYTES = 32

export const INVITE_LIFETIME_MS = 7 * 86_400_000

export type Invite = { token: string; hash: Uint8Array }

/**
 * The maker of invites. The same operation of the same account gets the same one, so that a repeat whose first answer
 * was lost shows the link that holds, though only its hash is stored; without the portal's secret it cannot be foretold.
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

/** One of its own each time, for who sees the answer for certain. */
export function makeInvite(): Invite {
  const token = randomBytes(SECRET_BYTES).toString('base64url')
  return { token, hash: hashSecret(token) }
}
