// /api/brokers: 'Gerenciar Corretores', for administrators alone (SPEC.md 2.5; PRODUCT.md 3).
import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import type { Claims } from '#server/db/as-user.ts'
import type { Asking, Brokers } from './brokers.ts'

type Member = { role: 'admin' | 'broker'; accountId: string; claims: Claims }

const MAX_BODY_BYTES = 4 * 1024

const operationId = v.pipe(v.string(), v.uuid())
const Add = v.object({ operationId, username: v.pipe(v.string(), v.regex(/^[a-z]{1,60}$/)) })
const Reset = v.object({ operationId })
/** `heir` gets the leads; with null they stay with the administrator. */
const Remove = v.object({ operationId, heir: v.nullable(v.string()) })

export function createBrokerRoutes(brokers: Brokers, memberOf: (request: Request) => Promise<Member>): Hono {
  const routes = new Hono()
  const adminOf = async (context: Context): Promise<Member> => {
    const member = await memberOf(context.req.raw)
    if (member.role !== 'admin')
      throw new PortalError('access.denied', 'Somente um administrador pode fazer isto.', { status: 403 })
    return member
  }
  /** Who asks for what; whoever may not ask is told so before anything else is looked at. */
  const asked = async <T extends { operationId: string }>(
    context: Context,
    schema: v.GenericSchema<unknown, T>,
    message: string,
  ): Promise<{ asking: Asking; body: T }> => {
    const { accountId, claims } = await adminOf(context)
    const body = v.safeParse(schema, await context.req.json().catch(() => null))
    if (!body.success) throw new PortalError('request.invalid', message, { status: 422 })
    return { asking: { accountId, claims, operationId: body.output.operationId }, body: body.output }
  }

  routes.use(
    async (context, next) => {
      await next()
      context.res.headers.set('cache-control', 'no-store')
    },
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: () => {
        throw new PortalError('request.too-large', 'O pedido é grande demais.', { status: 413 })
      },
    }),
  )
  routes.get('/', async (context) => {
    const { claims } = await adminOf(context)
    return context.json(await brokers.list(claims))
  })
  routes.get('/totals', async (context) => {
    const { claims } = await adminOf(context)
    return context.json(await brokers.countLeads(claims))
  })
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
