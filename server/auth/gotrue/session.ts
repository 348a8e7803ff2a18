// The live session of a request in GoTrue's protocol.
import type { Context } from 'hono'
import type { AuthParts } from '../auth-parts.ts'
import { GotrueError } from './wire.ts'
import { bearerOf } from '../principal.ts'
import type { SignedIn } from '../signed-in.ts'
import { TokenError } from '../tokens/token.ts'

export const SESSION_OVER = 'A sessão acabou. Entre de novo.'

type Sessions = Pick<AuthParts, 'tokens' | 'sessions'>

/** The session of a request, even if its second step is pending. */
export async function signedInOf({ tokens, sessions }: Sessions, context: Context): Promise<SignedIn> {
  const token = bearerOf(context.req.raw)
  if (!token)
    throw new GotrueError({ status: 401, code: 'no_authorization', message: 'Entre para continuar.' })
  const claims = await tokens.verify(token).catch((error: unknown) => {
    if (!(error instanceof TokenError)) throw error
    throw new GotrueError({ status: 403, code: 'bad_jwt', message: 'A sessão não vale mais. Entre de novo.' })
  })
  const signedIn = await sessions.findAny(claims)
  if (!signedIn) throw sessionOver()
  return signedIn
}

/** The session of a request. Refuses one whose second step is pending. */
export async function wholeSessionOf(parts: Sessions, context: Context): Promise<SignedIn> {
  const signedIn = await signedInOf(parts, context)
  if (signedIn.session.isHalf)
    throw new GotrueError({
      status: 403,
      code: 'insufficient_aal',
      message: 'Digite primeiro o código do aplicativo autenticador.',
    })
  return signedIn
}

export const sessionOver = () =>
  new GotrueError({ status: 403, code: 'session_not_found', message: SESSION_OVER })
