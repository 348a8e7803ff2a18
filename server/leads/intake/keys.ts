// Intake keys: made of the portal's secret and of the operation that asked for one, so that each can be made again.
import { createHash, createHmac, hkdfSync } from 'node:crypto'

const SECRET_BYTES = 32
const PREFIX = 'pc_'

/** The same operation gets the same key, so that a repeat whose first answer was lost shows the one that holds. */
export function createKeys(jwtSecret: string) {
  const secret = Buffer.from(hkdfSync('sha256', jwtSecret, '', 'portal intake key', SECRET_BYTES))
  return ({ accountId, operationId }: { accountId: string; operationId: string }) =>
    PREFIX + createHmac('sha256', secret).update(`${accountId} ${operationId}`).digest('base64url')
}

/** As it lies in the database. */
export const hashKey = (key: string): Uint8Array => createHash('sha256').update(key).digest()

/** Of the key that an account makes in an operation. */
export function createKeyHash(jwtSecret: string) {
  const keyOf = createKeys(jwtSecret)
  return (made: { accountId: string; operationId: string }): Uint8Array => hashKey(keyOf(made))
}
