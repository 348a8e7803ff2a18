// The session as it is kept on the device: whose it is, and its tokens. Page and service worker read it alike.
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
    awaits_code: v.optional(v.boolean()),
  }),
})
/** What else stands in it is auth-js's own, and stays. */
export const Session = v.looseObject({
  access_token: v.string(),
  refresh_token: v.string(),
  /** Epoch seconds. */
  expires_at: v.number(),
})

export type Session = v.InferOutput<typeof Session>

export async function storedSession(): Promise<Session | null> {
  const stored = await sessionStore.getItem(STORAGE_KEY)
  const session = v.safeParse(v.pipe(v.string(), v.parseJson(), Session), stored)
  return session.success ? session.output : null
}

/** Who the stored session belongs to, expired or not: an old token is renewed by the first request that needs it. */
export async function storedClaims(): Promise<TokenClaims | null> {
  const session = await storedSession()
  return session && claimsOf(session.access_token)
}

/** What a token says, unproven: row rules decide on the server what its bearer may do. */
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
