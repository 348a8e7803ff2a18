// Tokens of agents and other machines: issued, listed and revoked (portal.service_tokens).
import { randomUUID } from 'node:crypto'
import { PortalError } from '#domain/errors.ts'
import { MACHINE_GRANTS } from '#domain/machine.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { timeText } from '../accounts/accounts.ts'
import type { Tokens } from './token.ts'

export const GRANTS = ['prompts:read', 'prompts:write', 'pauses:read', 'memory', ...MACHINE_GRANTS] as const
export type Grant = (typeof GRANTS)[number]

/** The grants of an agent: its prompts, its pauses, its memory. */
export const AGENT_GRANTS: readonly Grant[] = ['prompts:read', 'pauses:read', 'memory']

const DAY_MS = 86_400_000

export type ServiceToken = {
  id: string
  name: string
  grants: readonly Grant[]
  createdAt: string
  expiresAt: string
  revokedAt: string | null
  /** The token's last characters; null for older tokens. */
  tail: string | null
  /** Last use with /api/v1, to the minute. */
  usedAt: string | null
}

const COLUMNS = `id, name, grants, ${timeText('created_at')} as "createdAt", ${timeText('expires_at')} as "expiresAt",
  ${timeText('revoked_at')} as "revokedAt", tail, ${timeText('used_at')} as "usedAt"`

const TAIL = 4

type TokenParts = {
  /** A database, or a transaction's query function. */
  db: Pick<Database, 'query'>
  clock: Clock
  tokens: Tokens
}

export function createServiceTokens({ db, clock, tokens }: TokenParts) {
  return {
    /**
     * The token is returned once and not stored; its row has only the grants. `id`: of the operation; a
     * repeat raises `token.made` (409).
     */
    mint: async (intent: {
      id?: string
      name: string
      grants: readonly Grant[]
      days: number
    }): Promise<{ token: string; service: ServiceToken }> => {
      const { id = randomUUID(), name } = intent
      const expiresAtSeconds = Math.floor((clock.now() + intent.days * DAY_MS) / 1000)
      const token = await tokens.signService({ id, name, expiresAtSeconds })
      const { rows } = await db.query<ServiceToken>(
        `insert into portal.service_tokens (id, name, grants, expires_at, tail) values ($1, $2, $3, to_timestamp($4), $5)
         on conflict (id) do nothing returning ${COLUMNS}`,
        [id, name, intent.grants, expiresAtSeconds, token.slice(-TAIL)],
      )
      const [service] = rows
      if (!service)
        throw new PortalError(
          'token.made',
          'Esta chave já foi criada, e não é mostrada de novo. Revogue-a e crie outra.',
          { status: 409 },
        )
      return { service, token }
    },

    list: async (): Promise<ServiceToken[]> =>
      (await db.query<ServiceToken>(`select ${COLUMNS} from portal.service_tokens order by created_at, id`))
        .rows,

    /** Revokes a token by id, or all of a name, from the next request on. Raises `token.unknown`. */
    revoke: async (idOrName: string): Promise<number> => {
      const { rowCount } = await db.query(
        `update portal.service_tokens set revoked_at = now() where $1 in (id::text, name) and revoked_at is null`,
        [idOrName],
      )
      if (rowCount === 0)
        throw new PortalError('token.unknown', `Nenhum token de serviço em uso se chama ${idOrName}.`, {
          status: 404,
        })
      return rowCount
    },
  }
}
