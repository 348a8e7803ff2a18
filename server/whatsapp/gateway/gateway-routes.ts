// /api/gateway: the addresses of the gateways, for administrators; tested before they are stored.
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
import { GatewayError, type Gateway, type GatewayKind } from '#server/gateway.ts'
import { FIRST, type RoomName, ROOMS } from './rooms.ts'
import type { StoredGateways } from './stored-gateway.ts'

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
const Wanted = v.object({
  kind: v.optional(v.string(), FIRST),
  url: address,
  apiKey: v.pipe(v.string(), v.trim(), v.regex(/^\S{1,300}$/)),
})
const ForNew = v.object({ kind: v.string() })

type Member = Asking & { role: Role }

/** Where a gateway's address came from, and the address if there is one. */
export type GatewayPlace = {
  kind: RoomName
  source: 'environment' | 'kept' | 'demo' | 'none'
  url: string | null
}

export type GatewayRoutesOptions = {
  db: Database
  clock: Clock
  log: Log
  places: readonly GatewayPlace[]
  /** Where new instances are made; null without a gateway. */
  newKind: GatewayKind | null
  healths: () => Readonly<Record<GatewayKind, string>>
  kept: StoredGateways
  memberOf: (request: Request) => Promise<Member>
  rateLimit: RateLimit
  /** Called when an address has changed; the portal then opens the gateways again. */
  onChanged: () => void
}

export function createGatewayRoutes(options: GatewayRoutesOptions): Hono<Signed<Member>> {
  const { db, clock, log, places, newKind, healths, kept, memberOf, rateLimit, onChanged } = options
  const routes = new Hono<Signed<Member>>()
  routes.use(signedInAdmin(memberOf), limitBody(MAX_BODY_BYTES))
  routes.get('/', async (context) => {
    const shown = places.map(({ kind, source, url }) => ({
      kind,
      title: ROOMS[kind].title,
      needs: ROOMS[kind].needs,
      source,
      url: source === 'kept' ? url : null,
      health: healths()[kind] ?? null,
    }))
    // An app of an earlier release reads one gateway only.
    const one = shown.find(({ source }) => source !== 'none') ?? { source: 'none', url: null }
    const { rows: instances } = await onBehalf(db, context.var.claims, (query) =>
      query('select * from portal.instance_gateways()'),
    )
    return context.json({ gateways: shown, newKind, instances, source: one.source, url: one.url })
  })
  routes.put('/', rateLimit('errand'), async (context) => {
    const wanted = v.safeParse(Wanted, await jsonOf(context))
    const place = wanted.success && places.find(({ kind }) => kind === wanted.output.kind)
    if (!wanted.success || !place)
      throw new PortalError(
        'gateway.invalid',
        'Informe o endereço começando com https:// e a chave, sem espaços.',
        { status: 422 },
      )
    requireChangeable(place)
    const { url: baseUrl, apiKey } = wanted.output
    const version = await tryOut(ROOMS[place.kind].createGateway({ baseUrl, apiKey, clock, log }))
    await onBehalf(db, context.var.claims, (query) =>
      query('select portal.set_gateway($1, $2, $3)', [place.kind, baseUrl, kept.encrypt(apiKey)]),
    )
    onChanged()
    return context.json({ url: baseUrl, version })
  })
  routes.put('/new', rateLimit('errand'), async (context) => {
    const wanted = v.safeParse(ForNew, await jsonOf(context))
    const place = wanted.success && places.find(({ kind }) => kind === wanted.output.kind)
    if (!place || place.source === 'none' || newKind === null)
      throw new PortalError('gateway.not-open', 'Ligue primeiro este serviço de WhatsApp.', { status: 422 })
    await onBehalf(db, context.var.claims, (query) =>
      query('select portal.set_new_gateway($1)', [place.kind]),
    )
    onChanged()
    return context.json({ newKind: place.kind })
  })
  return routes
}

function requireChangeable({ kind, source }: GatewayPlace) {
  if (source === 'demo')
    throw new PortalError(
      'gateway.not-here',
      'Na demonstração o WhatsApp é simulado e o endereço não se troca.',
      {
        status: 409,
      },
    )
  if (source === 'environment')
    throw new PortalError(
      'gateway.not-here',
      `O serviço de WhatsApp vem das configurações do servidor (${ROOMS[kind].variable}). Troque lá.`,
      { status: 409 },
    )
}

/** The version is public, so only a list of instances proves the key. Raises a PortalError. */
async function tryOut(gateway: Gateway): Promise<string> {
  try {
    const version = await gateway.version()
    await gateway.listInstances()
    return version
  } catch (error) {
    if (error instanceof GatewayError) throw new PortalError(error.code, error.message, { status: 422 })
    throw error
  }
}
