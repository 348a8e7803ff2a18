// Tokens of agents and other machines: made, listed and revoked (portal.service_tokens).
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { timeText } from './accounts.ts'
import type { Tokens } from './token.ts'

export const GRANTS = ['prompts:read', 'prompts:write', 'pauses:read', 'memory'] as const
export type Grant = (typeof GRANTS)[number]

/** What an agent needs to answer: what to say, to whom not, and what was said. */
export const AGENT_GRANTS: readonly Grant[] = ['prompts:read', 'pauses:read', 'memory']

const DAY_MS = 86_400_000

export type ServiceToken = {
  id: string
  name: string
  grants: readonly Grant[]
  createdAt: string
  expiresAt: string
  revokedAt: string | null
}

const COLUMNS = `id, name, grants, ${timeText('created_at')} as "createdAt", ${timeText('expires_at')} as "expiresAt",
  ${timeText('revoked_at')} as "revokedAt"`

export function createServiceTokens({ db, clock, tokens }: { db: Database; clock: Clock; tokens: Tokens }) {
  return {
    /** The token is answered once and kept nowhere: its row says only what it may do. */
    mint: async (intent: {
      name: string
      grants: readonly Grant[]
      days: number
    }): Promise<{ token: string; service: ServiceToken }> => {
      const expiresAtSeconds = Math.floor((clock.now() + intent.days * DAY_MS) / 1000)
      const { rows } = await db.query<ServiceToken>(
        `insert into portal.service_tokens (name, grants, expires_at) values ($1, $2, to_timestamp($3)) returning ${COLUMNS}`,
        [intent.name, intent.grants, expiresAtSeconds],
      )
      // One row was inserted.
      const service = rows[0]!
      return { service, token: await tokens.signService({ ...service, expiresAtSeconds }) }
    },

    list: async (): Promise<ServiceToken[]> =>
      (await db.query<ServiceToken>(`select ${COLUMNS} from portal.service_tokens order by created_at, id`))
        .rows,

    /** Ends a token by its id, or all of a name; it is refused from the next request on. Raises `token.unknown`. */
    revoke: async (idOrName: string): Promise<number> => {
      const { rowCount } = await db.query(
        `update portal.service_tokens set revoked_at = now() where $1 in (id::text, name) and revoked_at is null`,
        [idOrName],
      )
      if (rowCount === 0)
        throw new PortalError('token.unknown', `Nenhum token de serviço em uso se chama ${idOrName}.`)
      return rowCount
    },
  }
}
