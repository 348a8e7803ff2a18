// Refresh tokens: random at sign-in, each successor derived from the one before, stored as SHA-256.
import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32
/** A session ends when it was not used for this long. */
export const REFRESH_LIFETIME_MS = 30 * 86_400_000

export const makeRefreshToken = () => randomBytes(TOKEN_BYTES).toString('base64url')

export const hashSecret = (secret: string): Uint8Array => createHash('sha256').update(secret).digest()

/**
 * Derives a token's successor. It is always the same for one token: an exchange that is retried, or that two
 * tabs request at once, yields one new token. It is derived from the portal's secret and cannot be guessed.
 */
export function createSuccession(jwtSecret: string): (refreshToken: string) => string {
  const key = Buffer.from(hkdfSync('sha256', jwtSecret, '', 'portal refresh token', TOKEN_BYTES))
  return (refreshToken) => createHmac('sha256', key).update(refreshToken).digest('base64url')
}
