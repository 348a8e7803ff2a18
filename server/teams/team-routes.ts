// /api/teams: 'Equipes', for administrators.
import { Hono, type Context } from 'hono'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import { USERNAME, type Role } from '#domain/session.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import {
  jsonOf,
  limitBody,
  signedInAdmin,
  UUID,
  type Asking as Asked,
  type Signed,
} from '#server/http/requests.ts'
import { createTeamStore, type Asking } from './team-store.ts'

type Member = Asked & { role: Role }

const MAX_BODY_BYTES = 4 * 1024
/** Validity of the one-time link for a first access. */
const INVITE_LIFETIME_MS = 7 * 86_400_000
const INCOMPLETE = 'O pedido não está completo.'
const USERNAME_RULE = 'Use letras minúsculas, números, ponto ou hífen, sem espaços'

const uuid = v.pipe(v.string(), v.uuid())
const Operation = v.object({ operationId: uuid })
const Named = v.object({ operationId: uuid, name: v.string() })
const Move = v.object({ operationId: uuid, team: v.nullable(uuid) })
const ChangeManager = v.object({ operationId: uuid, from: v.nullable(uuid), to: v.nullable(uuid) })
const AddManager = v.object({ operationId: uuid, username: v.pipe(v.string(), v.regex(USERNAME)) })

type TeamParts = {
  db: Database
  clock: Clock
  inviteOf: (operation: { accountId: string; operationId: string }) => { token: string; hash: Uint8Array }
  memberOf: (request: Request) => Promise<Member>
}

export function createTeamRoutes({ db, clock, inviteOf, memberOf }: TeamParts): Hono<Signed<Member>> {
  const store = createTeamStore(db)
  const inviteFor = (asking: Asking) => {
    const { token, hash } = inviteOf(asking)
    return { token, stored: { hash, until: new Date(clock.now() + INVITE_LIFETIME_MS) } }
  }
  const routes = new Hono<Signed<Member>>()
  // The permission is checked before anything else.
  routes.use(signedInAdmin(memberOf), limitBody(MAX_BODY_BYTES))

  routes.get('/', async (context) => context.json(await store.list(context.var.claims)))
  routes.post('/', async (context) => {
    const { asking, body } = await asked(context, Named)
    return context.json(await store.add(asking, body.name))
  })
  routes.post(`/:id{${UUID}}/rename`, async (context) => {
    const { asking, body } = await asked(context, Named)
    return context.json(await store.rename(asking, context.req.param('id'), body.name))
  })
  routes.post(`/:id{${UUID}}/remove`, async (context) => {
    const { asking } = await asked(context, Operation)
    return context.json(await store.remove(asking, context.req.param('id')))
  })
  routes.post(`/:id{${UUID}}/manager`, async (context) => {
    const { asking, body } = await asked(context, ChangeManager)
    return context.json(await store.changeManager(asking, context.req.param('id'), body))
  })
  routes.post(`/:id{${UUID}}/managers`, async (context) => {
    const { asking, body } = await asked(context, AddManager, USERNAME_RULE)
    const { token, stored } = inviteFor(asking)
    const made = await store.addManager(asking, context.req.param('id'), {
      username: body.username,
      ...stored,
    })
    return context.json({ ...made, invite: token })
  })
  routes.post(`/brokers/:id{${UUID}}/move`, async (context) => {
    const { asking, body } = await asked(context, Move)
    return context.json(await store.move(asking, context.req.param('id'), body.team))
  })
  routes.post(`/managers/:id{${UUID}}/reset`, async (context) => {
    const { asking } = await asked(context, Operation)
    const { token, stored } = inviteFor(asking)
    const reset = await store.resetManager(asking, context.req.param('id'), stored)
    return context.json({ ...reset, invite: token })
  })
  routes.post(`/managers/:id{${UUID}}/remove`, async (context) => {
    const { asking } = await asked(context, Operation)
    return context.json(await store.removeManager(asking, context.req.param('id')))
  })
  return routes
}

/** Returns the caller, the operation and the body. Raises `request.invalid`. */
async function asked<T extends { operationId: string }>(
  context: Context<Signed<Member>>,
  schema: v.GenericSchema<unknown, T>,
  message = INCOMPLETE,
): Promise<{ asking: Asking; body: T }> {
  const { accountId, claims } = context.var.member
  const body = v.safeParse(schema, await jsonOf(context))
  if (!body.success) throw new PortalError('request.invalid', message, { status: 422 })
  return { asking: { accountId, claims, operationId: body.output.operationId }, body: body.output }
}
