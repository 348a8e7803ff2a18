// /api/push: a person's devices and push settings. Every write states the wanted result, so it may be
// repeated.
import { Hono, type Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import type { Role } from '#domain/session.ts'
import type { Clock } from '#server/clock.ts'
import type { Claims } from '#server/db/as-user.ts'
import { id } from '#server/http/ids.ts'
import { jsonOf, limitBody, signedIn, type Signed } from '#server/http/requests.ts'
import type { Asking, DeviceStore } from './device-store.ts'
import { mayBePushService } from '#server/http/address/public.ts'

type Member = Asking & { role: Role; claims: Claims }

const MAX_BODY_BYTES = 8 * 1024
/** A device with an open conversation reports again within this time. */
const WATCH_MS = 60_000

const key = (bytes: number) =>
  v.pipe(
    v.string(),
    v.regex(/^[\w-]+={0,2}$/),
    v.check((text) => Buffer.from(text, 'base64url').length === bytes),
  )
const Device = v.object({
  endpoint: v.pipe(v.string(), v.maxLength(2_000)),
  keys: v.object({ p256dh: key(65), auth: key(16) }),
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(80)),
  /** True: the device is registered already and only reports that it still exists. */
  again: v.optional(v.boolean(), false),
})
const hour = v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/))
/** Settings that are absent stay as they are. */
const Settings = v.partial(
  v.object({
    hidesNames: v.boolean(),
    quiet: v.nullable(
      v.pipe(
        v.object({ from: hour, until: hour }),
        v.check(({ from, until }) => from !== until),
      ),
    ),
  }),
)
const Watched = v.object({
  contactId: v.nullable(id),
})

const invalid = (message: string) => new PortalError('request.invalid', message, { status: 422 })

async function read<T>(context: Context, schema: v.GenericSchema<unknown, T>, message: string): Promise<T> {
  const body = v.safeParse(schema, await jsonOf(context))
  if (!body.success) throw invalid(message)
  return body.output
}

const forBrokers = createMiddleware<Signed<Member>>(async (context, next) => {
  if (context.var.member.role !== 'broker')
    throw new PortalError('access.denied', 'Só corretores têm conversas abertas.', { status: 403 })
  await next()
})

export function createPushRoutes(parts: {
  store: DeviceStore
  clock: Clock
  allowsLoopback: boolean
  memberOf: (request: Request) => Promise<Member>
}): Hono<Signed<Member>> {
  const { store, clock, allowsLoopback, memberOf } = parts
  const routes = new Hono<Signed<Member>>()
  routes.use(signedIn(memberOf))
  // Administrators have no conversations of their own.
  routes.use('/watching', forBrokers)
  routes.use(limitBody(MAX_BODY_BYTES))
  routes.get('/', async (context) => {
    const asking = context.var.member
    const [devices, settings] = await Promise.all([store.devices(asking), store.settings(asking)])
    return context.json({ devices, settings })
  })
  routes.post('/devices', async (context) => {
    const body = await read(context, Device, 'Este navegador não pode receber avisos.')
    const { endpoint, keys, name, again } = body
    if (!mayBePushService(endpoint, allowsLoopback))
      throw invalid('O endereço de avisos deste navegador não é aceito.')
    return context.json({
      id: await store.saveDevice(context.var.member, { endpoint, ...keys, name, isAgain: again }),
    })
  })
  routes.delete('/devices/:id{[0-9a-f-]{36}}', async (context) => {
    if (!(await store.removeDevice(context.var.member, context.req.param('id'))))
      throw new PortalError('push.unknown-device', 'Este aparelho já não recebe avisos.', { status: 404 })
    return context.json({})
  })
  routes.post('/settings', async (context) => {
    const body = await read(context, Settings, 'Escolha um começo e um fim diferentes.')
    await store.saveSettings(context.var.member, body)
    return context.json({})
  })
  routes.post('/watching', async (context) => {
    const body = await read(context, Watched, 'O pedido não está completo.')
    const until = body.contactId === null ? null : new Date(clock.now() + WATCH_MS).toISOString()
    await store.watch(context.var.member, body.contactId, until)
    return context.json({})
  })
  return routes
}
