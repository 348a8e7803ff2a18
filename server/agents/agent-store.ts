// Database access for agents; each call runs as the calling administrator.
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
  /** True: the last send through its instance found no link, whatever the gateway reports. */
  isDead: boolean
  /** True: a service with a valid token may read the prompts, so an engine outside the portal can answer. */
  hasEngine: boolean
  mode: AgentMode
  /** True: the agent has spent its monthly limit. */
  isSpent: boolean
}

export type NewAgent = {
  operationId: string
  name: string
  instanceName: string | null
  copyFrom: number | null
}

/** Every method rejects with a PortalError whose message a person may read. */
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

    /** Every address under which other systems may know a person. */
    addressesOf: (claims: Claims, jid: string) =>
      ask.one<string[]>(claims, 'select portal.addresses_of($1) as answer from portal.require_admin()', [
        jid,
      ]),

    /** Returns how many messages it deleted from the portal's own table. */
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
