// Encrypts secrets in the database, so that the database or a backup alone reveals none.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

export type SecretBox = {
  encrypt(secret: Uint8Array): Uint8Array
  /** Null: the data were encrypted under another key, or not by the portal. */
  decrypt(encrypted: Uint8Array): Uint8Array | null
}

/** A box for one kind of secret: `purpose` derives a separate key from the portal's. */
export function createSecretBox(jwtSecret: string, purpose: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', jwtSecret, '', purpose, KEY_BYTES))
  return {
    encrypt: (secret) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      const text = Buffer.concat([cipher.update(secret), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), text])
    },
    decrypt: (encrypted) => {
      const bytes = Buffer.from(encrypted)
      try {
        const nonce = bytes.subarray(0, NONCE_BYTES)
        // Without the length, Node would accept shorter tags.
        const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
        const secret = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
        return Buffer.concat([secret, decipher.final()])
      } catch {
        return null
      }
    },
  }
}
