// /api/service-tokens: tokens of other machines, for administrators.
import { Hono } from 'hono'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import { MAX_TOKEN_DAYS, MACHINE_GRANTS } from '#domain/machine.ts'
import type { Clock } from '#server/clock.ts'
import { onBehalf } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import { jsonOf, limitBody, signedInAdmin, UUID, type Signed } from '#server/http/requests.ts'
import type { Member } from '../accounts/member.ts'
import { createServiceTokens } from './service-tokens.ts'
import type { Tokens } from './token.ts'

const MAX_BODY_BYTES = 4 * 1024
const DAY_MS = 86_400_000

const Intent = v.object({
  operationId: v.pipe(v.string(), v.uuid()),
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(60)),
  grants: v.pipe(v.array(v.picklist(MACHINE_GRANTS)), v.minLength(1)),
  expiresAt: v.pipe(v.string(), v.isoTimestamp()),
})

type TokenParts = {
  db: Database
  clock: Clock
  tokens: Tokens
  memberOf: (request: Request) => Promise<Member>
}

export function createTokenRoutes({ db, clock, tokens, memberOf }: TokenParts): Hono<Signed<Member>> {
  const routes = new Hono<Signed<Member>>()
  routes.use(signedInAdmin(memberOf), limitBody(MAX_BODY_BYTES))
  routes.get('/', async (context) => context.json(await createServiceTokens({ db, clock, tokens }).list()))
  routes.post('/', async (context) => {
    const intent = v.safeParse(Intent, await jsonOf(context))
    if (!intent.success)
      throw new PortalError('request.invalid', 'Confira o nome, as permissões e a data.', { status: 422 })
    const { operationId, name, grants, expiresAt } = intent.output
    const days = (Date.parse(expiresAt) - clock.now()) / DAY_MS
    if (days <= 0 || days > MAX_TOKEN_DAYS)
      throw new PortalError('token.term', 'Escolha um fim daqui a no máximo dois anos.', { status: 422 })
    const made = await onBehalf(db, context.var.claims, (query) =>
      createServiceTokens({ db: { query }, clock, tokens }).mint({ id: operationId, name, grants, days }),
    )
    return context.json({ id: made.service.id, token: made.token }, 201)
  })
  routes.post(`/:id{${UUID}}/revoke`, async (context) => {
    await onBehalf(db, context.var.claims, (query) =>
      createServiceTokens({ db: { query }, clock, tokens }).revoke(context.req.param('id')),
    )
    return context.json({ isRevoked: true })
  })
  return routes
}
