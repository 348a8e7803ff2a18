// Database access for the page Conta: administrators and the caller's second step; each call runs as the
// caller.
import type { Claims } from '#server/db/as-user.ts'
import { createAsking } from '#server/db/asking.ts'
import type { Database, SqlValue } from '#server/db/database.ts'

export type AdminRow = {
  id: string
  username: string
  hasPassword: boolean
  hasSecondStep: boolean
  /** When an administrator's live session last sent a request. */
  seenAt: string | null
}

/** The caller, and the operation id that identifies a retry. */
export type Asking = { accountId: string; claims: Claims; operationId: string }

type Invite = { hash: Uint8Array; until: Date }

/** Every method rejects with a PortalError whose message a person may read. */
export function createAccountStore(db: Database) {
  const { one } = createAsking(db)
  const ask = <T>(claims: Claims, call: string, values: SqlValue[] = []) =>
    one<T>(claims, `select ${call} as answer`, values)
  return {
    listAdmins: (claims: Claims) => ask<AdminRow[]>(claims, 'portal.admin_list()'),

    /** Raises `admin.taken`. */
    addAdmin: ({ claims, operationId }: Asking, username: string, { hash, until }: Invite) =>
      ask<{ username: string }>(claims, 'portal.add_admin($1, $2, $3, $4)', [
        operationId,
        username,
        hash,
        until.toISOString(),
      ]),

    /** Raises `admin.unknown` and `admin.self`. */
    resetAdmin: ({ claims, operationId }: Asking, id: string, { hash, until }: Invite) =>
      ask<{ username: string }>(claims, 'portal.reset_admin($1, $2, $3, $4)', [
        operationId,
        id,
        hash,
        until.toISOString(),
      ]),

    /** Raises `admin.unknown` and `admin.self`. */
    removeAdmin: ({ claims, operationId }: Asking, id: string) =>
      ask<{ username: string }>(claims, 'portal.remove_admin($1, $2)', [operationId, id]),

    secondStep: (claims: Claims) =>
      ask<{ isOn: boolean; codesLeft: number }>(claims, 'portal.my_second_step()'),

    /** Raises `second-step.off`. */
    renewRecoveryCodes: async ({ claims, operationId }: Asking, hashes: readonly Uint8Array[]) => {
      // The driver takes an array of bytes only as text.
      const written = hashes.map((hash) => `\\x${Buffer.from(hash).toString('hex')}`)
      await ask(claims, 'portal.renew_recovery_codes($1, $2::bytea[])', [operationId, written])
    },
  }
}
