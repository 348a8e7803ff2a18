// The database's side of the agents: each call as the administrator who asks.
import type { AgentMode } from '#domain/agent/agent.ts'
import { asUser, type Claims } from '#server/db/as-user.ts'
import { createAsking } from '#server/db/asking.ts'
import type { Database } from '#server/db/database.ts'

export type AgentRow = {
  id: number
  name: string
  development: string | null
  instanceName: string | null
  pausedAt: string | null
  hasPrompt: boolean
  /** The last send over its instance found no link, whatever is reported. */
  isDead: boolean
  /** A program with a token in force reads the prompts, to answer by them. */
  hasEngine: boolean
  mode: AgentMode
  /** The month's limit is reached. */
  isSpent: boolean
}

/** What a new agent is made of. */
export type NewAgent = {
  operationId: string
  name: string
  instanceName: string | null
  copyFrom: number | null
}

/** Each rejects with a PortalError that can be shown. */
export function createAgentStore(db: Database) {
  const ask = createAsking(db)
  return {
    list: (claims: Claims) => ask.one<AgentRow[]>(claims, 'select portal.agent_list() as answer', []),

    /** Raises `agent.no-name`, `agent.taken`, `agent.instance-taken` and `agent.no-source`. */
    add: (claims: Claims, { operationId, name, instanceName, copyFrom }: NewAgent) =>
      ask.one<{ id: number }>(claims, 'select portal.add_agent($1, $2, $3, $4) as answer', [
        operationId,
        name,
        instanceName,
        copyFrom,
      ]),

    /** Raises `agent.unknown` and `agent.instance-taken`. */
    move: (claims: Claims, id: number, instanceName: string | null) =>
      ask.one<unknown>(claims, 'select portal.move_agent($1, $2) as answer', [id, instanceName]),

    /** Every address under which a person may be remembered elsewhere. */
    addressesOf: (claims: Claims, jid: string) =>
      ask.one<string[]>(claims, 'select portal.addresses_of($1) as answer from portal.require_admin()', [
        jid,
      ]),

    /** How many lines of our own table went. */
    forget: async (claims: Claims, id: number, jid: string): Promise<number> => {
      const { rows } = await asUser(db, claims, (query) =>
        query<{ deleted: number }>(
          'select * from public.deletar_chat_history_por_empreendimento($1, $2) as deleted',
          [id, jid],
        ),
      )
      return rows[0]?.deleted ?? 0
    },
  }
}
