// /api/instance/move: an administrator moves a broker's instance to another gateway.
import { Hono } from 'hono'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import type { Role } from '#domain/session.ts'
import type { RateLimit } from '#server/http/rate-limit.ts'
import { jsonOf, limitBody, signedInAdmin, type Asking, type Signed } from '#server/http/requests.ts'
import type { Moves } from './moves.ts'

type Member = Asking & { role: Role }

const MAX_BODY_BYTES = 1024
const Wanted = v.object({
  kind: v.pipe(v.string(), v.regex(/^[a-z]{1,20}$/)),
  number: v.optional(v.pipe(v.string(), v.regex(/^\d{10,15}$/))),
})

export function createMoveRoutes(
  moves: Moves,
  { memberOf, rateLimit }: { memberOf: (request: Request) => Promise<Member>; rateLimit: RateLimit },
): Hono<Signed<Member>> {
  const routes = new Hono<Signed<Member>>()
  const nameOf = (named: string | undefined): string => {
    if (named) return named
    throw new PortalError('instance.unknown', 'Nome da instância não encontrado', { status: 404 })
  }
  routes.use(signedInAdmin(memberOf), limitBody(MAX_BODY_BYTES))
  routes.get('/', async (context) =>
    context.json(await moves.view(nameOf(context.req.query('instanceName')))),
  )
  routes.post('/', rateLimit('errand'), async (context) => {
    const instanceName = nameOf(context.req.query('instanceName'))
    const wanted = v.safeParse(Wanted, await jsonOf(context))
    if (!wanted.success)
      throw new PortalError('gateway.invalid', 'Escolha o serviço de WhatsApp.', { status: 422 })
    return context.json(await moves.step(context.var.claims, { instanceName, ...wanted.output }))
  })
  routes.delete('/', async (context) => {
    await moves.end(context.var.claims, nameOf(context.req.query('instanceName')))
    return context.json({})
  })
  return routes
}
