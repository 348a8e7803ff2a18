// Checks that a server has the role that `target_session_attrs` in the address asks for.
import type pg from 'pg'
import { READ_ONLY, SqlError } from '../database.ts'
import type { Wanted } from './hosts.ts'

export const TAKES_NO_WRITES = `pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean`

const REFUSED: Record<Wanted, string | null> = {
  any: null,
  'read-write': TAKES_NO_WRITES,
  primary: 'pg_is_in_recovery()',
}

export async function isTrue(client: pg.ClientBase, expression: string): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(`select ${expression} as "is"`)
  return rows[0]?.is ?? false
}

export async function requireWanted(client: pg.ClientBase, wanted: Wanted): Promise<void> {
  const refused = REFUSED[wanted]
  if (refused !== null && (await isTrue(client, refused)))
    throw new SqlError({ code: READ_ONLY, message: 'the server takes no writes' })
}
