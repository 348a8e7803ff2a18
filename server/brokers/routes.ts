// /api/instance: the signed-in broker's WhatsApp link; an administrator names whose (PRODUCT.md 3; SPEC.md 2.16, 2.17).
import { Hono, type Context } from 'hono'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import type { Links } from './link.ts'

type Asking = { role: 'admin' | 'broker'; instanceName: string | null }

const Connect = v.object({ number: v.optional(v.pipe(v.string(), v.regex(/^\d{10,15}$/))) })

export function createInstanceRoutes(links: Links, memberOf: (request: Request) => Promise<Asking>): Hono {
  const routes = new Hono()
  const instanceOf = async (context: Context): Promise<string> => {
    const member = await memberOf(context.req.raw)
    const named = context.req.query('instanceName')
    const wanted = member.role === 'admin' ? named : member.instanceName
    if (member.role !== 'admin' && named !== undefined && named !== member.instanceName)
      throw new PortalError('access.denied', 'Você não tem acesso a isto.', { status: 403 })
    if (!wanted)
      throw new PortalError('instance.unknown', 'Nome da instância não encontrado', { status: 404 })
    return wanted
  }

  routes.use(async (context, next) => {
    await next()
    context.res.headers.set('cache-control', 'no-store')
  })
  routes.get('/', async (context) =>
    context.json(await links.view(await instanceOf(context), context.req.query('fresh') === '1')),
  )
  routes.post('/connect', async (context) => {
    const instanceName = await instanceOf(context)
    const body = v.safeParse(Connect, await context.req.json().catch(() => ({})))
    if (!body.success)
      throw new PortalError('number.invalid', 'Informe o número com DDD, só com dígitos.', { status: 422 })
    return context.json(await links.connect(instanceName, body.output.number))
  })
  const actions = {
    restart: links.restart,
    recreate: links.recreate,
    disconnect: links.disconnect,
    acknowledge: links.acknowledgeReplacement,
  }
  for (const [name, act] of Object.entries(actions))
    routes.post(`/${name}`, async (context) => {
      await act(await instanceOf(context))
      return context.json({})
    })
  return routes
}
