// /api/instance: the signed-in broker's WhatsApp link; an administrator names the broker.
import { Hono, type Context } from 'hono'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import type { Role } from '#domain/session.ts'
import type { RateLimit } from '#server/http/rate-limit.ts'
import { limitBody, signedIn, type Asking, type Signed } from '#server/http/requests.ts'
import type { Links } from './connection.ts'

type Member = Asking & { role: Role; instanceName: string | null }

const MAX_BODY_BYTES = 1024
const Connect = v.object({ number: v.optional(v.pipe(v.string(), v.regex(/^\d{10,15}$/))) })

export function createInstanceRoutes(
  links: Links,
  { memberOf, rateLimit }: { memberOf: (request: Request) => Promise<Member>; rateLimit: RateLimit },
): Hono<Signed<Member>> {
  const routes = new Hono<Signed<Member>>()
  const instanceOf = (context: Context<Signed<Member>>): string => {
    const { member } = context.var
    const named = context.req.query('instanceName')
    const wanted = member.role === 'admin' ? named : member.instanceName
    if (member.role !== 'admin' && named !== undefined && named !== member.instanceName)
      throw new PortalError('access.denied', 'Você não tem acesso a isto.', { status: 403 })
    if (!wanted)
      throw new PortalError('instance.unknown', 'Nome da instância não encontrado', { status: 404 })
    return wanted
  }

  routes.use(signedIn(memberOf), limitBody(MAX_BODY_BYTES))
  routes.get('/', async (context) =>
    context.json(await links.view(instanceOf(context), context.req.query('fresh') === '1')),
  )
  // Every other request calls the gateway, so it is rate-limited.
  const errand = rateLimit('errand')
  routes.post('/connect', errand, async (context) => {
    const instanceName = instanceOf(context)
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
    routes.post(`/${name}`, errand, async (context) => {
      await act(instanceOf(context))
      return context.json({})
    })
  return routes
}
