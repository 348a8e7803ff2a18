// Refresh tokens: random at sign-in, each next one derived from the one before, kept as SHA-256 only.
import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32
export const REFRESH_LIFETIME_MS = 30 * 86_400_000

export const makeRefreshToken = () => randomBytes(TOKEN_BYTES).toString('base64url')

export const hashSecret = (secret: string): Uint8Array => createHash('sha256').update(secret).digest()

/**
 * The maker of a token's successor. It is always the same for one token, so that an exchange whose answer was lost,
 * or that two tabs ask for at once, gives one and the same new token instead of two lines; without the portal's
 * secret it cannot be foretold.
 */
export function createSuccession(jwtSecret: string): (refreshToken: string) => string {
  const key = Buffer.from(hkdfSync('sha256', jwtSecret, '', 'portal refresh token', TOKEN_BYTES))
  return (refreshToken) => createHmac('sha256', key).update(refreshToken).digest('base64url')
}
