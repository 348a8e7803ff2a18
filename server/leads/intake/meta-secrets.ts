// What is secret of a key of Meta, sealed while it lies in the database (portal.intake_keys.secrets).
import type { Database } from '#server/db/database.ts'
import { createVault } from '#server/secret-box.ts'
import type { MetaSecrets } from './meta.ts'

/** A form's key has nothing to seal. */
export type Sealed = { sealed?: string }

export type Seals = {
  seal(secrets: MetaSecrets): Sealed
  /** None of what was sealed under another JWT_SECRET: its deliveries are refused until Meta gets a new key. */
  open(kept: Sealed): MetaSecrets
}

export function createSeals(jwtSecret: string): Seals {
  const vault = createVault(jwtSecret, 'portal secrets of meta')
  return {
    seal: (secrets) => {
      const isNone = Object.values(secrets).every((secret) => secret === undefined)
      return isNone ? {} : { sealed: toText(vault.seal(Buffer.from(JSON.stringify(secrets)))) }
    },
    open: ({ sealed }) => {
      const secrets = sealed === undefined ? null : vault.open(Buffer.from(sealed, 'base64url'))
      return secrets === null ? {} : JSON.parse(String(Buffer.from(secrets)))
    },
  }
}

/** Seals what an older portal kept in the clear. */
export async function sealPlain(db: Database, seals: Seals): Promise<void> {
  const { rows } = await db.query<{ id: string; secrets: MetaSecrets }>(
    `select id, secrets from portal.intake_keys where secrets <> '{}' and not secrets ? 'sealed'`,
  )
  for (const { id, secrets } of rows)
    await db.query('update portal.intake_keys set secrets = $3 where id = $1 and secrets = $2', [
      id,
      JSON.stringify(secrets),
      JSON.stringify(seals.seal(secrets)),
    ])
}

const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
