// Reads the stored session's user and tokens, for the page and the service worker.
import * as v from 'valibot'
import type { TokenClaims } from '#domain/session.ts'
import { log } from './log.ts'
import { sessionStore, STORAGE_KEY } from './session-on-device.ts'

const Claims = v.object({
  sub: v.string(),
  app_metadata: v.object({
    portal_role: v.string(),
    username: v.string(),
    instance_id: v.nullish(v.string()),
    instance_name: v.nullish(v.string()),
    leads_team: v.optional(v.boolean()),
    awaits_code: v.optional(v.boolean()),
  }),
})
/** Accepts further fields, because auth-js stores more than these and they must stay. */
export const Session = v.looseObject({
  access_token: v.string(),
  refresh_token: v.string(),
  /** When the access token expires, in seconds since 1970. */
  expires_at: v.number(),
})

export type Session = v.InferOutput<typeof Session>

export async function storedSession(): Promise<Session | null> {
  const stored = await sessionStore.getItem(STORAGE_KEY)
  const session = v.safeParse(v.pipe(v.string(), v.parseJson(), Session), stored)
  return session.success ? session.output : null
}

/**
 * Returns the claims of the stored session, also of an expired one, because the first request that needs the token
 * renews it.
 */
export async function storedClaims(): Promise<TokenClaims | null> {
  const session = await storedSession()
  return session && claimsOf(session.access_token)
}

/**
 * Returns the claims in a token. They are not verified, because row rules on the server decide what its bearer may do.
 */
export function claimsOf(token: string): TokenClaims | null {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0))
    return v.parse(v.pipe(v.string(), v.parseJson(), Claims), new TextDecoder().decode(bytes))
  } catch (cause) {
    log.warn('token.unreadable', cause)
    return null
  }
}
