// The formats of GoTrue's protocol: errors, user, session. Texts are Portuguese; codes are those of auth-js.
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { PortalError } from '#domain/errors.ts'
import { loginEmail } from '#domain/session.ts'
import { isPassing, SqlError } from '#server/db/database.ts'
import { BUSY, BUSY_SECONDS } from '#server/http/errors.ts'
import type { Factor, Granted, SignedIn } from '../signed-in.ts'
import { throttledText } from '#server/http/rate-limit.ts'
import { appMetadataOf, PROVIDER, TOKEN_LIFETIME_SECONDS, type Tokens } from '../tokens/token.ts'

export type Refusal = {
  status: ContentfulStatusCode
  /** One of the error codes that auth-js knows. */
  code: string
  message: string
  /** Seconds for the header Retry-After. */
  waitSeconds?: number
}

/** A refusal in GoTrue's format. */
export class GotrueError extends Error {
  override readonly name = 'GotrueError'
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

export const throttled = (waitSeconds: number) =>
  new GotrueError({
    status: 429,
    code: 'over_request_rate_limit',
    message: throttledText(waitSeconds),
    waitSeconds,
  })

/** An error in GoTrue's format. Null: the fault is the portal's own. */
export function toRefusal(error: Error): Refusal | null {
  if (error instanceof GotrueError) return error.refusal
  if (!(error instanceof PortalError)) return null
  const { message } = error
  if (error.code.startsWith('password.')) return { status: 422, code: 'weak_password', message }
  if (error.code === 'request.not-json') return { status: 400, code: 'bad_json', message }
  return { status: error.code === 'request.too-large' ? 413 : 400, code: 'validation_failed', message }
}

/** The answer to an error that is not the caller's. After a 503 auth-js retries by itself and keeps the session. */
export const toFailure = (error: Error): Refusal =>
  error instanceof SqlError && isPassing(error)
    ? { status: 503, code: 'unexpected_failure', message: BUSY.message, waitSeconds: BUSY_SECONDS }
    : {
        status: 500,
        code: 'unexpected_failure',
        message: 'Algo deu errado no portal. Tente de novo.',
      }

export function answerRefusal(context: Context, { status, code, message, waitSeconds }: Refusal) {
  const reasons = code === 'weak_password' ? { weak_password: { reasons: ['length'] } } : {}
  const headers = waitSeconds === undefined ? {} : { 'retry-after': String(waitSeconds) }
  return context.json({ code: status, error_code: code, msg: message, ...reasons }, status, headers)
}

/** GoTrue's user: its only identity is the e-mail; only administrators have factors. */
export function userOf({ account, session, factors }: SignedIn) {
  const email = loginEmail(account.role, account.username)
  return {
    id: account.id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    email_confirmed_at: account.createdAt,
    confirmed_at: account.createdAt,
    phone: '',
    last_sign_in_at: session.createdAt,
    app_metadata: appMetadataOf(account),
    user_metadata: {},
    identities: [
      {
        identity_id: account.id,
        id: account.id,
        user_id: account.id,
        identity_data: { email, email_verified: true, phone_verified: false, sub: account.id },
        provider: PROVIDER,
        last_sign_in_at: session.createdAt,
        created_at: account.createdAt,
        updated_at: account.createdAt,
        email,
      },
    ],
    created_at: account.createdAt,
    updated_at: account.createdAt,
    is_anonymous: false,
    ...(factors.length > 0 ? { factors: factors.map(toWire) } : {}),
  }
}

const toWire = (factor: Factor) => ({
  id: factor.id,
  friendly_name: factor.name,
  factor_type: 'totp',
  status: factor.isVerified ? 'verified' : 'unverified',
  created_at: factor.createdAt,
  updated_at: factor.updatedAt,
})

export async function sessionOf({ signedIn, refreshToken }: Granted, tokens: Tokens) {
  const { accessToken, expiresAtSeconds } = await tokens.sign(signedIn)
  return {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: TOKEN_LIFETIME_SECONDS,
    expires_at: expiresAtSeconds,
    refresh_token: refreshToken,
    user: userOf(signedIn),
  }
}
