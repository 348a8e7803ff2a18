// Signatures of Standard Webhooks (github.com/standard-webhooks/standard-webhooks), and their secrets.
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export const makeSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/**
 * The decrypted secrets of an address: the current one, and the previous one while it is valid. Empty if none
 * can be decrypted.
 */
export const openSecrets = (
  { secret, oldSecret }: { secret: string; oldSecret: string | null },
  decrypt: (encrypted: string) => string | null,
): string[] =>
  [secret, oldSecret]
    .filter((encrypted) => encrypted !== null)
    .map(decrypt)
    .filter((opened) => opened !== null)

/**
 * The three headers, with one signature for each secret, so that a receiver may use either during a change.
 */
export function signatureHeaders(
  secrets: readonly string[],
  message: { id: string; atSeconds: number; body: string },
): Record<string, string> {
  const signed = `${message.id}.${message.atSeconds}.${message.body}`
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  })
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.atSeconds),
    'webhook-signature': signatures.join(' '),
  }
}
