// /api/brokers: 'Gerenciar Corretores', for administrators; gerentes read the brokers they lead.
import { Hono, type Context } from 'hono'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import type { Role } from '#domain/session.ts'
import type { Claims } from '#server/db/as-user.ts'
import { jsonOf, limitBody, signedInAdmin, signedInLeader, type Signed } from '#server/http/requests.ts'
import type { Asking, Brokers } from './brokers.ts'

type Member = { role: Role; leadsTeam: boolean; accountId: string; claims: Claims }

const MAX_BODY_BYTES = 4 * 1024

const operationId = v.pipe(v.string(), v.uuid())
const Add = v.object({ operationId, username: v.pipe(v.string(), v.regex(/^[a-z]{1,60}$/)) })
const Reset = v.object({ operationId })
/** `heir`: the broker who gets the leads. Null: they become the administrator's. */
const Remove = v.object({ operationId, heir: v.nullable(v.string()) })

export function createBrokerRoutes(
  brokers: Brokers,
  memberOf: (request: Request) => Promise<Member>,
): Hono<Signed<Member>> {
  const routes = new Hono<Signed<Member>>()
  // The permission is checked before anything else. Gerentes read the brokers they lead.
  const [forLeaders, forAdmins] = [signedInLeader(memberOf), signedInAdmin(memberOf)]
  routes.use((context, next) => (context.req.method === 'GET' ? forLeaders : forAdmins)(context, next))
  routes.use(limitBody(MAX_BODY_BYTES))
  const asked = async <T extends { operationId: string }>(
    context: Context<Signed<Member>>,
    schema: v.GenericSchema<unknown, T>,
    message: string,
  ): Promise<{ asking: Asking; body: T }> => {
    const { accountId, claims } = context.var.member
    const body = v.safeParse(schema, await jsonOf(context))
    if (!body.success) throw new PortalError('request.invalid', message, { status: 422 })
    return { asking: { accountId, claims, operationId: body.output.operationId }, body: body.output }
  }

  routes.get('/', async (context) => context.json(await brokers.list(context.var.claims)))
  routes.get('/totals', async (context) => context.json(await brokers.countLeads(context.var.claims)))
  routes.post('/', async (context) => {
    const { asking, body } = await asked(
      context,
      Add,
      'Use apenas letras minúsculas, sem espaços ou caracteres especiais',
    )
    return context.json(await brokers.add(asking, body.username))
  })
  routes.post('/:instanceName/reset', async (context) => {
    const { asking } = await asked(context, Reset, 'O pedido não está completo.')
    return context.json(await brokers.reset(asking, context.req.param('instanceName')))
  })
  routes.post('/:instanceName/remove', async (context) => {
    const { asking, body } = await asked(context, Remove, 'Diga com quem ficam os leads.')
    return context.json(await brokers.remove(asking, context.req.param('instanceName'), body.heir))
  })
  return routes
}
