// /api/gateway: the address of the WhatsApp service, for administrators; tested before it is stored.
import { Hono } from 'hono'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import type { Role } from '#domain/session.ts'
import type { Clock } from '#server/clock.ts'
import { onBehalf } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import type { RateLimit } from '#server/http/rate-limit.ts'
import { jsonOf, limitBody, signedInAdmin, type Asking, type Signed } from '#server/http/requests.ts'
import type { Log } from '#server/log.ts'
import { GatewayError } from '#server/gateway.ts'
import { createEvolutionGateway } from './evolution/client.ts'
import type { StoredGateway } from './stored-gateway.ts'

const MAX_BODY_BYTES = 2 * 1024

const address = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(300),
  v.check((text) => URL.canParse(text)),
  v.transform((text) => new URL(text)),
  // Access is by key only, so an address with a password is refused.
  v.check(({ protocol, username, password }) => /^https?:$/.test(protocol) && username + password === ''),
  v.transform(({ origin, pathname }) => origin + pathname.replace(/\/+$/, '')),
)
const Wanted = v.object({ url: address, apiKey: v.pipe(v.string(), v.trim(), v.regex(/^\S{1,300}$/)) })

type Member = Asking & { role: Role }

export type GatewayRoutesOptions = {
  db: Database
  clock: Clock
  log: Log
  /** Where the address came from. */
  source: 'environment' | 'kept' | 'demo' | 'none'
  /** The address of the stored gateway; null without one. */
  url: string | null
  kept: StoredGateway
  memberOf: (request: Request) => Promise<Member>
  rateLimit: RateLimit
  /** The portal has to reopen with it. */
  onChanged: () => void
}

export function createGatewayRoutes(options: GatewayRoutesOptions): Hono<Signed<Member>> {
  const { db, clock, log, source, url, kept, memberOf, rateLimit, onChanged } = options
  const routes = new Hono<Signed<Member>>()
  routes.use(signedInAdmin(memberOf), limitBody(MAX_BODY_BYTES))
  routes.get('/', (context) => context.json({ source, url }))
  routes.put('/', rateLimit('errand'), async (context) => {
    if (source === 'environment' || source === 'demo')
      throw new PortalError(
        'gateway.not-here',
        source === 'demo'
          ? 'Na demonstração o WhatsApp é simulado e não se troca.'
          : 'O serviço de WhatsApp vem das configurações do servidor (EVOLUTION_URL). Troque lá.',
        { status: 409 },
      )
    const wanted = v.safeParse(Wanted, await jsonOf(context))
    if (!wanted.success)
      throw new PortalError(
        'gateway.invalid',
        'Informe o endereço começando com https:// e a chave, sem espaços.',
        {
          status: 422,
        },
      )
    const { url: baseUrl, apiKey } = wanted.output
    const version = await tryOut(createEvolutionGateway({ baseUrl, apiKey, clock, log }))
    await onBehalf(db, context.var.claims, (query) =>
      query('select portal.set_gateway($1, $2)', [baseUrl, kept.encrypt(apiKey)]),
    )
    onChanged()
    return context.json({ url: baseUrl, version })
  })
  return routes
}

/** The version is public, so only a list of instances proves the key. Raises a PortalError. */
async function tryOut(gateway: ReturnType<typeof createEvolutionGateway>): Promise<string> {
  try {
    const version = await gateway.version()
    await gateway.listInstances()
    return version
  } catch (error) {
    if (error instanceof GatewayError) throw new PortalError(error.code, error.message, { status: 422 })
    throw error
  }
}
