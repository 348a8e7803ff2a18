// Access tokens: HS256, one hour, with GoTrue's claim names. refresh-token.ts says how long a session lasts.
import * as v from 'valibot'
import { loginEmail } from '#domain/session.ts'
import type { Clock } from '#server/clock.ts'
import type { Account } from '../accounts/accounts.ts'
import { createJwt, type JwtClaims } from './jwt.ts'
import type { SignedIn } from '../signed-in.ts'

export const TOKEN_LIFETIME_SECONDS = 3600
const ISSUER = 'portal-do-corretor'
const AUDIENCE = 'authenticated'

/** A bearer token is invalid. `expired`: it was valid before. */
export class TokenError extends Error {
  override readonly name = 'TokenError'
  readonly kind: 'invalid' | 'expired'

  constructor(kind: 'invalid' | 'expired') {
    super(`access token ${kind}`)
    this.kind = kind
  }
}

const Claims = v.looseObject({
  role: v.literal('authenticated'),
  sub: v.pipe(v.string(), v.uuid()),
  session_id: v.pipe(v.string(), v.uuid()),
})
export type AccessClaims = v.InferOutput<typeof Claims>

export type Tokens = {
  /** A token for the session, and its expiry in epoch seconds. */
  sign(signedIn: SignedIn): Promise<{ accessToken: string; expiresAtSeconds: number }>
  /** A token for a machine; valid until it expires or its row is revoked. */
  signService(service: { id: string; name: string; expiresAtSeconds: number }): Promise<string>
  /**
   * Whether it is the old form of the publishable key: a token signed with the same secret that names only
   * `anon`.
   */
  isAnonKey(token: string): Promise<boolean>
  /** The claims of a valid token, or TokenError. The caller checks whether its session is live. */
  verify(token: string): Promise<AccessClaims>
}

export function createTokens(jwtSecret: string, clock: Clock): Tokens {
  const jwt = createJwt(jwtSecret)
  /** A token never changes, so the portal reads the claims of a known one only once. */
  const checked = new WeakMap<JwtClaims, AccessClaims>()
  const nowSeconds = () => Math.floor(clock.now() / 1000)
  const signed = (claims: JwtClaims, subject: string, expiresAtSeconds: number) =>
    jwt.sign({
      ...claims,
      iss: ISSUER,
      aud: AUDIENCE,
      sub: subject,
      iat: nowSeconds(),
      exp: expiresAtSeconds,
    })
  return {
    sign: async (signedIn) => {
      const expiresAtSeconds = nowSeconds() + TOKEN_LIFETIME_SECONDS
      const accessToken = signed(claimsOf(signedIn), signedIn.account.id, expiresAtSeconds)
      return { accessToken, expiresAtSeconds }
    },
    signService: async ({ id, name, expiresAtSeconds }) =>
      signed(
        {
          role: 'authenticated',
          session_id: id,
          app_metadata: { portal_role: 'service', username: name, instance_name: null, instance_id: null },
        },
        id,
        expiresAtSeconds,
      ),
    isAnonKey: async (token) => {
      const claims = jwt.read(token, nowSeconds())
      return typeof claims === 'object' && claims['role'] === 'anon' && claims['sub'] === undefined
    },
    verify: async (token) => {
      const read = jwt.read(token, nowSeconds())
      if (typeof read === 'string') throw new TokenError(read)
      const known = checked.get(read)
      if (known) return known
      const claims = v.safeParse(Claims, read)
      const isOurs = read['iss'] === ISSUER && read['aud'] === AUDIENCE && read['exp'] !== undefined
      if (!isOurs || !claims.success) throw new TokenError('invalid')
      checked.set(read, claims.output)
      return claims.output
    },
  }
}

const secondsOf = (time: string) => Math.floor(Date.parse(time) / 1000)

function claimsOf({ account, session }: SignedIn) {
  const { createdAt, secondStepAt, isHalf } = session
  return {
    role: 'authenticated',
    session_id: session.id,
    email: loginEmail(account.role, account.username),
    phone: '',
    // Tells the app that the second step is pending.
    app_metadata: { ...appMetadataOf(account), ...(isHalf ? { awaits_code: true } : {}) },
    user_metadata: {},
    is_anonymous: false,
    aal: secondStepAt === null ? 'aal1' : 'aal2',
    amr: [
      ...(secondStepAt === null ? [] : [{ method: 'totp', timestamp: secondsOf(secondStepAt) }]),
      { method: 'password', timestamp: secondsOf(createdAt) },
    ],
  }
}

/** GoTrue's name for a sign-in by e-mail and password. */
export const PROVIDER = 'email'

/** The portal's claims in tokens and users, besides GoTrue's own fields. */
export function appMetadataOf(account: Account) {
  return {
    provider: PROVIDER,
    providers: [PROVIDER],
    portal_role: account.role,
    username: account.username,
    instance_name: account.instanceName,
    instance_id: account.instanceId,
    ...(account.leadsTeam ? { leads_team: true } : {}),
  }
}
