// /auth/v1: the part of GoTrue's protocol that auth-js needs here.
import { Hono, type Context } from 'hono'
import * as v from 'valibot'
import { fromLoginEmail, loginEmail } from '#domain/session.ts'
import { logFailure } from '#server/http/errors.ts'
import type { AuthParts } from '../auth-parts.ts'
import { clientAddress, type Bindings } from '../client-address.ts'
import { createFactorRoutes } from '../factors/routes.ts'
import { CLOSED_GRANTS, closedPhone, createClosedRoutes } from './closed.ts'
import { SESSION_OVER, sessionOver, signedInOf, wholeSessionOf } from './session.ts'
import { answerRefusal, GotrueError, sessionOf, throttled, toFailure, toRefusal, userOf } from './wire.ts'
import { limitSignIn, readBody } from '../json-body.ts'
import { checkNewPassword } from '../accounts/passwords.ts'
import type { LogoutScope } from '../session-store.ts'

type AuthContext = Context<{ Bindings: Bindings }>

/** GoTrue's own English message for a sign-in without a name or a password. */
const NEEDS_BOTH = 'You must provide either an email or phone number and a password'

const Credentials = v.object({
  email: v.optional(v.nullable(v.string())),
  phone: v.optional(v.nullable(v.string())),
  password: v.string(),
})
const Refresh = v.object({ refresh_token: v.string() })
/** The body that auth-js sends with a new password. The portal refuses other keys. */
const UserChange = v.strictObject({
  password: v.string(),
  current_password: v.optional(v.nullable(v.string())),
  code_challenge: v.optional(v.null()),
  code_challenge_method: v.optional(v.null()),
})
const REFRESH_CODES = {
  unknown: 'refresh_token_not_found',
  reused: 'refresh_token_already_used',
  expired: 'session_expired',
}
const SCOPES: readonly LogoutScope[] = ['global', 'local', 'others']

export function createGotrueRoutes(parts: AuthParts): Hono<{ Bindings: Bindings }> {
  const { log, sessions } = parts
  const routes = new Hono<{ Bindings: Bindings }>()
  routes.onError((error, context) => {
    const refusal = toRefusal(error)
    if (refusal) return answerRefusal(context, refusal)
    logFailure(log, error, context)
    return answerRefusal(context, toFailure(error))
  })
  routes.use(async (context, next) => {
    await next()
    context.header('cache-control', 'no-store')
  }, limitSignIn)

  routes.post('/token', (context) => {
    const grant = context.req.query('grant_type') ?? ''
    if (grant === 'password') return signIn(parts, context)
    if (grant === 'refresh_token') return refresh(parts, context)
    const refusal = CLOSED_GRANTS.get(grant)
    throw refusal ? new GotrueError(refusal) : refused(400, 'Este tipo de entrada não existe.')
  })
  routes.get('/user', async (context) => context.json(userOf(await signedInOf(parts, context))))
  routes.put('/user', (context) => changePassword(parts, context))
  routes.post('/logout', async (context) => {
    const asked = context.req.query('scope') ?? 'global'
    const scope = SCOPES.find((known) => known === asked)
    if (!scope) throw refused(400, 'Este alcance da saída não existe.')
    const signedIn = await signedInOf(parts, context)
    await sessions.logout(signedIn, scope)
    log.info('session.ended', { accountId: signedIn.account.id, scope })
    return context.body(null, 204)
  })
  for (const path of ['/token', '/user', '/logout'])
    routes.all(path, () => {
      throw refused(405, 'Este endereço não aceita esse método.')
    })
  routes.route('/factors', createFactorRoutes(parts))
  routes.route('/', createClosedRoutes())
  routes.all('*', () => {
    throw refused(404, 'Este endereço não existe.')
  })
  return routes
}

async function signIn(parts: AuthParts, context: AuthContext) {
  const { email, phone, password } = await readBody(context, Credentials, NEEDS_BOTH)
  if (!password || (!email && !phone)) throw refused(400, NEEDS_BOTH)
  if (!email) throw new GotrueError(closedPhone)

  const { account, passwordHash } = await requireRight(parts, context, { email, password })
  const granted = await parts.sessions.open(
    account.id,
    passwordHash,
    context.req.header('user-agent') ?? null,
  )
  if (!granted) throw wrongPassword()
  parts.log.info('sign-in.done', { accountId: account.id, sessionId: granted.signedIn.session.id })
  return context.json(await sessionOf(granted, parts.tokens))
}

/** Checks the password as sign-in.ts does. Logs a refusal and throws it. */
async function requireRight(
  parts: AuthParts,
  context: AuthContext,
  credentials: { email: string; password: string },
) {
  const result = await parts.tryPassword({
    ...credentials,
    address: clientAddress(context, parts.hasPublicUrl),
  })
  if (result.outcome === 'right') return result
  parts.log.warn('sign-in.refused', { outcome: result.outcome })
  const login = fromLoginEmail(credentials.email)
  // Throttled guesses are not logged, because there may be any number of them.
  if (result.outcome === 'wrong' && login) await parts.sessions.noteRefusal(login, 'password')
  throw result.outcome === 'throttled' ? throttled(result.waitSeconds) : wrongPassword()
}

async function refresh(parts: AuthParts, context: AuthContext) {
  const body = await readBody(context, Refresh, 'Falta o refresh_token.')
  const exchange = await parts.exchange(body.refresh_token)
  if (exchange.outcome === 'granted') return context.json(await sessionOf(exchange, parts.tokens))
  parts.log.warn('session.refresh-refused', { outcome: exchange.outcome })
  throw new GotrueError({
    status: 400,
    code: REFRESH_CODES[exchange.outcome],
    message: SESSION_OVER,
  })
}

async function changePassword(parts: AuthParts, context: AuthContext) {
  const signedIn = await wholeSessionOf(parts, context)
  const change = await readBody(context, UserChange, 'Aqui só a senha pode ser mudada.')
  checkNewPassword(change.password)
  const { role, username, id } = signedIn.account
  // Requires the current password: somebody with access to an open window must not take over the account.
  const { passwordHash } = await requireRight(parts, context, {
    email: loginEmail(role, username),
    password: change.current_password ?? '',
  })
  if (await parts.passwords.verify(change.password, passwordHash))
    throw new GotrueError({
      status: 422,
      code: 'same_password',
      message: 'A nova senha precisa ser diferente da atual.',
    })
  const made = await parts.passwords.hash(change.password)
  if (!(await parts.sessions.changePassword(signedIn, { from: passwordHash, to: made }))) throw sessionOver()
  parts.log.info('password.changed', { accountId: id })
  return context.json(userOf(signedIn))
}

const refused = (status: 400 | 404 | 405, message: string) =>
  new GotrueError({ status, code: 'validation_failed', message })

/** An unknown name gets the same answer as a wrong password. */
const wrongPassword = () =>
  new GotrueError({ status: 400, code: 'invalid_credentials', message: 'Credenciais inválidas' })
