// Who is asking on the portal's own addresses, with the session and the account looked up now.
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
  /** A broker's own; null for an administrator. */
  instanceName: string | null
  tokenExpiresAtMs: number
  /** For work under row rules (db/as-user.ts). */
  claims: AccessClaims
}

/** The signed-in person of the request. Raises `session.lost` (401) for a stranger, for an ended session and for one that still owes its second step. */
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
    tokenExpiresAtMs: Number(principal.claims['exp']) * 1000,
    claims: principal.claims,
  }
}
