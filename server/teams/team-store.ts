// Database access for 'Equipes'; each call runs as the calling administrator.
import type { Claims } from '#server/db/as-user.ts'
import { createAsking } from '#server/db/asking.ts'
import type { Database, SqlValue } from '#server/db/database.ts'

export type Asking = { accountId: string; claims: Claims; operationId: string }

type ListedBroker = { id: string; instanceName: string; isLinked: boolean; leads: number }
type Manager = { id: string; username: string; isBroker: boolean; hasPassword: boolean }
export type TeamList = {
  teams: { id: string; name: string; managers: Manager[]; brokers: ListedBroker[] }[]
  /** Brokers who are in no team. */
  others: ListedBroker[]
  /** All accounts with the role gerente. */
  managers: Manager[]
}
type Invite = { hash: Uint8Array; until: Date }

/** Every method rejects with a PortalError whose message a person may read. */
export function createTeamStore(db: Database) {
  const { one } = createAsking(db)
  const ask = <T>(claims: Claims, call: string, values: SqlValue[] = []) =>
    one<T>(claims, `select ${call} as answer`, values)
  return {
    list: (claims: Claims) => ask<TeamList>(claims, 'portal.team_list()'),

    /** Raises `team.taken` and `team.name`. */
    add: ({ claims, operationId }: Asking, name: string) =>
      ask<{ id: string; name: string }>(claims, 'portal.add_team($1, $2)', [operationId, name]),

    /** Raises `team.unknown`, `team.taken` and `team.name`. */
    rename: ({ claims, operationId }: Asking, id: string, name: string) =>
      ask<{ id: string; name: string }>(claims, 'portal.rename_team($1, $2, $3)', [operationId, id, name]),

    /** Raises `team.unknown`. */
    remove: ({ claims, operationId }: Asking, id: string) =>
      ask<{ name: string; brokers: number }>(claims, 'portal.remove_team($1, $2)', [operationId, id]),

    /** Raises `broker.unknown` and `team.unknown`. */
    move: ({ claims, operationId }: Asking, brokerId: string, teamId: string | null) =>
      ask<{ instanceName: string; from: string | null; to: string | null }>(
        claims,
        'portal.move_broker($1, $2, $3)',
        [operationId, brokerId, teamId],
      ),

    /** Raises `team.unknown` and `manager.unknown`. */
    changeManager: (
      { claims, operationId }: Asking,
      id: string,
      { from, to }: { from: string | null; to: string | null },
    ) =>
      ask<{ id: string; from: string | null; to: string | null }>(
        claims,
        'portal.change_manager($1, $2, $3, $4)',
        [operationId, id, from, to],
      ),

    /** Raises `team.unknown` and `manager.taken`. */
    addManager: (
      { claims, operationId }: Asking,
      id: string,
      { username, hash, until }: Invite & { username: string },
    ) =>
      ask<{ id: string; username: string }>(claims, 'portal.add_manager($1, $2, $3, $4, $5)', [
        operationId,
        username,
        id,
        hash,
        until.toISOString(),
      ]),

    /** Raises `manager.unknown`. */
    resetManager: ({ claims, operationId }: Asking, managerId: string, { hash, until }: Invite) =>
      ask<{ username: string }>(claims, 'portal.reset_manager($1, $2, $3, $4)', [
        operationId,
        managerId,
        hash,
        until.toISOString(),
      ]),

    /** Raises `manager.unknown`. */
    removeManager: ({ claims, operationId }: Asking, managerId: string) =>
      ask<{ username: string }>(claims, 'portal.remove_manager($1, $2)', [operationId, managerId]),
  }
}
