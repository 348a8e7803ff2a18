// /api/admins, for administrators: administration of administrators. /api/account, for gerentes too: the caller's
// second step.
import { Hono, type Context } from 'hono'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import { USERNAME } from '#domain/session.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { signedInAdmin, signedInAtPanel, type Signed } from '#server/http/requests.ts'
import { createAccountStore, type Asking } from './store.ts'
import { createInvites, INVITE_LIFETIME_MS } from './invite.ts'
import { limitSignIn, readBody } from '../json-body.ts'
import type { Member } from './member.ts'
import { createRecoveryCodes, hashRecoveryCode } from '../factors/recovery-codes.ts'

const INCOMPLETE = 'O pedido não está completo.'
const USERNAME_RULE = 'Use letras minúsculas, números, ponto ou hífen, sem espaços'

const operationId = v.pipe(v.string(), v.uuid())
const Operation = v.object({ operationId })
const Add = v.object({ operationId, username: v.pipe(v.string(), v.regex(USERNAME)) })
const Id = v.pipe(v.string(), v.uuid())

type AccountParts = {
  db: Database
  clock: Clock
  jwtSecret: string
  memberOf: (request: Request) => Promise<Member>
}

export function createAccountRoutes({ db, clock, jwtSecret, memberOf }: AccountParts): Hono<Signed<Member>> {
  const store = createAccountStore(db)
  const inviteOf = createInvites(jwtSecret)
  const codesOf = createRecoveryCodes(jwtSecret)
  const inviteFor = (asking: Asking) => {
    const { token, hash } = inviteOf(asking)
    return { token, stored: { hash, until: new Date(clock.now() + INVITE_LIFETIME_MS) } }
  }
  const askedBy = ({ var: { member } }: Context<Signed<Member>>, operationId: string): Asking => ({
    accountId: member.accountId,
    claims: member.claims,
    operationId,
  })
  const asked = async (context: Context<Signed<Member>>): Promise<Asking> =>
    askedBy(context, (await readBody(context, Operation, INCOMPLETE)).operationId)

  const routes = new Hono<Signed<Member>>()
  // The permission is checked before anything else.
  routes.use('/admins/*', signedInAdmin(memberOf), limitSignIn)
  routes.use('/account/*', signedInAtPanel(memberOf), limitSignIn)
  routes.get('/admins', async (context) => context.json(await store.listAdmins(context.var.claims)))
  routes.post('/admins', async (context) => {
    const { username, operationId } = await readBody(context, Add, USERNAME_RULE)
    const asking = askedBy(context, operationId)
    const { token, stored } = inviteFor(asking)
    return context.json({ ...(await store.addAdmin(asking, username, stored)), invite: token })
  })
  routes.post('/admins/:id/reset', async (context) => {
    const asking = await asked(context)
    const { token, stored } = inviteFor(asking)
    return context.json({ ...(await store.resetAdmin(asking, idOf(context), stored)), invite: token })
  })
  routes.post('/admins/:id/remove', async (context) =>
    context.json(await store.removeAdmin(await asked(context), idOf(context))),
  )
  routes.get('/account/second-step', async (context) =>
    context.json(await store.secondStep(context.var.claims)),
  )
  routes.post('/account/recovery-codes', async (context) => {
    const asking = await asked(context)
    const codes = codesOf(asking)
    await store.renewRecoveryCodes(
      asking,
      codes.flatMap((code) => hashRecoveryCode(code) ?? []),
    )
    return context.json({ codes })
  })
  return routes
}

function idOf(context: Context): string {
  const id = v.safeParse(Id, context.req.param('id'))
  if (!id.success) throw new PortalError('admin.unknown', 'Administrador não encontrado', { status: 404 })
  return id.output
}
