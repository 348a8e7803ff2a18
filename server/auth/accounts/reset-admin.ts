// Administrators for the operator of the machine: the list, and a reset for one who lost access.
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { INVITE_LIFETIME_MS, makeInvite } from './invite.ts'

export type KnownAdmin = { username: string; hasPassword: boolean; hasSecondStep: boolean }

export async function listAdmins(db: Database): Promise<KnownAdmin[]> {
  const { rows } = await db.query<KnownAdmin>(
    `select username, password_hash is not null as "hasPassword", portal.has_second_step(id) as "hasSecondStep"
    from portal.accounts where role = 'admin' order by username`,
  )
  return rows
}

/**
 * Clears password, second step and sessions; returns a one-time invite, of which only the hash is stored.
 * Raises `admin.unknown`, with the existing names.
 */
export async function resetAdmin(
  { db, clock }: { db: Database; clock: Clock },
  username: string,
): Promise<{ invite: string; untilMs: number }> {
  const { token, hash } = makeInvite()
  const untilMs = clock.now() + INVITE_LIFETIME_MS
  const { rows } = await db.query(
    `select portal.reopen_admin(id, $2, $3) from portal.accounts where role = 'admin' and username = $1`,
    [username, hash, new Date(untilMs).toISOString()],
  )
  if (rows.length > 0) return { invite: token, untilMs }
  const known = (await listAdmins(db)).map((admin) => admin.username)
  const there = known.length === 0 ? 'Ainda não há nenhum.' : `Há: ${known.join(', ')}.`
  throw new PortalError('admin.unknown', `Nenhum administrador se chama ${username}. ${there}`)
}
