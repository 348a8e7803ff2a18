// /auth/v1/factors: the second step of administrators, in the protocol of auth-js. A recovery code is
// accepted in place of the app's code.
import { Hono, type Context } from 'hono'
import { encodeQR } from 'qr'
import * as v from 'valibot'
import type { AuthParts } from '../auth-parts.ts'
import type { Bindings } from '../client-address.ts'
import { signedInOf, wholeSessionOf } from '../gotrue/session.ts'
import { GotrueError, sessionOf, throttled, type Refusal } from '../gotrue/wire.ts'
import { readBody } from '../json-body.ts'
import type { SignedIn } from '../signed-in.ts'
import { keyUri, toBase32 } from './totp.ts'

const ISSUER = 'Portal do Corretor'
const MAX_NAME = 60

const Enroll = v.object({
  factor_type: v.string(),
  friendly_name: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(MAX_NAME)))),
  issuer: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(MAX_NAME)))),
})
const Verify = v.object({ challenge_id: v.pipe(v.string(), v.uuid()), code: v.pipe(v.string(), v.trim()) })
const Id = v.pipe(v.string(), v.uuid())

const refusal = (status: Refusal['status'], code: string, message: string) =>
  new GotrueError({ status, code, message })

const NOT_FOR_BROKERS = 'A verificação em duas etapas está fechada para corretores.'
const notFound = () => refusal(404, 'mfa_factor_not_found', 'Este aplicativo autenticador não existe.')
const WRONG = {
  wrong: () => refusal(422, 'mfa_verification_failed', 'Código incorreto.'),
  expired: () => refusal(422, 'mfa_challenge_expired', 'O código demorou demais. Tente de novo.'),
  unknown: notFound,
}

export function createFactorRoutes(parts: AuthParts): Hono<{ Bindings: Bindings }> {
  const { factors, log } = parts
  const routes = new Hono<{ Bindings: Bindings }>()
  routes.post('/', (context) => enroll(parts, context))
  routes.post('/:id/challenge', async (context) => {
    const signedIn = adminOnly(await signedInOf(parts, context), 'mfa_totp_verify_not_enabled')
    const challenge = await factors.challenge(signedIn, idOf(context))
    if (!challenge) throw notFound()
    return context.json({
      id: challenge.id,
      type: 'totp',
      expires_at: Math.floor(challenge.expiresAtMs / 1000),
    })
  })
  routes.post('/:id/verify', (context) => verify(parts, context))
  routes.delete('/:id', async (context) => {
    const signedIn = await wholeSessionOf(parts, context)
    if (signedIn.account.role === 'broker') throw refusal(404, 'mfa_factor_not_found', NOT_FOR_BROKERS)
    const id = idOf(context)
    if (!(await factors.remove(signedIn, id))) throw notFound()
    log.info('factor.removed', { accountId: signedIn.account.id })
    return context.json({ id })
  })
  return routes
}

async function enroll({ factors, log, ...parts }: AuthParts, context: Context) {
  const { account } = adminOnly(await wholeSessionOf(parts, context), 'mfa_totp_enroll_not_enabled')
  const body = await readBody(context, Enroll, 'Diga o tipo e um nome de até 60 caracteres.')
  if (body.factor_type === 'phone' || body.factor_type === 'webauthn')
    throw refusal(
      422,
      `mfa_${body.factor_type}_enroll_not_enabled`,
      'Só aplicativos autenticadores são aceitos.',
    )
  if (body.factor_type !== 'totp')
    throw refusal(400, 'validation_failed', 'Este tipo de verificação não existe.')
  const name = body.friendly_name ?? ''
  const made = await factors.enroll(account.id, name)
  if (made === 'taken')
    throw refusal(422, 'mfa_factor_name_conflict', 'Já existe um aplicativo com este nome.')
  if (made === 'full')
    throw refusal(422, 'too_many_enrolled_mfa_factors', 'Há aplicativos demais. Remova um deles antes.')
  log.info('factor.enrolled', { accountId: account.id })
  const secret = toBase32(made.secret)
  const uri = keyUri({ secret, username: account.username, issuer: body.issuer ?? ISSUER })
  return context.json({
    id: made.id,
    type: 'totp',
    friendly_name: name,
    totp: { qr_code: encodeQR(uri, 'svg', { border: 2, ecc: 'low' }), secret, uri },
  })
}

async function verify({ factors, throttle, tokens, log, ...parts }: AuthParts, context: Context) {
  const signedIn = adminOnly(await signedInOf({ tokens, ...parts }, context), 'mfa_totp_verify_not_enabled')
  const factorId = idOf(context)
  const body = await readBody(context, Verify, 'Digite o código.')
  const accountId = signedIn.account.id
  // The attempt is counted before the code is checked, so that parallel guesses are throttled.
  const waitSeconds = await throttle.chargeCode(accountId)
  if (waitSeconds > 0) throw throttled(waitSeconds)
  const result = await factors.verify(signedIn, {
    factorId,
    challengeId: body.challenge_id,
    code: body.code,
  })
  if (result.outcome !== 'granted') {
    log.warn('factor.refused', { accountId, outcome: result.outcome })
    // A wrong code while somebody sets up an app is not audited as a refused sign-in.
    if (result.outcome === 'wrong' && signedIn.session.isHalf)
      await parts.sessions.noteRefusal(signedIn.account, 'code')
    throw WRONG[result.outcome]()
  }
  await throttle.forgiveCode(accountId)
  log.info('factor.verified', { accountId, sessionId: result.signedIn.session.id })
  return context.json(await sessionOf(result, tokens))
}

function adminOnly(signedIn: SignedIn, code: string): SignedIn {
  if (signedIn.account.role === 'broker') throw refusal(422, code, NOT_FOR_BROKERS)
  return signedIn
}

function idOf(context: Context): string {
  const id = v.safeParse(Id, context.req.param('id'))
  if (!id.success) throw notFound()
  return id.output
}
