// Intake keys are derived from the portal's secret and the operation that created them, so that each can be
// derived again.
import { createHash, createHmac, hkdfSync } from 'node:crypto'

const SECRET_BYTES = 32
const PREFIX = 'pc_'

/** A retry of an operation gets the same key, so that a lost answer does no harm. */
export function createKeys(jwtSecret: string) {
  const secret = Buffer.from(hkdfSync('sha256', jwtSecret, '', 'portal intake key', SECRET_BYTES))
  return ({ accountId, operationId }: { accountId: string; operationId: string }) =>
    PREFIX + createHmac('sha256', secret).update(`${accountId} ${operationId}`).digest('base64url')
}

/** The hash stored in the database. */
export const hashKey = (key: string): Uint8Array => createHash('sha256').update(key).digest()

/** The hash of the key that an account creates in an operation. */
export function createKeyHash(jwtSecret: string) {
  const keyOf = createKeys(jwtSecret)
  return (made: { accountId: string; operationId: string }): Uint8Array => hashKey(keyOf(made))
}
