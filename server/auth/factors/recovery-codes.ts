// Recovery codes: ten one-time codes for a lost authenticator app; shown once, stored as hashes.
import { createHmac, hkdfSync } from 'node:crypto'
import { hashSecret } from '../tokens/refresh-token.ts'

const CODE_COUNT = 10
/** The 32 characters of a code, so that five bits choose one. Those that people confuse are left out. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz123456789'
const GROUPS = 3
const GROUP_LENGTH = 4
const SHAPE = new RegExp(`^[${ALPHABET}]{${GROUPS * GROUP_LENGTH}}$`)

export type MakeRecoveryCodes = (operation: { accountId: string; operationId: string }) => string[]

/** A retry of an operation by the same account gets the same codes, so that a lost answer does no harm. */
export function createRecoveryCodes(jwtSecret: string): MakeRecoveryCodes {
  const key = Buffer.from(hkdfSync('sha256', jwtSecret, '', 'portal recovery codes', 32))
  return ({ accountId, operationId }) =>
    Array.from({ length: CODE_COUNT }, (_, index) => {
      const bytes = createHmac('sha256', key).update(`${accountId} ${operationId} ${index}`).digest()
      const letters = Array.from(bytes.subarray(0, GROUPS * GROUP_LENGTH), (byte) =>
        ALPHABET.charAt(byte & 31),
      )
      return letters.join('').replace(/(.{4})(?=.)/g, '$1-')
    })
}

/** The hash of a typed code, with or without hyphens; null for an impossible one. */
export function hashRecoveryCode(typed: string): Uint8Array | null {
  const bare = typed.toLowerCase().replace(/[\s-]/g, '')
  return SHAPE.test(bare) ? hashSecret(bare) : null
}
