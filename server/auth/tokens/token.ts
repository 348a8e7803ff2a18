// Access tokens: HS256, one hour, with claims in GoTrue's names.
import * as v from 'valibot'
import { loginEmail } from '#domain/session.ts'
import type { Clock } from '#server/clock.ts'
import type { Account } from '../accounts/accounts.ts'
import { createJwt, type JwtClaims } from './jwt.ts'
import type { SignedIn } from '../signed-in.ts'

export const TOKEN_LIFETIME_SECONDS = 3600
const ISSUER = 'portal-do-corretor'
const AUDIENCE = 'authenticated'

/** A bearer token that does not hold; `expired` means it once did. */
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
  /** A token for the session, and when it ends in epoch seconds. */
  sign(signedIn: SignedIn): Promise<{ accessToken: string; expiresAtSeconds: number }>
  /** A token for a machine, with no person behind it: as long as its row lives and it is not over. */
  signService(service: { id: string; name: string; expiresAtSeconds: number }): Promise<string>
  /** Whether it is the old form of the publishable key: a token of the same secret that names `anon`, and nobody. */
  isAnonKey(token: string): Promise<boolean>
  /** The claims of a token signed here and not yet over, or TokenError. Whether its session lives is asked elsewhere. */
  verify(token: string): Promise<AccessClaims>
}

export function createTokens(jwtSecret: string, clock: Clock): Tokens {
  const jwt = createJwt(jwtSecret)
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
      const claims = v.safeParse(Claims, read)
      const isOurs = read['iss'] === ISSUER && read['aud'] === AUDIENCE && read['exp'] !== undefined
      if (!isOurs || !claims.success) throw new TokenError('invalid')
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
    // The app knows by it that nobody is signed in yet.
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

/** GoTrue's name for a sign-in by address and password. */
export const PROVIDER = 'email'

/** What the token and the user of the wire say of the account beyond GoTrue's own fields. */
export function appMetadataOf(account: Account) {
  return {
    provider: PROVIDER,
    providers: [PROVIDER],
    portal_role: account.role,
    username: account.username,
    instance_name: account.instanceName,
    instance_id: account.instanceId,
  }
}
