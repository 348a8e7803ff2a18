// The caller, by the request's bearer token. Row rules look up session and account.
import { TokenError, type AccessClaims, type Tokens } from './tokens/token.ts'

export type Principal =
  { role: 'anon'; claims: { role: 'anon' } } | { role: 'authenticated'; claims: AccessClaims }

const ANON: Principal = { role: 'anon', claims: { role: 'anon' } }

/** The request's bearer token; null without one, or with another scheme. */
export function bearerOf(request: Request): string | null {
  const [scheme, token = ''] = (request.headers.get('authorization') ?? '').trim().split(/\s+/, 2)
  return scheme?.toLowerCase() === 'bearer' ? token : null
}

/**
 * The signed-in caller; anon without a token, or with either form of the publishable key; throws TokenError
 * for an invalid token.
 */
export async function principalOf(request: Request, tokens: Tokens): Promise<Principal> {
  const token = bearerOf(request)
  if (token === null || isPublishableKey(token, request)) return ANON
  if (token === '') throw new TokenError('invalid')
  try {
    return { role: 'authenticated', claims: await tokens.verify(token) }
  } catch (error) {
    if (await tokens.isAnonKey(token)) return ANON
    throw error
  }
}

/** Without a session supabase-js sends its publishable key as the bearer token, although it is no JWT. */
function isPublishableKey(token: string, request: Request): boolean {
  return token !== '' && !token.includes('.') && token === request.headers.get('apikey')
}
