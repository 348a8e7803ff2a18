// Secrets of Meta keys, encrypted in the database (portal.intake_keys.secrets).
import type { Database } from '#server/db/database.ts'
import { createSecretBox } from '#server/secret-box.ts'
import type { MetaSecrets } from './meta.ts'

/** Keys of forms have no secret. */
export type Encrypted = { sealed?: string }

export type MetaSecretBox = {
  encrypt(secrets: MetaSecrets): Encrypted
  /**
   * The decrypted secrets. Empty if they were encrypted under another JWT_SECRET: the portal then refuses deliveries
   * until Meta gets a new key.
   */
  decrypt(kept: Encrypted): MetaSecrets
}

export function createMetaSecretBox(jwtSecret: string): MetaSecretBox {
  const secretBox = createSecretBox(jwtSecret, 'portal secrets of meta')
  return {
    encrypt: (secrets) => {
      const isNone = Object.values(secrets).every((secret) => secret === undefined)
      return isNone ? {} : { sealed: toText(secretBox.encrypt(Buffer.from(JSON.stringify(secrets)))) }
    },
    decrypt: ({ sealed: encrypted }) => {
      const secrets = encrypted === undefined ? null : secretBox.decrypt(Buffer.from(encrypted, 'base64url'))
      return secrets === null ? {} : JSON.parse(String(Buffer.from(secrets)))
    },
  }
}

/** Encrypts secrets that an older portal stored in clear text. */
export async function encryptPlain(db: Database, box: MetaSecretBox): Promise<void> {
  const { rows } = await db.query<{ id: string; secrets: MetaSecrets }>(
    `select id, secrets from portal.intake_keys where secrets <> '{}' and not secrets ? 'sealed'`,
  )
  for (const { id, secrets } of rows)
    await db.query('update portal.intake_keys set secrets = $3 where id = $1 and secrets = $2', [
      id,
      JSON.stringify(secrets),
      JSON.stringify(box.encrypt(secrets)),
    ])
}

const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
