// The caller of the portal's own API, with session and account looked up for each request.
import type { Role } from '#domain/session.ts'
import { sessionLost } from '#server/http/errors.ts'
import { principalOf } from '../principal.ts'
import type { SessionStore } from '../session-store.ts'
import { TokenError, type AccessClaims, type Tokens } from '../tokens/token.ts'

export type Member = {
  accountId: string
  sessionId: string
  role: Role
  username: string
  /** The instance of a broker. Null for everybody else. */
  instanceName: string | null
  tokenExpiresAtMs: number
  /** True for a gerente, and for a broker who also leads a team. */
  leadsTeam: boolean
  /** The claims for queries under row rules (db/as-user.ts). */
  claims: AccessClaims
}

/**
 * The signed-in caller. Raises `session.lost` (401) without a session, for an ended one, and while its second
 * step is pending.
 */
export async function memberOf(
  request: Request,
  parts: { tokens: Tokens; sessions: SessionStore },
): Promise<Member> {
  const principal = await principalOf(request, parts.tokens).catch((error: unknown) => {
    if (error instanceof TokenError) throw sessionLost()
    throw error
  })
  const signedIn = principal.role === 'authenticated' ? await parts.sessions.find(principal.claims) : null
  if (principal.role === 'anon' || !signedIn) throw sessionLost()
  const { account } = signedIn
  return {
    accountId: account.id,
    sessionId: signedIn.session.id,
    role: account.role,
    username: account.username,
    instanceName: account.instanceName,
    leadsTeam: account.role === 'gerente' || account.leadsTeam,
    tokenExpiresAtMs: Number(principal.claims['exp']) * 1000,
    claims: principal.claims,
  }
}
