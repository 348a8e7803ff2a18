// /api/webhooks: addresses that receive events, for administrators.
import { randomUUID } from 'node:crypto'
import { Hono, type Context } from 'hono'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import { EVENT_TYPES } from '#domain/machine.ts'
import type { Role } from '#domain/session.ts'
import type { Clock } from '#server/clock.ts'
import { onBehalf, type Claims } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import { instant } from '#server/http/dates.ts'
import { id } from '#server/http/ids.ts'
import { jsonOf, limitBody, signedInAdmin, UUID, type Signed } from '#server/http/requests.ts'
import { createHookStore, createSentEvents } from './hook-store.ts'
import { mayBeNotified } from '#server/http/address/public.ts'
import type { Answer, Post } from './post.ts'
import { makeSecret, openSecrets, signatureHeaders } from './signature.ts'

const MAX_BODY_BYTES = 4 * 1024
const at = `/:id{${UUID}}` as const
/** How long the previous secret still signs. */
const OVERLAP_MS = 24 * 3_600_000

type Member = { role: Role; accountId: string; username: string; claims: Claims }

const Add = v.object({
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(80)),
  url: v.pipe(v.string(), v.maxLength(2_000)),
  events: v.pipe(v.array(v.picklist(EVENT_TYPES)), v.minLength(1)),
})
const State = v.object({ state: v.picklist(['active', 'off']) })
const Replay = v.union([v.object({ eventId: id }), v.object({ from: instant, to: instant })])
const Listed = v.object({
  before: v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number))),
  type: v.optional(v.picklist(EVENT_TYPES)),
})

type HookParts = {
  clock: Clock
  db: Database
  post: Post
  privateHosts: readonly string[]
  encrypt: (secret: string) => string
  decrypt: (encrypted: string) => string | null
  memberOf: (request: Request) => Promise<Member>
}

export function createHookRoutes(parts: HookParts): Hono<Signed<Member>> {
  const { clock, db, post, privateHosts, encrypt, decrypt, memberOf } = parts
  const routes = new Hono<Signed<Member>>()
  routes.use(signedInAdmin(memberOf), limitBody(MAX_BODY_BYTES))

  const store = createHookStore(db)
  const change = createChange(db)

  async function test(url: string, secrets: readonly string[]): Promise<Answer> {
    const body = JSON.stringify({
      type: 'portal.test',
      timestamp: new Date(clock.now()).toISOString(),
      data: {},
    })
    const message = { id: randomUUID(), atSeconds: Math.floor(clock.now() / 1_000), body }
    return post(url, signatureHeaders(secrets, message), body)
  }

  routes.get('/', async (context) => context.json(await store.list()))
  // The other system checks signatures, so it needs the secret before the first test.
  routes.post('/', async (context) => {
    const hook = await read(context, Add)
    if (!mayBeNotified(hook.url, privateHosts))
      throw new PortalError('webhook.address', 'Use um endereço público que comece com https://.', {
        status: 422,
      })
    const secret = makeSecret()
    const made = { ...hook, encrypted: encrypt(secret), tail: secret.slice(-4) }
    const id = await change(context.var, (by) => createHookStore(by).add(made))
    return context.json({ id, secret }, 201)
  })
  routes.post(`${at}/test`, async (context) => {
    const hook = await store.find(context.req.param('id'), clock.now())
    if (hook === null) throw unknown()
    const secrets = openSecrets(hook, decrypt)
    if (secrets.length === 0)
      throw new PortalError('webhook.secret-lost', 'O segredo não pode mais ser lido. Troque o segredo.', {
        status: 409,
      })
    const answer = await test(hook.url, secrets)
    if (hook.isUntested && answer.fault === null)
      await change(context.var, (by) => createHookStore(by).endTests(context.req.param('id')))
    return context.json(answer)
  })
  routes.post(`${at}/state`, async (context) => {
    const { state } = await read(context, State)
    const id = context.req.param('id')
    if ((await store.find(id, clock.now()))?.isUntested)
      throw new PortalError('webhook.untested', 'Envie um teste: quando responder, o endereço é ligado.', {
        status: 409,
      })
    if (!(await change(context.var, (by) => createHookStore(by).setState(id, state)))) throw unknown()
    return context.json({ state })
  })
  routes.post(`${at}/secret`, async (context) => {
    const secret = makeSecret()
    const made = { encrypted: encrypt(secret), tail: secret.slice(-4) }
    const untilMs = clock.now() + OVERLAP_MS
    const id = context.req.param('id')
    if (!(await change(context.var, (by) => createHookStore(by).rotate(id, made, untilMs)))) throw unknown()
    return context.json({ secret, untilMs })
  })
  routes.delete(at, async (context) => {
    const id = context.req.param('id')
    if (!(await change(context.var, (by) => createHookStore(by).remove(id)))) throw unknown()
    return context.json({ isRemoved: true })
  })
  addSentEvents(routes, db, change)
  return routes
}

/** Past events of an address, and those that wait. */
function addSentEvents(routes: Hono<Signed<Member>>, db: Database, change: Change): void {
  const sent = createSentEvents(db)
  routes.get(`${at}/events`, async (context) => {
    const listed = v.safeParse(Listed, context.req.query())
    if (!listed.success) throw invalid()
    return context.json(await sent.list(context.req.param('id'), listed.output))
  })
  routes.post(`${at}/replay`, async (context) => {
    const what = await read(context, Replay)
    const id = context.req.param('id')
    const count = await change(context.var, (by) => createSentEvents(by).replay(id, what))
    return context.json({ count })
  })
  routes.post(`${at}/events/:event{[0-9]{1,15}}/skip`, async (context) => {
    const { id, event } = context.req.param()
    if (!(await change(context.var, (by) => createSentEvents(by).skip(id, Number(event)))))
      throw new PortalError('webhook.not-waiting', 'Este aviso não está mais esperando.', { status: 409 })
    return context.json({ isSkipped: true })
  })
}

/** Changes an address as the administrator, so that the audit log names the person. */
const createChange =
  (db: Database) =>
  <T>({ claims }: Signed<Member>['Variables'], run: (by: Pick<Database, 'query'>) => Promise<T>) =>
    onBehalf(db, claims, (query) => run({ query }))
type Change = ReturnType<typeof createChange>

async function read<T>(context: Context, schema: v.GenericSchema<unknown, T>): Promise<T> {
  const body = v.safeParse(schema, await jsonOf(context))
  if (!body.success) throw invalid()
  return body.output
}

const invalid = () =>
  new PortalError('request.invalid', 'Confira o nome, o endereço e os avisos.', { status: 422 })
const unknown = () => new PortalError('webhook.unknown', 'Este endereço não existe mais.', { status: 404 })
