// /api/login: the two steps of a login that GoTrue's protocol lacks, including an administrator's first one.
import { Hono, type Context } from 'hono'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import { toUsername } from '#domain/session.ts'
import { throttledText } from '#server/http/rate-limit.ts'
import type { AuthParts } from './auth-parts.ts'
import { clientAddress, type Bindings } from './client-address.ts'
import { limitSignIn, readBody } from './json-body.ts'
import { checkNewPassword } from './accounts/passwords.ts'
import { hashSecret } from './tokens/refresh-token.ts'
import { countedAs } from './throttle.ts'

const Lookup = v.object({ username: v.string() })
const FirstAccess = v.object({
  username: v.string(),
  password: v.string(),
  invite: v.optional(v.nullable(v.string())),
  role: v.optional(v.picklist(['admin', 'broker']), 'broker'),
})

export function createLoginRoutes(parts: AuthParts): Hono<{ Bindings: Bindings }> {
  const { accounts, throttle, hasPublicUrl } = parts
  const routes = new Hono<{ Bindings: Bindings }>()
  routes.use(async (context, next) => {
    await next()
    context.header('cache-control', 'no-store')
  }, limitSignIn)

  routes.post('/lookup', async (context) => {
    const { username } = await readBody(context, Lookup, 'Informe o usuário.')
    refuseWait(context, await throttle.chargeLookup(clientAddress(context, hasPublicUrl)))
    const broker = await accounts.findLogin('broker', toUsername(username))
    return context.json({ exists: broker !== null, hasPassword: broker?.hasPassword === true })
  })
  routes.post('/first-access', (context) => setFirstPassword(parts, context))
  return routes
}

async function setFirstPassword(parts: AuthParts, context: Context<{ Bindings: Bindings }>) {
  const { accounts, throttle, passwords, log } = parts
  const body = await readBody(context, FirstAccess, 'Informe o usuário e a nova senha.')
  checkNewPassword(body.password)
  const { role } = body
  const username = toUsername(body.username)
  const attempt = {
    account: countedAs(username === null ? null : { role, username }),
    address: clientAddress(context, parts.hasPublicUrl),
  }
  refuseWait(context, await throttle.chargeSignIn(attempt))

  const found = await accounts.findLogin(role, username)
  // Only a broker's unknown name gets its own answer: a stranger must not find out which administrators exist.
  if (!found && role === 'broker')
    throw new PortalError('login.unknown-user', 'Corretor não encontrado', { status: 404 })
  if (found?.hasPassword === true && role === 'broker')
    throw new PortalError('first-access.done', 'Este usuário já tem senha. Entre com ela.', { status: 409 })
  const access = {
    isOpen: parts.firstAccess === 'open' && role === 'broker',
    inviteHash: body.invite ? hashSecret(body.invite) : null,
  }
  // The invite is checked before the costly hash, and again with the change itself.
  const isSet =
    found !== null &&
    (await accounts.mayHaveFirstPassword(found.id, access)) &&
    (await accounts.setFirstPassword(found.id, await passwords.hash(body.password), access))
  if (!isSet) throw closedAccess(access.inviteHash !== null)
  await throttle.forgiveSignIn(attempt)
  log.info('password.first-set', { accountId: found.id })
  return context.json({})
}

function closedAccess(hasInvite: boolean): PortalError {
  const message = hasInvite
    ? 'Este convite não vale mais. Peça outro ao administrador.'
    : 'O primeiro acesso está fechado. Peça ao administrador um convite ou para redefinir a sua senha.'
  return new PortalError('first-access.closed', message, { status: 403 })
}

function refuseWait(context: Context, waitSeconds: number) {
  if (waitSeconds <= 0) return
  context.header('retry-after', String(waitSeconds))
  throw new PortalError('login.throttled', throttledText(waitSeconds), { status: 429 })
}
