// /api/webhooks: addresses that receive events, for administrators.
import { randomUUID } from 'node:crypto'
import { Hono, type Context } from 'hono'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import { EVENT_TYPES } from '#domain/machine.ts'
import type { Clock } from '#server/clock.ts'
import { onBehalf, type Claims } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import { instant } from '#server/http/dates.ts'
import { id } from '#server/http/ids.ts'
import { jsonOf, limitBody, signedInAdmin, UUID, type Signed } from '#server/http/requests.ts'
import { createHookStore, createSentEvents } from './hook-store.ts'
import { mayBeNotified, type Answer, type Post } from './post.ts'
import { makeSecret, openSecrets, signatureHeaders } from './signature.ts'

const MAX_BODY_BYTES = 4 * 1024
/** How long the previous secret still signs. */
const OVERLAP_MS = 24 * 3_600_000

type Member = { role: 'admin' | 'broker'; accountId: string; username: string; claims: Claims }

const Add = v.object({
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(80)),
  url: v.pipe(v.string(), v.maxLength(2_000)),
  events: v.pipe(v.array(v.picklist(EVENT_TYPES)), v.minLength(1)),
})
const State = v.object({ state: v.picklist(['active', 'off']) })
const Replay = v.union([v.object({ eventId: id }), v.object({ from: instant, to: instant })])
const Page = v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number)))

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
  const sent = createSentEvents(db)
  /** Changes run as the administrator, for the audit log. */
  const change = <T>(
    { claims }: Signed<Member>['Variables'],
    run: (db: Pick<Database, 'query'>) => Promise<T>,
  ) => onBehalf(db, claims, (query) => run({ query }))

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
  // An address that fails the test now would fail later unnoticed, so it is refused.
  routes.post('/', async (context) => {
    const hook = await read(context, Add)
    if (!mayBeNotified(hook.url, privateHosts)) throw refusedAddress()
    const secret = makeSecret()
    const answer = await test(hook.url, [secret])
    if (answer.fault !== null) throw noAnswer(answer)
    const made = { ...hook, encrypted: encrypt(secret), tail: secret.slice(-4) }
    const id = await change(context.var, (by) => createHookStore(by).add(made))
    return context.json({ id, secret, tookMs: answer.tookMs }, 201)
  })
  const at = `/:id{${UUID}}` as const
  routes.post(`${at}/test`, async (context) => {
    const hook = await store.find(context.req.param('id'), clock.now())
    if (hook === null) throw unknown()
    const secrets = openSecrets(hook, decrypt)
    if (secrets.length === 0)
      throw new PortalError('webhook.secret-lost', 'O segredo não pode mais ser lido. Troque o segredo.', {
        status: 409,
      })
    return context.json(await test(hook.url, secrets))
  })
  routes.post(`${at}/state`, async (context) => {
    const { state } = await read(context, State)
    const id = context.req.param('id')
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
  routes.get(`${at}/events`, async (context) => {
    const before = v.safeParse(Page, context.req.query('before'))
    if (!before.success) throw invalid()
    return context.json(await sent.list(context.req.param('id'), before.output ?? null))
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
  return routes
}

async function read<T>(context: Context, schema: v.GenericSchema<unknown, T>): Promise<T> {
  const body = v.safeParse(schema, await jsonOf(context))
  if (!body.success) throw invalid()
  return body.output
}

const invalid = () =>
  new PortalError('request.invalid', 'Confira o nome, o endereço e os avisos.', { status: 422 })
const unknown = () => new PortalError('webhook.unknown', 'Este endereço não existe mais.', { status: 404 })
const refusedAddress = () =>
  new PortalError('webhook.address', 'Use um endereço público que comece com https://.', { status: 422 })

function noAnswer({ status, fault }: Answer): PortalError {
  if (fault === 'address') return refusedAddress()
  const said =
    fault === 'late'
      ? 'O endereço não respondeu em 10 segundos.'
      : status === null
        ? 'O endereço não respondeu.'
        : `O endereço respondeu ${status}; a resposta precisa ser 200.`
  return new PortalError('webhook.no-answer', said, { status: 422 })
}
