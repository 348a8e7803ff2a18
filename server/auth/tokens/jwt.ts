// JSON Web Tokens in the only form that the portal issues and accepts: HS256 (RFC 7515, RFC 7519).
// Synchronous, because every request checks one, and another thread would cost ten times the work.
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'

export type JwtClaims = Readonly<Record<string, unknown>>

export type Jwt = {
  sign(claims: JwtClaims): string
  /**
   * The claims of a valid token; `expired` for an expired one, `invalid` for anything else: another
   * algorithm, a critical header, a time that is no number.
   */
  read(token: string, nowSeconds: number): JwtClaims | 'expired' | 'invalid'
}

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')
const HEADER = encode({ alg: 'HS256', typ: 'JWT' })
/** Size of the cache of verified tokens; a phone sends the same one for an hour. */
const MAX_KNOWN = 2_000
const FORM = /^[\w-]+\.[\w-]+\.[\w-]{43}$/

export function createJwt(secret: string): Jwt {
  const key = createSecretKey(Buffer.from(secret, 'utf8'))
  const signatureOf = (signed: string) => createHmac('sha256', key).update(signed).digest('base64url')
  const known = new Map<string, JwtClaims>()

  /** The claims of a correctly signed token, whatever its time. */
  function claimsOf(token: string): JwtClaims | null {
    if (!FORM.test(token)) return null
    const end = token.lastIndexOf('.')
    const signed = token.slice(0, end)
    if (!timingSafeEqual(Buffer.from(signatureOf(signed)), Buffer.from(token.slice(end + 1)))) return null
    const [head = '', body = ''] = signed.split('.')
    // The portal's own header is compared as text, without parsing.
    return head === HEADER || isOurKind(objectOf(head)) ? objectOf(body) : null
  }

  function keep(token: string, claims: JwtClaims) {
    const [oldest] = known.keys()
    if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest)
    known.set(token, claims)
  }

  return {
    sign: (claims) => {
      const signed = `${HEADER}.${encode(claims)}`
      return `${signed}.${signatureOf(signed)}`
    },
    read: (token, nowSeconds) => {
      const kept = known.get(token)
      const claims = kept ?? claimsOf(token)
      if (claims === null) return 'invalid'
      if (kept === undefined) keep(token, claims)
      return faultOf(claims, nowSeconds) ?? claims
    },
  }
}

function isOurKind(header: JwtClaims | null): boolean {
  return header?.['alg'] === 'HS256' && header['crit'] === undefined && header['b64'] === undefined
}

function objectOf(part: string): JwtClaims | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

/** Checks the times; absent ones do not limit the token. */
function faultOf({ exp, nbf, iat }: JwtClaims, nowSeconds: number): 'expired' | 'invalid' | null {
  const areTimes = [exp, nbf, iat].every((time) => time === undefined || typeof time === 'number')
  if (!areTimes || Number(nbf ?? nowSeconds) > nowSeconds) return 'invalid'
  return Number(exp ?? Infinity) <= nowSeconds ? 'expired' : null
}
