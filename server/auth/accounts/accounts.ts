// Accounts, and the only place of their password hashes (portal.accounts).
import type { Door, Role } from '#domain/session.ts'
import type { Clock } from '#server/clock.ts'
import type { Database, Row } from '#server/db/database.ts'

/** A name on one of the sign-in pages. */
export type Login = { role: Door; username: string }

export type Account = {
  id: string
  role: Role
  username: string
  /** True: a broker who also leads a team. */
  leadsTeam: boolean
  instanceName: string | null
  instanceId: string | null
  createdAt: string
}

/** An account to check a password against; without one, a hash that matches no password. */
export type Candidate = { account: Account | null; passwordHash: string }

export const timeText = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Columns and joins of the query that `toAccount` reads. */
export const ACCOUNT = {
  columns: `a.id as account_id, a.role, a.username, b."instanceName" as instance_name, b."instanceId" as instance_id,
    ${timeText('a.created_at')} as account_created_at, a.role = 'broker'
      and exists (select from portal.team_managers g where g.account_id = a.id) as leads_team`,
  from: 'portal.accounts a left join public.brokers b on b.id = a.broker_id',
}

export type AccountRow = Row & {
  account_id: string
  role: Role
  username: string
  instance_name: string | null
  instance_id: string | null
  leads_team: boolean
  account_created_at: string
}

type CandidateRow = { idle_hash: string } & ((AccountRow & { password_hash: string }) | { account_id: null })

export const toAccount = (row: AccountRow): Account => ({
  id: row.account_id,
  role: row.role,
  username: row.username,
  instanceName: row.instance_name,
  instanceId: row.instance_id,
  leadsTeam: row.leads_team,
  createdAt: row.account_created_at,
})

/**
 * SQL that finds an account by the page where it signs in. Gerentes sign in on the administrators' page; none of them
 * has an administrator's name.
 */
const AT_DOOR = `(a.role = $1 or $1 = 'admin' and a.role = 'gerente') and a.username = $2`

export type Accounts = ReturnType<typeof createAccounts>

export function createAccounts(db: Database, clock: Clock) {
  return {
    /**
     * For a sign-in: one query and one hash to check, even for an unknown account, so that both take the same
     * time.
     */
    findCandidate: async (login: Login | null): Promise<Candidate> => {
      const { rows } = await db.query<CandidateRow>(
        `select idle.hash as idle_hash, found.*
        from portal.idle_password_hash() as idle (hash) left join (
          select ${ACCOUNT.columns}, a.password_hash from ${ACCOUNT.from}
          where ${AT_DOOR} and a.password_hash is not null
        ) as found on true`,
        [login?.role ?? null, login?.username ?? null],
      )
      const [row] = rows
      if (!row) throw new Error('a query that always answers one row answered none')
      return row.account_id === null
        ? { account: null, passwordHash: row.idle_hash }
        : { account: toAccount(row), passwordHash: row.password_hash }
    },

    /** The account for the first step of a login. Null: there is none. */
    findLogin: async (
      role: Door,
      username: string | null,
    ): Promise<{ id: string; hasPassword: boolean } | null> => {
      const { rows } = await db.query<{ id: string; has_password: boolean }>(
        `select a.id, a.password_hash is not null as has_password from portal.accounts a where ${AT_DOOR}`,
        [role, username],
      )
      const [row] = rows
      return row ? { id: row.id, hasPassword: row.has_password } : null
    },

    /** Tells whether a first password may be set now: in the open period, or with the invite. */
    mayHaveFirstPassword: async (id: string, access: FirstAccess): Promise<boolean> => {
      const { rows } = await db.query(
        'select from portal.accounts a where a.id = $1 and portal.first_access_holds(a, $2, $3, $4)',
        [id, access.isOpen, access.inviteHash, new Date(clock.now()).toISOString()],
      )
      return rows.length > 0
    },

    /** Returns false if the first access has closed meanwhile, or another request was first. */
    setFirstPassword: async (id: string, passwordHash: string, access: FirstAccess): Promise<boolean> => {
      const { rows } = await db.query<{ is_set: boolean }>(
        'select portal.set_first_password($1, $2, $3, $4, $5) as is_set',
        [id, passwordHash, access.isOpen, access.inviteHash, new Date(clock.now()).toISOString()],
      )
      return rows[0]?.is_set === true
    },

    hasAdmin: async (): Promise<boolean> =>
      (await db.query(`select from portal.accounts where role = 'admin' limit 1`)).rows.length > 0,

    /** Returns false if there is an administrator by now. */
    addFirstAdmin: async (username: string, passwordHash: string): Promise<boolean> => {
      const { rowCount } = await db.query(
        `insert into portal.accounts (role, username, password_hash)
        select 'admin', $1, $2 where not exists (select from portal.accounts where role = 'admin')
        on conflict do nothing`,
        [username, passwordHash],
      )
      return rowCount === 1
    },
  }
}

export type FirstAccess = { isOpen: boolean; inviteHash: Uint8Array | null }
